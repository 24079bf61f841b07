import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionForm } from '#ui/ActionForm.tsx'
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
      <ActionForm
        action="Save name"
        busy={rename.isPending}
        disabled={name.trim() === ''}
        onSubmit={() => rename.mutate({ id: passkey.id, name })}
      >
        <TextInput
          label="Name"
          description="So that you know which device it is on."
          maxLength={120}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          data-autofocus
        />
      </ActionForm>
    </Dialog>
  )
}
