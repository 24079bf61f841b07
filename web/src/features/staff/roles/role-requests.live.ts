import { useQueryClient } from '@tanstack/react-query'
import { putInto } from '#lib/cache.ts'
import { camel } from '#lib/camel.ts'
import { useLive } from '#lib/live.ts'
import { type RoleRequest, roleRequestKeys } from './role-requests.queries.ts'

/** Keeps the list current while requests are made and decided. */
export function useRoleRequestsLive(): void {
  const cache = useQueryClient()
  useLive('role-requests', [{ table: 'admin_role_requests' }], {
    keys: [roleRequestKeys.list],
    use: (change) => {
      if (change.eventType === 'DELETE') return false
      const request = camel<RoleRequest>(change.new)
      putInto(cache, roleRequestKeys.list, request, (one, other) => one.requestedAt > other.requestedAt)
      return 'put'
    },
  })
}
