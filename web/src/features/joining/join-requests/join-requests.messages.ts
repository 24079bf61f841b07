import { counted } from '#domain/plural.ts'
import { ABORTED, toAppError } from '#lib/errors.ts'
import { local, read, storageKeys } from '#lib/storage.ts'
import { explain, toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const joinRequestTexts = {
  none: 'No pending join requests',
  allDone: 'All requests have been processed',
  awaitingNone: "You don't have any pending subscription requests.",
  awaitingFailed: 'Failed to load pending requests',
  listFailed: 'Failed to fetch pending requests',
} as const

export const joinRequestToasts = {
  approved: (name: string) => toastSuccess('Request Approved', `${name} is now on your plan.`),
  rejected: (name: string) => toastSuccess('Request Rejected', `We’ve told ${name}.`),
  approveFailed: (problem: unknown) => refused(problem, 'Failed to approve request'),
  rejectFailed: (problem: unknown) => refused(problem, 'Failed to reject request'),
  cancelled: (plan: string) =>
    toastSuccess('Request Cancelled', `Your request to join ${plan} has been cancelled.`),
  cancelFailed: () => toastError('Failed to cancel join request. Please try again.'),
  listFailed: (problem: unknown) => {
    if (toAppError(problem).code === ABORTED) return
    explain(problem, () => ['Error Loading Requests', joinRequestTexts.listFailed])
  },
  /** Silent for people who switched these off. */
  countsFailed: () => {
    if (read(local, storageKeys.pendingRequestsNotificationsEnabled) === 'false') return
    toastError('Error', joinRequestTexts.listFailed)
  },
  tooEarly: (seconds: number) => toastWarning(`Please wait ${counted(seconds, 'second')} before refreshing.`),
}

function refused(problem: unknown, title: string): void {
  explain(problem, ({ message }) => [title, message])
}
