import type { Database } from '@potluck/supabase/types'
import { hoursLeft } from '#domain/expiry.ts'
import { cycleOf, type Plan } from '#domain/plan.ts'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
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

/** A pending request as the plan's owner sees it. Times are ISO. */
export type PendingRequest = RowOf<'get_pending_requests_with_expiry', 'avatarUrl'>

/** The requests an owner can still answer. If loading hits the rate limit, it is repeated as soon as allowed. */
export const pendingRequestsQuery = (planId: string) =>
  query({
    key: joinRequestKeys.ofPlan(planId),
    seen: true,
    limit: 'view requests',
    // After a failure, the error card mounts, which must not load the rate-limited list again.
    retryOnMount: false,
    load: async (signal) => {
      const rows = await rpc('get_pending_requests_with_expiry', { p_subscription_id: planId }, signal)
      return rows.map(camel<PendingRequest>)
    },
  })

/** Converts a row received live, which lacks the requester's current name and picture: see {@link lookUp}. */
export const toPendingRequest = (row: RequestRow): PendingRequest => ({
  ...camel<TableRow<'subscription_requests'>>(row),
  avatarUrl: null,
  expiresInHours: hoursLeft(row.requested_at, Date.now()),
})

/** Loads a person's current name and picture; null if they cannot be read. */
export async function lookUp(userId: string): Promise<Pick<PendingRequest, 'name' | 'avatarUrl'> | null> {
  const profile = read('user_profiles')
    .select('name:display_name, avatarUrl:avatar_url')
    .eq('user_id', userId)
  const { data } = await profile.maybeSingle()
  return data?.name ? { name: data.name, avatarUrl: data.avatarUrl } : null
}

export type RequestRow = Database['public']['Tables']['subscription_requests']['Row']

/** True if the request can still be answered. */
export const isOpen = ({ status, expired, requested_at }: RequestRow) =>
  status === 'pending' && !expired && hoursLeft(requested_at, Date.now()) > 0

/** A pending request, as counted for an owner. */
export interface WaitingRequest {
  id: string
  planId: string
  /** ISO timestamp. */
  requestedAt: string
}

/** The number of pending requests by plan id; plans without pending requests are absent. */
export const pendingCountsQuery = (ownerId: string) => ({
  ...query({
    key: joinRequestKeys.countsOf(ownerId),
    seen: true,
    load: async (signal): Promise<WaitingRequest[]> => {
      const wanted = read('subscription_requests')
        .select(
          'id, planId:subscription_id, requestedAt:requested_at, plan:shared_subscriptions!inner(owner_id)',
        )
        .eq('plan.owner_id', ownerId)
        .eq('status', 'pending')
        .eq('expired', false)
      return unwrap(await wanted.abortSignal(signal)).filter(({ id }) => !isProcessedHere(id))
    },
  }),
  select: countByPlan,
})

function countByPlan(waiting: WaitingRequest[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { planId, requestedAt } of waiting)
    if (hoursLeft(requestedAt, Date.now()) > 0) counts[planId] = (counts[planId] ?? 0) + 1
  return counts
}

/** A pending request as its requester sees it. */
export interface AwaitingRequest {
  id: string
  /** ISO timestamp. */
  requestedAt: string
  message: string
  plan: Pick<
    Plan,
    | 'id'
    | 'name'
    | 'provider'
    | 'ownerId'
    | 'ownerName'
    | 'memberPrice'
    | 'currency'
    | 'cycle'
    | 'settlement'
    | 'feeRate'
  >
}

/** A person's own pending requests, newest first, without those cancelled in this browser. */
export const awaitingRequestsQuery = (userId: string) =>
  query({
    key: joinRequestKeys.awaitingOf(userId),
    seen: true,
    load: async (signal): Promise<AwaitingRequest[]> => {
      const wanted = read('subscription_requests')
        .select(
          'id, message, requestedAt:requested_at, plan:shared_subscriptions!inner(id, name, provider, ownerId:owner_id, owner, memberPrice:member_price, currency, billing_cycle, cycle_months, settlement, feeRate:fee_rate, profile:user_profiles!shared_subscriptions_owner_id_fkey(display_name))',
        )
        .eq('user_id', userId)
        .eq('status', 'pending')
        .eq('expired', false)
      const rows = unwrap(await wanted.order('requested_at', { ascending: false }).abortSignal(signal))
      return rows
        .filter(({ id, requestedAt }) => hoursLeft(requestedAt, Date.now()) > 0 && !isCancelledHere(id))
        .map(({ plan: { owner, profile, billing_cycle, cycle_months, ...plan }, ...request }) => ({
          ...request,
          plan: {
            ...plan,
            cycle: cycleOf(billing_cycle, cycle_months),
            ownerName: profile?.display_name || owner,
          },
        }))
    },
  })
