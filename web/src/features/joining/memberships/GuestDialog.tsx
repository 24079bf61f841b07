import { t } from '@lingui/core/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { placeLink } from '#domain/place-link.ts'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { vaultEntryQuery } from '#features/trust/access/vault.queries.ts'
import { language } from '#lib/language.ts'
import { CopyField } from '#ui/CopyField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import { GuestAddressFields } from './GuestAddressFields.tsx'
import { type Guest, useGuestAccess, useGuestAddress, useNoteToGuest, useRenewLink } from './guests.ts'
import { PlaceNotes } from './PlaceNotes.tsx'

export interface GuestDialogProps {
  plan: Plan
  guest: Guest
  name: string
  opened: boolean
  onClose: () => void
}

/** What an owner does for a guest: notes, their address, the login, and a new link. */
export function GuestDialog({ plan, guest, name, opened, onClose }: GuestDialogProps) {
  const note = useNoteToGuest(plan.id, guest.personId)
  return (
    <Dialog opened={opened} onClose={onClose} title={name}>
      <Stack gap="xl">
        <Part title={t`Notes`}>
          <PlaceNotes
            notes={guest.notes}
            isOwner
            other={name}
            busy={note.isPending}
            onSend={(text, sent) => note.mutate(text, { onSuccess: sent })}
          />
        </Part>
        <Address plan={plan} guest={guest} />
        <Login plan={plan} guest={guest} name={name} />
        <NewLink plan={plan} guest={guest} name={name} />
      </Stack>
    </Dialog>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Stack gap="sm" component="section" aria-labelledby={id}>
      <Title order={3} size="h4" id={id}>
        {title}
      </Title>
      {children}
    </Stack>
  )
}

interface PartProps {
  plan: Plan
  guest: Guest
  name: string
}

function Address({ plan, guest }: Omit<PartProps, 'name'>) {
  const save = useGuestAddress(plan.id, guest.personId)
  const [value, setValue] = useState({ email: guest.email ?? '', language: guest.language ?? language })
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(value)
  }
  return (
    <Part title={t`Reminders by email`}>
      <Stack gap="sm" component="form" onSubmit={send}>
        <GuestAddressFields value={value} onChange={setValue} />
        {guest.email && !guest.mailable && (
          <Text size="sm" c="dimmed">
            {t`No more emails for now: they have stopped them, or not yet opened the link in one.`}
          </Text>
        )}
        <Group>
          <Button type="submit" variant="default" size="sm" loading={save.isPending}>
            {t`Save`}
          </Button>
        </Group>
      </Stack>
    </Part>
  )
}

/** Lets the guest open the plan's login with a PIN. Without a stored login there is nothing to open. */
function Login({ plan, guest, name }: PartProps) {
  const { data: entry } = useQuery(vaultEntryQuery(plan.id))
  const access = useGuestAccess(plan.id, guest.personId)
  if (!entry) return null
  return (
    <Part title={t`Login`}>
      {guest.opensAccess && access.data && <CopyField label={t`PIN`} value={access.data} />}
      <Text size="sm">
        {guest.opensAccess
          ? access.data
            ? t`Tell ${name} this PIN by another way than the link. It is shown only now.`
            : t`${name} can open the login with their PIN.`
          : t`${name} sees no login. You can let them open it with a PIN.`}
      </Text>
      <Group gap="sm">
        <Button variant="default" size="sm" loading={access.isPending} onClick={() => access.mutate(true)}>
          {guest.opensAccess ? t`Make a new PIN` : t`Make a PIN`}
        </Button>
        {guest.opensAccess && (
          <Button variant="subtle" size="sm" color="beet" onClick={() => access.mutate(false)}>
            {t`Close the login`}
          </Button>
        )}
      </Group>
    </Part>
  )
}

function NewLink({ plan, guest, name }: PartProps) {
  const renew = useRenewLink(plan.id)
  return (
    <Part title={t`A new link`}>
      {renew.data ? (
        <ShareLink
          big
          link={placeLink(renew.data)}
          title={t`Your place in ${plan.provider} ${{ name: planName(plan.name) }}`}
        />
      ) : (
        <>
          <Text size="sm">{t`All earlier links of ${name} stop working right away.`}</Text>
          <Group>
            <Button
              variant="default"
              size="sm"
              loading={renew.isPending}
              onClick={() => renew.mutate(guest.personId)}
            >
              {t`Make a new link`}
            </Button>
          </Group>
        </>
      )}
    </Part>
  )
}
