// Proves CREATE 11, CATALOG 01-03 06-09
import bundled from '@potluck/supabase/provider-catalogue.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { CATEGORIES, canBeShared, providersIn } from '#domain/catalogue.ts'
import { bundledCatalogue, toProviders } from './load-catalogue.ts'

const kettleClub = {
  id: 'kettle-club',
  name: 'Kettle Club',
  logo: 'kettle.svg',
  website: 'https://kettle.example',
  plans: [{ id: 'kettle-duo', name: 'Duo', category: 'music', price: 4, cycle: 'monthly', maxMembers: 2 }],
} as const

test('a provider has the category of its first plan if it has none', () =>
  expect(toProviders([kettleClub])).toMatchObject([
    { name: 'Kettle Club', category: 'music', plans: [{ price: 4, maxMembers: 2, features: [] }] },
  ]))

test('a plan needs name and price only: it is monthly and for five people until told otherwise', () => {
  const plans = [{ name: 'Family', category: 'gardening', price: { europe: 8, usa: 99, india: 1 } }]
  const family = { id: 'kettle:Family', name: 'Family', price: 8, cycle: 'monthly', maxMembers: 5 }
  expect(toProviders([{ id: 'kettle', name: 'Kettle Club', plans }])).toEqual([
    {
      ...{ id: 'kettle', name: 'Kettle Club', website: '', category: 'other', sharing: null },
      plans: [{ ...family, durationYears: null, description: '', features: [] }],
    },
  ])
})

test('the bundled one has about 30 providers, some in every category except other, and all rules of sharing', async () => {
  const providers = await bundledCatalogue()
  expect(providers.length).toBeGreaterThanOrEqual(30)
  expect(CATEGORIES.filter((category) => providersIn(providers, category).length === 0)).toEqual(['other'])
  const unsaid = { with: null, checks: [], lockInMonths: null, noticeDays: null }
  const written = bundled.map((one) => ('sharing' in one ? { ...unsaid, ...one.sharing } : null))
  expect(providers.map(({ sharing }) => sharing)).toEqual(written)
})

test('its prices are the European ones, and its features included unless it says otherwise', async () => {
  const plans = (await bundledCatalogue()).flatMap(({ plans }) => plans)
  expect(plans.find(({ id }) => id === 'netflix-premium')).toMatchObject({
    ...{ price: 19.99, maxMembers: 4, durationYears: null },
  })
  expect(plans.find(({ id }) => id.endsWith('with-ads'))?.features).toEqual(
    expect.arrayContaining([
      { name: 'Full HD video', included: true },
      { name: 'Ad-free viewing', included: false },
    ]),
  )
  // The catalogue contains both plans that can be shared and plans that cannot.
  expect(new Set(plans.map(canBeShared))).toEqual(new Set([true, false]))
})
