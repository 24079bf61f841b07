import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackTable } from '#ui/StackTable.tsx'
import { PAYOUT_COLUMNS, PayoutRow, type PayoutStep } from './PayoutRow.tsx'
import { ProcessDialog } from './ProcessDialog.tsx'
import { payoutTexts } from './payouts.messages.ts'
import { useDecidePayout } from './payouts.mutations.ts'
import { type Payout, payoutsQuery } from './payouts.queries.ts'
import { RejectDialog } from './RejectDialog.tsx'

/** Everybody's withdrawals, newest requested first, and the dialogs to process them. */
export function PayoutTable({ userId }: { userId: string }) {
  const payouts = useInfiniteQuery(payoutsQuery)
  const [chosen, setChosen] = useState<{ payout: Payout; step: PayoutStep } | null>(null)
  const close = () => setChosen(null)
  const decide = useDecidePayout(close)

  if (payouts.isPending) return <RowsSkeleton />
  if (!payouts.data)
    return (
      <LoadAlert
        title={payoutTexts.listFailed}
        problem={payouts.error}
        onRetry={() => void payouts.refetch()}
      />
    )
  const rows = payouts.data
  if (rows.length === 0)
    return (
      <EmptyState title={payoutTexts.empty} order={3}>
        Once somebody asks for their coins, you decide about it here.
      </EmptyState>
    )
  const dialog = chosen && {
    payout: chosen.payout,
    busy: decide.isPending,
    onDecide: (decision: Parameters<typeof decide.mutate>[0]['decision']) =>
      decide.mutate({ id: chosen.payout.id, decision }),
    onClose: close,
  }
  return (
    <Stack gap="lg">
      <StackTable label="Withdrawal Requests" columns={PAYOUT_COLUMNS}>
        {rows.map((payout) => (
          <PayoutRow
            key={payout.id}
            payout={payout}
            userId={userId}
            onStep={(step) => setChosen({ payout, step })}
          />
        ))}
      </StackTable>
      <MoreRows list={payouts} failed={payoutTexts.listFailed}>
        Load more withdrawals
      </MoreRows>
      {dialog && chosen.step === 'process' && <ProcessDialog {...dialog} />}
      {dialog && chosen.step === 'reject' && <RejectDialog {...dialog} />}
    </Stack>
  )
}
