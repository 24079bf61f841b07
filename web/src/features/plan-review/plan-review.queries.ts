import { infiniteQueryOptions } from '@tanstack/react-query'
import type { BillingCycle } from '#domain/plan.ts'
import { withDeadline } from '#lib/deadline.ts'
import { rpc } from '#lib/supabase.ts'
import { REVIEW_STATES, type ReviewFilter, type ReviewState } from './review.ts'

const PAGE_SIZE = 20

export const planReviewKeys = {
  all: ['plan-review'],
  list: (filter: ReviewFilter) => ['plan-review', filter],
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

type Cursor = Pick<ReviewedPlan, 'createdAt' | 'id'>

interface ReviewPage {
  plans: ReviewedPlan[]
  /** Where the next page starts; absent on the last one. */
  next: Cursor | undefined
}

/** The plans people share, newest first, a page after the other; for staff. */
export const reviewedPlansQuery = (filter: ReviewFilter) =>
  infiniteQueryOptions({
    queryKey: planReviewKeys.list(filter),
    initialPageParam: null as Cursor | null,
    queryFn: ({ signal, pageParam }) => withDeadline(signal, (until) => loadPage(filter, pageParam, until)),
    getNextPageParam: ({ next }: ReviewPage) => next,
  })

async function loadPage(filter: ReviewFilter, after: Cursor | null, until: AbortSignal): Promise<ReviewPage> {
  const wanted = { p_status: filter, p_limit: PAGE_SIZE }
  const start = after && { p_before: after.createdAt, p_before_id: after.id }
  const rows = await rpc('list_plans_for_review', { ...wanted, ...start }, until)
  const plans = rows.map(
    (row): ReviewedPlan => ({
      id: row.id,
      name: row.name,
      provider: row.provider,
      category: row.category,
      status: REVIEW_STATES.find((state) => state === row.status) ?? 'pending',
      price: Number(row.price),
      cycle: row.billing_cycle === 'yearly' ? 'yearly' : 'monthly',
      ownerId: row.owner_id,
      createdBy: row.created_by,
      createdAt: row.created_at,
      membersCount: row.members_count,
    }),
  )
  return { plans, next: plans.length < PAGE_SIZE ? undefined : plans.at(-1) }
}
