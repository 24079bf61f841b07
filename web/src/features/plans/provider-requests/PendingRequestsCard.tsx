import { useQuery } from '@tanstack/react-query'
import { SectionCard } from '#ui/SectionCard.tsx'
import { usePendingRequestRow } from './PendingRequestRow.tsx'
import { pendingRequestTexts } from './pending-requests.messages.ts'
import { pendingRequestsQuery } from './pending-requests.queries.ts'

/** The pending provider requests, shown above the providers; renders nothing if none is pending. */
export function PendingRequestsCard({ userId }: { userId: string }) {
  const { data: requests = [] } = useQuery(pendingRequestsQuery)
  const row = usePendingRequestRow(userId)
  if (requests.length === 0) return null
  return (
    <SectionCard titleId="pending-requests" title={pendingRequestTexts.title}>
      <div>{requests.map(row)}</div>
    </SectionCard>
  )
}
