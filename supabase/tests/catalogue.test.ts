import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../server/test/harness.ts'
import { CATALOGUE_FILE, CATALOGUE_MIGRATION, catalogueSql } from '../generate/catalogue-sql.ts'
import { addPerson, as, refusalOf } from './people.ts'
import { sharePlan } from './plans.ts'

const db = await testDatabase()

const bundled = () => readFile(CATALOGUE_FILE, 'utf8')

test('the catalogue migration is what the generator writes from the catalogue file', async () => {
  expect(await readFile(CATALOGUE_MIGRATION, 'utf8')).toBe(catalogueSql(await bundled()))
})

test('the current row of service_provider_data is the catalogue file, and it is the only current one', async () => {
  const rows = await db.query('select data from public.service_provider_data where is_current')
  expect(rows).toEqual([{ data: JSON.parse(await bundled()) }])
})

test('a catalogue that would end its own quoting is refused', () => {
  expect(() => catalogueSql('["$catalogue$; drop schema public"]')).toThrow('contains $catalogue$')
})

const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')
const CATEGORIES = ['streaming', 'music', 'gaming', 'productivity', 'security']

interface Provider {
  [field: string]: unknown
  name: string
  category: string
  plans: Record<string, unknown>[]
}
const providers = async () => JSON.parse(await bundled()) as Provider[]
const sold = async () => (await providers()).flatMap(({ plans }) => plans)

describe('what ships', () => {
  test('about 30 providers in five categories, antivirus and VPN among them', async () => {
    const all = await providers()
    expect(all.length).toBeGreaterThanOrEqual(30)
    expect(all.length).toBeLessThanOrEqual(40)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    const names = (category: string) =>
      all.filter((each) => each.category === category).map(({ name }) => name)
    for (const category of CATEGORIES)
      expect([category, names(category).length >= 4]).toEqual([category, true])
    expect(names('security')).toEqual(
      expect.arrayContaining(['NordVPN', 'Surfshark', 'Bitdefender', 'Norton 360']),
    )
    expect(all.filter(({ category }) => !CATEGORIES.includes(category))).toEqual([])
  })

  test('each provider has id, name, logo, website, lastVerified and plans', async () => {
    for (const provider of await providers())
      expect(provider).toMatchObject({
        id: expect.stringMatching(/^[a-z0-9-]+$/),
        name: expect.stringMatching(/\S/),
        logo: `https://img.logo.dev/${provider.domain}`,
        website: expect.stringMatching(/^https:\/\/.+\../),
        lastVerified: expect.stringMatching(/^20\d\d-(0[1-9]|1[0-2])$/),
        plans: expect.arrayContaining([expect.anything()]),
      })
  })

  test('each plan has its fields, people from 1 to 300 and countries of the EU', async () => {
    const plans = (await providers()).flatMap((provider) =>
      provider.plans.map((plan) => ({ plan, provider: provider.name })),
    )
    for (const { plan, provider } of plans) {
      expect(plan).toMatchObject({
        id: expect.stringMatching(/^[a-z0-9-]+$/),
        name: expect.stringMatching(/\S/),
        provider,
        cycle: expect.stringMatching(/^(monthly|yearly)$/),
        maxMembers: expect.any(Number),
        provider_max_members: plan.maxMembers,
        description: expect.stringMatching(/\S/),
        features: expect.arrayContaining([expect.anything()]),
        category: expect.stringMatching(/^(streaming|music|gaming|productivity|security|other)$/),
        lastUpdated: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      })
      const countries = plan.availableCountries as string[]
      expect([plan.id, countries.length > 0, countries.filter((code) => !EU.includes(code))]).toEqual([
        plan.id,
        true,
        [],
      ])
      expect(['number', 'object']).toContain(typeof plan.price)
      expect([undefined, 2, 3]).toContain(plan.planDurationYears)
    }
    const all = plans.map(({ plan }) => plan)
    const people = all.map(({ maxMembers }) => Number(maxMembers))
    expect([Math.min(...people), Math.max(...people)]).toEqual([1, 300])
    for (const years of [2, 3])
      expect(all.some(({ planDurationYears }) => planDurationYears === years)).toBe(true)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })

  test('some prices are one number, some one per region: europe, usa and india', async () => {
    const prices = (await sold()).map(({ price }) => price)
    expect(prices.some((price) => typeof price === 'number')).toBe(true)
    const regions = new Set(
      prices.flatMap((price) => (typeof price === 'object' ? Object.keys(price ?? {}) : [])),
    )
    expect([...regions].sort()).toEqual(['europe', 'india', 'usa'])
  })
})

