import { reasonOf, refusalOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const profileTexts = {
  loadTitle: 'Could not load profile information',
  loadFailed: 'Failed to load profile data. Please try again later.',
  phoneWrong: 'Please enter a phone number with its country code, like +49 30 123456',
  endFailed: 'Account details could not be loaded',
  socialPicture: 'Your picture comes from your sign-in service.',
} as const

export const profileToasts = {
  saved: () => toastSuccess('Profile updated successfully'),
  saveFailed: (problem: unknown) => toastError('Failed to update profile', why(problem)),
  exportFailed: (problem: unknown) => toastError('Your data could not be downloaded', why(problem)),
  deleted: () => toastSuccess('Account deleted', 'Thank you for sharing with us.'),
  deleteFailed: (problem: unknown) => toastError('Account not deleted', why(problem)),
}

/** The rule that was broken, since it says what to do; else why there was no answer. */
const why = (problem: unknown) => refusalOf(problem) ?? reasonOf(problem)
