import { t } from '@lingui/core/macro'
import { Button, Title } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { useCloseDebt } from '#features/money/withdrawals/withdrawals.mutations.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import type { StaffPerson } from './staff-person.query.ts'

type Debt = NonNullable<StaffPerson['money']>['debts'][number]

const columns = (onClose: (debt: Debt) => void): Column<Debt>[] => [
  {
    label: t`Owed to`,
    as: 'title',
    mark: ({ planName }) => <ProviderLogo provider={planName} size="line" />,
    brief: ({ memberName }) => memberName,
    cell: ({ memberId, memberName }) => <PersonLink staff userId={memberId} name={memberName} />,
  },
  { label: t`Plan`, as: 'detail', cell: ({ planName }) => planName },
  { label: t`Since`, cell: ({ since }) => fullDay(since) },
  {
    label: t`Amount`,
    as: 'amount',
    number: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    label: t`To do`,
    as: 'action',
    cell: (debt) => (
      <Button
        size="sm"
        px="sm"
        variant="default"
        aria-label={t`Close refund: ${formatMoney(debt.amount, debt.currency)} to ${debt.memberName}`}
        onClick={() => onClose(debt)}
      >
        {t({ message: 'Close', context: 'a refund' })}
      </Button>
    ),
  },
]

/** Lists an owner's debts to members who paid them directly; staff can close a debt that was settled in another way. */
export function Debts({ personId, debts }: { personId: string; debts: readonly Debt[] }) {
  const [asked, setAsked] = useState<Debt | null>(null)
  const close = useCloseDebt(personId, () => setAsked(null))
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {t`Refunds they owe`}
      </Title>
      <DataTable
        label={t`Refunds they owe`}
        columns={columns(setAsked)}
        rows={debts}
        rowKey={({ paymentId }) => paymentId}
        rowProps={({ memberName }) => ({ 'aria-label': memberName })}
      />
      {asked && (
        <ReasonDialog
          title={t`Close refund`}
          label={t`Reason`}
          confirmLabel={t`Close refund`}
          most={LIMITS.longestNote}
          busy={close.isPending}
          onConfirm={(reason) => close.mutate({ paymentId: asked.paymentId, reason })}
          onClose={() => setAsked(null)}
        >
          {t`They then owe ${asked.memberName} nothing. Both read your reason. This cannot be undone.`}
        </ReasonDialog>
      )}
    </div>
  )
}