const DUO = { id: 'kettle-duo', name: 'Duo', category: 'music', price: 4, cycle: 'monthly', maxMembers: 2 }
const KETTLE = { id: 'kettle', name: 'Kettle Club', website: 'https://kettle.example', plans: [DUO] }
const kettle = (plan: object) => [{ ...KETTLE, plans: [plan] }]

describe('the current catalogue', () => {
  const replace = async (data: unknown) => {
    await db.query('update service_provider_data set data = $1 where is_current', [JSON.stringify(data)])
  }
  const share = async (catalogueId: string) => {
    const { id } = await sharePlan(db, await addPerson(db, 'Olivia'), { catalogueId, places: 2 })
    return (await db.query('select * from shared_subscriptions where id = $1', [id]))[0]
  }

  test('decides what may be shared, with little more than name and price', async () => {
    await replace([
      {
        id: 'kettle',
        name: 'Kettle Club',
        plans: [{ name: 'Family', category: 'gardening', price: { europe: 8, usa: 99 } }],
      },
    ])
    expect(await share('kettle:Family')).toMatchObject({
      provider: 'Kettle Club',
      name: 'Family',
      category: 'other',
      total_price: '8.00',
      member_price: '1.60',
      billing_cycle: 'monthly',
      max_members: 5,
      provider_max_members: 5,
    })
    expect(await refusalOf(share('netflix-premium'))).toMatchObject({
      message: 'This plan is not in the catalogue',
    })
  })

  test.each([
    [[]],
    [['Netflix']],
    [[[KETTLE]]],
    [[{ ...KETTLE, name: '' }]],
    [[{ ...KETTLE, id: 7 }]],
    [[{ ...KETTLE, plans: {} }]],
    [[KETTLE, { id: 'x', name: 'X' }]],
    [kettle({ ...DUO, name: undefined })],
    [kettle({ ...DUO, price: '4' })],
    [kettle({ ...DUO, price: -1 })],
    [kettle({ ...DUO, price: { usa: 4 } })],
    [kettle({ ...DUO, cycle: 'weekly' })],
    [kettle({ ...DUO, cycle: null })],
    [kettle({ ...DUO, maxMembers: 0 })],
    [kettle({ ...DUO, maxMembers: 2.5 })],
    [kettle({ ...DUO, maxMembers: '2' })],
    [kettle({ ...DUO, features: 'HD' })],
    [kettle({ ...DUO, features: [{ name: 'HD' }] })],
  ])('is the one that ships when the stored one cannot be read (%#)', async (data) => {
    await replace(data)
    expect(await share('netflix-premium')).toMatchObject({ provider: 'Netflix', total_price: '19.99' })
    expect(await refusalOf(share('kettle-duo'))).toMatchObject({
      message: 'This plan is not in the catalogue',
    })
  })

  test('has one maximum per plan, under either name', async () => {
    await replace(kettle({ ...DUO, maxMembers: undefined, provider_max_members: 3 }))
    expect(await share('kettle-duo')).toMatchObject({ max_members: 3, provider_max_members: 3 })
    for (const table of ['public.service_provider_data', 'private.bundled_catalogue'])
      expect(
        await refusalOf(
          db.query(`update ${table} set data = $1`, [
            JSON.stringify(kettle({ ...DUO, provider_max_members: 3 })),
          ]),
        ),
      ).toMatchObject({ message: expect.stringContaining('one_maximum_per_plan') })
  })

  test('is the one that ships when there is no current one', async () => {
    await db.query('update service_provider_data set is_current = false')
    expect(await share('netflix-premium')).toMatchObject({ provider: 'Netflix', total_price: '19.99' })
    const zoe = await addPerson(db, 'Zoe')
    expect(await refusalOf(as(db, zoe, 'select * from private.bundled_catalogue'))).toMatchObject({
      code: '42501',
    })
  })
})
