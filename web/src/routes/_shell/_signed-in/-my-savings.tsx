import { t } from '@lingui/core/macro'
import { Container, Group, SimpleGrid, Stack, Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { OwedAndDue } from '#features/money/payments/OwedAndDue.tsx'
import { usePaymentsLive } from '#features/money/payments/payments.live.ts'
import { ownOpenPaymentsQuery, paymentTotalsQuery } from '#features/money/payments/payments.queries.ts'
import { ToPayList, usePayable } from '#features/money/payments/ToPayList.tsx'
import { HowCoinsWorkCard } from '#features/money/wallet/HowCoinsWorkCard.tsx'
import { TransactionHistory } from '#features/money/wallet/TransactionHistory.tsx'
import { useCoins } from '#features/money/wallet/use-coins.ts'
import { WalletCard } from '#features/money/wallet/WalletCard.tsx'
import { WithdrawalDialog } from '#features/money/wallet/WithdrawalDialog.tsx'
import { WithdrawalHistory } from '#features/money/wallet/WithdrawalHistory.tsx'
import { useWalletLive } from '#features/money/wallet/wallet.live.ts'
import {
  bankAccountQuery,
  transactionsQuery,
  walletQuery,
  withdrawalsQuery,
} from '#features/money/wallet/wallet.queries.ts'
import { paymentProviderQuery } from '#lib/payments.ts'
import { useUser } from '#lib/session.ts'
import { Leads } from '#ui/leads.ts'
import { LinkButton, LoneLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { savingsSearch } from './-savings-search.ts'

export function loadSavings(cache: QueryClient, userId: string): void {
  void cache.prefetchQuery(paymentProviderQuery)
  void cache.prefetchQuery(paymentTotalsQuery({ member_id: userId }))
  void cache.prefetchQuery(paymentTotalsQuery({ owner_id: userId }))
  void cache.prefetchQuery(ownOpenPaymentsQuery(userId))
  void cache.prefetchQuery(walletQuery(userId))
  void cache.prefetchQuery(bankAccountQuery(userId))
  void cache.prefetchQuery(transactionsQuery(userId))
  void cache.prefetchQuery(withdrawalsQuery(userId))
}

/** A person's coins: balance, transactions and withdrawals. */
export function MySavings() {
  const { id: userId } = useUser()
  const { tab = 'overview' } = savingsSearch.parse(useSearch({ strict: false }))
  const navigate = useNavigate()
  const [asking, { open, close }] = useDisclosure(false)
  const earning = useEarning(userId)
  const owes = usePayable(userId).length > 0
  const { data: provider } = useQuery(paymentProviderQuery)
  useWalletLive(userId)
  usePaymentsLive(userId)
  const share = (
    <LinkButton to="/create" leftSection={<IconPlus size={18} aria-hidden />}>
      {t`Share a plan`}
    </LinkButton>
  )
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title={t`My Savings`}>
        {earning === false && t`Your members pay you directly, so there are no coins to earn.`}
      </PageTitle>
      <Stack mb="lg">
        <OwedAndDue userId={userId} />
        <ToPayList userId={userId} />
      </Stack>
      {earning === undefined && <CardGridSkeleton cards={2} columns={2} />}
      {earning && (
        <Tabs
          value={tab}
          onChange={(chosen) => void navigate({ to: '.', search: savingsSearch.parse({ tab: chosen }) })}
          keepMounted={false}
        >
          <Tabs.List mb="lg">
            <Tabs.Tab value="overview">{t`Overview`}</Tabs.Tab>
            <Tabs.Tab value="transactions">{t`Transactions`}</Tabs.Tab>
            <Tabs.Tab value="withdrawals">{t`Withdrawals`}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="overview">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <Leads value={!owes}>
                <WalletCard userId={userId} onWithdraw={open} />
              </Leads>
              <HowCoinsWorkCard />
            </SimpleGrid>
          </Tabs.Panel>
          <Tabs.Panel value="transactions">
            <TransactionHistory userId={userId} action={share} />
          </Tabs.Panel>
          <Tabs.Panel value="withdrawals">
            <WithdrawalHistory userId={userId} />
          </Tabs.Panel>
        </Tabs>
      )}
      <Group component="nav" aria-label={t`More about your money`} gap="lg" mt="lg">
        <LoneLink to="/my-savings/statement" search={{}}>{t`Statement`}</LoneLink>
        {provider && <LoneLink to="/cards" search={{}}>{t`Cards`}</LoneLink>}
      </Group>
      <WithdrawalDialog userId={userId} opened={asking} onClose={close} />
    </Container>
  )
}

/** True if coins are relevant: the site takes payments, or the wallet already has coins. Undefined until loaded. */
function useEarning(userId: string): boolean | undefined {
  const { coins, problem } = useCoins(userId)
  const { data: provider, error } = useQuery(paymentProviderQuery)
  if (provider === undefined) return error ? true : undefined
  if (provider !== null || problem) return true
  return coins && (coins.wallet.coinBalance > 0 || coins.wallet.totalEarned > 0)
}
