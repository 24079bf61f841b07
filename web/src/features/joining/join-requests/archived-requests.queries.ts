import { t } from '@lingui/core/macro'
import { planName } from '#domain/plan-name.ts'
import { query } from '#lib/query.ts'
import { supabase } from '#lib/supabase.ts'
import { joinRequestKeys, type RequestRow } from './join-requests.queries.ts'

/** The maximum number of archived requests to load. */
const MOST_ARCHIVED = 100

/** A join request that is over. A request that was not answered in time counts as expired. */
export interface ArchivedRequest {
  id: string
  /** The requester's name (for the owner) or the plan's name (for the requester). */
  about: string
  outcome: 'approved' | 'rejected' | 'cancelled' | 'expired'
  /** ISO timestamp. */
  requestedAt: string
}

/** A plan's archived requests, newest first; empty if the reader may not read them. */
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

/** A person's own archived requests, newest first; empty if the reader may not read them. */
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
        toArchivedRequest(row, plan ? `${plan.provider} ${planName(plan.name)}` : t`A plan`),
      )
    },
  })

type ArchivedRow = Pick<RequestRow, 'id' | 'status' | 'requested_at'>

export function toArchivedRequest({ id, status, requested_at }: ArchivedRow, about: string): ArchivedRequest {
  return { id, about, outcome: status === 'pending' ? 'expired' : status, requestedAt: requested_at }
}
