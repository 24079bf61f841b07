import { SimpleGrid, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isFull } from '#domain/slots.ts'
import { MoreRows } from '#ui/LoadMore.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { AvailablePlanCard } from './AvailablePlanCard.tsx'
import { type AvailablePlan, availablePlansQuery, type BrowseWish } from './browse.queries.ts'
import { JoinButton } from './JoinButton.tsx'
import { type CostOf, Joining } from './Joining.tsx'
import { mayWait, type Standing } from './join-state.ts'
import { useKeptPlaces } from './use-kept-places.ts'

interface AvailablePlansProps {
  userId: string
  wish: BrowseWish
  standing: Standing | undefined
  brandOf: (provider: string) => Brand
  /** What a place costs, when it is paid, and what leaving means. */
  costOf: CostOf
  /** The standing of a plan's owner. */
  levelOf: (plan: AvailablePlan) => ReactNode
  /** The reader's place in line for a plan; `full` as far as they are concerned. */
  lineOf: (plan: AvailablePlan, full: boolean) => ReactNode
  /** Shown when nothing matches. */
  empty: ReactNode
  /** Shown when the plans cannot be loaded. */
  failure: (problem: Error, retry: () => void, busy: boolean) => ReactNode
  /** The level of the plans' headings. */
  order?: 2 | 3
}

/** The matching plans, full ones last, each with a button to ask for a place. */
export function AvailablePlans({
  wish,
  standing,
  lineOf,
  empty,
  failure,
  order,
  ...joining
}: AvailablePlansProps) {
  const plans = useInfiniteQuery(availablePlansQuery(wish))
  // A plan that fills up between two loads is on both pages: among those with a place and among the full ones.
  const once = new Map(plans.data?.map((plan) => [plan.id, plan]))
  const found = useKeptPlaces([...once.values()])

  if (plans.isPending) return <CardGridSkeleton />
  if (plans.error && !plans.data) return failure(plans.error, () => void plans.refetch(), plans.isFetching)
  return (
    <Joining {...joining}>
      {(ask) => (
        <>
          {found.length === 0 && empty}
          <Stack gap="lg" aria-busy={plans.isPlaceholderData}>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {found.map((plan) => (
                <AvailablePlanCard
                  key={plan.id}
                  plan={plan}
                  brand={joining.brandOf(plan.provider)}
                  level={joining.levelOf(plan)}
                  action={<JoinButton plan={plan} standing={standing} onRequest={() => ask(plan)} />}
                  order={order}
                  line={standing && mayWait(plan, standing) && lineOf(plan, isFull(plan))}
                />
              ))}
            </SimpleGrid>
            <MoreRows
              list={plans}
              failed={
                plans.error &&
                failure(plans.error, () => void plans.fetchNextPage(), plans.isFetchingNextPage)
              }
            >
              Load more plans
            </MoreRows>
          </Stack>
        </>
      )}
    </Joining>
  )
}
