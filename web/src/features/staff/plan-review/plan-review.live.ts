import { useLive } from '#lib/live.ts'
import { planReviewKeys } from './plan-review.queries.ts'

/** Keeps the list current while plans are shared and others of the staff decide. */
export function usePlanReviewLive(): void {
  useLive('plan-review', [{ table: 'shared_subscriptions' }], { keys: [planReviewKeys.all] })
}
