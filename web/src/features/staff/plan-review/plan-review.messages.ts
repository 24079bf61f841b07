import { t } from '@lingui/core/macro'
import { reasonOf, refusalOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import type { Decision } from './review.ts'

export const planReviewTexts = {
  empty: t`No subscriptions found matching your filters.`,
  failed: t`The subscriptions could not be loaded`,
} as const

interface DecisionWords {
  /** The label of the button beside a plan. */
  action: string
  title: string
  explanation: string
  confirm: string
  done: string
}

export const decisionWords: Record<Decision, DecisionWords> = {
  approve: {
    action: t`Approve`,
    title: t`Approve Subscription`,
    explanation: t`An approved subscription will be visible to all users.`,
    confirm: t`Approve`,
    done: t`Subscription approved`,
  },
  reject: {
    action: t`Reject`,
    title: t`Reject Subscription`,
    explanation: t`No one can find or join it. This can be reversed later.`,
    confirm: t`Reject`,
    done: t`Subscription rejected`,
  },
  hide: {
    action: t({ message: 'Hide', context: 'a plan' }),
    title: t`Hide Subscription`,
    explanation: t`No one new can find or join it; its members keep their places. This can be reversed later.`,
    confirm: t`Hide plan`,
    done: t`Subscription hidden`,
  },
  restore: {
    action: t`Set to active`,
    title: t`Reverse the Rejection`,
    explanation: t`The subscription will be visible to all users.`,
    confirm: t`Set to active`,
    done: t`Subscription is active again`,
  },
}

export const planReviewToasts = {
  decided: (decision: Decision, plan: string) => toastSuccess(decisionWords[decision].done, plan),
  failed: (problem: unknown) =>
    toastError(t`The decision was not saved`, refusalOf(problem) ?? reasonOf(problem)),
}
