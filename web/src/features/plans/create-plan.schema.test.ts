import { describe, expect, it } from 'vitest'
import { createPlanSchema } from './create-plan.schema.ts'

const today = '2026-11-21'
const premium = {
  cataloguePlanId: 'netflix-premium',
  name: 'Premium',
  provider: 'Netflix',
  category: 'streaming',
  price: 19.99,
  billingCycle: 'monthly',
  renewalDate: '2026-12-21',
  maxMembers: 4,
  providerMaxMembers: 6,
  openSlots: 2,
}
const problemsOf = (changes: object) =>
  createPlanSchema(today)
    .safeParse({ ...premium, ...changes })
    .error?.issues.map(({ message }) => message) ?? []

describe('the create form', () => {
  it('accepts a plan of the catalogue, with or without a description', () => {
    expect(problemsOf({})).toEqual([])
    expect(problemsOf({ description: 'Four screens', providerMaxMembers: undefined, price: 0 })).toEqual([])
  })

  it.each([
    ['VALID-07', { name: '' }, 'Name is required'],
    ['VALID-07', { provider: '' }, 'Provider is required'],
    ['VALID-07', { category: '' }, 'Category is required'],
    ['VALID-08', { price: -0.01 }, 'Price must be positive'],
    ['VALID-08', { price: 'free' }, 'Price must be positive'],
    ['VALID-09', { renewalDate: null }, 'Please enter next renewal date.'],
    ['VALID-09', { renewalDate: '2026-11-20' }, 'Renewal date cannot be in the past.'],
    ['VALID-10', { maxMembers: 0, openSlots: 0 }, 'Member count must be at least 1.'],
    ['VALID-10', { maxMembers: 2.5 }, 'Member count must be at least 1.'],
    ['VALID-10', { providerMaxMembers: 0 }, 'Provider member count must be at least 1.'],
    ['VALID-11', { openSlots: 0 }, 'Open slots must be between 1 and 3.'],
    ['VALID-11', { openSlots: 4 }, 'Open slots must be between 1 and 3.'],
    ['VALID-11', { maxMembers: 1, openSlots: 1 }, 'This plan covers one person, so it cannot be shared.'],
  ])('%s answers %j with "%s"', (_id, changes, sentence) => {
    expect(problemsOf(changes)).toContain(sentence)
  })

  it('VALID-08 knows monthly and yearly only', () => {
    expect(problemsOf({ billingCycle: 'yearly' })).toEqual([])
    expect(problemsOf({ billingCycle: 'weekly' })).toHaveLength(1)
  })

  it('VALID-09 lets a plan renew today', () => {
    expect(problemsOf({ renewalDate: today })).toEqual([])
  })
})
