import { describe, expect, it } from 'vitest'
import type { CataloguePlan, Provider } from '#domain/catalogue.ts'
import { createSearchSchema, createStep, stepBefore } from './create-wizard.ts'

const plan = (id: string, maxMembers: number): CataloguePlan => ({
  id,
  name: id,
  price: 10,
  cycle: 'monthly',
  maxMembers,
  durationYears: null,
  description: '',
  features: [],
})
const family = plan('kettle-family', 4)
const kettle: Provider = {
  id: 'kettle',
  name: 'Kettle',
  category: 'music',
  website: 'https://kettle.example',
  sharing: null,
  plans: [plan('kettle-solo', 1), family],
}

describe('the step', () => {
  it.each([
    [{}, 'category'],
    [{ category: 'music' }, 'provider'],
    [{ category: 'music', provider: 'kettle' }, 'plan'],
    [{ category: 'music', provider: 'kettle', plan: 'kettle-family' }, 'details'],
  ] as const)('for %j is %s', (search, at) => {
    expect(createStep(search, [kettle]).at).toBe(at)
  })

  it('starts with all categories when the address names a provider only', () => {
    expect(createStep({ provider: 'kettle' }, [kettle])).toMatchObject({ at: 'plan', category: 'all' })
  })

  it('stays at the providers for one that is already shared', () => {
    expect(createStep({ category: 'music', provider: 'kettle', plan: 'kettle-family' }, []).at).toBe(
      'provider',
    )
  })

  it('stays at the plans for one that covers a single person', () => {
    expect(createStep({ category: 'music', provider: 'kettle', plan: 'kettle-solo' }, [kettle]).at).toBe(
      'plan',
    )
  })
})

describe('going back', () => {
  it('names the step before and clears the later choices', () => {
    const category = 'music'
    expect(stepBefore({ at: 'category' })).toEqual({ label: 'Dashboard', search: null })
    expect(stepBefore({ at: 'provider', category })).toEqual({ label: 'Categories', search: {} })
    expect(stepBefore({ at: 'plan', category, provider: kettle })).toEqual({
      label: 'Providers',
      search: { category },
    })
    expect(stepBefore({ at: 'details', category, provider: kettle, plan: family })).toEqual({
      label: 'Plans',
      search: { category, provider: 'kettle' },
    })
  })
})

describe('the address', () => {
  it('drops what makes no sense and keeps the rest', () => {
    const search = { category: 'gardening', provider: 'kettle', renewal: 'soon', slots: 0, part: 'price' }
    expect(createSearchSchema.parse(search)).toEqual({ provider: 'kettle' })
  })
})
