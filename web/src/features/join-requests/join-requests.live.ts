import { useQueryClient } from '@tanstack/react-query'
import { useBrowserEvent } from '#lib/events.ts'
import { useLiveQueries } from '#lib/live.ts'
import { joinRequestKeys } from './join-requests.queries.ts'

/** Keeps the requests for one plan current (API-52). */
export function usePendingRequestsLive(planId: string): void {
  useLiveQueries(
    `requests-of-plan-${planId}`,
    [{ table: 'subscription_requests', filter: `subscription_id=eq.${planId}` }],
    [joinRequestKeys.ofPlan(planId), joinRequestKeys.archivedOfPlan(planId)],
  )
}

/** Keeps an owner's pending counts current; only requests the person may see arrive here (REQ-23). */
export function usePendingCountsLive(ownerId: string): void {
  const cache = useQueryClient()
  useLiveQueries(
    `request-counts-${ownerId}`,
    [
      { table: 'subscription_requests', event: 'INSERT' },
      { table: 'subscription_requests', event: 'UPDATE' },
    ],
    [joinRequestKeys.countsOf(ownerId)],
  )
  useBrowserEvent('forceRequestCountsRefresh', () => {
    void cache.invalidateQueries({ queryKey: joinRequestKeys.countsOf(ownerId) })
  })
}

/** Keeps a person's own requests current. */
export function useAwaitingRequestsLive(userId: string): void {
  const cache = useQueryClient()
  const reload = () => void cache.invalidateQueries({ queryKey: joinRequestKeys.awaitingOf(userId) })
  useLiveQueries(
    `own-requests-${userId}`,
    [{ table: 'subscription_requests', filter: `user_id=eq.${userId}` }],
    [joinRequestKeys.awaitingOf(userId)],
  )
  useBrowserEvent('forceSubscriptionsRefresh', reload)
  useBrowserEvent('subscriptionRequestSent', reload)
}
