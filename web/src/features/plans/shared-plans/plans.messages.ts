import { t } from '@lingui/core/macro'
import {
  ABORTED,
  isRetryable,
  isSchemaProblem,
  PERMISSION_DENIED,
  PLAN_NOT_FOUND,
  refusalOf,
  toAppError,
} from '#lib/errors.ts'
import { explain, toastError, toastSuccess } from '#ui/toasts.ts'

export const planTexts = {
  loginNeeded: t`You need to be logged in to view this page`,
  noAccess: t`You do not have access to this subscription`,
  notFound: t`Subscription not found`,
  idNeeded: t`Subscription ID is required`,
  ended: t`The owner cancelled this plan, and its chats are closed.`,
  outOfSight: t`The owner cancelled this plan or made it private.`,
  errorTitle: t`Error Loading Subscription`,
  someDetailsMissing: t`We couldn't load some of your subscription details. This might be due to network issues or access limitations.`,
  sharedFailed: t`Failed to load shared subscriptions`,
  joinedFailed: t`Failed to load subscribed plans`,
} as const

/** A warning about an implausible price, or null. */
export function priceWarning(memberPrice: number): string | null {
  if (memberPrice > 0) return null
  return t`The subscription price information may be incomplete. Please contact the plan owner for details.`
}

const slotsFailed = t`Failed to update subscription. Please try again.`

/** The message for a plan that could not be loaded, without the database's error text. */
export function planLoadText(problem: unknown): string {
  const { code, message } = toAppError(problem)
  if (code === PLAN_NOT_FOUND) return message
  if (isRetryable(problem)) return planTexts.someDetailsMissing
  if (/^([0-9A-Z]{5}|PGRST\d+)$/.test(code))
    return t`Database error: the subscription could not be read. Please try again.`
  return message || planTexts.notFound
}

export const planToasts = {
  loadFailed: (problem: unknown) => {
    if (toAppError(problem).code !== ABORTED) toastError(t`Error loading subscription`, planLoadText(problem))
  },
  /** Shown if a plan that is on screen could not be reloaded. */
  reloadFailed: (problem: unknown) => {
    if (toAppError(problem).code === ABORTED || isSchemaProblem(problem)) return
    toastError(t`Loading Error`, planLoadText(problem))
  },
  refreshed: () => toastSuccess(t`Subscriptions updated`),
  refreshFailed: () => toastError(t`Failed to update subscriptions`),
  slotsUpdated: () => toastSuccess(t`Slots Updated`),
  changeFailed: (problem: unknown) => warn(problem, t`The plan was not changed. Please try again.`),
  linkReplaced: () => toastSuccess(t`Link Replaced`, t`The old link no longer works.`),
  linkFailed: (problem: unknown) => warn(problem, t`The link was not replaced. Please try again.`),
  slotsFailed: (problem: unknown) => warn(problem, slotsFailed),
  cancelled: (plan: string) => toastSuccess(t`Subscription Cancelled`, t`${plan} is no longer shared.`),
  cancelFailed: (problem: unknown) => warn(problem, t`The subscription was not cancelled. Please try again.`),
}

/** Shows the reason of a refusal if it was written for people, otherwise the given sentence. */
function warn(problem: unknown, otherwise: string): void {
  explain(problem, (error) => {
    const refusal = refusalOf(error)
    return refusal && error.code === PERMISSION_DENIED
      ? [t`Permission Denied`, refusal]
      : [refusal ?? otherwise]
  })
}
