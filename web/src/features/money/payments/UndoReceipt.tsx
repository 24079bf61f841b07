import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import { usePaymentStep } from './payments.mutations.ts'

/** The button with which an owner takes back their recent confirmation of a payment. */
export function UndoReceipt({ payment }: { payment: Payment }) {
  const tell = usePaymentStep()
  return (
    <Button
      size="sm"
      px="sm"
      variant="subtle"
      aria-label={t`Take back: received ${formatMoney(payment.amount, payment.currency)} from ${payment.memberName}`}
      loading={tell.isPending}
      onClick={() => tell.mutate({ payment, step: 'unconfirm' })}
    >
      {t`Take back`}
    </Button>
  )
}
