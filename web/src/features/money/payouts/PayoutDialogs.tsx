import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { Money } from '#ui/Money.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { type PayoutDecision, useReturnPayout } from './payouts.mutations.ts'
import type { Payout } from './payouts.queries.ts'

interface DecisionProps {
  payout: Payout
  busy: boolean
  onDecide: (decision: PayoutDecision) => void
  onClose: () => void
}

/** Starts the payment of a withdrawal, or marks it as completed. */
export function ProcessDialog({ payout, busy, onDecide, onClose }: DecisionProps) {
  const starts = payout.status === 'pending'
  const [transferId, setTransferId] = useState('')
  const [bankAccountLast4, setLast4] = useState('')
  const [tried, setTried] = useState(false)
  useFocusReturn()
  // A whole account number would be cut to its first four characters.
  const digitsWrong = bankAccountLast4.trim() !== '' && !/^\d{4}$/.test(bankAccountLast4.trim())
  const label = starts ? 'Approve and Start Processing' : 'Mark as Completed'
  return (
    <Dialog
      opened
      onClose={() => busy || onClose()}
      title={starts ? 'Approve withdrawal' : 'Complete withdrawal'}
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
            {starts ? 'You’re about to pay ' : 'You have paid '}
            <Money amount={payout.amount} fw={600} c="var(--mantine-color-text)" /> to{' '}
            <bdi>{payout.fullName ?? payout.displayName}</bdi>.{' '}
            {starts
              ? 'The coins leave the wallet when you mark it as completed.'
              : 'The coins now leave the wallet.'}
          </Text>
          <TextInput
            label="Transfer ID"
            description="Optional"
            placeholder={payout.stripeTransferId ?? undefined}
            maxLength={200}
            value={transferId}
            onChange={(event) => setTransferId(event.currentTarget.value)}
            data-autofocus
          />
          {!payout.hasAccount && (
            <TextInput
              label="Last 4 digits of the bank account"
              description="Optional"
              placeholder={payout.bankAccountLast4 ?? undefined}
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              value={bankAccountLast4}
              error={tried && digitsWrong && 'Enter the last 4 digits, such as 3000'}
              onChange={(event) => setLast4(event.currentTarget.value)}
            />
          )}
          {payout.hasAccount && <Text size="sm">To the account ending in {payout.bankAccountLast4}</Text>}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={busy}>
              Cancel
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

/** Refuses a withdrawal with the reason its requester will read. */
export function RejectDialog({ payout, busy, onDecide, onClose }: DecisionProps) {
  return (
    <ReasonDialog
      title="Reject withdrawal"
      label="Rejection reason"
      confirmLabel="Reject Withdrawal"
      busy={busy}
      onConfirm={(reason) => onDecide({ to: 'rejected', reason })}
      onClose={onClose}
    >
      <Money amount={payout.amount} fw={600} c="var(--mantine-color-text)" /> stay in the wallet of{' '}
      <bdi>{payout.displayName}</bdi>, who is told why. This cannot be undone.
      {payout.status === 'processing' && ' First make sure the bank has not paid it out.'}
    </ReasonDialog>
  )
}

/** Notes that the bank sent a withdrawal back, with the reason its requester will read. */
export function ReturnDialog({ payout, onClose }: { payout: Payout; onClose: () => void }) {
  const giveBack = useReturnPayout(onClose)
  return (
    <ReasonDialog
      title="Returned by the bank"
      label="The bank’s reason"
      confirmLabel="Return coins"
      busy={giveBack.isPending}
      onConfirm={(reason) => giveBack.mutate({ id: payout.id, reason })}
      onClose={onClose}
    >
      <Money amount={payout.amount} fw={600} c="var(--mantine-color-text)" /> go back into the wallet of{' '}
      <bdi>{payout.displayName}</bdi>, who is told why. First make sure the money is back. This cannot be
      undone.
    </ReasonDialog>
  )
}
