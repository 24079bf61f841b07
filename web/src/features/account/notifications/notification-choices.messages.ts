import { counted } from '#domain/plural.ts'
import { reasonOf, refusalOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

const why = (problem: unknown) => refusalOf(problem) ?? reasonOf(problem)

export const choiceToasts = {
  failed: (problem: unknown) =>
    toastError('Your choice was not saved. Please try again.', toAppError(problem).message || undefined),
  added: () => toastSuccess('You are notified on this device', 'Also while Potluck is closed.'),
  // What the browser itself throws is about its own push service, not about us.
  notAdded: (problem: unknown) =>
    toastError(
      'You are not notified on this device',
      problem instanceof DOMException
        ? 'The push service of your browser did not answer. Please try again.'
        : why(problem),
    ),
  tested: ({ sent, failed, waiting }: { sent: number; failed: number; waiting: number }) => {
    const all = sent + failed + waiting
    if (sent && sent === all)
      toastSuccess(`Test sent to ${counted(sent, 'device')}`, 'It shows in a moment, where the device is on.')
    else if (sent)
      toastWarning(
        `Test sent to ${sent} of ${counted(all, 'device')}`,
        'The others did not take it. We try again for a while.',
      )
    else if (waiting)
      toastWarning('The test has not been sent yet', 'It is on its way, and shows when it arrives.')
    else
      toastError(
        'The test was not sent',
        'Your browser’s push service refused it. Remove this device and add it again.',
      )
  },
  notTested: (problem: unknown) => toastError('The test was not sent', why(problem)),
  removed: () => toastSuccess('No more notifications there'),
  notRemoved: (problem: unknown) => toastError('That device was not removed', why(problem)),
}
