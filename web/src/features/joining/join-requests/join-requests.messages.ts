import { plural, t } from '@lingui/core/macro'
import { ABORTED, toAppError } from '#lib/errors.ts'
import { local, read, storageKeys } from '#lib/storage.ts'
import { announce } from '#ui/announce.ts'
import { explain, toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const joinRequestTexts = {
  none: t`No pending join requests`,
  allDone: t`All requests have been processed`,
  awaitingNone: t`You don't have any pending subscription requests.`,
  awaitingFailed: t`Failed to load pending requests`,
  listFailed: t`Failed to fetch pending requests`,
} as const

export const joinRequestToasts = {
  approved: (name: string) => announce(t`${name} is now on your plan.`),
  rejected: (name: string) => announce(t`We’ve told ${name}.`),
  approveFailed: (problem: unknown) => refused(problem, t`Failed to approve request`),
  rejectFailed: (problem: unknown) => refused(problem, t`Failed to reject request`),
  cancelled: (plan: string) =>
    toastSuccess(t`Request Cancelled`, t`Your request to join ${plan} has been cancelled.`),
  cancelFailed: () => toastError(t`Failed to cancel join request. Please try again.`),
  listFailed: (problem: unknown) => {
    if (toAppError(problem).code === ABORTED) return
    explain(problem, () => [t`Error Loading Requests`, joinRequestTexts.listFailed])
  },
  /** Not shown to people who have turned off the notifications of pending requests. */
  countsFailed: () => {
    if (read(local, storageKeys.pendingRequestsNotificationsEnabled) === 'false') return
    toastError(t`Error`, joinRequestTexts.listFailed)
  },
  tooEarly: (seconds: number) =>
    toastWarning(
      t`Please wait ${plural(seconds, { one: '# second', other: '# seconds' })} before refreshing.`,
    ),
}

function refused(problem: unknown, title: string): void {
  explain(problem, ({ message }) => [title, message])
}
