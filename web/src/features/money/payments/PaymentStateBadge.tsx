import { t } from '@lingui/core/macro'
import { Badge } from '@mantine/core'
import { type PaymentState, paymentStateOf } from '#domain/payments.ts'
import { useNow } from '#ui/use-now.ts'

const LOOKS: Record<PaymentState, { label: string; color: string }> = {
  waiting: { label: t`Waiting`, color: 'gray' },
  upcoming: { label: t`Upcoming`, color: 'gray' },
  denied: { label: t`Not received`, color: 'honey' },
  due: { label: t({ message: 'Due', context: 'state of a payment' }), color: 'honey' },
  late: { label: t`Late`, color: 'beet' },
  'left-unpaid': { label: t`Left unpaid`, color: 'beet' },
  claimed: { label: t`To be confirmed`, color: 'honey' },
  disputed: { label: t`Disputed`, color: 'beet' },
  charging: { label: t`Being charged`, color: 'honey' },
  processing: { label: t`Being debited`, color: 'honey' },
  failed: { label: t`Failed`, color: 'beet' },
  paid: { label: t`Paid`, color: 'herb' },
  unanswered: { label: t`Paid, not answered`, color: 'herb' },
  'partly-returned': { label: t`Partly refunded`, color: 'clay' },
  returned: { label: t`Refunded`, color: 'clay' },
  cancelled: { label: t`Cancelled`, color: 'gray' },
  waived: { label: t({ message: 'Let go', context: 'state of a payment' }), color: 'gray' },
}

export const paymentStateLabel = (state: PaymentState): string => LOOKS[state].label

/** A badge with the state of a payment. */
export function PaymentStateBadge({ payment }: { payment: Parameters<typeof paymentStateOf>[0] }) {
  const { label, color } = LOOKS[paymentStateOf(payment, useNow())]
  return (
    <Badge variant="light" color={color} tt="none" flex="none">
      {label}
    </Badge>
  )
}
