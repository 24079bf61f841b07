import { plural, t } from '@lingui/core/macro'
import { reasonOf, refusalOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

const why = (problem: unknown) => refusalOf(problem) ?? reasonOf(problem)

export const choiceToasts = {
  failed: (problem: unknown) =>
    toastError(t`Your choice was not saved. Please try again.`, toAppError(problem).message || undefined),
  added: () => toastSuccess(t`Notifications on`, t`Even while Potluck is closed.`),
  // Errors thrown by the browser come from its push service, not from our server.
  notAdded: (problem: unknown) =>
    toastError(
      t`Notifications not turned on`,
      problem instanceof DOMException
        ? t`Your browser’s notification service didn’t answer. Please try again.`
        : why(problem),
    ),
  tested: ({ sent, failed, waiting }: { sent: number; failed: number; waiting: number }) => {
    const all = sent + failed + waiting
    if (sent && sent === all)
      toastSuccess(
        t`Test sent to ${plural(sent, { one: '# device', other: '# devices' })}`,
        t`It should appear in a moment.`,
      )
    else if (sent)
      toastWarning(
        t`Test sent to ${sent} of ${plural(all, { one: '# device', other: '# devices' })}`,
        t`We’ll keep trying the others.`,
      )
    else if (waiting) toastWarning(t`Test not sent yet`, t`It will arrive soon.`)
    else toastError(t`Test not sent`, t`Remove this device and add it again.`)
  },
  notTested: (problem: unknown) => toastError(t`Test not sent`, why(problem)),
  notRemoved: (problem: unknown) => toastError(t`Device not removed`, why(problem)),
}
