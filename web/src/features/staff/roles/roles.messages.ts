import type { Role } from '#domain/roles.ts'
import { DUPLICATE, refusalOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const roleTexts = {
  title: 'System Roles',
  failed: 'Could not load roles',
  nameRequired: 'Role name is required',
  readOnly: 'Only super-admins can change roles.',
  about: 'What staff can see and do. Give roles in User Management.',
} as const

/** Somebody's role before and after. */
interface RoleChange {
  from: Role
  to: Role
}

/** A first role is assigned, the last one removed, and any other change is an update. */
export const assignmentToasts = {
  done: ({ from, to }: RoleChange) => {
    if (to === null) toastSuccess('Role Removed', 'User role has been successfully removed')
    else
      toastSuccess(from === null ? 'Role Assigned' : 'Role Updated', `User has been assigned the ${to} role`)
  },
  failed: (problem: unknown, { from, to }: RoleChange) => {
    const refusal = refusalOf(problem)
    if (refusal) toastError('Update Failed', refusal)
    else if (to === null) toastError('Error', 'Failed to remove user role')
    else if (from === null) toastError('Error', 'Failed to assign user role')
    else toastError('Update Failed', 'Failed to update user role')
  },
}

export const systemRoleToasts = {
  nameless: () => toastError('Validation error', roleTexts.nameRequired),
  created: () => toastSuccess('Role created'),
  updated: () => toastSuccess('Role updated'),
  refused: (problem: unknown) => {
    const taken = toAppError(problem).code === DUPLICATE
    const reason = taken ? 'There is already a role with this name' : refusalOf(problem)
    toastError('Error', reason ?? 'The role could not be saved. Please try again.')
  },
}
