import { Button, Container, SimpleGrid, Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { HowCoinsWorkCard } from '#features/wallet/HowCoinsWorkCard.tsx'
import { TransactionHistory } from '#features/wallet/TransactionHistory.tsx'
import { WalletCard } from '#features/wallet/WalletCard.tsx'
import { WithdrawalDialog } from '#features/wallet/WithdrawalDialog.tsx'
import { WithdrawalHistory } from '#features/wallet/WithdrawalHistory.tsx'
import { useWalletLive } from '#features/wallet/wallet.live.ts'
import { transactionsQuery, walletQuery, withdrawalsQuery } from '#features/wallet/wallet.queries.ts'
import { useUser } from '#lib/session.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SAVINGS_TABS, type SavingsTab } from './-savings-search.ts'

export function loadSavings(cache: QueryClient, userId: string): void {
  void cache.prefetchQuery(walletQuery(userId))
  void cache.prefetchQuery(transactionsQuery(userId))
  void cache.prefetchQuery(withdrawalsQuery(userId))
}

interface MySavingsProps {
  tab: SavingsTab | undefined
  onTab: (tab: SavingsTab) => void
}

/** A person's coins: what there is, what came and went, and what is on its way to the bank. */
export function MySavings({ tab = 'overview', onTab }: MySavingsProps) {
  const { id: userId } = useUser()
  const [asking, { open, close }] = useDisclosure(false)
  useWalletLive(userId)
  const share = (
    <Button component={Link} to="/create" leftSection={<IconPlus size={18} aria-hidden />}>
      Share a plan
    </Button>
  )
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title="My Savings">Coins you earn by sharing your plans</PageTitle>
      <Tabs
        value={tab}
        onChange={(chosen) => onTab(SAVINGS_TABS.find((known) => known === chosen) ?? 'overview')}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="transactions">Transactions</Tabs.Tab>
          <Tabs.Tab value="withdrawals">Withdrawals</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <WalletCard userId={userId} onWithdraw={open} />
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
      <WithdrawalDialog userId={userId} opened={asking} onClose={close} />
    </Container>
  )
}
