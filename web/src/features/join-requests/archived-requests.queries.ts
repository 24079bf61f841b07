import { queryOptions } from '@tanstack/react-query'
import { supabase } from '#lib/supabase.ts'
import { joinRequestKeys } from './join-requests.queries.ts'

/** Older ones are of no use to anybody. */
const MOST_ARCHIVED = 100

/** A request that is over; one nobody answered in time has expired. */
export interface ArchivedRequest {
  id: string
  /** Who asked, to the plan's owner; for what, to who asked. */
  about: string
  outcome: 'approved' | 'rejected' | 'cancelled' | 'expired'
  /** ISO timestamp. */
  requestedAt: string
}

/** The requests for a plan that are over, newest first; none when they cannot be read. */
export const archivedRequestsQuery = (planId: string) =>
  queryOptions({
    queryKey: joinRequestKeys.archivedOfPlan(planId),
    queryFn: async ({ signal }): Promise<ArchivedRequest[]> => {
      const { data } = await supabase()
        .rpc('fetch_archived_requests', { p_subscription_id: planId })
        .limit(MOST_ARCHIVED)
        .abortSignal(signal)
      return (data ?? []).map(({ name, ...row }) => toArchivedRequest(row, name))
    },
  })

/** A person's own requests that are over, newest first; none when they cannot be read. */
export const ownArchivedRequestsQuery = (userId: string) =>
  queryOptions({
    queryKey: joinRequestKeys.ownArchive(userId),
    queryFn: async ({ signal }): Promise<ArchivedRequest[]> => {
      const { data } = await supabase()
        .rpc('fetch_user_archived_requests', { p_user_id: userId })
        .select('id, status, requested_at, plan:shared_subscriptions(provider, name)')
        .limit(MOST_ARCHIVED)
        .abortSignal(signal)
      return (data ?? []).map(({ plan, ...row }) =>
        toArchivedRequest(row, plan ? `${plan.provider} ${plan.name}` : 'A plan'),
      )
    },
  })

interface ArchivedRow {
  id: string
  status: 'pending' | 'approved' | 'rejected' | 'cancelled'
  requested_at: string
}

function toArchivedRequest({ id, status, requested_at }: ArchivedRow, about: string): ArchivedRequest {
  return { id, about, outcome: status === 'pending' ? 'expired' : status, requestedAt: requested_at }
}
