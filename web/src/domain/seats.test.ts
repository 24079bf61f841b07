// Places and their payments.
import { expect, test } from 'vitest'
import {
  type Claim,
  isReminded,
  lateToDeny,
  mayTakeBack,
  type Payment,
  paidHow,
  paymentStateOf,
} from './payments.ts'
import { periodEnd, unusedMoney } from './seats.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const [october, november, december] = ['2026-10-30T23:00:00Z', '2026-11-29T23:00:00Z', '2026-12-29T23:00:00Z']

test.each([
  ['paid for this month', november, [], november],
  ['paid for this month and the next', november, [{ endsAt: december }], november],
  ['not paid for this month', october, [{ endsAt: november }], november],
  ['not begun', null, [{ endsAt: null }], null],
  ['over', october, [{ endsAt: october }], null],
] as const)('a place that is %s ends where the period does that it is in', (_what, paidUntil, open, end) =>
  expect(periodEnd({ paidUntil }, open, now)).toBe(end),
)

const through = (unused: number) => ({ settlement: 'potluck', unused, currency: 'EUR' }) as const
const direct = (unused: number) => ({ settlement: 'direct', unused, currency: 'EUR' }) as const
test.each([
  ['goes back', [through(1.1), through(2.2)], [/^They get back the unused €3\.30 /]],
  ['is owed', [direct(3)], [/^You owe them the unused €3\.00 /]],
  [
    'goes back or is owed',
    [direct(3), through(1.1)],
    [/^They get back the unused €1\.10 /, /^You owe them the unused €3\.00 /],
  ],
  ['is nobody’s matter, as it is nothing', [direct(0), through(0)], []],
])('of a place that its owner ends what is paid for later %s', (_what, seats, sentences) =>
  expect(unusedMoney(seats)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence))),
)

test.each([
  ['due', 72, 0, 'upcoming'],
  ['due', 0, 0, 'due'],
  ['due', -71, 0, 'due'],
  ['due', -72, 0, 'late'],
  ['claimed', -200, 0, 'claimed'],
  ['charging', -1, 0, 'charging'],
  ['processing', -200, 0, 'processing'],
  ['needs-action', -1, 0, 'failed'],
  ['failed', -1, 0, 'failed'],
  ['paid', -1, 0, 'paid'],
  ['closed', -1, 0, 'paid'],
  ['closed', -1, 1.5, 'partly-returned'],
  ['given-back', -1, 4.4, 'returned'],
  ['cancelled', -1, 0, 'cancelled'],
] as const)(
  'a payment that is %s, due in %d h, with %d EUR given back, is %s',
  (status, hours, returned, is) =>
    expect(
      paymentStateOf(
        { status, payable: true, dueAt: new Date(now + hours * 3_600_000).toISOString(), returned },
        now,
      ),
    ).toBe(is),
)

const AGO = '2026-11-20T12:00:00Z'
test.each([
  [{ status: 'disputed' }, 'disputed'],
  [{ status: 'due', note: 'Nothing came', dueAt: '2026-11-25T12:00:00Z' }, 'denied'],
  [{ status: 'due', note: 'Nothing came', dueAt: '2026-11-10T12:00:00Z' }, 'late'],
  [{ status: 'due', leftUnpaidAt: AGO }, 'left-unpaid'],
  [{ status: 'due', leftUnpaidAt: AGO, payable: false }, 'left-unpaid'],
  [{ status: 'claimed', leftUnpaidAt: AGO }, 'claimed'],
  [{ status: 'closed', receivedBy: 'silence' }, 'unanswered'],
  [{ status: 'closed', receivedBy: 'staff' }, 'paid'],
  [{ status: 'cancelled', waivedAt: AGO }, 'waived'],
] as const)('a direct payment with %o is %s', (more, is) =>
  expect(paymentStateOf({ payable: true, dueAt: AGO, returned: 0, ...more }, now)).toBe(is),
)

test.each([
  ['just now', {}, true],
  ['a day ago', { paidAt: '2026-11-21T12:00:00Z' }, false],
  ['by silence', { receivedBy: 'silence' }, false],
  ['a second time', { unconfirmedAt: AGO }, false],
  ['with a debt on it', { owedBack: 1 }, false],
  ['and settled since', { status: 'closed' }, false],
] as const)('“Received” %s can be taken back: %o, %s', (_what, more, may) => {
  const paid = { status: 'paid', receivedBy: 'owner', unconfirmedAt: null, owedBack: 0 }
  expect(mayTakeBack({ ...paid, paidAt: '2026-11-21T12:00:01Z', ...more } as Payment, now)).toBe(may)
})

test.each([
  ['after the place has ended', { afterEnd: true }, true],
  ['while the place lives', {}, false],
  ['as a refund', { kind: 'repayment' }, true],
  ['over a year ago', { afterEnd: true, closedAt: '2025-11-20T12:00:00Z' }, false],
  ['and was answered', { afterEnd: true, status: 'received' }, false],
] as const)('what counts as received by silence %s can still be denied: %o, %s', (_what, more, may) => {
  const claim = { kind: 'payment', status: 'unanswered', afterEnd: false, closedAt: AGO, ...more } as Claim
  expect(lateToDeny({ claims: [claim] }, claim.kind, now)).toBe(may ? claim : null)
})

test('a payment that nobody can make yet waits, however long it has been due', () => {
  const payment = { payable: false, dueAt: '2026-10-01T00:00:00Z', returned: 0 }
  expect(paymentStateOf({ ...payment, status: 'due' }, now)).toBe('waiting')
  expect(paymentStateOf({ ...payment, status: 'claimed' }, now)).toBe('claimed')
})

test.each([
  [null, false],
  ['2026-11-21T12:00:01Z', true],
  ['2026-11-21T12:00:00Z', false],
])('a payment asked for at %s cannot be asked for again yet: %s', (nudgedAt, reminded) =>
  expect(isReminded({ nudgedAt }, now)).toBe(reminded),
)

test.each([
  [{ settlement: 'direct', status: 'paid' }, 'Directly to Olivia'],
  [{ settlement: 'direct', status: 'claimed' }, ''],
  [{ status: 'paid', card: 4.4 }, 'By card'],
  [{ status: 'paid', card: 4.4, paidWith: 'sepa_debit' }, 'By direct debit'],
  [{ status: 'closed', coins: 1.4, card: 3, paidWith: 'link' }, '3.00 EUR with Link, 1.40 EUR with coins'],
  [{ status: 'closed', coins: 4.4 }, 'With coins'],
  [{ status: 'given-back', coins: 1.4, card: 3 }, '3.00 EUR by card, 1.40 EUR with coins'],
  [{ status: 'failed' }, ''],
] as const)('%o was paid: %s', (more, how) => {
  const payment = { settlement: 'potluck', coins: 0, card: 0, ownerName: 'Olivia', ...more } as Payment
  expect(paidHow(payment)).toBe(how)
})
