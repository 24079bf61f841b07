// Proves CREATE 11, CATALOG 01 04-06 08
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { addPerson, DENIED, ownDatabase, refusalOf, rule } from '../people.ts'
import { sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()

const shipped = resolve(import.meta.dirname, '../../repeatable/provider-catalogue.sql')
const bundled = async () =>
  (/load_catalogue\('(.*)'\)/s.exec(await readFile(shipped, 'utf8'))?.[1] ?? '').replaceAll("''", "'")

test('the current row of service_provider_data is the catalogue file, and it is the only current one', async () => {
  const rows = await sql`select data from public.service_provider_data where is_current`
  expect(rows).toEqual([{ data: JSON.parse(await bundled()) }])
})

const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')
const CATEGORIES = ['gaming', 'music', 'productivity', 'security', 'streaming']

interface Provider {
  [field: string]: unknown
  name: string
  category: string
  plans: Record<string, unknown>[]
}
interface Sharing {
  asOf: string
  with?: string
  checks?: string[]
  lockInMonths?: number
  noticeDays?: number
}
const providers = async () => JSON.parse(await bundled()) as Provider[]
const sold = async () => (await providers()).flatMap(({ plans }) => plans)

describe('what ships', () => {
  test('about 30 providers in five categories, antivirus and VPN among them', async () => {
    const all = await providers()
    expect(all.length).toBeGreaterThanOrEqual(30)
    expect(all.length).toBeLessThanOrEqual(40)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    const names = (of: string) => all.filter(({ category }) => category === of).map(({ name }) => name)
    expect([...new Set(all.map(({ category }) => category))].sort()).toEqual(CATEGORIES)
    expect(CATEGORIES.filter((category) => names(category).length < 4)).toEqual([])
    expect(names('security')).toEqual(
      expect.arrayContaining(['NordVPN', 'Surfshark', 'Bitdefender', 'Norton 360']),
    )
  })

  test('each provider has id, name, logo, website, lastVerified and plans', async () => {
    for (const provider of await providers())
      expect(provider).toMatchObject({
        id: expect.stringMatching(/^[a-z0-9-]+$/),
        name: expect.stringMatching(/\S/),
        logo: `https://img.logo.dev/${provider.domain}`,
        website: expect.stringMatching(new RegExp(`^https://(www\\.)?${provider.domain}(/|$)`)),
        lastVerified: expect.stringMatching(/^20\d\d-(0[1-9]|1[0-2])$/),
        plans: expect.arrayContaining([expect.anything()]),
      })
  })

  test('what it says of sharing names a page, a day that has come and a sentence or two', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const known = (await providers()).filter((provider) => 'sharing' in provider)
    expect(known.length).toBeGreaterThan(0)
    for (const { name, sharing } of known) {
      expect(sharing, name).toMatchObject({
        how: expect.toBeOneOf(['invitation', 'extra-member', 'login', null]),
        terms: expect.stringMatching(/^\S.{18,238}\.$/),
        source: expect.stringMatching(/^https:\/\/[^/\s]+\.[^\s]+$/),
        asOf: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      })
      const { asOf, with: allows = null, checks = [], lockInMonths = 1, noticeDays = 1 } = sharing as Sharing
      expect(asOf <= today, name).toBe(true)
      expect(allows, name).toBeOneOf(['anyone', 'people-you-know', 'household', null])
      for (const check of checks) expect(check, name).toBeOneOf(['address', 'location', 'code'])
      for (const time of [lockInMonths, noticeDays])
        expect(Number.isInteger(time) && time > 0, name).toBe(true)
    }
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
const NOT_SOLD = rule('This plan is not in the catalogue')

describe('the current catalogue', () => {
  const replace = async (data: unknown) => {
    await sql`update service_provider_data set data = ${JSON.stringify(data)} where is_current`
  }
  const share = async (catalogueId: string) => {
    const { id } = await sharePlan(db, await addPerson(db, 'Olivia'), { catalogueId, places: 2 })
    return (await sql`select * from shared_subscriptions where id = ${id}`)[0]
  }

  test('decides what may be shared, with little more than name and price', async () => {
    await replace(kettle({ name: 'Family', category: 'gardening', price: { europe: 8, usa: 99 } }))
    expect(await share('kettle:Family')).toMatchObject({
      ...{ provider: 'Kettle Club', name: 'Family', category: 'other', billing_cycle: 'monthly' },
      ...{ total_price: '8.00', member_price: '1.60', max_members: 5, provider_max_members: 5 },
    })
    expect(await refusalOf(share('netflix-premium'))).toEqual(NOT_SOLD)
  })

  test.each<[object]>([
    [[]],
    [['Netflix']],
    [[[KETTLE]]],
    [[{ ...KETTLE, name: '' }]],
    [[{ ...KETTLE, id: 7 }]],
    [[{ ...KETTLE, plans: {} }]],
    [[KETTLE, { id: 'x', name: 'X' }]],
    ...[
      ...[{ name: undefined }, { price: '4' }, { price: -1 }, { price: { usa: 4 } }],
      ...[{ cycle: 'weekly' }, { cycle: null }, { maxMembers: 0 }, { maxMembers: 2.5 }, { maxMembers: '2' }],
      ...[{ features: 'HD' }, { features: [{ name: 'HD' }] }],
    ].map((wrong): [object] => [kettle({ ...DUO, ...wrong })]),
  ])('is the one that ships when the stored one cannot be read (%#)', async (data) => {
    await replace(data)
    expect(await share('netflix-premium')).toMatchObject({ provider: 'Netflix', total_price: '19.99' })
    expect(await refusalOf(share('kettle-duo'))).toEqual(NOT_SOLD)
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
    await sql`update service_provider_data set is_current = false`
    expect(await share('netflix-premium')).toMatchObject({ provider: 'Netflix', total_price: '19.99' })
    const zoe = await addPerson(db, 'Zoe')
    expect(await refusalOf(zoe.sql`select * from private.bundled_catalogue`)).toMatchObject(DENIED)
  })
})

describe('a catalogue that has changed', () => {
  const provider = (id: string, price: number) => ({
    ...KETTLE,
    id,
    name: `The ${id}`,
    plans: [{ ...DUO, id: `${id}-duo`, price }],
  })
  const current = async () => {
    const rows = await sql<{
      data: { id: string; plans: [{ price: number }] }[]
    }>`select data from service_provider_data where is_current`
    return Object.fromEntries(
      rows.flatMap(({ data }) => data.map(({ id, plans: [{ price }] }) => [id, price])),
    )
  }
  const load = (data: object[]) => sql`select private.load_catalogue(${JSON.stringify(data)})`
  const rows = async () => (await sql`select count(*) as n from service_provider_data`)[0]?.n
  const asShipped = [provider('kept', 1), provider('dearer', 2), provider('gone', 3), provider('edited', 4)]

  beforeAll(async () => {
    await sql`delete from service_provider_data`
    await sql`delete from private.bundled_catalogue`
  })

  test('is loaded once, and as a whole or not at all', async () => {
    await load(asShipped)
    await load(asShipped)
    expect(await rows()).toBe(1)
    expect(await refusalOf(load([{ ...KETTLE, plans: 'none' }]))).toEqual(rule('This is no catalogue'))
    expect(await current()).toEqual({ kept: 1, dearer: 2, gone: 3, edited: 4 })
  })

  test('reaches a database that exists, where what staff did and what people share stays', async () => {
    const { id } = await sharePlan(db, await addPerson(db, 'Olivia'), {
      catalogueId: 'dearer-duo',
      places: 2,
    })
    const byStaff = [provider('kept', 1), provider('dearer', 2), provider('edited', 40), provider('added', 5)]
    await sql`update service_provider_data set data = ${JSON.stringify(byStaff)} where is_current`
    await load([provider('new', 6), provider('dearer', 9), provider('kept', 1), ...asShipped.slice(2)])
    const now = await current()
    expect(Object.entries(now).flat().join(' ')).toBe('new 6 dearer 9 kept 1 edited 40 added 5')
    expect(await sql`select total_price from shared_subscriptions where id = ${id}`).toEqual([
      { total_price: '2.00' },
    ])
    expect(await rows()).toBe(2)
  })

  test('replaces a current one that cannot be read', async () => {
    await sql`update service_provider_data set data = '["broken"]' where is_current`
    await load([provider('kept', 7)])
    expect(await current()).toEqual({ kept: 7 })
  })
})
