import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { Money } from '#ui/Money.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { useReturnWithdrawal, type WithdrawalDecision } from './withdrawals.mutations.ts'
import type { StaffWithdrawal } from './withdrawals.queries.ts'

interface DecisionProps {
  withdrawal: StaffWithdrawal
  busy: boolean
  onDecide: (decision: WithdrawalDecision) => void
  onClose: () => void
}

interface ProcessProps extends DecisionProps {
  /** True if another admin has to complete the withdrawal. */
  takesTwo: boolean
}

/** The dialog to start the payment of a withdrawal, or to mark it as completed. */
export function ProcessDialog({ withdrawal, takesTwo, busy, onDecide, onClose }: ProcessProps) {
  const starts = withdrawal.status === 'pending'
  const [transferId, setTransferId] = useState('')
  const [bankAccountLast4, setLast4] = useState('')
  const [tried, setTried] = useState(false)
  useFocusReturn()
  // The field takes the last four digits; a whole account number would be cut to its first four characters.
  const digitsWrong = bankAccountLast4.trim() !== '' && !/^\d{4}$/.test(bankAccountLast4.trim())
  const amount = <Money amount={withdrawal.amount} fw={600} c="var(--mantine-color-text)" />
  const name = withdrawal.fullName ?? withdrawal.displayName
  const label = starts ? t`Approve and Start Processing` : t`Mark as Completed`
  return (
    <Dialog
      opened
      onClose={() => busy || onClose()}
      title={starts ? t`Approve withdrawal` : t`Complete withdrawal`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (digitsWrong) return
          onDecide({ to: starts ? 'processing' : 'completed', transferId, bankAccountLast4 })
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">
            {!starts ? (
              <Trans>
                You have paid {amount} to <bdi>{name}</bdi>. The coins now leave the wallet.
              </Trans>
            ) : takesTwo ? (
              <Trans>
                Approve {amount} for <bdi>{name}</bdi>? Another admin then pays and completes it.
              </Trans>
            ) : (
              <Trans>
                Approve {amount} for <bdi>{name}</bdi>? Then pay and complete it.
              </Trans>
            )}{' '}
            {withdrawal.hasAccount && <Trans>The account ends in {withdrawal.bankAccountLast4}.</Trans>}
          </Text>
          <TextInput
            label={t`Transfer ID`}
            description={t`Optional`}
            placeholder={withdrawal.stripeTransferId ?? undefined}
            maxLength={LIMITS.longestBankReference}
            value={transferId}
            onChange={(event) => setTransferId(event.currentTarget.value)}
            data-autofocus
          />
          {!withdrawal.hasAccount && (
            <TextInput
              label={t`Last 4 digits of the bank account`}
              description={t`Optional`}
              placeholder={withdrawal.bankAccountLast4 ?? undefined}
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              value={bankAccountLast4}
              error={tried && digitsWrong && t`Enter the last 4 digits, such as 3000`}
              onChange={(event) => setLast4(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={busy}>
              {t`Cancel`}
            </Button>
            <Button type="submit" color="herb" loading={busy}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The dialog to reject a withdrawal, with a reason for the requester. */
export function RejectDialog({ withdrawal, busy, onDecide, onClose }: DecisionProps) {
  return (
    <ReasonDialog
      title={t`Reject withdrawal`}
      label={t`Rejection reason`}
      confirmLabel={t`Reject Withdrawal`}
      busy={busy}
      onConfirm={(reason) => onDecide({ to: 'rejected', reason })}
      onClose={onClose}
    >
      <Trans>
        <bdi>{withdrawal.displayName}</bdi> keeps{' '}
        <Money amount={withdrawal.amount} fw={600} c="var(--mantine-color-text)" /> as coins and sees your
        reason. This cannot be undone.
      </Trans>{' '}
      {withdrawal.status === 'processing' && t`First make sure the bank has not paid it out.`}
    </ReasonDialog>
  )
}

/** The dialog to record that the bank returned a withdrawal, with a reason for the requester. */
export function ReturnDialog({ withdrawal, onClose }: { withdrawal: StaffWithdrawal; onClose: () => void }) {
  const giveBack = useReturnWithdrawal(onClose)
  return (
    <ReasonDialog
      title={t`Returned by the bank`}
      label={t`The bank’s reason`}
      confirmLabel={t`Return coins`}
      busy={giveBack.isPending}
      onConfirm={(reason) => giveBack.mutate({ id: withdrawal.id, reason })}
      onClose={onClose}
    >
      <Trans>
        <bdi>{withdrawal.displayName}</bdi> gets{' '}
        <Money amount={withdrawal.amount} fw={600} c="var(--mantine-color-text)" /> back as coins and sees the
        reason. First make sure the money is back. This cannot be undone.
      </Trans>
    </ReasonDialog>
  )
}
