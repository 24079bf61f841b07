import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { browseTexts } from '#features/plans/browse/browse.messages.ts'
import { MarketFilters } from '#features/plans/browse/MarketFilters.tsx'
import { marketQuery, planCountsQuery } from '#features/plans/browse/market.queries.ts'
import {
  type MarketSearch,
  marketSearchSchema,
  marketWish,
  providersWithPlans,
} from '#features/plans/browse/market-search.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { FoundPlans } from './-FoundPlans.tsx'

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

/** Every plan, for everybody. */
function Market() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: counts = [] } = useQuery(planCountsQuery)
  const change = (chosen: MarketSearch) =>
    void navigate({ search: chosen, resetScroll: false, replace: true })
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <PageTitle title="Plans to join">What you see is what you pay.</PageTitle>
      <SearchField
        label="Search by service or plan"
        value={search.q ?? ''}
        onSearch={(q) => change({ ...search, q: q || undefined })}
      />
      <MarketFilters
        search={search}
        services={providersWithPlans(counts, search.category ?? 'all').map(({ name }) => name)}
        onChange={change}
      />
      <FoundPlans wish={marketWish(search)} empty={<NothingHere search={search} />} />
    </Container>
  )
}

function NothingHere({ search: { q, service, max, pay, level, instant } }: { search: MarketSearch }) {
  const all = (
    <LinkButton variant="light" to="/plans">
      See all plans
    </LinkButton>
  )
  if (max ?? pay ?? level ?? instant)
    return (
      <EmptyState order={2} title="No plan like that" action={all}>
        Choose less, or share one yourself: members find it here.
      </EmptyState>
    )
  if (q)
    return (
      <EmptyState order={2} title={browseTexts.noHits(q)} action={all}>
        Check the spelling, or try a shorter name.
      </EmptyState>
    )
  return (
    <EmptyState
      order={2}
      title={browseTexts.empty}
      action={
        <LinkButton to="/create" variant="light">
          Share a Subscription
        </LinkButton>
      }
    >
      {service ? `Nobody shares ${service} right now. ` : ''}Be the first to bring a share to the table.
    </EmptyState>
  )
}
