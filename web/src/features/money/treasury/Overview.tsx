import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#domain/money.ts'
import { counted } from '#domain/plural.ts'
import { Figure, Figures } from '#ui/Figures.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { CoinsByDay } from './CoinsByDay.tsx'
import { overviewQuery } from './figures.queries.ts'
import { treasuryTexts } from './treasury.messages.ts'

const percent = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** All wallets together, and what moved in 30 days. */
export function Overview() {
  return (
    <Loaded of={useQuery(overviewQuery)} pending={<CardGridSkeleton />} failed={treasuryTexts.figuresFailed}>
      {(all) => (
        <Stack gap="lg">
          <Figures columns={3}>
            <Figure label="Coins in circulation" figure={<Money amount={all.circulation} />}>
              in {counted(all.wallets, 'wallet')}
            </Figure>
            <Figure label="Total earned" figure={<Money amount={all.earned} />} />
            <Figure label="Total withdrawn" figure={<Money amount={all.withdrawn} />} />
            <Figure label="Net flow" figure={<Money amount={all.netFlow} />}>
              earnings minus withdrawals
            </Figure>
            <Figure label="Coins vs Withdrawals" figure={`${percent.format(all.coinsVsWithdrawals)}%`}>
              {againstWithdrawn(all.circulation, all.withdrawn)}
            </Figure>
            <Figure label="Average per user" figure={<Money amount={all.average} />} />
          </Figures>
          <Title order={2}>Recent activity</Title>
          <Figures columns={5}>
            <Figure label="Transactions in 30 days" figure={all.recentTransactions} />
            <Figure label="Earned in 30 days" figure={<Money amount={all.recentEarned} />} />
            <Figure label="Withdrawn in 30 days" figure={<Money amount={all.recentWithdrawn} />} />
            <Figure label="Spent in 30 days" figure={<Money amount={all.recentSpent} />} />
            <Figure label="Refunded in 30 days" figure={<Money amount={all.recentRefunded} />} />
          </Figures>
          <CoinsByDay label="Day by day" of={['earned', 'withdrawn']} />
        </Stack>
      )}
    </Loaded>
  )
}

/** Says what the percentage is of: the coins withdrawn so far, but at least 1. */
function againstWithdrawn(circulation: number, withdrawn: number): string {
  const held = `${formatMoney(circulation)} in circulation as a percentage of`
  return withdrawn < 1
    ? `${held} ${formatMoney(1)}, as less has been withdrawn so far`
    : `${held} the ${formatMoney(withdrawn)} withdrawn so far`
}
