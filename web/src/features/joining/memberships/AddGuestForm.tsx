import { t } from '@lingui/core/macro'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { type FormEvent, useState } from 'react'
import { placeLink } from '#domain/place-link.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { visibleLength } from '#domain/text.ts'
import { language } from '#lib/language.ts'
import { ShareLink } from '#ui/ShareLink.tsx'
import { GuestAddressFields } from './GuestAddressFields.tsx'
import { useAddGuest } from './guests.ts'

/** The form to add people by name, one after the other. Each one’s link is shown once. */
export function AddGuestForm({ plan }: { plan: Plan }) {
  const [name, setName] = useState('')
  const [address, setAddress] = useState({ email: '', language })
  const add = useAddGuest(plan.id)
  const added = add.data !== undefined && add.variables?.name
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (visibleLength(name) === 0) return
    const onSuccess = () => {
      setName('')
      setAddress({ ...address, email: '' })
    }
    add.mutate({ name, ...address }, { onSuccess })
  }
  return (
    <Stack gap="lg">
      {added && add.data && (
        <Stack gap="xs" role="status">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {t`${added}’s link, shown only now`}
          </Text>
          <ShareLink
            big
            link={placeLink(add.data)}
            title={t`Your place in ${plan.provider} ${{ name: planName(plan.name) }}`}
          />
          <Text
            size="sm"
            c="dimmed"
          >{t`Whoever has this link is ${added}. It opens their place: what is due, and how to pay you.`}</Text>
        </Stack>
      )}
      <Stack gap="md" component="form" onSubmit={send}>
        <TextInput
          label={added ? t`Next name` : t`Name`}
          description={t`They need no account, no password and no app.`}
          inputWrapperOrder={['label', 'input', 'description']}
          placeholder={t`Mum`}
          maxLength={LIMITS.longestDisplayName}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        <GuestAddressFields value={address} onChange={setAddress} />
        <Button type="submit" loading={add.isPending} disabled={visibleLength(name) === 0}>
          {t`Make their link`}
        </Button>
      </Stack>
    </Stack>
  )
}
