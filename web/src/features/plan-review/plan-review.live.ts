import { useLiveQueries } from '#lib/live.ts'
import { planReviewKeys } from './plan-review.queries.ts'

/** In ms. Plans change for many reasons, and a reviewer reads a while before deciding. */
const PACE = { debounceMs: 500, throttleMs: 5000 } as const

/** Keeps the list current while plans are shared and others of the staff decide. */
export function usePlanReviewLive(): void {
  useLiveQueries('plan-review', [{ table: 'shared_subscriptions' }], [planReviewKeys.all], PACE)
}
