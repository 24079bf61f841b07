import { useQueryClient } from '@tanstack/react-query'
import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { changeIn, putInto, takeFrom } from '#lib/cache.ts'
import { announce } from '#lib/events.ts'
import { type Change, useLive } from '#lib/live.ts'
import { toArchivedRequest } from './archived-requests.queries.ts'
import {
  isOpen,
  joinRequestKeys,
  lookUp,
  type PendingRequest,
  toPendingRequest,
  type WaitingRequest,
} from './join-requests.queries.ts'
import { isProcessedHere } from './request-memory.ts'

/** Keeps a plan's requests current from live rows, without reloading, because loading them is rate-limited. */
export function usePendingRequestsLive(planId: string): void {
  const cache = useQueryClient()
  const pending = joinRequestKeys.ofPlan(planId)
  const archived = joinRequestKeys.archivedOfPlan(planId)
  useLive(
    `requests-of-plan-${planId}`,
    [{ table: 'subscription_requests', filter: `subscription_id=eq.${planId}` }],
    {
      keys: [pending, archived],
      use: (change) => {
        if (change.eventType === 'DELETE') return false
        const { new: row } = change
        if (isOpen(row)) {
          putInto(cache, pending, toPendingRequest(row), (one, other) => one.requestedAt < other.requestedAt)
          void lookUp(row.user_id).then((person) =>
            changeIn<PendingRequest>(cache, pending, row.id, (request) => ({ ...request, ...person })),
          )
        } else {
          takeFrom(cache, pending, row.id)
          putInto(
            cache,
            archived,
            toArchivedRequest(row, row.name),
            (one, other) => one.requestedAt > other.requestedAt,
          )
        }
        // Returns true, not 'put': while the archive loads, as after an answer, 'put' would also reload the
        // rate-limited list.
        return true
      },
    },
  )
}

/** Keeps an owner's counts of pending requests current. */
export function usePendingCountsLive(ownerId: string): void {
  const cache = useQueryClient()
  const counts = joinRequestKeys.countsOf(ownerId)
  useLive(
    `request-counts-${ownerId}`,
    [
      { table: 'subscription_requests', event: 'INSERT', filter: `owner_id=eq.${ownerId}` },
      { table: 'subscription_requests', event: 'UPDATE', filter: `owner_id=eq.${ownerId}` },
    ],
    {
      keys: [counts],
      use: ({ new: row }) => {
        if (!('id' in row)) return true
        const { id, subscription_id: planId, requested_at: requestedAt } = row
        if (isOpen(row) && !isProcessedHere(id))
          putInto<WaitingRequest>(cache, counts, { id, planId, requestedAt }, () => true)
        else takeFrom(cache, counts, id)
        return 'put'
      },
      on: { forceRequestCountsRefresh: 'now', requestStatusChanged: 'soon' },
    },
  )
}

/** Keeps a person's own requests current, and dispatches an event in this tab for every answer. */
export function useAwaitingRequestsLive(userId: string): void {
  const cache = useQueryClient()
  useLive(`own-requests-${userId}`, [{ table: 'subscription_requests', filter: `user_id=eq.${userId}` }], {
    keys: [joinRequestKeys.awaitingOf(userId), joinRequestKeys.ownArchive(userId)],
    use: (change) => {
      announceAnswer(change)
      // Reload the place before the request leaves its list. At the queries' usual pace, the place would appear seconds
      // later, and until then the plan would look as if it could be requested.
      if ('id' in change.new && change.new.status === 'approved')
        for (const queryKey of [planKeys.joined(userId), planKeys.page(change.new.subscription_id, userId)])
          void cache.invalidateQueries({ queryKey })
      return false
    },
    on: {
      forceSubscriptionsRefresh: 'now',
      subscriptionRequestSent: 'now',
      requestStatusChanged: 'soon',
    },
  })
}

function announceAnswer({ new: row, commit_timestamp: at }: Change<'subscription_requests'>): void {
  if (!('id' in row) || row.status === 'pending') return
  const { id: requestId, status, subscription_id: subscriptionId } = row
  announce('requestStatusChanged', { requestId, status, subscriptionId, at: Date.parse(at) })
}
