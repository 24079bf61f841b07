// Tests for searches, their filters, and the join button.
// Proves REQ 01-04 07 08, BROWSE 01
import { expect, test } from 'vitest'
import { joinState, type Standing } from './join-state.ts'
import { availableText, countIn, marketFilters, providersWithPlans, withChoice } from './market-filters.ts'
import { marketSearchSchema } from './market-search.ts'

test('the address keeps a name that looks like a number and drops what cannot be chosen', () =>
  expect(marketSearchSchema.parse({ category: 'gardening', q: 365, max: 'much', instant: 1 })).toEqual({
    q: '365',
  }))

test('each choice of each filter is one the address holds, and is taken back', () => {
  for (const { key, choices } of marketFilters({}, ['Netflix']))
    for (const [value] of choices) {
      const chosen = withChoice({ q: 'x' }, key, value)
      expect(marketFilters(chosen, []).find((filter) => filter.key === key)?.value).toBe(value)
      expect(withChoice(chosen, key, '')).toEqual({ q: 'x' })
    }
})

const counts = [
  { category: 'streaming', provider: 'Netflix', plans: 3, open: 2 },
  { category: 'streaming', provider: 'Disney+', plans: 1, open: 0 },
  { category: 'music', provider: 'Spotify', plans: 2, open: 2 },
]

test.each([
  ['all', 6, 4, ['Disney+', 'Netflix', 'Spotify']],
  ['streaming', 4, 2, ['Disney+', 'Netflix']],
  ['gaming', 0, 0, []],
] as const)('%s has %i plans, %i of them open, of %j', (category, plans, open, names) => {
  expect(countIn(counts, category)).toEqual({ plans, open })
  expect(providersWithPlans(counts, category).map(({ name }) => name)).toEqual(names)
})

test.each([
  [0, 0, 'None yet'],
  [2, 0, '2 plans, all full'],
  [1, 0, '1 plan, full'],
  [4, 3, '4 plans, 3 available'],
])('%i plans, %i of them open, read: %s', (plans, open, text) =>
  expect(availableText({ plans, open })).toBe(text),
)

const plan = { id: 'sub-1', provider: 'Netflix', ownerId: 'olivia', currentMembers: 1, ownerMaxMembers: 3 }
const mine = new Set(['sub-1'])
const stranger: Standing = { userId: 'zoe', joined: new Set(), requested: new Set(), waiting: {}, closed: {} }
const closed = { Netflix: 'Its terms' }
test.each<[string, Partial<Standing>, number, ReturnType<typeof joinState>, number?]>([
  ['a stranger', {}, 2, 'open'],
  ['a stranger', {}, 3, 'full'],
  ['a stranger, the last place being kept,', {}, 2, 'full', 1],
  ['a stranger while the provider is switched off', { closed }, 1, 'closed'],
  ['somebody who asked', { requested: mine }, 1, 'requested'],
  ['somebody who asked', { requested: mine }, 3, 'requested'],
  ['somebody whose session has ended', { userId: null }, 1, 'signed-out'],
  ['the owner', { userId: 'olivia' }, 3, 'owner'],
  ['a member', { joined: mine }, 3, 'member'],
  ['a member while the provider is switched off', { joined: mine, closed }, 1, 'member'],
])(
  'the join button of %s (%j) with %i of 3 places taken is %s',
  (_who, more, currentMembers, state, kept = 0) =>
    expect(joinState({ ...plan, currentMembers, kept }, { ...stranger, ...more })).toBe(state),
)
