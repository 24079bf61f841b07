import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { announce, useBrowserEvent } from '#lib/events.ts'
import { type Change, useLive } from '#lib/live.ts'
import { pauseFor } from '#lib/rate-limit.ts'
import { joinRequestKeys } from './join-requests.queries.ts'
import { useSoon } from './use-soon.ts'

/** So many of the looks a minute allows are kept for what the owner does, so that following along never uses them up. */
const KEPT_FOR_THE_OWNER = 10

/** Keeps the requests for one plan current. */
export function usePendingRequestsLive(planId: string): void {
  const cache = useQueryClient()
  const reload = () => {
    void cache.invalidateQueries({ queryKey: joinRequestKeys.ofPlan(planId) })
    void cache.invalidateQueries({ queryKey: joinRequestKeys.archivedOfPlan(planId) })
  }
  const soon = useSoon(reload, () => Date.now() + pauseFor('view requests', KEPT_FOR_THE_OWNER))
  useLive(
    `requests-of-plan-${planId}`,
    [{ table: 'subscription_requests', filter: `subscription_id=eq.${planId}` }],
    { onChange: soon, onJoined: soon },
  )
}

/** Keeps an owner's pending counts current; only requests the person may see arrive here. */
export function usePendingCountsLive(ownerId: string): void {
  const cache = useQueryClient()
  const reload = () => void cache.invalidateQueries({ queryKey: joinRequestKeys.countsOf(ownerId) })
  const soon = useSoon(reload)
  useLive(
    `request-counts-${ownerId}`,
    [
      { table: 'subscription_requests', event: 'INSERT' },
      { table: 'subscription_requests', event: 'UPDATE' },
    ],
    { onChange: soon, onJoined: soon },
  )
  useBrowserEvent('forceRequestCountsRefresh', reload)
  useBrowserEvent('requestStatusChanged', soon)
}

/** Keeps a person's own requests current, and tells this tab of every answer to one of them. */
export function useAwaitingRequestsLive(userId: string): void {
  const cache = useQueryClient()
  const reload = () => {
    void cache.invalidateQueries({ queryKey: joinRequestKeys.awaitingOf(userId) })
    void cache.invalidateQueries({ queryKey: joinRequestKeys.ownArchive(userId) })
  }
  const soon = useSoon(reload)
  useLive(`own-requests-${userId}`, [{ table: 'subscription_requests', filter: `user_id=eq.${userId}` }], {
    onChange: (change) => {
      announceAnswer(change)
      soon()
    },
    onJoined: soon,
  })
  useBrowserEvent('forceSubscriptionsRefresh', reload)
  useBrowserEvent('subscriptionRequestSent', reload)
  useBrowserEvent('requestStatusChanged', soon)
}

const answerSchema = z.object({
  id: z.string(),
  status: z.enum(['approved', 'rejected', 'cancelled']),
  subscription_id: z.string(),
})

function announceAnswer(change: Change): void {
  const answer = answerSchema.safeParse(change.new)
  if (!answer.success) return
  const { id: requestId, status, subscription_id: subscriptionId } = answer.data
  announce('requestStatusChanged', {
    requestId,
    status,
    subscriptionId,
    at: Date.parse(change.commit_timestamp),
  })
}
