import { t } from '@lingui/core/macro'
import { Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { isFull } from '#domain/slots.ts'
import { browseTexts } from '#features/plans/browse/browse.messages.ts'
import { marketQuery, type Offer, PAGE_SIZE } from '#features/plans/browse/market.queries.ts'
import type { MarketFilter } from '#features/plans/browse/market-search.ts'
import { OfferCards, OfferCardsSkeleton, OfferLink } from '#features/plans/browse/OfferCards.tsx'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { onceOnline } from '#lib/online.ts'
import { useSession } from '#lib/session.ts'
import { useFoundAnnounced } from '#ui/announce.ts'
import { MoreRows } from '#ui/LoadMore.tsx'

// Lazy, since visitors do not need it.
const JoinablePlans = lazy(() => onceOnline(() => import('./-JoinablePlans.tsx')))

interface FoundPlansProps {
  filter: MarketFilter
  /** Shown above the plans if all of them are full, else below. */
  alert?: ReactNode
  /** Shown if no plan matches. */
  empty: ReactNode
}

/** The matching plans, full ones last, each with the reader's action. */
export function FoundPlans({ filter, alert, empty }: FoundPlansProps) {
  const session = useSession()
  const plans = useInfiniteQuery(marketQuery(filter))
  useFoundAnnounced(plans.data, plans.hasNextPage)
  const retry = (load: () => unknown) => (
    <WizardFailure
      title={browseTexts.failed}
      problem={plans.error}
      busy={plans.isFetching}
      onRetry={() => void load()}
    />
  )
  if (!plans.data && !plans.isPending) return retry(plans.refetch)
  // A plan that fills up between two page loads appears twice: among plans with a place and among full ones.
  const offers = [...new Map(plans.data?.map((offer) => [offer.id, offer])).values()]
  if (!plans.isPending && offers.length === 0) return empty
  const allFull = offers[0]?.hasRoom === false
  const drawn = (actionOf: (offer: Offer) => ReactNode) =>
    plans.isPending ? (
      <OfferCardsSkeleton cards={PAGE_SIZE} />
    ) : (
      <OfferCards offers={offers} actionOf={actionOf}>
        <MoreRows list={plans} failed={retry(plans.fetchNextPage)}>
          {t`Load more plans`}
        </MoreRows>
      </OfferCards>
    )
  return (
    <Stack component="section" aria-labelledby="plans" gap="md" mt="md" aria-busy={plans.isPlaceholderData}>
      <div>
        <Title order={2} size="h3" id="plans">
          {t`Available plans`}
        </Title>
        <Text size="sm" c="dimmed">
          {filter.cheapest
            ? t`Those with a place first, then the cheapest.`
            : t`Those with a place first, then the newest.`}
        </Text>
      </div>
      {allFull && alert}
      {session.status === 'signed-in' ? (
        <Suspense fallback={drawn(request)}>
          <JoinablePlans userId={session.user.id}>{drawn}</JoinablePlans>
        </Suspense>
      ) : (
        drawn(request)
      )}
      {!allFull && !plans.isPending && alert}
    </Stack>
  )
}

/** For visitors, and until a signed-in person's own actions have loaded: a link to the plan's form. */
const request = (offer: Offer) => <OfferLink offer={offer} asks={!isFull(offer)} />
