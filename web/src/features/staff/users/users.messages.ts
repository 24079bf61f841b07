import { toastError } from '#ui/toasts.ts'

export const userTexts = {
  title: 'User Management',
  failed: 'Could not load users',
  none: 'No users found',
  noMatch: 'No users found matching your search',
} as const

export const userToasts = {
  listFailed: () => toastError('Error', userTexts.failed),
}
