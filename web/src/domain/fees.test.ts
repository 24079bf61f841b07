// Proves MYSUB 15, MEMB 03, CREATE 14 15, DATA 04, PAY 20
import { expect, test } from 'vitest'
import {
  feeNote,
  memberPays,
  memberShare,
  ownerEstimate,
  paysMonthly,
  percentOf,
  potluckRefusal,
  splitOf,
} from './fees.ts'

test.each([
  [19.99, 4, 5.0],
  [17.99, 2, 9.0],
  [1680, 300, 5.6],
  [9.99, 0, 0],
])('%d EUR shared among %d people are %d EUR each', (total, people, share) =>
  expect(memberShare(total, people)).toBe(share),
)

test.each([
  ['potluck', 0.1, '10% convenience fee included'],
  ['potluck', 0.055, '5.5% convenience fee included'],
  ['potluck', 0, 'No convenience fee'],
  ['direct', 0.1, 'Paid to the owner, no fee'],
] as const)('who pays by %s at a fee of %d reads: %s', (settlement, feeRate, note) =>
  expect(feeNote({ settlement, feeRate })).toBe(note),
)

test('every rate there can be reads as a percentage', () => {
  const rates = Array.from({ length: 41 }, (_, step) => step * 0.005)
  expect(rates.map(percentOf)).toEqual(rates.map((_rate, step) => String(step / 2)))
})

test.each([
  ['potluck', 'monthly', 22, 22],
  ['potluck', 'yearly', 22, 1.83],
  ['direct', 'yearly', 20, 1.67],
] as const)(
  'a share of 20 EUR, paid by %s and %s, costs %d EUR, a month %d',
  (settlement, cycle, pays, monthly) => {
    const plan = { memberPrice: 20, settlement, feeRate: 0.1, cycle }
    expect([memberPays(plan), paysMonthly(plan)]).toEqual([pays, monthly])
  },
)

const TOO_LITTLE = 'A member would pay €0.99 a month. Cards need at least €1.00, so members pay you directly.'
test.each([
  [0.91, 'monthly', null],
  [0.9, 'monthly', TOO_LITTLE],
  [10.91, 'yearly', null],
  [10.9, 'yearly', TOO_LITTLE],
] as const)(
  'a share of %d EUR, %s, is paid through the site only from 1.00 a month on',
  (share, cycle, why) => expect(potluckRefusal(share, { cycle, feeRate: 0.1 })).toBe(why),
)

test.each([
  [19.99, 4, 2, 9, 10.99],
  [19.99, 4, 3, 13.5, 6.49],
  [10, 2, 5, 22.5, 0],
])(
  'of %d EUR for %i, %i members leave an owner 90 percent of each share',
  (price, people, members, ...left) => {
    const { earnings, effectivePrice } = ownerEstimate(price, people, members)
    expect([earnings, effectivePrice]).toEqual(left)
  },
)

test.each([
  // If a price does not divide evenly, the owner's part absorbs the odd cent.
  [19.99, 5, 'monthly', 4, { whole: 19.99, share: 5, places: 3, rest: 4.99 }],
  [120, 24, 'yearly', 2, { whole: 10, share: 2, places: 1, rest: 8 }],
  [9.99, 5, 'monthly', 2, { whole: 9.99, share: 5, places: 1, rest: 4.99 }],
] as const)('%d EUR at a share of %d, %s, among %i are split to the cent', (...plan) => {
  const [totalPrice, memberPrice, cycle, ownerMaxMembers, split] = plan
  expect(splitOf({ totalPrice, memberPrice, cycle, ownerMaxMembers })).toEqual(split)
})
