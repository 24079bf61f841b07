import { t } from '@lingui/core/macro'
import { Badge, Button, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDate, fullDay } from '#domain/dates.ts'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { rpc } from '#lib/supabase.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { Nothing } from '#ui/Nothing.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import {
  contractWithdrawalsQuery,
  disputeKeys,
  type ContractWithdrawalCount as Row,
  type Side,
} from './disputes.queries.ts'

/** Contract withdrawals of the last year and their cost, by member or owner. An admin can let a member join again. */
export function ContractWithdrawals() {
  const [side, setSide] = useState<Side>('member')
  const contractWithdrawals = useQuery(contractWithdrawalsQuery(side))
  const lift = useLift()
  return (
    <Stack gap="md">
      <SegmentedControl
        w="fit-content"
        aria-label={t`Contract withdrawals by`}
        data={[
          { value: 'member', label: t`By member` },
          { value: 'owner', label: t`By owner` },
        ]}
        value={side}
        onChange={(chosen) => setSide(chosen === 'owner' ? 'owner' : 'member')}
      />
      <Loaded
        of={contractWithdrawals}
        pending={<RowsSkeleton rows={2} />}
        failed={t`Failed to load the contract withdrawals`}
        empty={<Nothing>{t`No withdrawals from contracts`}</Nothing>}
      >
        {(rows) => (
          <DataTable
            label={t`Withdrawals from contracts`}
            columns={columns((row) => lift.mutate(row))}
            rows={rows}
            rowKey={({ userId }) => userId}
            rowProps={({ displayName }) => ({ 'aria-label': displayName })}
          />
        )}
      </Loaded>
    </Stack>
  )
}

const columns = (onLift: (row: Row) => void): Column<Row>[] => [
  {
    label: t`Person`,
    as: 'title',
    brief: ({ displayName }) => displayName,
    cell: ({ userId, displayName }) => <PersonLink staff userId={userId} name={displayName} />,
  },
  {
    label: t`Last`,
    as: 'detail',
    brief: ({ latest }) => fullDay(latest),
    cell: ({ latest }) => fullDate(latest),
  },
  { label: t`Contracts`, number: true, cell: ({ withdrawals }) => withdrawals },
  { label: t`Paid`, number: true, cell: ({ paid }) => <Money amount={paid} /> },
  { label: t`Gone back`, number: true, cell: ({ returned }) => <Money amount={returned} /> },
  {
    label: t`Cost to the site`,
    as: 'amount',
    number: true,
    cell: ({ cost }) => <Money amount={cost} fw={600} />,
  },
  {
    label: t`State`,
    as: 'state',
    cell: ({ refused, liftedAt }) =>
      (refused || liftedAt) && (
        <Badge variant="light" color={refused ? 'beet' : 'gray'} tt="none">
          {refused ? t`No new places` : t`Lifted on ${{ day: fullDay(liftedAt ?? '') }}`}
        </Badge>
      ),
  },
  {
    label: t`To do`,
    as: 'action',
    cell: (row) =>
      row.refused && (
        <Button
          size="sm"
          px="sm"
          variant="default"
          aria-label={t`Lift for ${row.displayName}`}
          onClick={() => onLift(row)}
        >
          {t`Lift`}
        </Button>
      ),
  },
]

const useLift = () =>
  useChange({
    run: ({ userId }: Row) => rpc('lift_contract_withdrawals', { p_user_id: userId }),
    stale: [disputeKeys.contractWithdrawals],
    done: (_lifted, { displayName }) =>
      toastSuccess(t`Lifted`, t`${displayName} can take places through the site again.`),
    failed: (problem) => toastError(t`Error`, answerOf(problem, t`Nothing was changed`)),
  })
