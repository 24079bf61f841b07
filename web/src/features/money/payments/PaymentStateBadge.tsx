import { t } from '@lingui/core/macro'
import { Badge } from '@mantine/core'
import { type PaymentWord, paymentLabel, paymentWord } from '#domain/payment-words.ts'
import { paymentStateOf } from '#domain/payments.ts'
import { useNow } from '#ui/use-now.ts'

const COLORS: Record<PaymentWord, string> = {
  due: 'honey',
  late: 'beet',
  sent: 'blue',
  paid: 'herb',
  cancelled: 'gray',
}

/** A badge with the state of a payment, in one of five words, or that it failed. */
export function PaymentStateBadge({ payment }: { payment: Parameters<typeof paymentStateOf>[0] }) {
  const state = paymentStateOf(payment, useNow())
  if (payment.status === 'failed')
    return (
      <Badge variant="light" color="beet" tt="none" flex="none">
        {t({ message: 'Failed', context: 'state of a payment' })}
      </Badge>
    )
  return (
    <Badge variant="light" color={COLORS[paymentWord(state)]} tt="none" flex="none">
      {paymentLabel(state)}
    </Badge>
  )
}
