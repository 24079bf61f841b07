import { plural, t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'

interface HowPaidDialogProps {
  /** The name of the receiver, who has denied the payment. */
  name: string
  busy: boolean
  onConfirm: (how: string) => void
  onClose: () => void
}

/** Asks a payer whose payment was denied how and when they paid. The answer opens a payment dispute for staff. */
export function HowPaidDialog({ name, busy, onConfirm, onClose }: HowPaidDialogProps) {
  return (
    <ReasonDialog
      title={t`I’ve paid`}
      label={t`How and when did you pay?`}
      confirmLabel={t`Send to our team`}
      color="clay"
      most={LIMITS.longestNote}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {t`${name} hasn’t received it, so our team decides within ${plural(LIMITS.paymentDisputeTimeHours / 24, { one: '# day', other: '# days' })}.`}
    </ReasonDialog>
  )
}
