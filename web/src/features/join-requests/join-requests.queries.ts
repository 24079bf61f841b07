import { queryOptions } from '@tanstack/react-query'
import { hoursLeft } from '#domain/expiry.ts'
import type { BillingCycle } from '#domain/plan.ts'
import { withDeadline } from '#lib/deadline.ts'
import { unwrap } from '#lib/errors.ts'
import { secondsIn, withinLimit } from '#lib/rate-limit.ts'
import { read, rpc } from '#lib/supabase.ts'
import { isCancelledHere, isProcessedHere } from './request-memory.ts'

export const joinRequestKeys = {
  all: ['join-requests'],
  ofPlan: (planId: string) => ['join-requests', 'plan', planId],
  archivedOfPlan: (planId: string) => ['join-requests', 'archived', planId],
  ownArchive: (userId: string) => ['join-requests', 'own-archive', userId],
  countsOf: (ownerId: string) => ['join-requests', 'counts', ownerId],
  awaitingOf: (userId: string) => ['join-requests', 'awaiting', userId],
} as const

/** A request as the plan's owner reads it. */
export interface PendingRequest {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  message: string
  /** ISO timestamp. */
  requestedAt: string
  expiresInHours: number
}

/**
 * The requests an owner can still answer, as the database sees them. Asked too often, it asks again by itself once that
 * is allowed.
 */
export const pendingRequestsQuery = (planId: string) =>
  queryOptions({
    queryKey: joinRequestKeys.ofPlan(planId),
    queryFn: ({ signal }) =>
      withDeadline(signal, async (until): Promise<PendingRequest[]> => {
        const rows = await withinLimit('view requests', () =>
          rpc('get_pending_requests_with_expiry', { p_subscription_id: planId }, until),
        )
        return rows.map((row) => ({
          id: row.id,
          name: row.name,
          email: row.email,
          avatarUrl: row.avatar_url,
          message: row.message ?? '',
          requestedAt: row.requested_at,
          expiresInHours: row.expires_in_hours,
        }))
      }),
    refetchInterval: ({ state }) => secondsIn(state.error) * 1000 || false,
  })

/** How many requests wait, by plan id; only plans with at least one. */
export const pendingCountsQuery = (ownerId: string) =>
  queryOptions({
    queryKey: joinRequestKeys.countsOf(ownerId),
    queryFn: ({ signal }) =>
      withDeadline(signal, async (until): Promise<Record<string, number>> => {
        const wanted = read('subscription_requests')
          .select('id, subscription_id, requested_at, plan:shared_subscriptions!inner(owner_id)')
          .eq('plan.owner_id', ownerId)
          .eq('status', 'pending')
          .eq('expired', false)
        const rows = unwrap(await wanted.abortSignal(until))
        const open = rows.filter(
          (row) => hoursLeft(row.requested_at, Date.now()) > 0 && !isProcessedHere(row.id),
        )
        const counts: Record<string, number> = {}
        for (const { subscription_id: planId } of open) counts[planId] = (counts[planId] ?? 0) + 1
        return counts
      }),
  })

/** A request as the person who made it reads it. */
export interface AwaitingRequest {
  id: string
  /** ISO timestamp. */
  requestedAt: string
  message: string
  plan: {
    id: string
    name: string
    provider: string
    ownerName: string
    memberPrice: number
    currency: string
    cycle: BillingCycle
  }
}

/** The requests a person waits for, newest first; those cancelled in this browser stay hidden. */
export const awaitingRequestsQuery = (userId: string) =>
  queryOptions({
    queryKey: joinRequestKeys.awaitingOf(userId),
    queryFn: ({ signal }) =>
      withDeadline(signal, async (until): Promise<AwaitingRequest[]> => {
        const wanted = read('subscription_requests')
          .select(
            'id, message, requested_at, plan:shared_subscriptions!inner(*, profile:user_profiles!shared_subscriptions_owner_id_fkey(display_name))',
          )
          .eq('user_id', userId)
          .eq('status', 'pending')
          .eq('expired', false)
        const rows = unwrap(await wanted.order('requested_at', { ascending: false }).abortSignal(until))
        const open = rows.filter(
          ({ id, requested_at }) => hoursLeft(requested_at, Date.now()) > 0 && !isCancelledHere(id),
        )
        return open.map(toAwaitingRequest)
      }),
  })

interface AwaitingRow {
  id: string
  message: string | null
  requested_at: string
  plan: {
    id: string
    name: string
    provider: string
    owner: string
    profile: { display_name: string | null } | null
    member_price: number
    currency: string
    billing_cycle: string
  }
}

function toAwaitingRequest({ id, message, requested_at, plan }: AwaitingRow): AwaitingRequest {
  return {
    id,
    requestedAt: requested_at,
    message: message ?? '',
    plan: {
      id: plan.id,
      name: plan.name,
      provider: plan.provider,
      ownerName: plan.profile?.display_name || plan.owner,
      memberPrice: Number(plan.member_price),
      currency: plan.currency,
      cycle: plan.billing_cycle === 'yearly' ? 'yearly' : 'monthly',
    },
  }
}
