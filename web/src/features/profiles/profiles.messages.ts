import { RULE_BROKEN, reasonOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const profileTexts = {
  loadTitle: 'Could not load profile information',
  loadFailed: 'Failed to load profile data. Please try again later.',
  socialPicture: 'Your picture comes from the service you sign in with.',
} as const

export const profileToasts = {
  saved: () => toastSuccess('Profile updated successfully'),
  saveFailed: (problem: unknown) => toastError('Failed to update profile', explain(problem)),
  exportFailed: (problem: unknown) => toastError('Your data could not be collected', explain(problem)),
  deleted: () => toastSuccess('Your account has been deleted', 'Thank you for having been at the table.'),
  deleteFailed: (problem: unknown) => toastError('Your account is still there', explain(problem)),
}

/** The database's own sentence where a rule was broken, since it says what to do; else why nothing came back. */
function explain(problem: unknown): string {
  const { code, message } = toAppError(problem)
  return code === RULE_BROKEN && !message.startsWith('new row') ? message : reasonOf(problem)
}
