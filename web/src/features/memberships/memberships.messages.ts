import { isConnectionProblem, PERMISSION_DENIED, RATE_LIMITED, reasonOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const membershipTexts = {
  incompleteTitle: 'Incomplete Subscription Data',
  membersFailed: (problem: unknown) => `Unable to load latest member data: ${reasonOf(problem)}`,
  ownerFailed: 'Failed to load owner details',
  ownerUnknown: 'Owner information unavailable',
  ownerOnly: 'Only the subscription owner can remove members',
  coins: 'You earn 1 coin for every euro your members pay.',
} as const

const CONNECTION_TOAST_PAUSE = 60_000
let connectionToastAt = Number.NEGATIVE_INFINITY

export const membershipToasts = {
  removed: (name: string) =>
    toastSuccess('Member Removed', `${name} has been removed from the subscription.`),
  removeFailed: (problem: unknown, name: string) => {
    const { code, message } = toAppError(problem)
    if (code === 'signed_out') toastError('You must be logged in to remove members')
    else if (code === PERMISSION_DENIED) toastError('Permission Denied', membershipTexts.ownerOnly)
    else if (code === RATE_LIMITED) toastWarning('Too Many Requests', message)
    else if (isConnectionProblem(problem))
      toastError(
        'Failed to remove member. Please try again.',
        `Could not remove ${name}: no answer from the server`,
      )
    else toastError(`Failed to remove member: ${message || name}`)
  },
  left: () => toastSuccess('You have left the subscription successfully.'),
  leaveFailed: (problem: unknown) =>
    toastError(
      (!isConnectionProblem(problem) && toAppError(problem).message) || 'Failed to leave subscription',
    ),
  /** At most once a minute, however many screens are waiting. `now` in ms. */
  connectionIssue: (now: number) => {
    if (now - connectionToastAt < CONNECTION_TOAST_PAUSE) return
    connectionToastAt = now
    toastWarning(
      'Connection Issue',
      'Some subscription details may not be up to date. Please refresh if needed.',
    )
  },
}
