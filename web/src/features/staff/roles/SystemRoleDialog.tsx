import { Dialog } from '#ui/Dialog.tsx'
import { type RoleDraft, useSaveSystemRole } from './roles.mutations.ts'
import type { Permission } from './roles.queries.ts'
import { SystemRoleForm } from './SystemRoleForm.tsx'

interface SystemRoleDialogProps {
  opened: boolean
  role: RoleDraft
  permissions: Permission[]
  onClose: () => void
}

/** The form of one role, over the list. Cannot be closed while it is being saved. */
export function SystemRoleDialog({ opened, role, permissions, onClose }: SystemRoleDialogProps) {
  const { mutate, isPending } = useSaveSystemRole(onClose)
  return (
    <Dialog
      opened={opened}
      onClose={() => !isPending && onClose()}
      title={role.id === undefined ? 'New role' : 'Edit role'}
    >
      <SystemRoleForm
        role={role}
        permissions={permissions}
        busy={isPending}
        onSave={(draft) => mutate(draft)}
        onCancel={onClose}
      />
    </Dialog>
  )
}
