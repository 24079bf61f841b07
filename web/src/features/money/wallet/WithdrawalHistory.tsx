import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { coinsInWords } from '#domain/coins.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { RETURNED, WITHDRAWAL_STATES } from '../withdrawals/withdrawals.messages.ts'
import { walletTexts } from './wallet.messages.ts'
import { type Withdrawal, withdrawalsQuery } from './wallet.queries.ts'

const COLUMNS: Column<Withdrawal>[] = [
  { label: t`Amount`, as: 'title', cell: ({ amount }) => coinsInWords(amount) },
  { label: t`Requested`, as: 'detail', cell: ({ requestedAt }) => <RelativeDate date={requestedAt} /> },
  {
    label: t`State`,
    as: 'state',
    cell: ({ status, returnedAt }) => {
      const { label, color } = returnedAt ? RETURNED : WITHDRAWAL_STATES[status]
      return (
        <Badge variant="light" color={color} tt="none">
          {label}
        </Badge>
      )
    },
  },
  {
    label: t`Reason`,
    as: 'detail',
    cell: ({ status, rejectionReason }) => status === 'rejected' && rejectionReason,
  },
  {
    label: t`Answered`,
    cell: ({ status, processedAt }) =>
      status !== 'completed' && processedAt && <RelativeDate date={processedAt} />,
  },
  { label: t`Paid out`, cell: ({ completedAt }) => completedAt && <RelativeDate date={completedAt} /> },
  {
    label: t`Bank account`,
    cell: ({ bankAccountLast4 }) => bankAccountLast4 && t`ending in ${bankAccountLast4}`,
  },
  {
    label: t`Returned by the bank`,
    as: 'detail',
    brief: ({ returnedAt, returnReason }) => returnedAt && returnReason,
    cell: ({ returnedAt, returnReason }) =>
      returnedAt && (
        <Trans>
          <RelativeDate date={returnedAt} />: {returnReason}. The coins are back in your wallet.
        </Trans>
      ),
  },
]

/** A person's withdrawals with their status, newest first. */
export function WithdrawalHistory({ userId }: { userId: string }) {
  const withdrawals = useQuery(withdrawalsQuery(userId))
  return (
    <SurfaceCard component="section" aria-labelledby="withdrawals-title">
      <Title order={2} size="h3" id="withdrawals-title" mb="md">
        {t`Withdrawal history`}
      </Title>
      <Loaded
        of={withdrawals}
        failed={walletTexts.failed}
        empty={<EmptyState title={t`No withdrawals yet`}>{walletTexts.processing}</EmptyState>}
      >
        {(rows) => (
          <DataTable
            lines
            label={t`Withdrawal history`}
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </Loaded>
    </SurfaceCard>
  )
}
