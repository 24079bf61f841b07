import { Button, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { PlanCard } from './PlanCard.tsx'
import { planTexts } from './plans.messages.ts'
import { joinedPlansQuery } from './plans.queries.ts'

interface JoinedPlansProps {
  userId: string
  brandOf: (provider: string) => Brand
  /** How many conversations wait to be read, by plan id. */
  unread: Record<string, number>
}

/** The plans a person is a member of. */
export function JoinedPlans({ userId, brandOf, unread }: JoinedPlansProps) {
  const { data, error, refetch } = useQuery(joinedPlansQuery(userId))
  // A long list is drawn in slices, so that the page answers meanwhile.
  const joined = useDeferredValue(data, undefined)
  const alert = error && (
    <LoadAlert title={planTexts.joinedFailed} problem={error} onRetry={() => void refetch()} />
  )
  if (!joined) return alert ?? <CardGridSkeleton cards={3} />
  return (
    <>
      {alert}
      {joined.length === 0 ? (
        <EmptyState
          title="You haven't joined any subscriptions yet."
          action={
            <Button component={Link} to="/available-subscriptions">
              Find Subscriptions
            </Button>
          }
        >
          Somebody is likely to share just the plan you want.
        </EmptyState>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {joined.map(({ membershipId, plan }) => (
            <PlanCard
              key={membershipId}
              plan={plan}
              side="subscribed"
              unread={unread[plan.id] ?? 0}
              brand={brandOf(plan.provider)}
            />
          ))}
        </SimpleGrid>
      )}
    </>
  )
}
