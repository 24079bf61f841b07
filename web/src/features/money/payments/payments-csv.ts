import { t } from '@lingui/core/macro'
import { euros, toCsv } from '#domain/csv.ts'
import { paymentLabel } from '#domain/payment-words.ts'
import { type Payment, paidHow, paymentStateOf } from '#domain/payments.ts'
import { dayOf } from '#domain/renewal.ts'

const COLUMNS = [
  t`Member`,
  t`Number`,
  t`From`,
  t`Until`,
  t`Due`,
  t`Share EUR`,
  t`Fee EUR`,
  t`Amount EUR`,
  t`State`,
  t`Paid on`,
  t`How`,
  t`Refunded EUR`,
  t`Owed back EUR`,
  t`Paid back on`,
  t`Receipt`,
  t`Reference`,
  t`Note`,
]

/** All payments of a plan as CSV, one per line, oldest first. `now` in ms. */
export function toPaymentsCsv(payments: readonly Payment[], now: number): string {
  const lines = payments.map((payment) => [
    payment.memberName,
    payment.number,
    payment.startsAt && dayOf(new Date(payment.startsAt)),
    payment.endsAt && dayOf(new Date(Date.parse(payment.endsAt) - 1)),
    dayOf(new Date(payment.dueAt)),
    euros(payment.share),
    euros(payment.fee),
    euros(payment.amount),
    paymentLabel(paymentStateOf(payment, now)),
    payment.paidAt && dayOf(new Date(payment.paidAt)),
    paidHow(payment),
    euros(payment.returned),
    euros(payment.owedBack),
    payment.repaidAt && dayOf(new Date(payment.repaidAt)),
    payment.receiptNumber,
    payment.reference,
    payment.note,
  ])
  return toCsv([COLUMNS, ...lines.reverse()])
}
