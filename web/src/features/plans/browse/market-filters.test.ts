// Tests for searches, their filters, and the join button.
// Proves REQ 01-04 07 08, BROWSE 01
import { expect, test } from 'vitest'
import { marketFilters, plansIn, providersWithPlans, withChoice } from './market-filters.ts'
import { marketSearchSchema } from './market-search.ts'

test('the address keeps a name that looks like a number and drops what cannot be chosen', () =>
  expect(marketSearchSchema.parse({ category: 'gardening', q: 365, max: 'much', instant: 1 })).toEqual({
    q: '365',
  }))

test('each choice of each filter is one the address holds, and is taken back', () => {
  for (const { key, choices } of marketFilters({}))
    for (const [value] of choices) {
      const chosen = withChoice({ q: 'x' }, key, value)
      expect(marketFilters(chosen).find((filter) => filter.key === key)?.value).toBe(value)
      expect(withChoice(chosen, key, '')).toEqual({ q: 'x' })
    }
})

const counts = [
  { category: 'streaming', provider: 'Netflix', plans: 3, open: 2 },
  { category: 'streaming', provider: 'Disney+', plans: 1, open: 0 },
  { category: 'music', provider: 'Spotify', plans: 2, open: 2 },
]

test.each([
  ['all', 6, ['Disney+', 'Netflix', 'Spotify']],
  ['streaming', 4, ['Disney+', 'Netflix']],
  ['gaming', 0, []],
] as const)('%s has %i plans, of %j', (category, plans, names) => {
  expect(plansIn(counts, category)).toBe(plans)
  expect(providersWithPlans(counts, category).map(({ name }) => name)).toEqual(names)
})
