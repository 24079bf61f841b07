import { Alert, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { hoursLeft } from '#domain/expiry.ts'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { AwaitingRequestCard } from './AwaitingRequestCard.tsx'
import { joinRequestTexts } from './join-requests.messages.ts'
import { useCancelRequest } from './join-requests.mutations.ts'
import { awaitingRequestsQuery } from './join-requests.queries.ts'
import { useNow } from './use-now.ts'

interface AwaitingRequestsProps {
  userId: string
  brandOf: (provider: string) => Brand
}

/** The requests a person waits for; an expired one leaves by itself (REQ-11). */
export function AwaitingRequests({ userId, brandOf }: AwaitingRequestsProps) {
  const { data, error } = useQuery(awaitingRequestsQuery(userId))
  const cancel = useCancelRequest(userId)
  const now = useNow()
  const waiting = data
    ?.map((request) => ({ request, hours: hoursLeft(request.requestedAt, now) }))
    .filter(({ hours }) => hours > 0)

  if (error && !waiting) return <Alert color="beet" title={joinRequestTexts.awaitingFailed} />
  if (!waiting) return <CardGridSkeleton cards={1} />
  if (waiting.length === 0) return <Text c="dimmed">{joinRequestTexts.awaitingNone}</Text>
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {waiting.map(({ request, hours }) => (
        <AwaitingRequestCard
          key={request.id}
          request={request}
          hours={hours}
          brand={brandOf(request.plan.provider)}
          onCancel={() => cancel.mutate(request)}
        />
      ))}
    </SimpleGrid>
  )
}
