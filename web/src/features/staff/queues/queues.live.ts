import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLive } from '#lib/live.ts'
import { queueKeys } from './queues.queries.ts'

/** Keeps the counts current: reloads them after every change made on this page, and after other people's requests. */
export function useStaffQueuesLive(userId: string): void {
  const cache = useQueryClient()
  useLive(
    'staff-queues',
    [
      { table: 'withdrawal_requests' },
      { table: 'provider_requests' },
      { table: 'admin_role_requests' },
      { table: 'cases' },
      // Staff get a notification about most other cases.
      { table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' },
    ],
    { keys: [queueKeys.all] },
  )
  useEffect(
    () =>
      cache.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success')
          void cache.invalidateQueries({ queryKey: queueKeys.all })
      }),
    [cache],
  )
}
