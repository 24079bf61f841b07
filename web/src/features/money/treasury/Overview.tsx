import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#domain/money.ts'
import { language } from '#lib/language.ts'
import { Figure, Figures } from '#ui/Figures.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { CoinsByDay } from './CoinsByDay.tsx'
import { overviewQuery } from './figures.queries.ts'
import { treasuryTexts } from './treasury.messages.ts'

const percent = new Intl.NumberFormat(language, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** The totals of all wallets, and of the last 30 days. */
export function Overview() {
  return (
    <Loaded of={useQuery(overviewQuery)} pending={<CardGridSkeleton />} failed={treasuryTexts.figuresFailed}>
      {(all) => (
        <Stack gap="lg">
          <Figures columns={3}>
            <Figure label={t`Coins in circulation`} figure={<Money amount={all.circulation} />}>
              <Trans>
                in <Plural value={all.wallets} one="# wallet" other="# wallets" />
              </Trans>
            </Figure>
            <Figure label={t`Total earned`} figure={<Money amount={all.earned} />} />
            <Figure label={t`Total withdrawn`} figure={<Money amount={all.withdrawn} />} />
            <Figure label={t`Net flow`} figure={<Money amount={all.netFlow} />}>
              {t`earnings minus withdrawals`}
            </Figure>
            <Figure label={t`Coins vs Withdrawals`} figure={percent.format(all.coinsVsWithdrawals / 100)}>
              {againstWithdrawn(all.circulation, all.withdrawn)}
            </Figure>
            <Figure label={t`Average per user`} figure={<Money amount={all.average} />} />
          </Figures>
          <Title order={2}>{t`Recent activity`}</Title>
          <Figures columns={5}>
            <Figure label={t`Transactions in 30 days`} figure={all.recentTransactions} />
            <Figure label={t`Earned in 30 days`} figure={<Money amount={all.recentEarned} />} />
            <Figure label={t`Withdrawn in 30 days`} figure={<Money amount={all.recentWithdrawn} />} />
            <Figure label={t`Spent in 30 days`} figure={<Money amount={all.recentSpent} />} />
            <Figure label={t`Refunded in 30 days`} figure={<Money amount={all.recentRefunded} />} />
          </Figures>
          <CoinsByDay label={t`Day by day`} of={['earned', 'withdrawn']} />
        </Stack>
      )}
    </Loaded>
  )
}

/** Explains the percentage of coins in circulation. Its base, 100 %, is the coins withdrawn so far, at least 1. */
function againstWithdrawn(circulation: number, withdrawn: number): string {
  const [held, base] = [formatMoney(circulation), formatMoney(Math.max(withdrawn, 1))]
  return withdrawn < 1
    ? t`${held} in circulation as a percentage of ${base}, as less has been withdrawn so far`
    : t`${held} in circulation as a percentage of the ${base} withdrawn so far`
}
