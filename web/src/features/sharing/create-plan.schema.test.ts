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
  providerMaxMembers: 4,
  openSlots: 2,
  settlement: 'potluck',
  feeRate: 0.1,
  isPrivate: false,
  instantFrom: null,
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

  it('has these fields, beside the plan of the catalogue it is about, the places it opens, how they are paid and who finds it', () => {
    expect(Object.keys(createPlanSchema(today).shape).sort()).toEqual(
      [
        ...['name', 'provider', 'price', 'category', 'billingCycle', 'renewalDate', 'maxMembers'],
        ...[
          'providerMaxMembers',
          'description',
          'cataloguePlanId',
          'openSlots',
          'settlement',
          'feeRate',
          'isPrivate',
          'instantFrom',
        ],
      ].sort(),
    )
  })

  it.each([
    [{ name: '' }, 'Name is required'],
    [{ provider: '' }, 'Provider is required'],
    [{ category: '' }, 'Category is required'],
  ])('answers %j with "%s"', (changes, sentence) => {
    expect(problemsOf(changes)).toEqual([sentence])
  })

  it.each([[{ price: -0.01 }], [{ price: 'free' }], [{ price: undefined }]])(
    'answers %j with "Price must be positive"',
    (changes) => {
      expect(problemsOf(changes)).toEqual(['Price must be positive'])
    },
  )

  it.each([
    [{ renewalDate: null }, 'Please enter next renewal date.'],
    [{ renewalDate: '' }, 'Please enter next renewal date.'],
    [{ renewalDate: '2026-11-20' }, 'Renewal date cannot be in the past.'],
  ])('answers %j with "%s"', (changes, sentence) => {
    expect(problemsOf(changes)).toEqual([sentence])
  })

  it.each([
    [{ maxMembers: 0, openSlots: 0 }, 'Member count must be at least 1.'],
    [{ maxMembers: 2.5 }, 'Member count must be at least 1.'],
    [{ maxMembers: undefined }, 'Member count must be at least 1.'],
    [{ providerMaxMembers: 0 }, 'Provider member count must be at least 1.'],
    [{ providerMaxMembers: 4.5 }, 'Provider member count must be at least 1.'],
  ])('answers %j with "%s"', (changes, sentence) => {
    expect(problemsOf(changes)).toEqual([sentence])
  })

  it.each([
    [{ openSlots: 0 }, 'Open slots must be between 1 and 3.'],
    [{ openSlots: 4 }, 'Open slots must be between 1 and 3.'],
    [{ maxMembers: 1, openSlots: 1 }, 'This plan covers one person, so it cannot be shared.'],
  ])('answers %j with "%s"', (changes, sentence) => {
    expect(problemsOf(changes)).toEqual([sentence])
  })

  it('takes 1 to 3 open slots of a plan for four, and 1 of a plan for two', () => {
    for (const openSlots of [1, 2, 3]) expect(problemsOf({ openSlots })).toEqual([])
    expect(problemsOf({ maxMembers: 2, openSlots: 1 })).toEqual([])
  })

  it('knows monthly and yearly only', () => {
    expect(problemsOf({ billingCycle: 'yearly' })).toEqual([])
    expect(problemsOf({ billingCycle: 'weekly' })).toHaveLength(1)
  })

  it('lets a plan renew today', () => {
    expect(problemsOf({ renewalDate: today })).toEqual([])
  })
})
