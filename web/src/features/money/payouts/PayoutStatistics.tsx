import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { counted } from '#domain/plural.ts'
import { FigureCard } from '#ui/FigureCard.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { Money } from '#ui/Money.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { PAYOUT_STATES, payoutTexts } from './payouts.messages.ts'
import { payoutStatisticsQuery } from './payouts.queries.ts'

/** The euros asked for by status, and in how many withdrawals. */
export function PayoutStatistics() {
  const statistics = useQuery(payoutStatisticsQuery)
  if (statistics.isPending) return <CardGridSkeleton cards={4} columns={4} />
  if (!statistics.data)
    return (
      <LoadAlert
        title={payoutTexts.statisticsFailed}
        problem={statistics.error}
        onRetry={() => void statistics.refetch()}
      />
    )
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, lg: 4 }}>
      {statistics.data.map(({ status, requests, amount }) => (
        <FigureCard key={status} label={PAYOUT_STATES[status].label} figure={<Money amount={amount} />}>
          {counted(requests, 'request')}
        </FigureCard>
      ))}
    </SimpleGrid>
  )
}
