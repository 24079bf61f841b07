import { Button, Group, Stack, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { type Passkey, useRenamePasskey } from './passkeys.ts'

/** Names a passkey; a new one comes with a suggestion. */
export function NameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  useFocusReturn()
  const [name, setName] = useState(passkey.friendly_name ?? '')
  const rename = useRenamePasskey(onClose)
  return (
    <Dialog opened onClose={onClose} title="Name this passkey">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate({ id: passkey.id, name })
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name"
            description="So that you know which device it is on."
            maxLength={LIMITS.longestFullName}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit" variant="primary" loading={rename.isPending} disabled={name.trim() === ''}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
