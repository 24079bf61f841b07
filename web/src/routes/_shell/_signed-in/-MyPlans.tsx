import { t } from '@lingui/core/macro'
import { Badge, SimpleGrid, Stack, Title } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type AccessStep, accessStep, type OwnSeat, termsOf } from '#domain/seats.ts'
import { PlaceLine } from '#features/money/payments/PlaceLine.tsx'
import { SeatBadge } from '#features/money/payments/SeatBadge.tsx'
import { ownSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { PlanCard } from '#features/plans/shared-plans/PlanCard.tsx'
import { planTexts } from '#features/plans/shared-plans/plans.messages.ts'
import { joinedPlansQuery, ownedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'
import { passwordsDueQuery } from '#features/trust/access/vault.queries.ts'
import { ReportLink } from '#features/trust/problems/ReportLink.tsx'
import { addressOf } from '#lib/language.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { LinkButton, LoneLink } from '#ui/links.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useInSight } from '#ui/use-in-sight.ts'

interface PlansProps {
  userId: string
  /** Numbers of unread conversations by plan id. */
  unread: Record<string, number>
}

interface SharedPlansProps extends PlansProps {
  /** Numbers of pending requests by plan id. */
  pending: Record<string, number>
}

/** The plans a person shares. */
export function SharedPlans({ userId, pending, unread }: SharedPlansProps) {
  const { data: due } = useQuery(passwordsDueQuery)
  return (
    <PlanList
      load={useQuery(ownedPlansQuery(userId))}
      failed={planTexts.sharedFailed}
      firstRows={import.meta.env.SSR && <FirstRows />}
      empty={
        <EmptyState
          order={2}
          title={t`You haven't shared any subscriptions yet.`}
          action={
            <Stack gap="xs" align="center">
              <LinkButton to="/create">{t`Share a Subscription`}</LinkButton>
              <LoneLink to="/import">{t`Import plans from elsewhere`}</LoneLink>
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
          badge={due?.[plan.id] && <AccessBadge>{t`Change the password`}</AccessBadge>}
        />
      )}
    </PlanList>
  )
}

/** The fields of a row that public/start.js fills in. */
const FIELD = { id: '{id}', provider: '{provider}' }

/** In the prerendered page: the providers of the person's own plans, which public/start.js fills in. */
const FirstRows = () => (
  <template data-rows="/rest/v1/shared_subscriptions?select=id,provider&owner_id=eq.{user}&order=created_at.desc">
    <SurfaceCard component="article">
      <Title order={2} size="h4" mih={170}>
        <a href={addressOf(`/manage-shared/${FIELD.id}`)} style={{ color: 'inherit' }}>
          {FIELD.provider}
        </a>
      </Title>
    </SurfaceCard>
  </template>
)

/** The plans a person is a member of. */
export function JoinedPlans({ userId, unread }: PlansProps) {
  const { data: seats = [] } = useQuery(ownSeatsQuery(userId))
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
      {({ membershipId, plan }) => {
        const seat = seats.find(({ planId }) => planId === plan.id)
        return (
          <PlanCard
            key={membershipId}
            plan={seat ? termsOf(plan, seat) : plan}
            side="subscribed"
            unread={unread[plan.id] ?? 0}
            payment={<PlaceLine userId={userId} planId={plan.id} />}
            badge={seat && <PlaceBadge seat={seat} />}
            action={seat && <ReportLink seat={seat} />}
          />
        )
      }}
    </PlanList>
  )
}

/** A badge with the next step towards access, or with the news that the place ends or is paused. */
function PlaceBadge({ seat }: { seat: OwnSeat }) {
  if (seat.status === 'ending' || seat.pausedUntil) return <SeatBadge seat={seat} />
  // The line about the payment says what is missing.
  if (seat.status !== 'active') return null
  // A step without an entry in `accessWords` needs no badge.
  const words = accessWords[accessStep(seat)]
  return words && <AccessBadge>{words}</AccessBadge>
}

const accessWords: Partial<Record<AccessStep, string>> = {
  waiting: t`Access is on its way`,
  check: t`Does your access work?`,
}

const AccessBadge = ({ children }: { children: string }) => (
  <Badge size="lg" variant="light" color="honey" tt="none">
    {children}
  </Badge>
)

interface PlanListProps<Item> {
  load: UseQueryResult<Item[]>
  failed: string
  firstRows?: ReactNode
  /** Shown instead of an empty list. */
  empty: ReactNode
  children: (item: Item) => ReactNode
}

function PlanList<Item>({
  load: { data, error, refetch },
  failed,
  firstRows,
  empty,
  children,
}: PlanListProps<Item>) {
  const alert = error && <LoadAlert title={failed} problem={error} onRetry={() => void refetch()} />
  if (!data) return alert ?? <CardGridSkeleton cards={3}>{firstRows}</CardGridSkeleton>
  return (
    <>
      {alert}
      {data.length === 0 ? empty : <Cards items={data}>{children}</Cards>}
    </>
  )
}

/** The number of cards that fit on a phone's screen. */
const IN_SIGHT = 2

const Cards = <Item,>({ items, children }: { items: Item[]; children: (item: Item) => ReactNode }) => (
  <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>{useInSight(items, IN_SIGHT).map(children)}</SimpleGrid>
)
