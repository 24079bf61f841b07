import { toAppError } from '#lib/errors.ts'
import { toastError } from '#ui/toasts.ts'

export const choiceToasts = {
  failed: (problem: unknown) =>
    toastError('Your choice was not saved. Please try again.', toAppError(problem).message || undefined),
}
