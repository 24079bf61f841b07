import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { type PeriodFigures, transactionStatisticsQuery } from './figures.queries.ts'
import { treasuryTexts } from './treasury.messages.ts'

const PERIODS: Record<string, string> = { '1d': t`24 hours`, '7d': t`7 days`, all: t`All time` }
const COLUMNS: Column<PeriodFigures>[] = [
  { label: t`Period`, as: 'title', cell: ({ period }) => PERIODS[period] },
  {
    label: t`Transactions`,
    as: 'detail',
    number: true,
    brief: ({ transactions }) => plural(transactions, { one: '# transaction', other: '# transactions' }),
    cell: ({ transactions }) => transactions,
  },
  { label: t`Earned`, as: 'amount', number: true, cell: ({ earned }) => <Money amount={earned} /> },
  { label: t`Spent`, number: true, cell: ({ spent }) => <Money amount={spent} /> },
  { label: t`Withdrawn`, number: true, cell: ({ withdrawn }) => <Money amount={withdrawn} /> },
  { label: t`Refunded`, number: true, cell: ({ refunded }) => <Money amount={refunded} /> },
]

/** Coins moved by direction: in 24 hours, in 7 days and in total. */
export function TransactionStatistics() {
  return (
    <Loaded of={useQuery(transactionStatisticsQuery)} failed={treasuryTexts.figuresFailed}>
      {(rows) => (
        <DataTable
          label={t`Transaction statistics`}
          columns={COLUMNS}
          rows={rows}
          rowKey={({ period }) => period}
        />
      )}
    </Loaded>
  )
}
