import { useQuery } from '@tanstack/react-query'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { Money } from '#ui/Money.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { transactionStatisticsQuery } from './figures.queries.ts'
import { treasuryTexts } from './treasury.messages.ts'

const PERIODS: Record<string, string> = { '1d': '24 hours', '7d': '7 days', all: 'All time' }
const COLUMNS = [
  { label: 'Period' },
  { label: 'Transactions', number: true },
  { label: 'Earned', number: true },
  { label: 'Spent', number: true },
  { label: 'Withdrawn', number: true },
  { label: 'Refunded', number: true },
]

/** What moved which way in 24 hours, 7 days and ever. */
export function TransactionStatistics() {
  const statistics = useQuery(transactionStatisticsQuery)
  if (statistics.isPending) return <RowsSkeleton />
  if (!statistics.data)
    return (
      <LoadAlert
        title={treasuryTexts.figuresFailed}
        problem={statistics.error}
        onRetry={() => void statistics.refetch()}
      />
    )
  return (
    <StackTable label="Transaction statistics" columns={COLUMNS}>
      {statistics.data.map(({ period, transactions, ...sums }) => (
        <StackRow key={period}>
          <StackCell label="Period">{PERIODS[period]}</StackCell>
          <StackCell label="Transactions" number>
            {transactions}
          </StackCell>
          <StackCell label="Earned" number>
            <Money amount={sums.earned} />
          </StackCell>
          <StackCell label="Spent" number>
            <Money amount={sums.spent} />
          </StackCell>
          <StackCell label="Withdrawn" number>
            <Money amount={sums.withdrawn} />
          </StackCell>
          <StackCell label="Refunded" number>
            <Money amount={sums.refunded} />
          </StackCell>
        </StackRow>
      ))}
    </StackTable>
  )
}
