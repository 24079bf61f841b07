import { t } from '@lingui/core/macro'
import { SimpleGrid, Stack } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { LinkButton, LoneLink } from '#ui/links.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { PlanCard } from './PlanCard.tsx'
import { planTexts } from './plans.messages.ts'
import { joinedPlansQuery, ownedPlansQuery } from './plans.queries.ts'

interface PlansProps {
  userId: string
  /** Numbers of unread conversations by plan id. */
  unread: Record<string, number>
}

interface SharedPlansProps extends PlansProps {
  /** Numbers of pending requests by plan id. */
  pending: Record<string, number>
  /** The badge of the owner's next task on a plan, if any. */
  badgeOf: (planId: string) => ReactNode
}

/** The plans a person shares. */
export function SharedPlans({ userId, pending, unread, badgeOf }: SharedPlansProps) {
  return (
    <PlanList
      load={useQuery(ownedPlansQuery(userId))}
      failed={planTexts.sharedFailed}
      empty={
        <EmptyState
          order={2}
          title={t`You haven't shared any subscriptions yet.`}
          action={
            <Stack gap="xs" align="center">
              <LinkButton to="/create">{t`Share a Subscription`}</LinkButton>
              <LoneLink to="/import">{t`Bring plans along from elsewhere`}</LoneLink>
            </Stack>
          }
        >
          {t`Open a place in a plan you already pay for, and split the cost.`}
        </EmptyState>
      }
    >
      {(plan) => (
        <PlanCard
          key={plan.id}
          plan={plan}
          side="shared"
          order={2}
          unread={unread[plan.id] ?? 0}
          pending={pending[plan.id] ?? 0}
          badge={badgeOf(plan.id)}
        />
      )}
    </PlanList>
  )
}

/** The plans a person is a member of. */
export function JoinedPlans({
  userId,
  unread,
  badgeOf,
  actionOf,
}: PlansProps & Record<'badgeOf' | 'actionOf', (planId: string) => ReactNode>) {
  return (
    <PlanList
      load={useQuery(joinedPlansQuery(userId))}
      failed={planTexts.joinedFailed}
      empty={
        <EmptyState
          title={t`You haven't joined any subscriptions yet.`}
          action={<LinkButton to="/available-subscriptions">{t`Find Subscriptions`}</LinkButton>}
        >
          {t`Find a plan with an open place.`}
        </EmptyState>
      }
    >
      {({ membershipId, plan }) => (
        <PlanCard
          key={membershipId}
          plan={plan}
          side="subscribed"
          unread={unread[plan.id] ?? 0}
          badge={badgeOf(plan.id)}
          action={actionOf(plan.id)}
        />
      )}
    </PlanList>
  )
}

interface PlanListProps<Item> {
  load: UseQueryResult<Item[]>
  failed: string
  /** Shown instead of an empty list. */
  empty: ReactNode
  children: (item: Item) => ReactNode
}

function PlanList<Item>({ load: { data, error, refetch }, failed, empty, children }: PlanListProps<Item>) {
  // Deferred, so that the page stays responsive while a long list renders.
  const items = useDeferredValue(data, undefined)
  const alert = error && <LoadAlert title={failed} problem={error} onRetry={() => void refetch()} />
  if (!items) return alert ?? <CardGridSkeleton cards={3} />
  return (
    <>
      {alert}
      {items.length === 0 ? (
        empty
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>{items.map(children)}</SimpleGrid>
      )}
    </>
  )
}
