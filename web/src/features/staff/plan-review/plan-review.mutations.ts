import { planName } from '#domain/plan-name.ts'
import type { Reasons } from '#features/account/decisions/decisions.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { planReviewToasts } from './plan-review.messages.ts'
import { planReviewKeys, type ReviewedPlan } from './plan-review.queries.ts'
import type { Decision } from './review.ts'

export interface Review {
  plan: ReviewedPlan
  decision: Decision
  /** Only for a decision against the plan. */
  reasons?: Reasons
}

/** Decides on a plan. The list is reloaded even after a failure, since another reviewer may have decided first. */
export const useReviewPlan = (onSettled: () => void) =>
  useChange({
    run: ({ plan, decision, reasons }: Review) =>
      rpc('review_plan', {
        p_subscription_id: plan.id,
        p_decision: decision,
        p_reasons: reasons ? { ...reasons } : null,
      }),
    stale: [planReviewKeys.all],
    done: (_status, { plan, decision }) => {
      planReviewToasts.decided(decision, `${plan.provider} ${planName(plan.name)}`)
      onSettled()
    },
    failed: (problem) => {
      planReviewToasts.failed(problem)
      onSettled()
    },
  })
