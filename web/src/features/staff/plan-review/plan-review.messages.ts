import { reasonOf, refusalOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import type { Decision } from './review.ts'

export const planReviewTexts = {
  empty: 'No subscriptions found matching your filters.',
  failed: 'The subscriptions could not be loaded',
} as const

interface DecisionWords {
  /** On the button of a plan. */
  action: string
  title: string
  explanation: string
  confirm: string
  done: string
}

/** What people read about each decision. */
export const decisionWords: Record<Decision, DecisionWords> = {
  approve: {
    action: 'Approve',
    title: 'Approve Subscription',
    explanation: 'An approved subscription will be visible to all users.',
    confirm: 'Approve',
    done: 'Subscription approved',
  },
  reject: {
    action: 'Reject',
    title: 'Reject Subscription',
    explanation: 'No one can find or join it. This can be reversed later.',
    confirm: 'Reject',
    done: 'Subscription rejected',
  },
  restore: {
    action: 'Set to active',
    title: 'Reverse the Rejection',
    explanation: 'The subscription will be visible to all users.',
    confirm: 'Set to active',
    done: 'Subscription is active again',
  },
}

export const planReviewToasts = {
  decided: (decision: Decision, plan: string) => toastSuccess(decisionWords[decision].done, plan),
  failed: (problem: unknown) =>
    toastError('The decision was not saved', refusalOf(problem) ?? reasonOf(problem)),
}
