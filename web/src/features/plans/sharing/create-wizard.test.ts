// Proves CREATE 04 07 08, CATALOG 09
import { expect, test } from 'vitest'
import type { CataloguePlan, Provider } from '#domain/catalogue.ts'
import { createSearchSchema, createStep, stepBefore } from './create-wizard.ts'

const plan = (id: string, maxMembers: number) => ({ id, name: id, maxMembers }) as CataloguePlan
const family = plan('kettle-family', 4)
const kettle = { id: 'kettle', name: 'Kettle', plans: [plan('kettle-solo', 1), family] } as Provider
const lone = { id: 'lone', name: 'Lone', plans: [plan('lone-family', 4)] } as Provider
const category = 'music'

test.each([
  [{}, 'category'],
  [{ category }, 'provider'],
  [{ category, provider: 'kettle' }, 'plan'],
  [{ category, provider: 'kettle', plan: 'kettle-family' }, 'details'],
  // A plan for a single person cannot be shared.
  [{ category, provider: 'kettle', plan: 'kettle-solo' }, 'plan'],
  // A provider that the person already shares is not available.
  [{ category, provider: 'nettle', plan: 'kettle-family' }, 'provider'],
  // A provider's only plan needs no picking.
  [{ category, provider: 'lone' }, 'details'],
] as const)('the step for %j is %s', (search, at) => expect(createStep(search, [kettle, lone]).at).toBe(at))

test('all categories are chosen when the address names a provider only', () =>
  expect(createStep({ provider: 'kettle' }, [kettle])).toMatchObject({ at: 'plan', category: 'all' }))

test.each<[Parameters<typeof stepBefore>[0], ReturnType<typeof stepBefore>]>([
  [{ at: 'category' }, { label: 'Dashboard', search: null }],
  [
    { at: 'provider', category },
    { label: 'Categories', search: {} },
  ],
  [
    { at: 'plan', category, provider: kettle },
    { label: 'Providers', search: { category } },
  ],
  [
    { at: 'details', category, provider: kettle, plan: family },
    { label: 'Plans', search: { category, provider: 'kettle' } },
  ],
  [
    { at: 'details', category, provider: lone, plan: family },
    { label: 'Providers', search: { category } },
  ],
])('the way back from %j clears the later choices: %j', (step, back) =>
  expect(stepBefore(step)).toEqual(back),
)

test('the address drops what makes no sense and keeps the rest', () => {
  const search = { category: 'gardening', provider: 'kettle', renewal: 'soon', slots: 0, part: 'price' }
  expect(createSearchSchema.parse(search)).toEqual({ provider: 'kettle' })
})
