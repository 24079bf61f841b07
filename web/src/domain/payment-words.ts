/** The words for the state of a payment: five statuses, and one line with the day and the sum. */
import { t } from '@lingui/core/macro'
import { dayInWords, dayOfYear, isToday } from './dates.ts'
import { formatMoney } from './money.ts'
import { type Payment, type PaymentState, paymentStateOf } from './payments.ts'
import type { OwnSeat } from './seats.ts'

export type PaymentWord = 'due' | 'late' | 'sent' | 'paid' | 'cancelled'

const WORDS: Record<PaymentState, PaymentWord> = {
  waiting: 'due',
  upcoming: 'due',
  denied: 'due',
  due: 'due',
  failed: 'due',
  late: 'late',
  'left-unpaid': 'late',
  claimed: 'sent',
  disputed: 'sent',
  charging: 'sent',
  processing: 'sent',
  paid: 'paid',
  unanswered: 'paid',
  'partly-returned': 'paid',
  // The refunded sum is shown beside the word.
  returned: 'cancelled',
  cancelled: 'cancelled',
  waived: 'cancelled',
}

const LABELS: Record<PaymentWord, string> = {
  due: t({ message: 'Due', context: 'state of a payment' }),
  late: t`Late`,
  sent: t({ message: 'Sent', context: 'state of a payment' }),
  paid: t`Paid`,
  cancelled: t`Cancelled`,
}

export const paymentWord = (state: PaymentState): PaymentWord => WORDS[state]
export const paymentLabel = (state: PaymentState): string => LABELS[WORDS[state]]

/** The parts of a payment that its line depends on. */
export type LinePayment = Parameters<typeof paymentStateOf>[0] &
  Pick<Payment, 'ownerName' | 'amount' | 'currency'>

/** The person who reads a payment's line: the member who pays, or the owner who is paid. */
export type Side = 'member' | 'owner'

/** The due date of an open payment, by the day. `now` in ms. */
export function dueWords(dueAt: string, now: number): string {
  const today = new Date(now)
  if (isToday(dueAt, today)) return t`Due today`
  if (Date.parse(dueAt) < now) return t`Due since ${{ day: dayOfYear(dueAt, today) }}`
  return t`Due ${{ day: dayInWords(dueAt, today) }}`
}

/** The state of a payment with the day or person that matters, without the sum. `now` in ms. */
export function paymentWords(payment: LinePayment, side: Side, now: number): string {
  const { status, dueAt, ownerName } = payment
  const today = new Date(now)
  const state = paymentStateOf(payment, now)
  switch (state) {
    case 'waiting':
      return side === 'owner'
        ? t`Waiting for your payment details`
        : t`Waiting for ${{ owner: ownerName }}’s payment details`
    case 'upcoming':
    case 'due':
      return dueWords(dueAt, now)
    case 'denied':
      return t`Due again`
    case 'failed':
      if (status === 'needs-action') return t`Due, to be confirmed with the bank`
      return t`Payment failed`
    case 'late':
    case 'left-unpaid':
      return t`Late since ${{ day: dayOfYear(dueAt, today) }}`
    case 'claimed':
      return side === 'owner' ? t`Sent, waiting for you` : t`Sent, waiting for ${{ name: ownerName }}`
    case 'disputed':
      return t`Sent, our team decides`
    case 'charging':
    case 'processing':
      return t`Sent, waiting for the bank`
    default:
      return paymentLabel(state)
  }
}

/**
 * Returns the same words, followed by the sum if it is still to be paid or the reader is the owner: "Due today €5.00".
 */
export function paymentLine(payment: LinePayment, side: Side, now: number): string {
  const words = paymentWords(payment, side, now)
  const state = paymentStateOf(payment, now)
  const isMissing = ['due', 'late'].includes(WORDS[state]) && state !== 'waiting'
  return isMissing || side === 'owner' ? `${words} ${formatMoney(payment.amount, payment.currency)}` : words
}

/** True if the member can pay now. */
export const isToPay = ({ status, payable }: Pick<Payment, 'status' | 'payable'>): boolean =>
  (status === 'due' && payable) || status === 'needs-action' || status === 'failed'

/** Returns the open payment that a place's line describes: one that can be paid now comes before one that was sent. */
export const leadingPayment = <Open extends Pick<Payment, 'status' | 'payable'>>(
  open: readonly Open[],
): Open | undefined => open.find(isToPay) ?? open[0]

/** How a place is paid, in one line: its leading payment, or the day until which it is paid. */
export function placeLine(
  { pausedUntil, paidUntil, status }: Pick<OwnSeat, 'pausedUntil' | 'paidUntil' | 'status'>,
  payment: LinePayment | undefined,
  now: number,
): string {
  // Nothing is charged while the owner is suspended.
  if (payment && !pausedUntil) return paymentLine(payment, 'member', now)
  if (paidUntil) return t`Paid until ${{ day: dayOfYear(paidUntil, new Date(now)) }}`
  // The first period begins when the member gets access.
  return !payment && status === 'active' ? LABELS.paid : t`Nothing to pay now`
}
