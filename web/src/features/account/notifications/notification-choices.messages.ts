import { counted } from '#domain/plural.ts'
import { reasonOf, refusalOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

const why = (problem: unknown) => refusalOf(problem) ?? reasonOf(problem)

export const choiceToasts = {
  failed: (problem: unknown) =>
    toastError('Your choice was not saved. Please try again.', toAppError(problem).message || undefined),
  added: () => toastSuccess('Notifications on', 'Even while Potluck is closed.'),
  // What the browser itself throws is about its own push service, not about us.
  notAdded: (problem: unknown) =>
    toastError(
      'Notifications not turned on',
      problem instanceof DOMException
        ? 'Your browser’s notification service didn’t answer. Please try again.'
        : why(problem),
    ),
  tested: ({ sent, failed, waiting }: { sent: number; failed: number; waiting: number }) => {
    const all = sent + failed + waiting
    if (sent && sent === all)
      toastSuccess(`Test sent to ${counted(sent, 'device')}`, 'It should appear in a moment.')
    else if (sent)
      toastWarning(`Test sent to ${sent} of ${counted(all, 'device')}`, 'We’ll keep trying the others.')
    else if (waiting) toastWarning('Test not sent yet', 'It will arrive soon.')
    else toastError('Test not sent', 'Remove this device and add it again.')
  },
  notTested: (problem: unknown) => toastError('Test not sent', why(problem)),
  removed: () => toastSuccess('Device removed'),
  notRemoved: (problem: unknown) => toastError('Device not removed', why(problem)),
}
