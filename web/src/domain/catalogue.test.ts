import { describe, expect, it } from 'vitest'
import {
  CATEGORIES,
  CATEGORY_CHOICES,
  type CataloguePlan,
  canBeShared,
  categoryLabel,
  cycleBadge,
  notYetShared,
  type Provider,
  providerInitials,
  providersIn,
  shareableText,
  toCategory,
} from './catalogue.ts'

const provider = (name: string, category: Provider['category']): Provider => ({
  id: name.toLowerCase(),
  name,
  category,
  sharing: null,
  website: `https://www.${name.toLowerCase()}.com`,
  plans: [],
})
const netflix = provider('Netflix', 'streaming')
const spotify = provider('Spotify', 'music')

describe('categories', () => {
  it('offers all first, then the six labelled categories', () => {
    expect(CATEGORIES).toEqual(['streaming', 'music', 'gaming', 'productivity', 'security', 'other'])
    expect(CATEGORY_CHOICES).toEqual(['all', ...CATEGORIES])
    expect(CATEGORY_CHOICES.map(categoryLabel)).toEqual([
      'All',
      'Streaming',
      'Music',
      'Gaming',
      'Productivity',
      'Security',
      'Other',
    ])
  })

  it('files an unknown category under other', () => {
    for (const category of CATEGORIES) expect(toCategory(category)).toBe(category)
    expect(toCategory('gardening')).toBe('other')
  })
})

describe('providers', () => {
  it('keeps those of the chosen category, or all of them', () => {
    expect(providersIn([netflix, spotify], 'music')).toEqual([spotify])
    expect(providersIn([netflix, spotify], 'all')).toEqual([netflix, spotify])
    expect(providersIn([netflix, spotify], 'other')).toEqual([])
  })

  it('hides the ones the owner already shares', () => {
    expect(notYetShared([netflix, spotify], new Set(['Netflix']))).toEqual([spotify])
  })
})

describe('plans', () => {
  it('a plan for one person cannot be shared, a plan for two can', () => {
    expect(canBeShared({ maxMembers: 1 })).toBe(false)
    expect(canBeShared({ maxMembers: 2 })).toBe(true)
  })

  it('counts the ones to share on a tile', () => {
    const plan = (maxMembers: number) => ({ maxMembers }) as CataloguePlan
    expect(shareableText({ ...spotify, plans: [plan(1), plan(2), plan(6)] })).toBe('2 plans to share')
    expect(shareableText({ ...spotify, plans: [plan(1), plan(2)] })).toBe('1 plan to share')
    expect(shareableText({ ...spotify, plans: [plan(1)] })).toBe('For one person only')
  })

  it('names the cycle on a badge', () => {
    expect(cycleBadge('monthly')).toBe('Monthly')
    expect(cycleBadge('yearly')).toBe('Annual')
  })
})

describe('initials', () => {
  it.each([
    ['Netflix', 'N'],
    ['Prime Video', 'PV'],
    ['Nintendo Switch Online', 'NS'],
    ['Disney+', 'D'],
    ['1Password', '1'],
    ['Microsoft 365', 'M'],
    ['', ''],
  ])('of %j are %j', (name, initials) => {
    expect(providerInitials(name)).toBe(initials)
  })
})
