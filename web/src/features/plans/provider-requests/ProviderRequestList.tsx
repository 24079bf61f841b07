import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { ProviderRequestCard } from './ProviderRequestCard.tsx'
import { useProviderRequestsLive } from './provider-requests.live.ts'
import { providerRequestTexts } from './provider-requests.messages.ts'
import { providerRequestsQuery } from './provider-requests.queries.ts'

interface ProviderRequestListProps {
  userId: string
  /** The way to the form. */
  action: ReactNode
  /** Shown when the requests cannot be loaded. */
  failure: (title: string, problem: Error, retry: () => void, busy: boolean) => ReactNode
}

/** The providers a person has asked for, newest first; follows the decisions live. */
export function ProviderRequestList({ userId, action, failure }: ProviderRequestListProps) {
  const requests = useQuery(providerRequestsQuery(userId))
  useProviderRequestsLive(userId)

  if (requests.isPending) return <CardGridSkeleton cards={2} columns={1} />
  if (!requests.data)
    return failure(
      providerRequestTexts.failed,
      requests.error,
      () => void requests.refetch(),
      requests.isFetching,
    )
  if (requests.data.length === 0)
    return (
      <EmptyState title={providerRequestTexts.empty} order={2} action={action}>
        Is a service missing here? Tell us about it, and we add it for everybody.
      </EmptyState>
    )
  return (
    <Stack gap="lg">
      {requests.data.map((request) => (
        <ProviderRequestCard key={request.id} request={request} />
      ))}
    </Stack>
  )
}
