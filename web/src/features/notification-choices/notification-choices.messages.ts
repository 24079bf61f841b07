import { reasonOf, refusalOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

const why = (problem: unknown) => refusalOf(problem) ?? reasonOf(problem)

export const choiceToasts = {
  failed: (problem: unknown) =>
    toastError('Your choice was not saved. Please try again.', toAppError(problem).message || undefined),
  added: () => toastSuccess('You are notified on this device', 'Also while Potluck is closed.'),
  // What the browser throws itself is about its maker's push service, not about us.
  notAdded: (problem: unknown) =>
    toastError(
      'You are not notified on this device',
      problem instanceof DOMException
        ? 'The push service of your browser did not answer. Please try again.'
        : why(problem),
    ),
  removed: () => toastSuccess('No more notifications there'),
  notRemoved: (problem: unknown) => toastError('That device was not removed', why(problem)),
}
