import { toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const secondFactorToasts = {
  removed: () => toastSuccess('Two-step sign-in is off', 'Your password alone signs you in again.'),
  failed: (problem: unknown) =>
    toastError('Two-step sign-in is unchanged', toAppError(problem).message || undefined),
}
