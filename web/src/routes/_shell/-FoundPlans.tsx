import { t } from '@lingui/core/macro'
import { Button, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { browseTexts } from '#features/plans/browse/browse.messages.ts'
import { marketQuery, type Offer } from '#features/plans/browse/market.queries.ts'
import type { MarketFilter } from '#features/plans/browse/market-search.ts'
import { OfferCards } from '#features/plans/browse/OfferCards.tsx'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { onceOnline } from '#lib/online.ts'
import { useSession } from '#lib/session.ts'
import { useFoundAnnounced } from '#ui/announce.ts'
import { MoreRows } from '#ui/LoadMore.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'

// Lazy, since visitors do not need it.
const JoinablePlans = lazy(() => onceOnline(() => import('./-JoinablePlans.tsx')))

interface FoundPlansProps {
  filter: MarketFilter
  /** Shown above the plans, if there are any. */
  above?: ReactNode
  /** Shown if no plan matches. */
  empty: ReactNode
}

/** The matching plans, full ones last, each with the reader's action. */
export function FoundPlans({ filter, above, empty }: FoundPlansProps) {
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
  if (plans.isPending) return <CardGridSkeleton />
  if (!plans.data) return retry(plans.refetch)
  // A plan that fills up between two page loads appears twice: among plans with a place and among full ones.
  const offers = [...new Map(plans.data.map((offer) => [offer.id, offer])).values()]
  const drawn = (actionOf?: (offer: Offer) => ReactNode) =>
    offers.length === 0 ? (
      empty
    ) : (
      <Stack gap="lg" aria-busy={plans.isPlaceholderData}>
        {above}
        <OfferCards offers={offers} order={2} {...(actionOf && { actionOf })}>
          <MoreRows list={plans} failed={retry(plans.fetchNextPage)}>
            {t`Load more plans`}
          </MoreRows>
        </OfferCards>
      </Stack>
    )
  if (session.status === 'signed-out') return drawn()
  const unsure = drawn(() => <Button loading>{t`Request to join`}</Button>)
  if (session.status === 'loading') return unsure
  return (
    <Suspense fallback={unsure}>
      <JoinablePlans userId={session.user.id}>{drawn}</JoinablePlans>
    </Suspense>
  )
}
