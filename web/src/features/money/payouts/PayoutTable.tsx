import { Button, Group, Stack } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '#domain/plural.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Queue } from '#ui/Queue.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackTable } from '#ui/StackTable.tsx'
import { isForFile, PAYOUT_COLUMNS, PAYOUT_KEYS, PayoutRow, type PayoutStep } from './PayoutRow.tsx'
import { ProcessDialog } from './ProcessDialog.tsx'
import { payoutTexts } from './payouts.messages.ts'
import { useDecidePayout, useMakePayoutFile } from './payouts.mutations.ts'
import { type Payout, type PayoutWish, payoutsQuery } from './payouts.queries.ts'
import { RejectDialog } from './RejectDialog.tsx'
import { ReturnDialog } from './ReturnDialog.tsx'

/** Withdrawals, newest requested first, and the dialogs to process them. */
export function PayoutTable({ userId, wish }: { userId: string; wish: PayoutWish }) {
  const payouts = useInfiniteQuery(payoutsQuery(wish))
  const [chosen, setChosen] = useState<{ payout: Payout; step: PayoutStep } | null>(null)
  const close = () => setChosen(null)
  const decide = useDecidePayout(close)
  const [forFile, setForFile] = useState<ReadonlySet<string>>(new Set())
  const make = useMakePayoutFile(() => setForFile(new Set()))

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
    return wish.status || wish.person ? (
      <EmptyState title="No withdrawals found" order={3}>
        Try fewer filters.
      </EmptyState>
    ) : (
      <EmptyState title={payoutTexts.empty} order={3}>
        Once somebody asks for their coins, you decide about it here.
      </EmptyState>
    )
  // Somebody else may have put one into a file meanwhile.
  const ids = rows.filter((payout) => forFile.has(payout.id) && isForFile(payout)).map(({ id }) => id)
  const dialog = chosen && {
    payout: chosen.payout,
    busy: decide.isPending,
    onDecide: (decision: Parameters<typeof decide.mutate>[0]['decision']) =>
      decide.mutate({ id: chosen.payout.id, decision }),
    onClose: close,
  }
  return (
    <Stack gap="lg" aria-busy={payouts.isPlaceholderData}>
      {rows.some((payout) => isForFile(payout) && payout.userId !== userId) && (
        <Group>
          <Button
            leftSection={<IconFileDownload size={18} aria-hidden />}
            disabled={ids.length === 0}
            loading={make.isPending}
            onClick={() => make.mutate(ids)}
          >
            {ids.length === 0
              ? 'Choose what to pay by file'
              : `Payment file of ${counted(ids.length, 'withdrawal')}`}
          </Button>
        </Group>
      )}
      <Queue opens="Open the page of the person" keys={PAYOUT_KEYS}>
        <StackTable label="Withdrawal Requests" columns={PAYOUT_COLUMNS}>
          {rows.map((payout) => (
            <PayoutRow
              key={payout.id}
              payout={payout}
              userId={userId}
              onStep={(step) => setChosen({ payout, step })}
              chosen={forFile.has(payout.id)}
              onChoose={(wanted) =>
                setForFile(new Set([...forFile, payout.id].filter((id) => wanted || id !== payout.id)))
              }
            />
          ))}
        </StackTable>
      </Queue>
      <KeptRows list={payouts} failed={payoutTexts.listFailed}>
        Load more withdrawals
      </KeptRows>
      {dialog && chosen.step === 'process' && <ProcessDialog {...dialog} />}
      {dialog && chosen.step === 'reject' && <RejectDialog {...dialog} />}
      {chosen?.step === 'return' && <ReturnDialog payout={chosen.payout} onClose={close} />}
    </Stack>
  )
}
