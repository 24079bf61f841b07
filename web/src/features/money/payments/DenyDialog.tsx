import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { formatMoney } from '#domain/money.ts'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'

interface DenyDialogProps {
  /** The payer's name. */
  name: string
  amount: number
  currency: string
  /** True if the payment already counts as received because the answer came too late, so that staff will decide. */
  late?: boolean
  busy: boolean
  onConfirm: (note: string) => void
  onClose: () => void
}

/** The dialog to deny a payment claim, with a note to the payer. */
export function DenyDialog({ name, amount, currency, late = false, ...rest }: DenyDialogProps) {
  return (
    <ReasonDialog
      title={t`Payment not received`}
      label={t`What is missing?`}
      confirmLabel={t`Report as missing`}
      most={LIMITS.longestDenial}
      {...rest}
    >
      {late ? (
        t`It counts as received, so our team decides between you and ${name}.`
      ) : (
        <Trans>
          We tell {name}, and {formatMoney(amount, currency)} is due again.
        </Trans>
      )}
    </ReasonDialog>
  )
}
