import { useQueryClient } from '@tanstack/react-query'
import { useLive } from '#lib/live.ts'
import { pendingRequestToasts } from './pending-requests.messages.ts'
import { pendingRequestKeys } from './pending-requests.queries.ts'

/** Keeps what waits current for admins, and says so when one more does. */
export function usePendingRequestsLive(): void {
  const cache = useQueryClient()
  const reload = () => void cache.invalidateQueries({ queryKey: pendingRequestKeys.all })
  useLive('pending-provider-requests', [{ table: 'provider_requests' }], {
    onChange: ({ eventType, new: request }) => {
      if (eventType === 'INSERT') pendingRequestToasts.arrived(String(request.provider_name))
      reload()
    },
    onJoined: reload,
  })
}
