import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Group, Stack, Text, Title } from '@mantine/core'
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
            <Figure label={t`Total earned`} figure={<Money amount={all.earned} />} />
            <Figure label={t`Total withdrawn`} figure={<Money amount={all.withdrawn} />} />
            <Figure label={t`Net flow`} figure={<Money amount={all.netFlow} />}>
              {t`earnings minus withdrawals`}
            </Figure>
          </Figures>
          <Figures columns={2}>
            <Figure label={t`Average per user`} figure={<Money amount={all.average} />}>
              <Trans>
                in <Plural value={all.wallets} one="# wallet" other="# wallets" />
              </Trans>
            </Figure>
            <Figure label={t`Coins vs Withdrawals`} figure={percent.format(all.coinsVsWithdrawals / 100)}>
              {all.withdrawn < 1
                ? t`of ${formatMoney(1)}, as less has been withdrawn`
                : t`in circulation, compared with what was withdrawn`}
            </Figure>
          </Figures>
          <Group gap="xs" align="baseline">
            <Title order={2} size="h3">{t`Recent activity`}</Title>
            <Text c="dimmed">{t`in 30 days`}</Text>
          </Group>
          <CoinsByDay label={t`Day by day`} of={['earned', 'withdrawn']} />
          <Figures columns={3}>
            <Figure label={t`Transactions`} figure={all.recentTransactions} />
            <Figure label={t`Spent`} figure={<Money amount={all.recentSpent} />} />
            <Figure label={t`Refunded`} figure={<Money amount={all.recentRefunded} />} />
          </Figures>
        </Stack>
      )}
    </Loaded>
  )
}
