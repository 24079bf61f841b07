// Proves CREATE 02 04 05, CATALOG 02 09
import { expect, test } from 'vitest'
import {
  CATEGORIES,
  CATEGORY_CHOICES,
  type CataloguePlan,
  canBeShared,
  categoryLabel,
  cycleBadge,
  notYetShared,
  type Provider,
  providersIn,
  shareableText,
  toCategory,
} from './catalogue.ts'
import { providerInitials } from './initials.ts'

const provider = (name: string, category: Provider['category'], ...maxMembers: number[]): Provider => ({
  id: name.toLowerCase(),
  name,
  category,
  sharing: null,
  website: `https://www.${name.toLowerCase()}.com`,
  plans: maxMembers.map((people) => ({ maxMembers: people }) as CataloguePlan),
})
const netflix = provider('Netflix', 'streaming')
const spotify = provider('Spotify', 'music')

test('all categories are offered first, then the six with their labels', () =>
  expect(CATEGORY_CHOICES.map(categoryLabel)).toEqual([
    ...['All', 'Streaming', 'Music', 'Gaming', 'Productivity', 'Security', 'Other'],
  ]))

test('a category is filed under its own name, an unknown one under other', () =>
  expect([...CATEGORIES, 'gardening'].map(toCategory)).toEqual([...CATEGORIES, 'other']))

test.each([
  ['music', [spotify]],
  ['all', [netflix, spotify]],
  ['other', []],
] as const)('of the category %s are %j', (category, providers) =>
  expect(providersIn([netflix, spotify], category)).toEqual(providers),
)

test('the providers an owner already shares are hidden', () =>
  expect(notYetShared([netflix, spotify], new Set(['Netflix']))).toEqual([spotify]))

test('a plan for one person cannot be shared, a plan for two can', () =>
  expect([1, 2].map((maxMembers) => canBeShared({ maxMembers }))).toEqual([false, true]))

test.each([
  [[1, 2, 6], '2 plans to share'],
  [[1, 2], '1 plan to share'],
  [[1], 'For one person'],
])('a tile for plans for %j reads: %s', (people, text) =>
  expect(shareableText(provider('Spotify', 'music', ...people))).toBe(text),
)

test('a badge names the cycle', () =>
  expect((['monthly', 'yearly'] as const).map(cycleBadge)).toEqual(['Monthly', 'Annual']))

test.each([
  ['Prime Video', 'PV'],
  ['Nintendo Switch Online', 'NS'],
  ['Disney+', 'D'],
  ['1Password', '1'],
  ['Microsoft 365', 'M'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => expect(providerInitials(name)).toBe(initials))
