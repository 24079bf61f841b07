import { euros, toCsv } from '#domain/csv.ts'
import { type Payment, paidHow, standingOf } from '#domain/payments.ts'
import { dayOf } from '#domain/renewal.ts'
import { standingLabel } from './StandingBadge.tsx'

const COLUMNS = [
  'Member',
  'Number',
  'From',
  'Until',
  'Due',
  'Share EUR',
  'Fee EUR',
  'Amount EUR',
  'State',
  'Paid on',
  'How',
  'Refunded EUR',
  'Receipt',
  'Reference',
  'Note',
]

/** All payments of a plan, one per line, oldest first. `now` in ms. */
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
    standingLabel(standingOf(payment, now)),
    payment.paidAt && dayOf(new Date(payment.paidAt)),
    paidHow(payment),
    euros(payment.returned),
    payment.receiptNumber,
    payment.reference,
    payment.note,
  ])
  return toCsv([COLUMNS, ...lines.reverse()])
}
