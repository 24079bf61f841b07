import { plural, t } from '@lingui/core/macro'
import { Button, Group, Stack } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Queue, queueRow } from '#ui/Queue.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { ProcessDialog, RejectDialog, ReturnDialog } from './PayoutDialogs.tsx'
import { isForFile, PAYOUT_KEYS, type PayoutStep, payoutColumns } from './payout-columns.tsx'
import { payoutTexts } from './payouts.messages.ts'
import { type PayoutDecision, useDecidePayout, useMakePayoutFile } from './payouts.mutations.ts'
import { type Payout, type PayoutWish, payoutsQuery, takesTwoAdminsQuery } from './payouts.queries.ts'

/** Withdrawals, newest request first, and the dialogs to process them. */
export function PayoutTable({ userId, wish }: { userId: string; wish: PayoutWish }) {
  const payouts = useInfiniteQuery(payoutsQuery({ ...wish, sorting: useSorting('sort') }))
  const [current, setCurrent] = useState<{ payout: Payout; step: PayoutStep } | null>(null)
  const close = () => setCurrent(null)
  const decide = useDecidePayout(close)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const make = useMakePayoutFile(() => setChosen(new Set()))
  const { data: takesTwo = true } = useQuery(takesTwoAdminsQuery)
  const columns = payoutColumns({
    userId,
    takesTwo,
    onStep: (payout, step) => setCurrent({ payout, step }),
    chosen,
    onChoose: (id, wanted) => setChosen(new Set([...chosen, id].filter((one) => wanted || one !== id))),
  })
  const dialog = current && {
    payout: current.payout,
    busy: decide.isPending,
    onDecide: (decision: PayoutDecision) => decide.mutate({ id: current.payout.id, decision }),
    onClose: close,
  }
  const isNarrowed = wish.status || wish.person
  return (
    <Loaded
      of={payouts}
      failed={payoutTexts.listFailed}
      empty={
        <EmptyState title={isNarrowed ? t`No withdrawals found` : payoutTexts.empty} order={3}>
          {isNarrowed ? t`Try fewer filters.` : t`Withdrawal requests appear here.`}
        </EmptyState>
      }
    >
      {(rows) => {
        // Another admin may have put one into a file in the meantime.
        const ids = rows.filter((payout) => chosen.has(payout.id) && isForFile(payout)).map(({ id }) => id)
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
                    ? t`Choose withdrawals to pay by file`
                    : t`Payment file of ${plural(ids.length, { one: '# withdrawal', other: '# withdrawals' })}`}
                </Button>
              </Group>
            )}
            <Queue opens={t`Open the person’s page`} keys={PAYOUT_KEYS}>
              <DataTable
                label={t`Withdrawal Requests`}
                sorts="sort"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                rowProps={() => queueRow}
              />
            </Queue>
            <KeptRows list={payouts} failed={payoutTexts.listFailed}>
              {t`Load more withdrawals`}
            </KeptRows>
            {dialog && current.step === 'process' && <ProcessDialog {...dialog} />}
            {dialog && current.step === 'reject' && <RejectDialog {...dialog} />}
            {current?.step === 'return' && <ReturnDialog payout={current.payout} onClose={close} />}
          </Stack>
        )
      }}
    </Loaded>
  )
}
