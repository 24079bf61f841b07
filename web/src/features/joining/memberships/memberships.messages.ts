import { t } from '@lingui/core/macro'
import { COINS_NOTE } from '#domain/fees.ts'
import { isConnectionProblem, PERMISSION_DENIED, reasonOf, SIGNED_OUT, toAppError } from '#lib/errors.ts'
import { explain, toastError, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const membershipTexts = {
  incompleteTitle: t`Incomplete Subscription Data`,
  membersFailed: (problem: unknown) => t`Unable to load latest member data: ${reasonOf(problem)}`,
  ownerFailed: t`Failed to load owner details`,
  ownerOnly: t`Only the subscription owner can remove members`,
  coins: COINS_NOTE,
} as const

const CONNECTION_TOAST_PAUSE = 60_000
let connectionToastAt = Number.NEGATIVE_INFINITY

export const membershipToasts = {
  removed: (name: string) =>
    toastSuccess(t`Member Removed`, t`${name} has been removed from the subscription.`),
  removeFailed: (problem: unknown, name: string) =>
    explain(problem, ({ code, message }) => {
      if (code === SIGNED_OUT) return [t`You must be logged in to remove members`]
      if (code === PERMISSION_DENIED) return [t`Permission Denied`, membershipTexts.ownerOnly]
      if (!isConnectionProblem(problem)) return [t`Failed to remove member: ${message || name}`]
      const unanswered = t`Could not remove ${name}: no answer from the server`
      return [t`Failed to remove member. Please try again.`, unanswered]
    }),
  left: () => toastSuccess(t`You have left the subscription successfully.`),
  contractWithdrawn: () => toastSuccess(t`You have withdrawn`, t`We’ve emailed you the confirmation.`),
  leaveFailed: (problem: unknown) =>
    toastError(
      (!isConnectionProblem(problem) && toAppError(problem).message) || t`Failed to leave subscription`,
    ),
  /** Shown at most once a minute, even if several screens fail. `now` in ms. */
  connectionIssue: (now: number) => {
    if (now - connectionToastAt < CONNECTION_TOAST_PAUSE) return
    connectionToastAt = now
    toastWarning(
      t`Connection Issue`,
      t`Some subscription details may not be up to date. Please refresh if needed.`,
    )
  },
}
