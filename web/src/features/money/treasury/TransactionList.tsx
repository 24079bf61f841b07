import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#domain/money.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { personColumn } from './person-column.tsx'
import { TRANSACTION_TYPES } from './transaction-types.ts'
import { treasuryTexts } from './treasury.messages.ts'
import { type Transaction, type TransactionFilter, transactionsQuery } from './treasury.queries.ts'

const COLUMNS: Column<Transaction>[] = [
  personColumn,
  {
    label: t`Type`,
    sort: 'transaction_type',
    as: 'state',
    cell: ({ type }) => (
      <Badge variant="light" color={TRANSACTION_TYPES[type].color} tt="none">
        {TRANSACTION_TYPES[type].label}
      </Badge>
    ),
  },
  {
    label: t`Amount`,
    sort: 'amount',
    as: 'amount',
    number: true,
    cell: ({ type, amount }) => (
      <>
        {TRANSACTION_TYPES[type].sign}
        {formatMoney(amount)}
      </>
    ),
  },
  {
    label: t`Description`,
    sort: 'description',
    as: 'detail',
    brief: ({ description }) => description,
    cell: ({ description, by }) => (
      <div>
        <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {description}
        </Text>
        {by !== null && (
          <Text size="sm" c="dimmed">
            <Trans>
              by <PersonLink staff {...by} />
            </Trans>
          </Text>
        )}
      </div>
    ),
  },
  {
    label: t`Date`,
    sort: 'created_at',
    as: 'detail',
    cell: ({ createdAt }) => <RelativeDate date={createdAt} size="sm" />,
  },
]

/** The latest coin movements of all wallets that match, at most 100. */
export function TransactionList({ filter }: { filter: TransactionFilter }) {
  const transactions = useQuery(transactionsQuery({ ...filter, sorting: useSorting('sort') }))
  return (
    <Loaded
      of={transactions}
      pending={<RowsSkeleton rows={5} />}
      failed={treasuryTexts.transactionsFailed}
      empty={
        <EmptyState title={treasuryTexts.noTransactions}>{t`Try a longer time or another type.`}</EmptyState>
      }
    >
      {(rows) => (
        <div aria-busy={transactions.isPlaceholderData}>
          <DataTable
            sorts="sort"
            label={t`Transactions`}
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
          />
        </div>
      )}
    </Loaded>
  )
}
