import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { AccessRequestCard } from './AccessRequestCard.tsx'
import { useAccessRequestsLive } from './access-requests.live.ts'
import { accessRequestTexts, decisionToasts } from './access-requests.messages.ts'
import { useDecideAccessRequest } from './access-requests.mutations.ts'
import { accessRequestsQuery } from './access-requests.queries.ts'

interface AccessRequestListProps {
  /** The reader, who may not decide on their own request. */
  userId: string
  /** Super-admins decide, admins read (R16). */
  mayDecide: boolean
}

/** Everybody who asks for admin access, newest first; for admins only. */
export function AccessRequestList({ userId, mayDecide }: AccessRequestListProps) {
  const requests = useQuery(accessRequestsQuery)
  const { error } = requests
  useAccessRequestsLive()
  const { mutate, isPending, variables } = useDecideAccessRequest()

  useEffect(() => {
    if (error) decisionToasts.listFailed()
  }, [error])

  return (
    <Loaded
      of={requests}
      pending={<CardGridSkeleton cards={2} columns={1} />}
      failed={accessRequestTexts.listFailed}
      empty={
        <EmptyState title={accessRequestTexts.none} order={2}>
          Nobody has asked for admin access yet.
        </EmptyState>
      }
    >
      {(all) => (
        <Stack gap="md">
          {!mayDecide && <Text c="dimmed">Requests are approved and rejected by a super-admin.</Text>}
          {all.map((request) => (
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
      )}
    </Loaded>
  )
}
