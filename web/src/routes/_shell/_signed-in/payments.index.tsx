import { t } from '@lingui/core/macro'
import { Container, Tabs } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import * as z from 'zod/mini'
import { ContractWithdrawalList } from '#features/joining/memberships/ContractWithdrawalList.tsx'
import { Debts } from '#features/money/payments/Debts.tsx'
import { HomeCountryMissing } from '#features/money/payments/HomeCountry.tsx'
import { OutstandingList } from '#features/money/payments/OutstandingList.tsx'
import { PaymentList } from '#features/money/payments/PaymentList.tsx'
import { usePaymentsLive } from '#features/money/payments/payments.live.ts'
import { paymentsQuery, paymentTotalsQuery } from '#features/money/payments/payments.queries.ts'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { UnsettledList } from '#features/money/payments/UnsettledList.tsx'
import { lazyPart } from '#lib/online.ts'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { BackLink, LinkButton, LoneLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'

const PaymentCalendar = lazyPart(
  async () => (await import('#features/money/payments/PaymentCalendar.tsx')).PaymentCalendar,
)

const search = z.object({ tab: given(z.enum(['paid', 'received', 'calendar'])) })

export const Route = createFileRoute('/_shell/_signed-in/payments/')({
  staticData: { keepsSight: true, signInNotice: { title: t`Please sign in to view your payments.` } },
  validateSearch: search,
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchInfiniteQuery(paymentsQuery({ member_id: user.id }))
    void cache.prefetchQuery(paymentTotalsQuery({ member_id: user.id }))
  },
  component: Payments,
})

/** The tab of a person who has chosen none: what they are paid if they pay nothing, or null until that is known. */
function useUsualTab(userId: string) {
  const { data: paid } = useInfiniteQuery(paymentsQuery({ member_id: userId }))
  const paysNothing = paid?.length === 0
  const received = useInfiniteQuery({ ...paymentsQuery({ owner_id: userId }), enabled: paysNothing })
  if (paysNothing && received.isLoading) return null
  return paysNothing && received.data?.length ? 'received' : 'paid'
}

/** The payments a person makes for their places, and receives for their plans. */
function Payments() {
  const { id: userId } = useUser()
  const usual = useUsualTab(userId)
  const { tab = usual } = Route.useSearch()
  const navigate = Route.useNavigate()
  usePaymentsLive(userId)
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      <BackLink to="/my-savings">{t`Back to My Savings`}</BackLink>
      <PageTitle title={t`My Payments`}>{t`Your payments and receipts, month by month.`}</PageTitle>
      <SimulationNotice mb="lg" />
      <Tabs
        value={tab}
        onChange={(chosen) => void navigate({ search: search.parse({ tab: chosen }) })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="paid" px={{ base: 'sm', sm: 'md' }}>
            {t`You pay`}
          </Tabs.Tab>
          <Tabs.Tab value="received" px={{ base: 'sm', sm: 'md' }}>
            {t`You are paid`}
          </Tabs.Tab>
          <Tabs.Tab value="calendar" px={{ base: 'sm', sm: 'md' }}>
            {t`Calendar`}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="paid">
          <HomeCountryMissing />
          <OutstandingList userId={userId} />
          <Debts userId={userId} />
          <ContractWithdrawalList userId={userId} />
          <PaymentList
            whose={{ member_id: userId }}
            label={t`What you pay`}
            empty={
              <EmptyState
                order={2}
                title={t`No payments yet`}
                action={<LinkButton to="/available-subscriptions">{t`Browse Plans`}</LinkButton>}
              >
                {t`Your payments and receipts appear here once you join a plan.`}
              </EmptyState>
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="received">
          <LoneLink to="/payments/statement" mb="xs">
            {t`Who has paid? Read your bank statement`}
          </LoneLink>
          <UnsettledList userId={userId} />
          <PaymentList
            whose={{ owner_id: userId }}
            label={t`What you are paid`}
            empty={
              <EmptyState
                order={2}
                title={t`No payments yet`}
                action={<LinkButton to="/create">{t`Share a Subscription`}</LinkButton>}
              >
                {t`Payments appear here once someone joins your plan.`}
              </EmptyState>
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="calendar">
          <Suspense fallback={<RowsSkeleton rows={6} />}>
            <PaymentCalendar userId={userId} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Container>
  )
}
