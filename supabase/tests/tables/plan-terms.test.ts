// What the catalogue fixes about a plan, whatever a direct call sends along.

import { describe, expect, test } from 'vitest'
import { addPerson, DENIED, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { setTheTable } from '../plans.ts'

const { db, sql } = await ownDatabase()

const renewal = async (): Promise<string> => {
  const [row] = await sql<{ day: string }>`select (current_date + 30)::text as day`
  return row?.day ?? ''
}
const create = async (person: Person, values: Record<string, string | null>) => {
  const plan = { next_payment: await renewal(), owner_max_members: '2', ...values }
  return person.insert('shared_subscriptions', plan)
}
const FIXED = rule('The price and terms of a plan are fixed by its provider')
const NOT_SOLD = rule('This plan is not in the catalogue')

describe('what is sent with a plan', () => {
  test('may be every field there is; the database keeps its own word on each', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await create(olivia, {
      id: 'sub-1',
      name: 'Premium',
      provider: 'Netflix',
      description: 'Cheap!',
      category: 'music',
      total_price: '19.99',
      member_price: '5.00',
      currency: 'EUR',
      billing_cycle: 'monthly',
      max_members: '4',
      owner_max_members: '3',
      provider_max_members: '99',
      current_members: '1',
      owner_id: olivia.id,
      owner: 'Somebody else',
      created_at: '2020-01-01',
      logo: 'https://evil.example/logo.png',
      status: 'active',
      catalogue_plan_id: null,
    })
    expect(plan).toMatchObject({
      catalogue_plan_id: 'netflix-premium',
      category: 'streaming',
      total_price: '19.99',
      member_price: '5.00',
      max_members: 4,
      owner_max_members: 3,
      provider_max_members: 4,
      current_members: 1,
      owner: olivia.email.split('@')[0],
      owner_id: olivia.id,
      logo: 'https://img.logo.dev/netflix.com',
    })
    expect(plan?.id).not.toBe('sub-1')
    expect(plan?.description).not.toBe('Cheap!')
    expect(String(plan?.created_at)).not.toMatch(/^2020/)
  })

  test.each([
    [{ name: 'Premium' }, NOT_SOLD],
    [{ provider: 'Netflix' }, NOT_SOLD],
    [{ name: '', provider: 'Netflix' }, NOT_SOLD],
    [{ name: 'Premium', provider: 'x'.repeat(1_000_000) }, NOT_SOLD],
  ])('is nothing without a name and a provider that go together (%#)', async (terms, refusal) => {
    expect(await refusalOf(create(await addPerson(db, 'Olivia'), terms))).toEqual(refusal)
  })

  test('counts people as the catalogue does: not 0, and never beyond it', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const premium = { catalogue_plan_id: 'netflix-premium' }
    expect(await refusalOf(create(olivia, { ...premium, max_members: '0' }))).toEqual(FIXED)
    expect(await create(olivia, { ...premium, provider_max_members: '0' })).toMatchObject({
      max_members: 4,
      provider_max_members: 4,
    })
  })

  test('the share goes by the maximum of the catalogue, however many places are open', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await create(olivia, { catalogue_plan_id: 'netflix-premium', owner_max_members: '2' })
    for (const places of ['3', '4', '2']) {
      const text =
        'update shared_subscriptions set owner_max_members = $1 where id = $2 returning total_price, member_price'
      expect(await olivia.run(text, [places, String(plan?.id)])).toEqual([
        { total_price: '19.99', member_price: '5.00' },
      ])
    }
  })

  test('the cycle of the catalogue is stored with the plan, monthly or yearly and nothing else', async () => {
    const olivia = await addPerson(db, 'Olivia')
    expect(await create(olivia, { catalogue_plan_id: 'netflix-premium' })).toMatchObject({
      billing_cycle: 'monthly',
    })
    const [yearly] = await sql<{ id: string }>`select plan ->> 'id' as id
      from service_provider_data, jsonb_array_elements(data) as p, jsonb_array_elements(p -> 'plans') as plan
      where is_current and plan ->> 'cycle' = 'yearly' and (plan ->> 'maxMembers')::int > 1 limit 1`
    expect(await create(olivia, { catalogue_plan_id: yearly?.id ?? '' })).toMatchObject({
      billing_cycle: 'yearly',
    })
    expect(await refusalOf(sql`update shared_subscriptions set billing_cycle = 'weekly'`)).toMatchObject({
      message: expect.stringContaining('billing_cycle'),
    })
  })
})

describe('reviewing new plans', () => {
  const seen = async (person: Person, id: unknown) =>
    (await person.sql`select id from shared_subscriptions where id = ${String(id)}`).length
  const review = (on: boolean) => db.query(`update app_settings set review_new_plans = ${on}`)

  test('switched off, a plan is there for everybody at once', async () => {
    const { zoe, plan } = await setTheTable(db)
    expect(await zoe.sql`select status from shared_subscriptions where id = ${plan.id}`).toEqual([
      { status: 'active' },
    ])
  })

  test('switched on, only its owner and staff see it until it is approved', async () => {
    await review(true)
    const olivia = await addPerson(db, 'Olivia')
    const plan = await create(olivia, { catalogue_plan_id: 'netflix-premium' })
    await review(false)
    expect(plan?.status).toBe('pending')
    const zoe = await addPerson(db, 'Zoe')
    const counted = async () =>
      (await zoe.sql`select plans from count_available_plans() where provider = 'Netflix'`)[0]?.plans
    const before = await counted()
    for (const role of ['moderator', 'admin', 'super-admin']) {
      const mona = await addPerson(db, 'Mona')
      await sql`insert into user_roles (user_id, role) values (${mona.id}, ${role})`
      expect([role, await seen(mona, plan?.id)]).toEqual([role, 1])
    }
    expect(await seen(olivia, plan?.id)).toBe(1)
    expect(await seen(zoe, plan?.id)).toBe(0)
    const approve = `update shared_subscriptions set status = 'active' where id = $1`
    expect(await refusalOf(olivia.run(approve, [String(plan?.id)]))).toMatchObject(DENIED)
    await db.query(approve, [String(plan?.id)])
    expect(await seen(zoe, plan?.id)).toBe(1)
    expect(Number(await counted())).toBe(Number(before ?? 0) + 1)
  })
})
