import { expect, test } from 'vitest'
import { type LinePayment, leadingPayment, paymentLabel, paymentLine, placeLine } from './payment-words.ts'
import { paymentStateOf } from './payments.ts'

const NOON = new Date(2026, 10, 24, 12).getTime()
const inHours = (hours: number) => new Date(NOON + hours * 3_600_000).toISOString()
const payment = (rest: Partial<LinePayment> = {}): LinePayment => ({
  ...{ status: 'due', payable: true, dueAt: inHours(0), returned: 0, ownerName: 'Ana', amount: 5 },
  ...{ currency: 'EUR', ...rest },
})

test.each<[Partial<LinePayment>, string, string, string]>([
  [{ payable: false }, 'Due', 'Waiting for Ana’s payment details', 'Waiting for your payment details €5.00'],
  [{ dueAt: inHours(-0.1) }, 'Due', 'Due today €5.00', 'Due today €5.00'],
  [{ dueAt: inHours(6) }, 'Due', 'Due today €5.00', 'Due today €5.00'],
  [{ dueAt: inHours(24) }, 'Due', 'Due tomorrow €5.00', 'Due tomorrow €5.00'],
  [{ dueAt: inHours(-24) }, 'Due', 'Due since 23 November €5.00', 'Due since 23 November €5.00'],
  [{ dueAt: inHours(-96) }, 'Late', 'Late since 20 November €5.00', 'Late since 20 November €5.00'],
  [{ note: 'Nothing' }, 'Due', 'Due again €5.00', 'Due again €5.00'],
  [{ status: 'failed' }, 'Due', 'Payment failed €5.00', 'Payment failed €5.00'],
  [{ status: 'claimed' }, 'Sent', 'Sent, waiting for Ana', 'Sent, waiting for you €5.00'],
  [{ status: 'disputed' }, 'Sent', 'Sent, our team decides', 'Sent, our team decides €5.00'],
  [{ status: 'processing' }, 'Sent', 'Sent, waiting for the bank', 'Sent, waiting for the bank €5.00'],
  [{ status: 'closed', receivedBy: 'silence' }, 'Paid', 'Paid', 'Paid €5.00'],
  [{ status: 'closed', returned: 1 }, 'Paid', 'Paid', 'Paid €5.00'],
  [{ status: 'given-back', returned: 5 }, 'Cancelled', 'Cancelled', 'Cancelled €5.00'],
  [{ status: 'cancelled', waivedAt: inHours(0) }, 'Cancelled', 'Cancelled', 'Cancelled €5.00'],
])('a payment with %o is %s: "%s" for its member, "%s" for its owner', (rest, label, member, owner) => {
  const one = payment(rest)
  expect(paymentLabel(paymentStateOf(one, NOON))).toBe(label)
  expect([paymentLine(one, 'member', NOON), paymentLine(one, 'owner', NOON)]).toEqual([member, owner])
})

const seat = { pausedUntil: null, paidUntil: null, status: 'active' } as const
test.each([
  ['sent', seat, payment({ status: 'claimed' }), 'Sent, waiting for Ana'],
  ['paid', { ...seat, paidUntil: inHours(33 * 24) }, undefined, 'Paid until 27 December'],
  ['paid for a year', { ...seat, paidUntil: inHours(365 * 24) }, undefined, 'Paid until 24 November 2027'],
  ['paid before access', seat, undefined, 'Paid'],
  ['paused', { ...seat, pausedUntil: inHours(24) }, payment(), 'Nothing to pay now'],
  ['not paid for', { ...seat, status: 'paying' as const }, undefined, 'Nothing to pay now'],
])('a place that is %s reads so', (_what, place, open, line) =>
  expect(placeLine(place, open, NOON)).toBe(line),
)

test('of several open payments one to pay leads', () => {
  const [sent, due] = [payment({ status: 'claimed' }), payment()]
  expect([leadingPayment([sent, due]), leadingPayment([sent]), leadingPayment([])]).toEqual([
    due,
    sent,
    undefined,
  ])
})
