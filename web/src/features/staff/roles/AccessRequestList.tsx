import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { AccessRequestCard } from './AccessRequestCard.tsx'
import { useAccessRequestsLive } from './access-requests.live.ts'
import { accessRequestTexts, decisionToasts } from './access-requests.messages.ts'
import { useDecideAccessRequest } from './access-requests.mutations.ts'
import { accessRequestsQuery } from './access-requests.queries.ts'

interface AccessRequestListProps {
  /** Whoever looks at it, who does not decide about their own request. */
  userId: string
  /** Super-admins decide, admins read (R16). */
  mayDecide: boolean
}

/** Everybody who asks for admin access, newest first; for admins only. */
export function AccessRequestList({ userId, mayDecide }: AccessRequestListProps) {
  const { data: requests, error, refetch } = useQuery(accessRequestsQuery)
  useAccessRequestsLive()
  const { mutate, isPending, variables } = useDecideAccessRequest()

  useEffect(() => {
    if (error) decisionToasts.listFailed()
  }, [error])

  if (error && !requests)
    return <LoadAlert title={accessRequestTexts.listFailed} problem={error} onRetry={() => void refetch()} />
  if (!requests) return <CardGridSkeleton cards={2} columns={1} />
  if (requests.length === 0)
    return (
      <EmptyState title={accessRequestTexts.none} order={2}>
        Nobody has asked for admin access yet.
      </EmptyState>
    )
  return (
    <Stack gap="md">
      {!mayDecide && <Text c="dimmed">Requests are approved and rejected by a super-admin.</Text>}
      {requests.map((request) => (
        <AccessRequestCard
          key={request.id}
          request={request}
          onDecide={
            mayDecide && request.userId !== userId ? (verdict) => mutate({ request, verdict }) : undefined
          }
          note={mayDecide && request.userId === userId ? accessRequestTexts.own : undefined}
          deciding={isPending && variables.request.id === request.id ? variables.verdict : undefined}
          disabled={isPending}
        />
      ))}
    </Stack>
  )
}
