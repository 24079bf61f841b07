import { useLive } from '#lib/live.ts'
import { pendingRequestToasts } from './pending-requests.messages.ts'
import { pendingRequestKeys } from './pending-requests.queries.ts'

/** Keeps the pending requests current for admins, with a toast for each new one from another person. */
export function usePendingRequestsLive(userId: string): void {
  useLive('pending-provider-requests', [{ table: 'provider_requests' }], {
    keys: [pendingRequestKeys.all],
    use: ({ eventType, new: request }) => {
      if (eventType === 'INSERT' && request.user_id !== userId)
        pendingRequestToasts.arrived(request.provider_name)
      return false
    },
  })
}
