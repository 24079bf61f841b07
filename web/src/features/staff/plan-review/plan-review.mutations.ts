import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rpc } from '#lib/supabase.ts'
import { planReviewToasts } from './plan-review.messages.ts'
import { planReviewKeys, type ReviewedPlan } from './plan-review.queries.ts'
import type { Decision } from './review.ts'

interface Review {
  plan: ReviewedPlan
  decision: Decision
}

/** Decides about a plan; the list says what became of it, also when somebody else was faster. */
export function useReviewPlan(onSettled: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ plan, decision }: Review) =>
      rpc('review_plan', { p_subscription_id: plan.id, p_decision: decision }),
    onSuccess: (_status, { plan, decision }) =>
      planReviewToasts.decided(decision, `${plan.provider} ${plan.name}`),
    onError: planReviewToasts.failed,
    onSettled: () => {
      onSettled()
      return cache.invalidateQueries({ queryKey: planReviewKeys.all })
    },
  })
}
