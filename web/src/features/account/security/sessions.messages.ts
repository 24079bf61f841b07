import { reasonOf, refusalOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const sessionToasts = {
  ended: () => toastSuccess('Signed out there', 'That device has to sign in again.'),
  allEnded: () => toastSuccess('Signed out everywhere else', 'Only this device is signed in now.'),
  failed: (problem: unknown) =>
    toastError('That device is still signed in', refusalOf(problem) ?? reasonOf(problem)),
}
