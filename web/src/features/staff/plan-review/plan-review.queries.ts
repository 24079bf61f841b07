import type { BillingCycle } from '#domain/plan.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { pagedQuery } from '#lib/query.ts'
import { type Sorting, sortedPage } from '#lib/sorting.ts'
import { rpc } from '#lib/supabase.ts'
import type { ReviewFilter, ReviewState } from './review.ts'

const PAGE_SIZE = 20

export const planReviewKeys = {
  all: ['plan-review'],
  list: (filter: ReviewFilter, owner?: string) => ['plan-review', filter, owner ?? 'all'],
} as const

/** A plan in the staff review. The price is in EUR for the whole plan and one cycle; members include the owner. */
export type ReviewedPlan = RowOf<
  'list_plans_for_review',
  never,
  { status: ReviewState; billingCycle: BillingCycle }
>

/** Shared plans, newest first, in pages. For staff. */
export const reviewedPlansQuery = (filter: ReviewFilter, owner?: string, sorting?: Sorting) =>
  pagedQuery<ReviewedPlan>({
    key: [...planReviewKeys.list(filter, owner), sorting],
    size: PAGE_SIZE,
    // In ms. Plans change often, and reloads must not disturb a reviewer who is reading.
    pace: 5000,
    load: async ({ after }, signal) => {
      const page = sorting
        ? sortedPage(sorting, 'id', after)
        : after && { p_before: after.createdAt, p_before_id: after.id }
      const wanted = { p_status: filter, p_owner: owner ?? null, p_limit: PAGE_SIZE, ...page }
      return (await rpc('list_plans_for_review', wanted, signal)).map(camel<ReviewedPlan>)
    },
  })
