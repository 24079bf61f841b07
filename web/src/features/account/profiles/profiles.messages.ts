import { reasonOf, refusalOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const profileTexts = {
  loadTitle: 'Could not load profile information',
  loadFailed: 'Failed to load profile data. Please try again later.',
  phoneWrong: 'Please enter a phone number with its country code, like +49 30 123456',
  endFailed: 'Failed to load what goes with your account',
  socialPicture: 'Your picture comes from the service you sign in with.',
} as const

export const profileToasts = {
  saved: () => toastSuccess('Profile updated successfully'),
  saveFailed: (problem: unknown) => toastError('Failed to update profile', why(problem)),
  exportFailed: (problem: unknown) => toastError('Your data could not be collected', why(problem)),
  deleted: () => toastSuccess('Your account has been deleted', 'Thank you for having been at the table.'),
  deleteFailed: (problem: unknown) => toastError('Your account is still there', why(problem)),
}

/** The rule that was broken, since it says what to do; else why there was no answer. */
const why = (problem: unknown) => refusalOf(problem) ?? reasonOf(problem)
