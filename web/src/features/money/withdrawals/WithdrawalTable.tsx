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
import { ProcessDialog, RejectDialog, ReturnDialog } from './DecisionDialogs.tsx'
import {
  isForFile,
  WITHDRAWAL_HOTKEYS,
  type WithdrawalStep,
  withdrawalColumns,
} from './withdrawal-columns.tsx'
import { withdrawalTexts } from './withdrawals.messages.ts'
import { useDecideWithdrawal, useMakePayoutFile, type WithdrawalDecision } from './withdrawals.mutations.ts'
import {
  type StaffWithdrawal,
  staffWithdrawalsQuery,
  takesTwoAdminsQuery,
  type WithdrawalFilter,
} from './withdrawals.queries.ts'

/** Withdrawals, newest request first, and the dialogs to process them. */
export function WithdrawalTable({ userId, filter }: { userId: string; filter: WithdrawalFilter }) {
  const withdrawals = useInfiniteQuery(staffWithdrawalsQuery({ ...filter, sorting: useSorting('sort') }))
  const [current, setCurrent] = useState<{ withdrawal: StaffWithdrawal; step: WithdrawalStep } | null>(null)
  const close = () => setCurrent(null)
  const decide = useDecideWithdrawal(close)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const make = useMakePayoutFile(() => setChosen(new Set()))
  const { data: takesTwo = true } = useQuery(takesTwoAdminsQuery)
  const columns = withdrawalColumns({
    userId,
    takesTwo,
    onStep: (withdrawal, step) => setCurrent({ withdrawal, step }),
    chosen,
    onChoose: (id, wanted) => setChosen(new Set([...chosen, id].filter((one) => wanted || one !== id))),
  })
  const dialog = current && {
    withdrawal: current.withdrawal,
    busy: decide.isPending,
    onDecide: (decision: WithdrawalDecision) => decide.mutate({ id: current.withdrawal.id, decision }),
    onClose: close,
  }
  const isNarrowed = filter.status || filter.person
  return (
    <Loaded
      of={withdrawals}
      failed={withdrawalTexts.listFailed}
      empty={
        <EmptyState title={isNarrowed ? t`No withdrawals found` : withdrawalTexts.empty} order={3}>
          {isNarrowed ? t`Try fewer filters.` : t`Withdrawal requests appear here.`}
        </EmptyState>
      }
    >
      {(rows) => {
        // Another admin may have put a chosen withdrawal into a file in the meantime.
        const ids = rows
          .filter((withdrawal) => chosen.has(withdrawal.id) && isForFile(withdrawal))
          .map(({ id }) => id)
        return (
          <Stack gap="lg" aria-busy={withdrawals.isPlaceholderData}>
            {rows.some((withdrawal) => isForFile(withdrawal) && withdrawal.userId !== userId) && (
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
            <Queue opens={t`Open the person’s page`} keys={WITHDRAWAL_HOTKEYS}>
              <DataTable
                label={t`Withdrawal Requests`}
                sorts="sort"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                rowProps={() => queueRow}
              />
            </Queue>
            <KeptRows list={withdrawals} failed={withdrawalTexts.listFailed}>
              {t`Load more withdrawals`}
            </KeptRows>
            {dialog && current.step === 'process' && <ProcessDialog {...dialog} takesTwo={takesTwo} />}
            {dialog && current.step === 'reject' && <RejectDialog {...dialog} />}
            {current?.step === 'return' && <ReturnDialog withdrawal={current.withdrawal} onClose={close} />}
          </Stack>
        )
      }}
    </Loaded>
  )
}
