import { t } from '@lingui/core/macro'
import { sumIn, toCsv } from '#domain/csv.ts'
import { paymentLabel } from '#domain/payment-words.ts'
import { type Payment, paidHow, paymentStateOf } from '#domain/payments.ts'
import { dayOf } from '#domain/renewal.ts'

const columnsIn = (currency: string) => [
  t`Member`,
  t`Number`,
  t`From`,
  t`Until`,
  t`Due`,
  t`Share ${currency}`,
  t`Fee ${currency}`,
  t`Amount ${currency}`,
  t`State`,
  t`Paid on`,
  t`How`,
  t`Refunded ${currency}`,
  t`Owed back ${currency}`,
  t`Paid back on`,
  t`Receipt`,
  t`Reference`,
  t`Note`,
]

/** All payments of a plan as CSV, one per line, oldest first. All have the plan's currency. `now` in ms. */
export function toPaymentsCsv(payments: readonly Payment[], now: number): string {
  const currency = payments[0]?.currency ?? 'EUR'
  const lines = payments.map((payment) => [
    payment.memberName,
    payment.number,
    payment.startsAt && dayOf(new Date(payment.startsAt)),
    payment.endsAt && dayOf(new Date(Date.parse(payment.endsAt) - 1)),
    dayOf(new Date(payment.dueAt)),
    sumIn(currency, payment.share),
    sumIn(currency, payment.fee),
    sumIn(currency, payment.amount),
    paymentLabel(paymentStateOf(payment, now)),
    payment.paidAt && dayOf(new Date(payment.paidAt)),
    paidHow(payment),
    sumIn(currency, payment.returned),
    sumIn(currency, payment.owedBack),
    payment.repaidAt && dayOf(new Date(payment.repaidAt)),
    payment.receiptNumber,
    payment.reference,
    payment.note,
  ])
  return toCsv([columnsIn(currency), ...lines.reverse()])
}
