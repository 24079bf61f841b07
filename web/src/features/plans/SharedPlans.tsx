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
import { ownedPlansQuery } from './plans.queries.ts'

interface SharedPlansProps {
  userId: string
  brandOf: (provider: string) => Brand
  /** How many requests wait, by plan id. */
  pending: Record<string, number>
  /** How many conversations wait to be read, by plan id. */
  unread: Record<string, number>
}

/** The plans a person shares. */
export function SharedPlans({ userId, brandOf, pending, unread }: SharedPlansProps) {
  const { data, error, refetch } = useQuery(ownedPlansQuery(userId))
  // A long list is drawn in slices, so that the page answers meanwhile.
  const plans = useDeferredValue(data, undefined)
  const alert = error && (
    <LoadAlert title={planTexts.sharedFailed} problem={error} onRetry={() => void refetch()} />
  )
  if (!plans) return alert ?? <CardGridSkeleton cards={3} />
  return (
    <>
      {alert}
      {plans.length === 0 ? (
        <EmptyState
          order={2}
          title="You haven't shared any subscriptions yet."
          action={
            <Button component={Link} to="/create">
              Share a Subscription
            </Button>
          }
        >
          Pick a plan you already pay for, open a slot or two, and let others chip in.
        </EmptyState>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {plans.map((plan) => (
            <PlanCard
              key={plan.id}
              plan={plan}
              side="shared"
              order={2}
              brand={brandOf(plan.provider)}
              unread={unread[plan.id] ?? 0}
              pending={pending[plan.id] ?? 0}
            />
          ))}
        </SimpleGrid>
      )}
    </>
  )
}
