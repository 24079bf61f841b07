import type { BillingCycle } from '#domain/plan.ts'
import { pagedQuery } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { REVIEW_STATES, type ReviewFilter, type ReviewState } from './review.ts'

const PAGE_SIZE = 20

export const planReviewKeys = {
  all: ['plan-review'],
  list: (filter: ReviewFilter, owner?: string) => ['plan-review', filter, owner ?? 'all'],
} as const

/** A plan as staff reviews it. */
export interface ReviewedPlan {
  id: string
  name: string
  provider: string
  category: string
  status: ReviewState
  /** In EUR, of the whole plan for one cycle. */
  price: number
  cycle: BillingCycle
  ownerId: string
  createdBy: string
  /** ISO timestamp. */
  createdAt: string
  /** The owner included. */
  membersCount: number
}

/** The plans people share, newest first, a page after the other; for staff. */
export const reviewedPlansQuery = (filter: ReviewFilter, owner?: string) =>
  pagedQuery({
    key: planReviewKeys.list(filter, owner),
    size: PAGE_SIZE,
    // Plans change for many reasons, and a reviewer reads a while before deciding.
    pace: 5000,
    load: async ({ after }, signal): Promise<ReviewedPlan[]> => {
      const behind = after && { p_before: after.createdAt, p_before_id: after.id }
      const wanted = { p_status: filter, p_owner: owner ?? null, p_limit: PAGE_SIZE, ...behind }
      const rows = await rpc('list_plans_for_review', wanted, signal)
      return rows.map(
        (row): ReviewedPlan => ({
          id: row.id,
          name: row.name,
          provider: row.provider,
          category: row.category,
          status: REVIEW_STATES.find((state) => state === row.status) ?? 'pending',
          price: row.price,
          cycle: row.billing_cycle === 'yearly' ? 'yearly' : 'monthly',
          ownerId: row.owner_id,
          createdBy: row.created_by,
          createdAt: row.created_at,
          membersCount: row.members_count,
        }),
      )
    },
  })
