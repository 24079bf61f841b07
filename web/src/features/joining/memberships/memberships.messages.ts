import { COINS_NOTE } from '#domain/fees.ts'
import { isConnectionProblem, PERMISSION_DENIED, reasonOf, SIGNED_OUT, toAppError } from '#lib/errors.ts'
import { explain, toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const membershipTexts = {
  incompleteTitle: 'Incomplete Subscription Data',
  membersFailed: (problem: unknown) => `Unable to load latest member data: ${reasonOf(problem)}`,
  ownerFailed: 'Failed to load owner details',
  ownerUnknown: 'Owner information unavailable',
  ownerOnly: 'Only the subscription owner can remove members',
  coins: COINS_NOTE,
} as const

const CONNECTION_TOAST_PAUSE = 60_000
let connectionToastAt = Number.NEGATIVE_INFINITY

export const membershipToasts = {
  removed: (name: string) =>
    toastSuccess('Member Removed', `${name} has been removed from the subscription.`),
  removeFailed: (problem: unknown, name: string) =>
    explain(problem, ({ code, message }) => {
      if (code === SIGNED_OUT) return ['You must be logged in to remove members']
      if (code === PERMISSION_DENIED) return ['Permission Denied', membershipTexts.ownerOnly]
      if (!isConnectionProblem(problem)) return [`Failed to remove member: ${message || name}`]
      const unanswered = `Could not remove ${name}: no answer from the server`
      return ['Failed to remove member. Please try again.', unanswered]
    }),
  left: () => toastSuccess('You have left the subscription successfully.'),
  leaving: (day: string) => toastSuccess(`You leave on ${day}`, 'You can change your mind until then.'),
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
