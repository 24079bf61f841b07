import { toastError } from '#ui/toasts.ts'

export const userTexts = {
  title: 'User Management',
  failed: 'Could not load users',
  /** ERR-57 */
  none: 'No users found',
  noMatch: 'No users found matching your search',
} as const

/** ERR-51 */
export const userToasts = {
  listFailed: () => toastError('Error', userTexts.failed),
}
