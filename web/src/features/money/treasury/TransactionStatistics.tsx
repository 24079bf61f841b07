import { useQuery } from '@tanstack/react-query'
import { counted } from '#domain/plural.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { type PeriodFigures, transactionStatisticsQuery } from './figures.queries.ts'
import { treasuryTexts } from './treasury.messages.ts'

const PERIODS: Record<string, string> = { '1d': '24 hours', '7d': '7 days', all: 'All time' }
const COLUMNS: Column<PeriodFigures>[] = [
  { label: 'Period', as: 'title', cell: ({ period }) => PERIODS[period] },
  {
    label: 'Transactions',
    as: 'detail',
    number: true,
    brief: ({ transactions }) => counted(transactions, 'transaction'),
    cell: ({ transactions }) => transactions,
  },
  { label: 'Earned', as: 'amount', number: true, cell: ({ earned }) => <Money amount={earned} /> },
  { label: 'Spent', number: true, cell: ({ spent }) => <Money amount={spent} /> },
  { label: 'Withdrawn', number: true, cell: ({ withdrawn }) => <Money amount={withdrawn} /> },
  { label: 'Refunded', number: true, cell: ({ refunded }) => <Money amount={refunded} /> },
]

/** Money moved which way in 24 hours, in 7 days and ever. */
export function TransactionStatistics() {
  return (
    <Loaded of={useQuery(transactionStatisticsQuery)} failed={treasuryTexts.figuresFailed}>
      {(rows) => (
        <DataTable
          label="Transaction statistics"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ period }) => period}
        />
      )}
    </Loaded>
  )
}
