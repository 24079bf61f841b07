import { useQueryClient } from '@tanstack/react-query'
import { putInto } from '#lib/cache.ts'
import { camel } from '#lib/camel.ts'
import { useLive } from '#lib/live.ts'
import { type AccessRequest, accessRequestKeys } from './access-requests.queries.ts'

/** Keeps the list current while requests are made and decided. */
export function useAccessRequestsLive(): void {
  const cache = useQueryClient()
  useLive('access-requests', [{ table: 'admin_role_requests' }], {
    keys: [accessRequestKeys.list],
    use: (change) => {
      if (change.eventType === 'DELETE') return false
      const request = camel<AccessRequest>(change.new)
      putInto(cache, accessRequestKeys.list, request, (one, other) => one.requestedAt > other.requestedAt)
      return 'put'
    },
  })
}
