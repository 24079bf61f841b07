import { SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { AwaitingRequestCard } from './AwaitingRequestCard.tsx'
import { ownArchivedRequestsQuery } from './archived-requests.queries.ts'
import { EarlierRequests } from './EarlierRequests.tsx'
import { joinRequestTexts } from './join-requests.messages.ts'
import { useCancelRequest } from './join-requests.mutations.ts'
import { useOpenRequests } from './use-open-requests.ts'

interface AwaitingRequestsProps {
  userId: string
}

/** A person's join requests that wait for an answer. */
export function AwaitingRequests({ userId }: AwaitingRequestsProps) {
  const { open, error, refetch } = useOpenRequests(userId)
  const { data: earlier = [] } = useQuery(ownArchivedRequestsQuery(userId))
  const cancel = useCancelRequest(userId)
  const alert = error && (
    <LoadAlert title={joinRequestTexts.awaitingFailed} problem={error} onRetry={() => void refetch()} />
  )
  if (!open) return alert ?? <CardGridSkeleton cards={1} />
  return (
    <>
      {alert}
      {open.length === 0 && <Text c="dimmed">{joinRequestTexts.awaitingNone}</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {open.map(({ request, hours }) => (
          <AwaitingRequestCard
            key={request.id}
            request={request}
            hours={hours}
            onCancel={() => cancel.mutate(request)}
          />
        ))}
      </SimpleGrid>
      <EarlierRequests requests={earlier} />
    </>
  )
}
