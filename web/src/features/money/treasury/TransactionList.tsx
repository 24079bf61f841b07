import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#domain/money.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { Person } from './Person.tsx'
import { TRANSACTION_TYPES } from './transaction-types.ts'
import { treasuryTexts } from './treasury.messages.ts'
import { type TransactionWish, transactionsQuery } from './treasury.queries.ts'

const COLUMNS = [
  { label: 'User' },
  { label: 'Type' },
  { label: 'Amount', number: true },
  { label: 'Description' },
  { label: 'Date' },
]

/** The latest movements of everybody's coins that match, at most 100. */
export function TransactionList({ wish }: { wish: TransactionWish }) {
  const transactions = useQuery(transactionsQuery(wish))
  if (transactions.isPending) return <RowsSkeleton rows={5} />
  if (!transactions.data)
    return (
      <LoadAlert
        title={treasuryTexts.transactionsFailed}
        problem={transactions.error}
        onRetry={() => void transactions.refetch()}
      />
    )
  if (transactions.data.length === 0)
    return <EmptyState title={treasuryTexts.noTransactions}>Try a longer time or another type.</EmptyState>
  return (
    <div aria-busy={transactions.isPlaceholderData}>
      <StackTable label="Transactions" columns={COLUMNS}>
        {transactions.data.map(
          ({ id, userId, name, avatarUrl, type, amount, description, createdAt, by }) => {
            const { label, color, sign } = TRANSACTION_TYPES[type]
            return (
              <StackRow key={id}>
                <StackCell>
                  <Person userId={userId} name={name} avatarUrl={avatarUrl} />
                </StackCell>
                <StackCell label="Type">
                  <Badge variant="light" color={color} tt="none">
                    {label}
                  </Badge>
                </StackCell>
                <StackCell label="Amount" number>
                  {sign}
                  {formatMoney(amount)}
                </StackCell>
                <StackCell label="Description">
                  <div>
                    <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
                      {description}
                    </Text>
                    {by !== null && (
                      <Text size="sm" c="dimmed">
                        by <PersonLink staff userId={by.userId} name={by.name} />
                      </Text>
                    )}
                  </div>
                </StackCell>
                <StackCell label="Date">
                  <RelativeDate date={createdAt} size="sm" />
                </StackCell>
              </StackRow>
            )
          },
        )}
      </StackTable>
    </div>
  )
}
