import { Badge, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { coinsInWords } from '#domain/coins.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { PAYOUT_STATES, RETURNED } from '../payouts/payouts.messages.ts'
import { walletTexts } from './wallet.messages.ts'
import { type Withdrawal, withdrawalsQuery } from './wallet.queries.ts'

const COLUMNS: Column<Withdrawal>[] = [
  { label: 'Amount', as: 'title', cell: ({ amount }) => coinsInWords(amount) },
  { label: 'Requested', as: 'detail', cell: ({ requestedAt }) => <RelativeDate date={requestedAt} /> },
  {
    label: 'State',
    as: 'state',
    cell: ({ status, returnedAt }) => {
      const { label, color } = returnedAt ? RETURNED : PAYOUT_STATES[status]
      return (
        <Badge variant="light" color={color} tt="none">
          {label}
        </Badge>
      )
    },
  },
  {
    label: 'Reason',
    as: 'detail',
    cell: ({ status, rejectionReason }) => status === 'rejected' && rejectionReason,
  },
  {
    label: 'Answered',
    cell: ({ status, processedAt }) =>
      status !== 'completed' && processedAt && <RelativeDate date={processedAt} />,
  },
  { label: 'Paid out', cell: ({ completedAt }) => completedAt && <RelativeDate date={completedAt} /> },
  {
    label: 'Bank account',
    cell: ({ bankAccountLast4 }) => bankAccountLast4 && `ending in ${bankAccountLast4}`,
  },
  {
    label: 'Returned by the bank',
    as: 'detail',
    brief: ({ returnedAt, returnReason }) => returnedAt && returnReason,
    cell: ({ returnedAt, returnReason }) =>
      returnedAt && (
        <>
          <RelativeDate date={returnedAt} />: {returnReason}. The coins are back in your wallet.
        </>
      ),
  },
]

/** A person's withdrawals and what became of them, newest first. */
export function WithdrawalHistory({ userId }: { userId: string }) {
  const withdrawals = useQuery(withdrawalsQuery(userId))
  return (
    <SurfaceCard component="section" aria-labelledby="withdrawals-title">
      <Title order={2} size="h3" id="withdrawals-title" mb="md">
        Withdrawal history
      </Title>
      <Loaded
        of={withdrawals}
        failed={walletTexts.failed}
        empty={<EmptyState title="No withdrawals yet">{walletTexts.processing}</EmptyState>}
      >
        {(rows) => (
          <DataTable lines label="Withdrawal history" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
        )}
      </Loaded>
    </SurfaceCard>
  )
}
