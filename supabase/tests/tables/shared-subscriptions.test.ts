import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../server/test/harness.ts'
import { addPerson, as, type Person, refusalOf, VISITOR } from '../people.ts'
import { setTheTable, sharePlan } from '../plans.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const create = (person: Pick<Person, 'caller'>, values: Record<string, string | null>) => {
  const columns = Object.keys(values)
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  const text = `insert into shared_subscriptions (${columns.join(', ')}) values (${places}) returning *`
  return as(db, person, text, Object.values(values))
}
const day = async (offset: number) => {
  const [row] = await db.query<{ day: string }>('select (current_date + $1::int)::text as day', [
    String(offset),
  ])
  return row?.day ?? ''
}
const premium = async (more: Record<string, string | null> = {}) => ({
  catalogue_plan_id: 'netflix-premium',
  owner_max_members: '3',
  next_payment: await day(30),
  ...more,
})

describe('sharing a plan', () => {
  test('CREATE-12 CREATE-14 DATA-01 DATA-02 DATA-03 takes the terms from the catalogue and seats the owner', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const [plan] = await create(olivia, await premium())
    expect(plan).toMatchObject({
      provider: 'Netflix',
      name: 'Premium',
      category: 'streaming',
      total_price: '19.99',
      member_price: '5.00',
      currency: 'EUR',
      billing_cycle: 'monthly',
      max_members: 4,
      owner_max_members: 3,
      provider_max_members: 6,
      owner_id: olivia.id,
      owner: olivia.email.split('@')[0],
      status: 'active',
    })
    expect(plan?.id).toMatch(/^sub-\d{13}-[0-9a-f]{10}$/)
    const id = String(plan?.id)
    expect(
      await as(db, olivia, 'select user_id, is_owner from subscription_members where subscription_id = $1', [
        id,
      ]),
    ).toEqual([{ user_id: olivia.id, is_owner: true }])
    expect(
      await as(db, olivia, 'select current_members from shared_subscriptions where id = $1', [id]),
    ).toEqual([{ current_members: 1 }])
  })

  test('API-29 may send every column, as long as it agrees with the catalogue', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const terms = { provider: 'Netflix', name: 'Premium', total_price: '19.99', billing_cycle: 'monthly' }
    const [plan] = await create(olivia, await premium({ ...terms, catalogue_plan_id: null }))
    expect(plan).toMatchObject({ catalogue_plan_id: 'netflix-premium' })
  })

  test.each([
    ['a price of their own', { total_price: '1.00' }],
    ['a share of their own', { member_price: '9.99' }],
    ['another cycle', { billing_cycle: 'yearly' }],
    ['another maximum', { max_members: '9' }],
    ['another provider', { provider: 'Spotify' }],
  ])('CREATE-10 refuses %s', async (_what, terms) => {
    const olivia = await addPerson(db, 'Olivia')
    expect(await refusalOf(create(olivia, await premium(terms)))).toEqual({
      code: '23514',
      message: 'The price and terms of a plan are fixed by its provider',
    })
  })

  test.each([['1'], ['5'], ['-1']])('VALID-11 refuses %s places of a plan for four', async (places) => {
    const olivia = await addPerson(db, 'Olivia')
    expect(await refusalOf(create(olivia, await premium({ owner_max_members: places })))).toEqual({
      code: '23514',
      message: 'Open slots must be between 1 and 3.',
    })
  })

  test('VALID-12 refuses a second plan of the same provider, not one of another', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await sharePlan(db, olivia)
    expect(
      await refusalOf(
        create(olivia, await premium({ catalogue_plan_id: 'netflix-standard', owner_max_members: '2' })),
      ),
    ).toEqual({ code: '23505', message: 'Each user can only share one plan per service provider.' })
    await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family', places: 6 })
  })

  test('CATALOG-09 refuses a plan for one person, and one that is not sold', async () => {
    const [single] = await db.query<{ id: string }>(`select plan ->> 'id' as id
      from service_provider_data, jsonb_array_elements(data) as p, jsonb_array_elements(p -> 'plans') as plan
      where is_current and (plan ->> 'maxMembers')::int = 1 limit 1`)
    const olivia = await addPerson(db, 'Olivia')
    expect(
      await refusalOf(create(olivia, await premium({ catalogue_plan_id: single?.id ?? '' }))),
    ).toMatchObject({ message: 'This plan cannot be shared' })
    expect(await refusalOf(create(olivia, await premium({ catalogue_plan_id: 'home-made' })))).toEqual({
      code: '23514',
      message: 'This plan is not in the catalogue',
    })
  })

  test('VALID-09 wants a renewal date of today or later', async () => {
    const olivia = await addPerson(db, 'Olivia')
    expect(await refusalOf(create(olivia, await premium({ next_payment: null })))).toEqual({
      code: '23514',
      message: 'Please enter next renewal date.',
    })
    expect(await refusalOf(create(olivia, await premium({ next_payment: await day(-1) })))).toEqual({
      code: '23514',
      message: 'Renewal date cannot be in the past.',
    })
    expect(await create(olivia, await premium({ next_payment: await day(0) }))).toHaveLength(1)
  })

  test("ROLE-12 ROLE-13 is not for visitors, nor in somebody else's name", async () => {
    const { olivia, zoe } = await setTheTable(db)
    expect(await refusalOf(create(VISITOR, await premium()))).toMatchObject({ code: '42501' })
    expect(await refusalOf(create(zoe, await premium({ owner_id: olivia.id })))).toEqual({
      code: '42501',
      message: 'You can only share a plan in your own name',
    })
  })

  test('LIMIT-17 ERR-31 is possible three times a minute', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await sharePlan(db, olivia)
    await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family', places: 6 })
    await sharePlan(db, olivia, { catalogueId: 'youtube-premium-family', places: 5 })
    const refusal = await refusalOf(sharePlan(db, olivia, { catalogueId: 'spotify-premium-duo', places: 2 }))
    expect(refusal).toMatchObject({ code: 'PT429' })
    expect(refusal.message).toMatch(/^Rate limit exceeded\. Please wait (60|5\d) seconds\.$/)
  })
})
