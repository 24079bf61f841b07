import { useQuery } from '@tanstack/react-query'
import { hoursLeft } from '#domain/expiry.ts'
import { useNow } from '#ui/use-now.ts'
import { awaitingRequestsQuery } from './join-requests.queries.ts'

/** A person's own pending requests with the hours left for each. A request leaves the result as soon as it expires. */
export function useOpenRequests(userId: string) {
  const { data, error, refetch } = useQuery(awaitingRequestsQuery(userId))
  const now = useNow()
  const open = data
    ?.map((request) => ({ request, hours: hoursLeft(request.requestedAt, now) }))
    .filter(({ hours }) => hours > 0)
  return { open, error, refetch }
}
