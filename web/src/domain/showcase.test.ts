import { expect, it } from 'vitest'
import type { Category, Provider } from './catalogue.ts'
import { addUpSavings, exampleShares, popularServices } from './showcase.ts'

const provider = (
  category: Category,
  place: number,
  plan: Partial<Provider['plans'][number]> = {},
): Provider => ({
  id: `${category}-${place}`,
  name: `${category} ${place}`,
  category,
  website: 'https://example.com',
  sharing: null,
  plans: [
    {
      id: `${category}-${place}-family`,
      name: 'Family',
      price: 20,
      cycle: 'monthly',
      maxMembers: 4,
      durationYears: null,
      description: '',
      features: [],
      ...plan,
    },
  ],
})
const seven = (category: Category) => [1, 2, 3, 4, 5, 6, 7].map((place) => provider(category, place))
const catalogue = (['streaming', 'music', 'gaming', 'productivity', 'security'] as const).flatMap(seven)

it('shows 4 of streaming and productivity, 3 of music, gaming and security, 17 in all', () => {
  const picked = popularServices(catalogue, Math.random)
  const count = (category: Category) => picked.filter((one) => one.category === category).length
  expect([
    count('streaming'),
    count('productivity'),
    count('music'),
    count('gaming'),
    count('security'),
  ]).toEqual([4, 4, 3, 3, 3])
  expect(new Set(picked.map(({ id }) => id)).size).toBe(17)
})

it('shuffles them', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const [first, second] = [popularServices(catalogue, random), popularServices(catalogue, random)]
  expect(first.map(({ id }) => id)).not.toEqual(second.map(({ id }) => id))
})

it('offers two plans each for watching, listening and working at catalogue prices, the fee in the share', () => {
  const offered = [
    provider('streaming', 1),
    provider('music', 1, { maxMembers: 1 }),
    provider('music', 2, { maxMembers: 6, price: 21.99 }),
    provider('productivity', 1, { maxMembers: 6, price: 129, cycle: 'yearly' }),
    provider('streaming', 2),
    provider('streaming', 3),
    provider('gaming', 1),
  ]
  expect(exampleShares(offered, 0.05).map(({ shared }) => shared)).toEqual([5.25, 3.85, 1.88, 5.25])
  expect(exampleShares(offered, 0.1)).toEqual([
    { provider: 'streaming 1', plan: 'Family', people: 4, alone: 20, shared: 5.5 },
    { provider: 'music 2', plan: 'Family', people: 6, alone: 21.99, shared: 4.04 },
    { provider: 'productivity 1', plan: 'Family', people: 6, alone: 10.75, shared: 1.97 },
    { provider: 'streaming 2', plan: 'Family', people: 4, alone: 20, shared: 5.5 },
  ])
})

it('adds up what the chosen plans save, to the cent', () => {
  const [first, second] = exampleShares(
    [provider('streaming', 1), provider('music', 2, { price: 21.99 })],
    0.1,
  )
  if (!first || !second) throw new Error('Both should be there')
  expect(addUpSavings([first, second])).toEqual({
    monthly: 30.44,
    yearly: 365.28,
    others: 6,
    percent: 73,
  })
  expect(addUpSavings([])).toEqual({ monthly: 0, yearly: 0, others: 0, percent: 0 })
})

it('leaves out what the catalogue does not have', () => {
  expect(exampleShares([], 0.1)).toEqual([])
})
