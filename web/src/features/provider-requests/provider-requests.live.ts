import { useLiveQueries } from '#lib/live.ts'
import { providerRequestKeys } from './provider-requests.queries.ts'

/** Keeps a person's requests current: staff decides, or another tab asks. */
export function useProviderRequestsLive(userId: string): void {
  useLiveQueries(
    `provider-requests-${userId}`,
    [{ table: 'provider_requests', filter: `user_id=eq.${userId}` }],
    [providerRequestKeys.of(userId)],
  )
}
