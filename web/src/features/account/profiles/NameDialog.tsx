import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { visibleLength } from '#domain/text.ts'
import { useUser } from '#lib/session.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { useSaveName } from './profiles.mutations.ts'
import { ownNameQuery } from './profiles.queries.ts'

interface NameDialogProps {
  /** The name others see now, offered as the default. */
  name: string
  answer: (given: boolean) => void
}

/** Asks for a display name before anybody else sees the default one. */
export function NameDialog({ name: first, answer }: NameDialogProps) {
  const [name, setName] = useState(first)
  const user = useUser()
  const { data: person } = useQuery(ownNameQuery(user))
  const save = useSaveName(user.id, () => answer(true))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    save.mutate(name)
  }
  return (
    <Dialog
      opened
      onClose={() => answer(false)}
      title={t`What should we call you?`}
      // Puts this dialog above the one that is already open.
      zIndex={300}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text c="dimmed">{t`People you share with see this. A first name is enough.`}</Text>
          <TextInput
            label={t`First name`}
            name="name"
            maxLength={LIMITS.longestDisplayName}
            autoComplete="given-name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            onFocus={({ currentTarget }) => currentTarget.select()}
            data-autofocus
          />
          <Group gap="sm" wrap="nowrap">
            <PersonAvatar name={name} src={person?.avatarUrl} />
            <Text style={{ overflowWrap: 'anywhere' }}>
              <Trans>
                Others see you as <bdi>{name}</bdi>
              </Trans>
            </Text>
          </Group>
          <Button type="submit" fullWidth disabled={visibleLength(name) === 0} loading={save.isPending}>
            {t`Save and continue`}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
