import { plural } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Figure, Figures } from '#ui/Figures.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { CardGridSkeleton } from '#ui/Skeletons.tsx'
import { WITHDRAWAL_STATES, withdrawalTexts } from './withdrawals.messages.ts'
import { withdrawalStatisticsQuery } from './withdrawals.queries.ts'

/** The sum in EUR and the number of withdrawals in each status. */
export function WithdrawalStatistics() {
  return (
    <Loaded
      of={useQuery(withdrawalStatisticsQuery)}
      pending={<CardGridSkeleton cards={4} columns={4} />}
      failed={withdrawalTexts.statisticsFailed}
    >
      {(statistics) => (
        <Figures columns={4}>
          {statistics.map(({ status, requests, amount }) => (
            <Figure key={status} label={WITHDRAWAL_STATES[status].label} figure={<Money amount={amount} />}>
              {plural(requests, { one: '# request', other: '# requests' })}
            </Figure>
          ))}
        </Figures>
      )}
    </Loaded>
  )
}
