import bundled from '@potluck/supabase/provider-catalogue.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { CATEGORIES, canBeShared, providersIn } from '#domain/catalogue.ts'
import { readCatalogue } from './load-catalogue.ts'

const kettleClub = {
  id: 'kettle-club',
  name: 'Kettle Club',
  logo: 'kettle.svg',
  website: 'https://kettle.example',
  plans: [{ id: 'kettle-duo', name: 'Duo', category: 'music', price: 4, cycle: 'monthly', maxMembers: 2 }],
}

const withPlan = (change: object) => [{ ...kettleClub, plans: [{ ...kettleClub.plans[0], ...change }] }]

describe('the catalogue', () => {
  it('is the stored one where it is valid', async () => {
    const [provider] = await readCatalogue([kettleClub])
    expect(provider).toMatchObject({ name: 'Kettle Club', category: 'music' })
    expect(provider?.plans[0]).toMatchObject({ price: 4, maxMembers: 2, features: [] })
  })

  it('needs name and price only: a plan is monthly and for five people until told otherwise', async () => {
    const plans = [{ name: 'Family', category: 'gardening', price: { europe: 8, usa: 99, india: 1 } }]
    expect(await readCatalogue([{ id: 'kettle', name: 'Kettle Club', plans }])).toEqual([
      {
        id: 'kettle',
        name: 'Kettle Club',
        website: '',
        category: 'other',
        sharing: null,
        plans: [
          {
            id: 'kettle:Family',
            name: 'Family',
            price: 8,
            cycle: 'monthly',
            maxMembers: 5,
            durationYears: null,
            description: '',
            features: [],
          },
        ],
      },
    ])
  })

  it.each([
    [undefined],
    [null],
    [[]],
    [['Netflix']],
    [[[kettleClub]]],
    [[{ ...kettleClub, name: '' }]],
    [[{ ...kettleClub, id: 7 }]],
    [[{ ...kettleClub, plans: {} }]],
    [[kettleClub, { id: 'x', name: 'X' }]],
    [withPlan({ name: undefined })],
    [withPlan({ price: '4' })],
    [withPlan({ price: -1 })],
    [withPlan({ price: { usa: 4 } })],
    [withPlan({ cycle: 'weekly' })],
    [withPlan({ cycle: null })],
    [withPlan({ maxMembers: 0 })],
    [withPlan({ maxMembers: 2.5 })],
    [withPlan({ maxMembers: '2' })],
    [withPlan({ features: 'HD' })],
    [withPlan({ features: [{ name: 'HD' }] })],
  ])('is the bundled one when the stored one cannot be read (%#)', async (stored) => {
    expect(await readCatalogue(stored)).toHaveLength(bundled.length)
  })

  it('has about 30 providers, some in every category except other', async () => {
    const providers = await readCatalogue(null)
    expect(providers.length).toBeGreaterThanOrEqual(30)
    for (const category of CATEGORIES)
      expect(providersIn(providers, category).length > 0, category).toBe(category !== 'other')
  })

  it('reads all that ships about sharing', async () => {
    const written = bundled.map((provider) => ('sharing' in provider ? provider.sharing : null))
    expect((await readCatalogue(null)).map(({ sharing }) => sharing)).toEqual(written)
  })

  it('reads a price per region as the European one', async () => {
    const premium = (await readCatalogue(null))
      .flatMap(({ plans }) => plans)
      .find(({ id }) => id === 'netflix-premium')
    expect(premium).toMatchObject({ price: 19.99, maxMembers: 4, durationYears: null })
  })

  it('reads a plain feature as included and keeps the flag of the others', async () => {
    const ads = (await readCatalogue(null))
      .flatMap(({ plans }) => plans)
      .find(({ id }) => id.endsWith('with-ads'))
    expect(ads?.features).toContainEqual({ name: 'Full HD video', included: true })
    expect(ads?.features).toContainEqual({ name: 'Ad-free viewing', included: false })
  })

  it('holds plans that cannot be shared beside those that can', async () => {
    const plans = (await readCatalogue(null)).flatMap(({ plans }) => plans)
    expect(new Set(plans.map(canBeShared))).toEqual(new Set([true, false]))
  })
})
