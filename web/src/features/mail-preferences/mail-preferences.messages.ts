import { toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const mailPreferenceToasts = {
  saved: (wanted: boolean) =>
    wanted
      ? toastSuccess('E-mails switched on')
      : toastSuccess('E-mails switched off', 'You still find everything at the bell.'),
  failed: (problem: unknown) =>
    toastError('Your choice was not saved. Please try again.', toAppError(problem).message || undefined),
}
