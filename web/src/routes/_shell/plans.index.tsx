import { t } from '@lingui/core/macro'
import { Container, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AlertList } from '#features/plans/browse/AlertList.tsx'
import { browseTexts } from '#features/plans/browse/browse.messages.ts'
import { MarketFilters } from '#features/plans/browse/MarketFilters.tsx'
import { MarketSteps } from '#features/plans/browse/MarketSteps.tsx'
import { marketQuery, planCountsQuery } from '#features/plans/browse/market.queries.ts'
import {
  type MarketSearch,
  marketFilterOf,
  marketSearchSchema,
} from '#features/plans/browse/market-search.ts'
import { PlanAlertButton } from '#features/plans/browse/PlanAlertButton.tsx'
import { useSession } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { FoundPlans } from './-FoundPlans.tsx'
import classes from './-Market.module.css'

export const Route = createFileRoute('/_shell/plans/')({
  staticData: { reading: true },
  validateSearch: marketSearchSchema,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient: cache }, deps }) => {
    void cache.prefetchQuery(planCountsQuery)
    void cache.prefetchInfiniteQuery(marketQuery(marketFilterOf(deps)))
  },
  component: Market,
})

/** The marketplace, for everybody: a category, then a provider narrow the list of public plans. */
function Market() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const session = useSession()
  const { data: counts } = useQuery(planCountsQuery)
  const change = (chosen: MarketSearch) =>
    void navigate({ search: chosen, resetScroll: false, replace: true })
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <PageTitle title={t`Browse Plans`}>{t`The price you see is all you pay.`}</PageTitle>
      <MarketFilters search={search} onChange={change}>
        <SearchField
          mb={0}
          label={t`Search for a plan`}
          value={search.q ?? ''}
          onSearch={(q) => change({ ...search, q: q || undefined })}
        />
      </MarketFilters>
      <MarketSteps search={search} counts={counts} />
      <FoundPlans
        filter={marketFilterOf(search)}
        alert={<PlanAlertButton search={search} />}
        empty={<NothingHere search={search} />}
      />
      {session.status === 'signed-in' && (
        <>
          <AlertList userId={session.user.id} />
          <LinkButton
            to="/create"
            variant="default"
            radius="xl"
            className={classes.share}
            leftSection={<IconPlus size={20} aria-hidden />}
          >
            {t`Share a plan`}
          </LinkButton>
        </>
      )}
    </Container>
  )
}

function NothingHere({ search }: { search: MarketSearch }) {
  const { q, service, max, pay, level, instant } = search
  const all = (
    <Group gap="sm" justify="center">
      <PlanAlertButton search={search} />
      <LinkButton variant="default" to="/plans">
        {t`See all plans`}
      </LinkButton>
    </Group>
  )
  if (max ?? pay ?? level ?? instant)
    return (
      <EmptyState order={2} mood="puzzled" title={t`No plan like that`} action={all}>
        {t`Remove a filter, or share one yourself.`}
      </EmptyState>
    )
  if (q)
    return (
      <EmptyState order={2} mood="puzzled" title={browseTexts.noHits(q)} action={all}>
        {t`Check the spelling, or try a shorter name.`}
      </EmptyState>
    )
  return (
    <EmptyState
      order={2}
      title={browseTexts.empty}
      action={
        <Group gap="sm" justify="center">
          <PlanAlertButton search={search} />
          <LinkButton to="/create" variant="default">
            {t`Share a Subscription`}
          </LinkButton>
        </Group>
      }
    >
      {service && t`No one shares ${service} right now.`} {t`Be the first to share one.`}
    </EmptyState>
  )
}
