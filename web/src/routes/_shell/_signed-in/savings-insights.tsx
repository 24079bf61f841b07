import { t } from '@lingui/core/macro'
import { Box, Container, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { isOwnPlan } from '#domain/plan.ts'
import { savingOfAll, totalSaved } from '#domain/savings.ts'
import { homeQuery } from '#features/home/overview/home.queries.ts'
import { feeRateQuery } from '#features/plans/catalogue/fee.queries.ts'
import { MilestonePopup } from '#features/plans/savings/MilestonePopup.tsx'
import { SavingsCalculator } from '#features/plans/savings/SavingsCalculator.tsx'
import { SavingsComparisons } from '#features/plans/savings/SavingsComparisons.tsx'
import { SavingsMilestones } from '#features/plans/savings/SavingsMilestones.tsx'
import { SavingsOverview } from '#features/plans/savings/SavingsOverview.tsx'
import { useMyPlansLive } from '#features/plans/shared-plans/plans.live.ts'
import { planTexts } from '#features/plans/shared-plans/plans.messages.ts'
import { joinedPlansQuery, ownedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'

// The padding of a tab, so that four tabs fit side by side on a phone.
const TAB_SPACE = { base: 7, sm: 'md' }

const tabSchema = z.enum(['overview', 'calculator', 'milestones', 'comparisons'])

export const Route = createFileRoute('/_shell/_signed-in/savings-insights')({
  validateSearch: z.object({ tab: given(tabSchema) }),
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(joinedPlansQuery(user.id))
    void cache.prefetchQuery(ownedPlansQuery(user.id))
    void cache.prefetchQuery(homeQuery(user.id))
    void cache.prefetchQuery(feeRateQuery)
  },
  component: SavingsInsights,
})

function SavingsInsights() {
  const { id: userId } = useUser()
  const { tab = 'overview' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const joined = useQuery(joinedPlansQuery(userId))
  const owned = useQuery(ownedPlansQuery(userId))
  const fee = useQuery(feeRateQuery)
  const home = useQuery(homeQuery(userId))
  useMyPlansLive(userId)

  const plans = joined.data?.map(({ plan }) => plan).filter((plan) => !isOwnPlan(plan))
  const total = plans && totalSaved(savingOfAll(plans).saved)
  const show = (chosen: string | null) => void navigate({ search: { tab: tabSchema.parse(chosen) } })
  const waiting = !joined.error && <CardGridSkeleton cards={3} />
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/my-savings">{t`Back to My Savings`}</BackLink>
      <PageTitle title={t`Savings Insights`}>{t`What you save compared with paying alone.`}</PageTitle>
      {total !== undefined && <MilestonePopup key={userId} userId={userId} total={total} />}
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          <Tabs.Tab value="overview" px={TAB_SPACE}>
            {t`Overview`}
          </Tabs.Tab>
          <Tabs.Tab value="calculator" px={TAB_SPACE}>
            {t`Calculator`}
          </Tabs.Tab>
          <Tabs.Tab value="milestones" px={TAB_SPACE}>
            {t`Milestones`}
          </Tabs.Tab>
          <Tabs.Tab value="comparisons" px={TAB_SPACE}>
            {t`Comparisons`}
          </Tabs.Tab>
        </Tabs.List>
        <Problem title={planTexts.joinedFailed} {...joined} />
        <Tabs.Panel value="overview">
          <Problem title={planTexts.sharedFailed} {...owned} />
          <Problem title={t`This year’s savings could not be loaded`} {...home} />
          {plans && (plans.length > 0 || !(owned.isPending || home.isPending)) ? (
            <SavingsOverview
              joined={plans}
              owned={owned.data?.filter((plan) => !isOwnPlan(plan)).length}
              year={home.data?.saved}
            />
          ) : (
            waiting
          )}
        </Tabs.Panel>
        <Tabs.Panel value="calculator">
          <Problem title={t`Failed to load the fee`} {...fee} />
          {fee.data === undefined ? (
            !fee.error && <CardGridSkeleton cards={2} />
          ) : (
            <SavingsCalculator feeRate={fee.data} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="milestones">
          {total === undefined ? waiting : <SavingsMilestones total={total} />}
        </Tabs.Panel>
        <Tabs.Panel value="comparisons">{plans ? <SavingsComparisons joined={plans} /> : waiting}</Tabs.Panel>
      </Tabs>
    </Container>
  )
}

interface ProblemProps {
  title: string
  error: Error | null
  refetch: () => unknown
}

function Problem({ title, error, refetch }: ProblemProps) {
  return (
    error && (
      <Box mb="lg">
        <LoadAlert title={title} problem={error} onRetry={() => void refetch()} />
      </Box>
    )
  )
}
