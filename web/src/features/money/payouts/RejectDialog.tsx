import { Money } from '#ui/Money.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import type { PayoutDecision } from './payouts.mutations.ts'
import type { Payout } from './payouts.queries.ts'

interface RejectDialogProps {
  payout: Payout
  busy: boolean
  onDecide: (decision: PayoutDecision) => void
  onClose: () => void
}

/** Refuses a withdrawal with the reason its requester will read. */
export function RejectDialog({ payout, busy, onDecide, onClose }: RejectDialogProps) {
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
      <bdi>{payout.displayName}</bdi>, who can use the coins again and is told why. This cannot be undone.
      {payout.status === 'processing' && ' Make sure first that the bank has not paid the money out.'}
    </ReasonDialog>
  )
}
