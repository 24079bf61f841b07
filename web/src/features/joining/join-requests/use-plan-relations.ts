import { useQuery } from '@tanstack/react-query'
import { hoursLeft } from '#domain/expiry.ts'
import { restrictedProvidersQuery, useProviderRulesLive } from '#features/plans/catalogue/provider-rules.ts'
import { useMyPlansLive } from '#features/plans/shared-plans/plans.live.ts'
import { joinedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'
import { useSessionAlive } from '#lib/session-alive.ts'
import { useAwaitingRequestsLive } from './join-requests.live.ts'
import { awaitingRequestsQuery, pendingCountsQuery } from './join-requests.queries.ts'
import type { PlanRelations } from './join-state.ts'

/**
 * A person's relation to all plans, kept current; undefined until loaded. A part that fails to load counts as empty: a
 * button may then offer an action that the database refuses.
 */
export function usePlanRelations(userId: string): PlanRelations | undefined {
  const signedIn = useSessionAlive()
  const joined = useQuery(joinedPlansQuery(userId))
  const awaiting = useQuery(awaitingRequestsQuery(userId))
  const waiting = useQuery(pendingCountsQuery(userId))
  const { data: restricted = {} } = useQuery(restrictedProvidersQuery)
  useProviderRulesLive()
  useMyPlansLive(userId)
  useAwaitingRequestsLive(userId)
  if (joined.isPending || awaiting.isPending || waiting.isPending) return undefined

  const asked = awaiting.data?.filter(({ requestedAt }) => hoursLeft(requestedAt, Date.now()) > 0)
  return {
    userId: signedIn ? userId : null,
    joined: new Set(joined.data?.map(({ plan }) => plan.id)),
    requested: new Set(asked?.map(({ plan }) => plan.id)),
    waiting: waiting.data ?? {},
    closed: new Set(Object.keys(restricted).filter((name) => restricted[name]?.rule === 'off')),
  }
}
