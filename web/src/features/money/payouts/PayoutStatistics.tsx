import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { counted } from '#domain/plural.ts'
import { FigureCard } from '#ui/FigureCard.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { PAYOUT_STATES, payoutTexts } from './payouts.messages.ts'
import { payoutStatisticsQuery } from './payouts.queries.ts'

/** The euros requested in each status, and in how many withdrawals. */
export function PayoutStatistics() {
  return (
    <Loaded
      of={useQuery(payoutStatisticsQuery)}
      pending={<CardGridSkeleton cards={4} columns={4} />}
      failed={payoutTexts.statisticsFailed}
    >
      {(statistics) => (
        <SimpleGrid component="dl" m={0} cols={{ base: 2, lg: 4 }} spacing={{ base: 'sm', sm: 'md' }}>
          {statistics.map(({ status, requests, amount }) => (
            <FigureCard key={status} label={PAYOUT_STATES[status].label} figure={<Money amount={amount} />}>
              {counted(requests, 'request')}
            </FigureCard>
          ))}
        </SimpleGrid>
      )}
    </Loaded>
  )
}
