import { SimpleGrid, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isFull } from '#domain/slots.ts'
import { LoadMore } from '#ui/LoadMore.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { AvailablePlanCard } from './AvailablePlanCard.tsx'
import { useRequestToJoin } from './browse.mutations.ts'
import {
  type AvailablePlan,
  availablePlansQuery,
  type BrowseWish,
  keptPlacesQuery,
} from './browse.queries.ts'
import { JoinButton } from './JoinButton.tsx'
import type { Standing } from './join-state.ts'
import { RequestDialog } from './RequestDialog.tsx'
import { RequestSentDialog } from './RequestSentDialog.tsx'

interface AvailablePlansProps {
  wish: BrowseWish
  standing: Standing | undefined
  brandOf: (provider: string) => Brand
  /** Shown when nothing matches. */
  empty: ReactNode
  /** Shown when the plans cannot be loaded. */
  failure: (problem: Error, retry: () => void, busy: boolean) => ReactNode
}

/** The plans that match, newest first, with the way to ask for a place. */
export function AvailablePlans({ wish, standing, brandOf, empty, failure }: AvailablePlansProps) {
  const plans = useInfiniteQuery(availablePlansQuery(wish))
  const found = useKeptPlaces(plans.data ?? [])
  const [asking, setAsking] = useState<AvailablePlan | null>(null)
  const [sent, setSent] = useState<AvailablePlan | null>(null)
  const request = useRequestToJoin({
    onSent: (plan) => {
      setAsking(null)
      setSent(plan)
    },
    onRefused: () => setAsking(null),
  })

  if (plans.isPending) return <CardGridSkeleton />
  if (plans.error && !plans.data) return failure(plans.error, () => void plans.refetch(), plans.isFetching)
  return (
    <>
      {found.length === 0 && empty}
      <Stack gap="lg" aria-busy={plans.isPlaceholderData}>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {found.map((plan) => (
            <AvailablePlanCard
              key={plan.id}
              plan={plan}
              brand={brandOf(plan.provider)}
              action={<JoinButton plan={plan} standing={standing} onRequest={() => setAsking(plan)} />}
            />
          ))}
        </SimpleGrid>
        {plans.isFetchNextPageError
          ? failure(plans.error, () => void plans.fetchNextPage(), plans.isFetchingNextPage)
          : plans.hasNextPage && (
              <LoadMore
                busy={plans.isFetchingNextPage}
                waiting={plans.isFetching}
                onMore={() => void plans.fetchNextPage()}
              >
                Load more plans
              </LoadMore>
            )}
      </Stack>
      <RequestDialog
        plan={asking}
        brand={asking ? brandOf(asking.provider) : undefined}
        busy={request.isPending}
        onSend={(message) => asking && request.mutate({ plan: asking, message })}
        onClose={() => setAsking(null)}
      />
      <RequestSentDialog plan={sent} onClose={() => setSent(null)} />
    </>
  )
}

/**
 * The plans with the places that are kept for other people counted as taken: nobody else can have them.
 * While that is not known they count as open, and the database refuses who asks for one.
 */
function useKeptPlaces(plans: readonly AvailablePlan[]): AvailablePlan[] {
  const withRoom = plans.filter((plan) => !isFull(plan)).map(({ id }) => id)
  const { data } = useQuery({ ...keptPlacesQuery(withRoom), enabled: withRoom.length > 0 })
  return plans.map((plan) => ({ ...plan, currentMembers: plan.currentMembers + (data?.[plan.id] ?? 0) }))
}
