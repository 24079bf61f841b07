import { Money } from '#ui/Money.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { useReturnPayout } from './payouts.mutations.ts'
import type { Payout } from './payouts.queries.ts'

/** Notes that the bank sent a withdrawal back, with the reason its requester will read. */
export function ReturnDialog({ payout, onClose }: { payout: Payout; onClose: () => void }) {
  const giveBack = useReturnPayout(onClose)
  return (
    <ReasonDialog
      title="Returned by the bank"
      label="The bank's reason"
      confirmLabel="Give the coins back"
      busy={giveBack.isPending}
      onConfirm={(reason) => giveBack.mutate({ id: payout.id, reason })}
      onClose={onClose}
    >
      <Money amount={payout.amount} fw={600} c="var(--mantine-color-text)" /> go back into the wallet of{' '}
      <bdi>{payout.displayName}</bdi>, who is told why. Make sure first that the money has arrived. This
      cannot be undone.
    </ReasonDialog>
  )
}
