import { Container, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { browseTexts } from '#features/plans/browse/browse.messages.ts'
import { planCountsQuery } from '#features/plans/browse/browse.queries.ts'
import { providersWithPlans } from '#features/plans/browse/browse-wizard.ts'
import { MarketFilters } from '#features/plans/browse/MarketFilters.tsx'
import { marketQuery } from '#features/plans/browse/market.queries.ts'
import { marketSearchSchema, marketWish } from '#features/plans/browse/market-search.ts'
import { OfferCards } from '#features/plans/browse/OfferCards.tsx'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { LevelMark } from '#features/trust/standing/LevelBadge.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { brandOf } from './-brand.tsx'

export const Route = createFileRoute('/_shell/plans/')({
  staticData: { reading: true },
  validateSearch: marketSearchSchema,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient: cache }, deps }) => {
    void cache.prefetchQuery(planCountsQuery)
    void cache.prefetchInfiniteQuery(marketQuery(marketWish(deps)))
  },
  component: Market,
})

/** Every plan with a place, for everybody. */
function Market() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: counts = [] } = useQuery(planCountsQuery)
  const change = (part: typeof search) =>
    void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false, replace: true })
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <PageTitle title="Plans to join">
        Plans people share, with a place for you. What you see is what you pay.
      </PageTitle>
      <SearchField
        label="Search by service or plan"
        value={search.q ?? ''}
        onSearch={(q) => change({ q: q || undefined })}
      />
      <MarketFilters
        search={search}
        services={providersWithPlans(counts, search.category ?? 'all').map(({ name }) => name)}
        onChange={change}
      />
      <Found />
    </Container>
  )
}

function Found() {
  const wish = marketWish(Route.useSearch())
  const plans = useInfiniteQuery(marketQuery(wish))
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
  if (plans.data.length === 0)
    return (
      <EmptyState
        order={2}
        title="No plan like that has a place"
        action={
          <LinkButton variant="light" to="/plans">
            See all plans
          </LinkButton>
        }
      >
        Choose less, or share one yourself: members find it here.
      </EmptyState>
    )
  return (
    <Stack gap="lg" aria-busy={plans.isPlaceholderData}>
      <OfferCards
        offers={plans.data}
        brandOf={brandOf}
        levelOf={({ ownerLevel }) => <LevelMark level={ownerLevel} />}
        order={2}
      >
        <MoreRows list={plans} failed={retry(plans.fetchNextPage)}>
          Load more plans
        </MoreRows>
      </OfferCards>
    </Stack>
  )
}
