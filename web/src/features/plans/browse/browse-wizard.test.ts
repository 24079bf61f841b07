// The steps to a plan, and the join button at the end.
// Proves REQ 01-04 07 08, BROWSE 01
import { expect, test } from 'vitest'
import {
  availableText,
  browseBack,
  browseSearchSchema,
  browseStep,
  countIn,
  providersWithPlans,
} from './browse-wizard.ts'
import { joinState, type Standing } from './join-state.ts'

const plans = { at: 'plans', provider: undefined, search: '', instant: false } as const
test.each<[Parameters<typeof browseStep>[0], object]>([
  [{}, { at: 'category' }],
  [{ q: '  ' }, { at: 'category' }],
  [{ category: 'music' }, { at: 'provider', category: 'music' }],
  [
    { category: 'music', provider: 'Spotify' },
    { ...plans, category: 'music', provider: 'Spotify' },
  ],
  [
    { category: 'music', provider: 'all' },
    { ...plans, category: 'music' },
  ],
  [{ q: ' net ' }, { ...plans, category: 'all', search: 'net' }],
  [
    { category: 'gaming', q: 'x' },
    { ...plans, category: 'gaming', search: 'x' },
  ],
])('the step for %j is %j', (search, step) => expect(browseStep(search)).toEqual(step))

test.each<[Parameters<typeof browseBack>[0], ReturnType<typeof browseBack>]>([
  [
    { category: 'music', provider: 'Spotify', q: 'duo' },
    { label: 'Providers', search: { category: 'music' } },
  ],
  [{ category: 'music' }, { label: 'Categories', search: {} }],
  [{ q: 'duo' }, { label: 'Categories', search: {} }],
  [{}, null],
])('back from %j is %j', (search, back) => expect(browseBack(search)).toEqual(back))

test('the address keeps a name that looks like a number and drops an unknown category', () =>
  expect(browseSearchSchema.parse({ category: 'gardening', q: 365 })).toEqual({ q: '365' }))

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

test('a provider is listed with its counts', () =>
  expect(providersWithPlans(counts, 'music')).toEqual([{ name: 'Spotify', plans: 2, open: 2 }]))

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
test.each<[string, Partial<Standing>, number, ReturnType<typeof joinState>]>([
  ['a stranger', {}, 2, 'open'],
  ['a stranger', {}, 3, 'full'],
  ['a stranger while the provider is switched off', { closed }, 1, 'closed'],
  ['somebody who asked', { requested: mine }, 1, 'requested'],
  ['somebody who asked', { requested: mine }, 3, 'requested'],
  ['somebody whose session has ended', { userId: null }, 1, 'signed-out'],
  ['the owner', { userId: 'olivia' }, 3, 'owner'],
  ['a member', { joined: mine }, 3, 'member'],
  ['a member while the provider is switched off', { joined: mine, closed }, 1, 'member'],
])('the join button of %s (%j) with %i of 3 places taken is %s', (_who, more, currentMembers, state) =>
  expect(joinState({ ...plan, currentMembers }, { ...stranger, ...more })).toBe(state),
)
