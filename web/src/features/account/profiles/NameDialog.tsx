import { t } from '@lingui/core/macro'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { type FormEvent, useState } from 'react'
import { visibleLength } from '#domain/text.ts'
import { useUser } from '#lib/session.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { useSaveName } from './profiles.mutations.ts'

/** Asks what others may call the person, before the first of them would read it. */
export function NameDialog({ answer }: { answer: (given: boolean) => void }) {
  const [name, setName] = useState('')
  const save = useSaveName(useUser().id, () => answer(true))
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
      // Above the dialog whose answer needs it.
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
            data-autofocus
          />
          <Button type="submit" fullWidth disabled={visibleLength(name) === 0} loading={save.isPending}>
            {t`Save and continue`}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
