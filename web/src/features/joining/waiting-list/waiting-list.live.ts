import { useQueryClient } from '@tanstack/react-query'
import { useLive } from '#lib/live.ts'
import { type WaitingPlace, waitingListKeys } from './waiting-list.queries.ts'

/**
 * Keeps a person's waiting lists current: an offer changes the person's row, and a new position changes the plan's row.
 */
export function useWaitingListsLive(userId: string): void {
  const cache = useQueryClient()
  const key = waitingListKeys.of(userId)
  useLive(
    `waiting-lists-${userId}`,
    [{ table: 'waiting_list', filter: `user_id=eq.${userId}` }, { table: 'shared_subscriptions' }],
    {
      keys: [key],
      use: (change) => {
        if (change.table === 'waiting_list') return false
        const id = change.eventType === 'DELETE' ? change.old.id : change.new.id
        return !cache.getQueryData<WaitingPlace[]>(key)?.some(({ subscriptionId }) => subscriptionId === id)
      },
    },
  )
}
