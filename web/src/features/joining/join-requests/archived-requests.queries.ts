import { t } from '@lingui/core/macro'
import { query } from '#lib/query.ts'
import { supabase } from '#lib/supabase.ts'
import { joinRequestKeys, type RequestRow } from './join-requests.queries.ts'

/** Older ones are of no use to anybody. */
const MOST_ARCHIVED = 100

/** A request that is over; one that nobody answered in time has expired. */
export interface ArchivedRequest {
  id: string
  /** For the plan's owner, who asked; for the person who asked, the plan. */
  about: string
  outcome: 'approved' | 'rejected' | 'cancelled' | 'expired'
  /** ISO timestamp. */
  requestedAt: string
}

/** The requests for a plan that are over, newest first; none if they cannot be read. */
export const archivedRequestsQuery = (planId: string) =>
  query({
    key: joinRequestKeys.archivedOfPlan(planId),
    load: async (signal): Promise<ArchivedRequest[]> => {
      const { data } = await supabase()
        .rpc('fetch_archived_requests', { p_subscription_id: planId })
        .limit(MOST_ARCHIVED)
        .abortSignal(signal)
      return (data ?? []).map((row) => toArchivedRequest(row, row.name))
    },
  })

/** A person's own requests that are over, newest first; none if they cannot be read. */
export const ownArchivedRequestsQuery = (userId: string) =>
  query({
    key: joinRequestKeys.ownArchive(userId),
    load: async (signal): Promise<ArchivedRequest[]> => {
      const { data } = await supabase()
        .rpc('fetch_user_archived_requests', { p_user_id: userId })
        .select('id, status, requested_at, plan:shared_subscriptions(provider, name)')
        .limit(MOST_ARCHIVED)
        .abortSignal(signal)
      return (data ?? []).map(({ plan, ...row }) =>
        toArchivedRequest(row, plan ? `${plan.provider} ${plan.name}` : t`A plan`),
      )
    },
  })

type ArchivedRow = Pick<RequestRow, 'id' | 'status' | 'requested_at'>

export function toArchivedRequest({ id, status, requested_at }: ArchivedRow, about: string): ArchivedRequest {
  return { id, about, outcome: status === 'pending' ? 'expired' : status, requestedAt: requested_at }
}
