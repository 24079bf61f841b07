// Savings through sharing, and the examples that the landing page picks from the catalogue.
// Proves LAND 04 06, SAVE 03-07
import { expect, test } from 'vitest'
import type { CataloguePlan, Category, Provider } from './catalogue.ts'
import { MILESTONES, milestonesReached, savingAmong, savingOf, savingOfAll, totalSaved } from './savings.ts'
import { addUpSavings, exampleShares, popularServices } from './showcase.ts'

const plan = (cycle: 'monthly' | 'yearly', totalPrice: number, memberPrice: number) =>
  ({ cycle, totalPrice, memberPrice, settlement: 'potluck', feeRate: 0.1 }) as const
const netflix = plan('monthly', 19.99, 5)
const microsoft = plan('yearly', 129, 21.5)
const disney = plan('yearly', 139.99, 35)

test.each([
  ['a monthly plan', netflix, { alone: 19.99, shared: 5.5, saved: 14.49 }],
  // 129 / 12 is 10.75; 21.50 and the fee are 23.65, of which a twelfth is 1.97.
  ['a yearly plan, counted per month', microsoft, { alone: 10.75, shared: 1.97, saved: 8.78 }],
  ['a yearly plan that months do not divide', disney, { alone: 11.67, shared: 3.21, saved: 8.46 }],
  ['a plan nobody can share cheaper', plan('monthly', 10, 10), { alone: 10, shared: 11, saved: -1 }],
])('a member saves the full monthly price less their share with the fee: %s', (_name, of, saving) =>
  expect(savingOf(of)).toEqual(saving),
)

test('a member saves on all their plans together, to the cent', () => {
  expect(savingOfAll([netflix, microsoft, disney])).toEqual({ alone: 42.41, shared: 10.68, saved: 31.73 })
  expect(savingOfAll([])).toEqual({ alone: 0, shared: 0, saved: 0 })
})

test('what is saved a month makes 6 times as much in all', () =>
  expect([14.49, 31.73, 0].map(totalSaved)).toEqual([86.94, 190.38, 0]))

test.each([
  [15.99, 2, 8.8, 7.19],
  [15.99, 6, 2.94, 13.05],
  [12.99, 4, 3.58, 9.41],
])(
  'the calculator splits %d EUR among %d: each pays %d EUR and saves %d EUR',
  (base, members, shared, saved) =>
    expect(savingAmong(base, members, 0.1)).toEqual({ alone: base, shared, saved }),
)

test.each([
  [49.99, 0],
  [50, 1],
  [99.99, 1],
  [100, 2],
  [249.99, 2],
  [250, 3],
  [500, 4],
  [999.99, 4],
  [1000, 5],
])('a milestone is reached with its very amount: %d EUR reach %d of them', (total, count) =>
  expect(milestonesReached(total)).toEqual(MILESTONES.slice(0, count)),
)

const provider = (category: Category, place: number, plan: Partial<CataloguePlan> = {}): Provider => {
  const family = { name: 'Family', price: 20, cycle: 'monthly', maxMembers: 4, durationYears: null } as const
  return {
    id: `${category}-${place}`,
    name: `${category} ${place}`,
    category,
    website: 'https://example.com',
    sharing: null,
    plans: [{ id: `${category}-${place}-family`, ...family, description: '', features: [], ...plan }],
  }
}
const KINDS = ['streaming', 'music', 'gaming', 'productivity', 'security'] as const
const catalogue = KINDS.flatMap((kind) => [1, 2, 3, 4, 5, 6, 7].map((place) => provider(kind, place)))

test('17 services are shown, 4 of streaming and productivity and 3 of music, gaming and security, shuffled', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const shown = popularServices(catalogue, random)
  const counts = KINDS.map((kind) => shown.filter(({ category }) => category === kind).length)
  expect(counts).toEqual([4, 3, 3, 4, 3])
  const ids = (services: Provider[]) => services.map(({ id }) => id)
  expect(new Set(ids(shown)).size).toBe(17)
  expect(ids(popularServices(catalogue, random))).not.toEqual(ids(shown))
})

test('two plans each are offered for watching, listening and working, the fee in the share', () => {
  const offered = [
    provider('streaming', 1),
    provider('music', 1, { maxMembers: 1 }),
    provider('music', 2, { maxMembers: 6, price: 21.99 }),
    provider('productivity', 1, { maxMembers: 6, price: 129, cycle: 'yearly' }),
    provider('streaming', 2),
    provider('streaming', 3),
    provider('gaming', 1),
  ]
  const shares = (feeRate: number) => exampleShares(offered, feeRate).map((share) => Object.values(share))
  expect(shares(0.05).map((share) => share.at(-1))).toEqual([5.25, 3.85, 1.88, 5.25])
  expect(shares(0.1)).toEqual([
    ['streaming 1', 'Family', 4, 20, 5.5],
    ['music 2', 'Family', 6, 21.99, 4.04],
    ['productivity 1', 'Family', 6, 10.75, 1.97],
    ['streaming 2', 'Family', 4, 20, 5.5],
  ])
  expect(exampleShares([], 0.1)).toEqual([])
})

test('what the chosen plans save is added up to the cent', () => {
  const chosen = exampleShares([provider('streaming', 1), provider('music', 2, { price: 21.99 })], 0.1)
  expect(addUpSavings(chosen)).toEqual({ monthly: 30.44, yearly: 365.28, others: 6, percent: 73 })
  expect(addUpSavings([])).toEqual({ monthly: 0, yearly: 0, others: 0, percent: 0 })
})
