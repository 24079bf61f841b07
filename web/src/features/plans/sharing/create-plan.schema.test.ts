// Proves DATA 22, VALID 07-11
import { expect, test } from 'vitest'
import { createPlanSchema } from './create-plan.schema.ts'

const today = '2026-11-21'
const premium = {
  ...{ cataloguePlanId: 'netflix-premium', name: 'Premium', provider: 'Netflix', category: 'streaming' },
  ...{ price: 19.99, billingCycle: 'monthly', renewalDate: '2026-12-21', maxMembers: 4, feeRate: 0.1 },
  ...{ providerMaxMembers: 4, openSlots: 2, settlement: 'potluck', isPrivate: false },
}
const problemsOf = (changes: object) =>
  createPlanSchema(today)
    .safeParse({ ...premium, ...changes })
    .error?.issues.map(({ message }) => message) ?? []

test('the create form has the fields of a plan, and a description that need not be', () =>
  expect(Object.keys(createPlanSchema(today).shape).sort()).toEqual(
    [...Object.keys(premium), 'description'].sort(),
  ))

test.each([
  {},
  { description: 'Four screens', providerMaxMembers: undefined, price: 0 },
  { openSlots: 1 },
  { openSlots: 3 },
  { maxMembers: 2, openSlots: 1 },
  { billingCycle: 'yearly' },
  { renewalDate: today },
])('the create form takes %j', (changes) => expect(problemsOf(changes)).toEqual([]))

const MEMBERS = 'Member count must be at least 1.'
const PROVIDER_MEMBERS = 'Provider member count must be at least 1.'
test.each([
  [{ name: '' }, 'Name is required'],
  [{ provider: '' }, 'Provider is required'],
  [{ category: '' }, 'Category is required'],
  [{ price: -0.01 }, 'Price must be positive'],
  [{ price: 'free' }, 'Price must be positive'],
  [{ price: undefined }, 'Price must be positive'],
  [{ renewalDate: null }, 'Please enter next renewal date.'],
  [{ renewalDate: '' }, 'Please enter next renewal date.'],
  [{ renewalDate: '2026-11-20' }, 'Renewal date cannot be in the past.'],
  [{ maxMembers: 0, openSlots: 0 }, MEMBERS],
  [{ maxMembers: 2.5 }, MEMBERS],
  [{ maxMembers: undefined }, MEMBERS],
  [{ providerMaxMembers: 0 }, PROVIDER_MEMBERS],
  [{ providerMaxMembers: 4.5 }, PROVIDER_MEMBERS],
  [{ openSlots: 0 }, 'Open slots must be between 1 and 3.'],
  [{ openSlots: 4 }, 'Open slots must be between 1 and 3.'],
  [{ maxMembers: 1, openSlots: 1 }, 'This plan covers one person and can’t be shared.'],
  [{ billingCycle: 'weekly' }, expect.any(String)],
])('the create form answers %j with "%s"', (changes, sentence) =>
  expect(problemsOf(changes)).toEqual([sentence]),
)
