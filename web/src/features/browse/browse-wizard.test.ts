import { describe, expect, it } from 'vitest'
import {
  availableText,
  browseBack,
  browseSearchSchema,
  browseStep,
  countIn,
  providersWithPlans,
} from './browse-wizard.ts'

const counts = [
  { category: 'streaming', provider: 'Netflix', plans: 3, open: 2 },
  { category: 'streaming', provider: 'Disney+', plans: 1, open: 0 },
  { category: 'music', provider: 'Spotify', plans: 2, open: 2 },
]

describe('the step', () => {
  it('goes from categories to providers to plans', () => {
    expect(browseStep({})).toEqual({ at: 'category' })
    expect(browseStep({ category: 'music' })).toEqual({ at: 'provider', category: 'music' })
    expect(browseStep({ category: 'music', provider: 'Spotify' })).toEqual({
      at: 'plans',
      category: 'music',
      provider: 'Spotify',
      search: '',
      instant: false,
    })
  })

  it('shows every provider of a category when asked to', () => {
    expect(browseStep({ category: 'music', provider: 'all' })).toMatchObject({
      at: 'plans',
      provider: undefined,
    })
  })

  it('leads a search straight to the plans, within what was chosen', () => {
    expect(browseStep({ q: ' net ' })).toEqual({
      at: 'plans',
      category: 'all',
      provider: undefined,
      search: 'net',
      instant: false,
    })
    expect(browseStep({ category: 'gaming', q: 'x' })).toMatchObject({
      at: 'plans',
      category: 'gaming',
      search: 'x',
    })
    expect(browseStep({ q: '  ' })).toEqual({ at: 'category' })
  })
})

describe('going back', () => {
  it('names the step before and clears the later choices', () => {
    expect(browseBack({ category: 'music', provider: 'Spotify', q: 'duo' })).toEqual({
      label: 'Providers',
      search: { category: 'music' },
    })
    expect(browseBack({ category: 'music' })).toEqual({ label: 'Categories', search: {} })
    expect(browseBack({ q: 'duo' })).toEqual({ label: 'Categories', search: {} })
    expect(browseBack({})).toBeNull()
  })
})

describe('the address', () => {
  it('keeps a name that looks like a number and drops an unknown category', () => {
    expect(browseSearchSchema.parse({ category: 'gardening', q: 365 })).toEqual({ q: '365' })
  })
})

describe('the counts', () => {
  it('add up by category', () => {
    expect(countIn(counts, 'all')).toEqual({ plans: 6, open: 4 })
    expect(countIn(counts, 'streaming')).toEqual({ plans: 4, open: 2 })
    expect(countIn(counts, 'gaming')).toEqual({ plans: 0, open: 0 })
  })

  it('list the providers of a category by name', () => {
    expect(providersWithPlans(counts, 'streaming')).toEqual([
      { name: 'Disney+', plans: 1, open: 0 },
      { name: 'Netflix', plans: 3, open: 2 },
    ])
    expect(providersWithPlans(counts, 'all').map(({ name }) => name)).toEqual([
      'Disney+',
      'Netflix',
      'Spotify',
    ])
  })

  it('are told apart in words', () => {
    expect(availableText({ plans: 0, open: 0 })).toBe('None yet')
    expect(availableText({ plans: 2, open: 0 })).toBe('2 plans, all full')
    expect(availableText({ plans: 1, open: 0 })).toBe('1 plan, full')
    expect(availableText({ plans: 4, open: 3 })).toBe('4 plans, 3 available')
  })
})
