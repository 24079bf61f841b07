import { useQueryClient } from '@tanstack/react-query'
import { putInto } from '#lib/cache.ts'
import { useLive } from '#lib/live.ts'
import { providerRequestKeys, toProviderRequest } from './provider-requests.queries.ts'

/** Keeps a person's requests current while staff decide, and across tabs. */
export function useProviderRequestsLive(userId: string): void {
  const cache = useQueryClient()
  const own = providerRequestKeys.of(userId)
  useLive(`provider-requests-${userId}`, [{ table: 'provider_requests', filter: `user_id=eq.${userId}` }], {
    keys: [own],
    use: (change) => {
      if (change.eventType === 'DELETE') return false
      putInto(cache, own, toProviderRequest(change.new), (one, other) => one.createdAt > other.createdAt)
      return 'put'
    },
  })
}
