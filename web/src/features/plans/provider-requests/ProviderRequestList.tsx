import { t } from '@lingui/core/macro'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { ProviderRequestCard } from './ProviderRequestCard.tsx'
import { useProviderRequestsLive } from './provider-requests.live.ts'
import { providerRequestTexts } from './provider-requests.messages.ts'
import { providerRequestsQuery } from './provider-requests.queries.ts'

interface ProviderRequestListProps {
  userId: string
  /** A link to the form. */
  action: ReactNode
}

/** The providers a person has asked for, newest first; decisions appear live. */
export function ProviderRequestList({ userId, action }: ProviderRequestListProps) {
  const requests = useQuery(providerRequestsQuery(userId))
  useProviderRequestsLive(userId)

  return (
    <Loaded
      of={requests}
      pending={<CardGridSkeleton cards={2} columns={1} />}
      failed={(problem, retry, busy) => (
        <WizardFailure title={providerRequestTexts.failed} problem={problem} busy={busy} onRetry={retry} />
      )}
      empty={
        <EmptyState title={providerRequestTexts.empty} order={2} action={action}>
          {t`Is a service missing? Tell us, and we’ll add it.`}
        </EmptyState>
      }
    >
      {(found) => (
        <Stack gap="lg">
          {found.map((request) => (
            <ProviderRequestCard
              key={request.id}
              request={request}
              isMain={request === found.find(({ status }) => status === 'approved')}
            />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}
