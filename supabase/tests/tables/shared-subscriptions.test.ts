import { describe, expect, test } from 'vitest'
import { type Asker, addPeople, addPerson, ownDatabase, refusalOf, rule } from '../people.ts'
import { ask, join, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()

const create = (person: Asker, values: Record<string, string | null>) =>
  person.insert('shared_subscriptions', values)
const PLAN_COLUMNS =
  `id name provider description category total_price member_price max_members owner_max_members
  provider_max_members current_members owner_id owner next_payment currency created_at logo`.split(/\s+/)
const MEMBER_COLUMNS = ['email', 'id', 'is_owner', 'joined_at', 'name', 'subscription_id', 'user_id']
const day = async (offset: number) => {
  const [row] = await sql<{ day: string }>`select (current_date + ${offset}::int)::text as day`
  return row?.day ?? ''
}
/** The calendar day twelve hours behind UTC, where today ends last. */
const todayInTheWest = async (offset: number) => {
  const [row] = await sql<{
    day: string
  }>`select ((now() at time zone 'Etc/GMT+12')::date + ${offset}::int)::text as day`
  return row?.day ?? ''
}
const premium = async (more: Record<string, string | null> = {}) => ({
  catalogue_plan_id: 'netflix-premium',
  owner_max_members: '3',
  next_payment: await day(30),
  ...more,
})

describe('sharing a plan', () => {
  test('takes the terms from the catalogue and seats the owner', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await create(olivia, await premium())
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
      provider_max_members: 4,
      owner_id: olivia.id,
      owner: olivia.email.split('@')[0],
      status: 'active',
    })
    expect(plan?.id).toMatch(/^sub-\d{13}-[0-9a-f]{10}$/)
    const id = String(plan?.id)
    expect(
      await olivia.sql`select user_id, is_owner from subscription_members where subscription_id = ${id}`,
    ).toEqual([{ user_id: olivia.id, is_owner: true }])
    expect(await olivia.sql`select current_members from shared_subscriptions where id = ${id}`).toEqual([
      { current_members: 1 },
    ])
  })

  test('stores what the lists name, and nothing that a screen derives', async () => {
    const columnsOf = async (table: string) =>
      (
        await sql<{
          column_name: string
        }>`select column_name from information_schema.columns where table_schema = 'public' and table_name = ${table}`
      ).map(({ column_name }) => column_name)
    const ofPlan = await columnsOf('shared_subscriptions')
    expect(ofPlan).toEqual(expect.arrayContaining(PLAN_COLUMNS))
    for (const derived of ['price', 'cycle', 'convenienceFeePercentage', 'is_owner', 'is_member'])
      expect(ofPlan).not.toContain(derived)
    expect((await columnsOf('subscription_members')).sort()).toEqual(MEMBER_COLUMNS)
  })

  test('gives every plan an id of its own, which every call takes as text', async () => {
    const [ids] = await sql`select count(distinct id)::int as different, count(*)::int as made,
      bool_and(id ~ '^sub-[0-9]{13}-[0-9a-f]{10}$') as alike
      from (select private.new_plan_id() as id from generate_series(1, 2000)) as made`
    expect(ids).toEqual({ different: 2000, made: 2000, alike: true })
    const olivia = await addPerson(db, 'Olivia')
    const plan = await create(olivia, await premium({ id: 'sub-1' }))
    expect(plan?.id).not.toBe('sub-1')
    const others = await sql`
      select table_name || '.' || column_name as found from information_schema.columns
      where table_schema = 'public' and column_name = 'subscription_id' and data_type <> 'text'
      union all
      select p.proname || ' ' || a.name from pg_proc as p, unnest(p.proargnames, p.proargtypes::oid[]) as a (name, type)
      where p.pronamespace = 'public'::regnamespace and a.name like '%subscription_id%'
        and a.type not in ('text'::regtype, 'text[]'::regtype)`
    expect(others).toEqual([])
  })

  test('counts the owner and leaves the decision to the places the owner opened', async () => {
    const [olivia, marc, zoe] = await addPeople(db, ['Olivia', 'Marc', 'Zoe'])
    const plan = await sharePlan(db, olivia, { places: 2 })
    const places = async () =>
      (
        await sql`select current_members, owner_max_members, max_members, provider_max_members from shared_subscriptions where id = ${plan.id}`
      )[0]
    await join(db, marc, plan)
    const full = { current_members: 2, owner_max_members: 2, max_members: 4, provider_max_members: 4 }
    expect(await places()).toEqual(full)
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(rule('Subscription Full'))
    const raise = 'update shared_subscriptions set owner_max_members = $1 where id = $2'
    await olivia.run(raise, ['4', plan.id])
    await join(db, zoe, plan)
    expect(await places()).toEqual({ ...full, current_members: 3, owner_max_members: 4 })
    for (const [change, broken] of [
      ['provider_max_members = 5', 'one_maximum'],
      ['provider_max_members = 3, max_members = 3', 'places_within_provider_maximum'],
    ] as const)
      expect(
        await refusalOf(db.query(`update shared_subscriptions set ${change} where id = $1`, [plan.id])),
      ).toMatchObject({ message: expect.stringContaining(`"${broken}"`) })
    const standard = await create(marc, {
      catalogue_plan_id: 'spotify-premium-family',
      next_payment: await day(30),
    })
    expect(standard).toMatchObject({ owner_max_members: 4 })
  })

  test('may send every column, as long as it agrees with the catalogue', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const terms = { provider: 'Netflix', name: 'Premium', total_price: '19.99', billing_cycle: 'monthly' }
    const plan = await create(olivia, await premium({ ...terms, catalogue_plan_id: null }))
    expect(plan).toMatchObject({ catalogue_plan_id: 'netflix-premium' })
  })

  test('wants a renewal date that is not over where the last person still has today', async () => {
    const olivia = await addPerson(db, 'Olivia')
    expect(await refusalOf(create(olivia, await premium({ next_payment: null })))).toEqual(
      rule('Please enter next renewal date.'),
    )
    expect(
      await refusalOf(create(olivia, await premium({ next_payment: await todayInTheWest(-1) }))),
    ).toEqual(rule('Renewal date cannot be in the past.'))
    expect(await create(olivia, await premium({ next_payment: await todayInTheWest(0) }))).toMatchObject({
      owner_id: olivia.id,
    })
  })

  test.each([
    ['2026-11-21 11:59:59+00', '2026-11-20'],
    ['2026-11-21 12:00:00+00', '2026-11-21'],
    ['2026-11-21 23:59:59+00', '2026-11-21'],
    ['2026-11-21 13:30:00+14', '2026-11-20'],
  ])('at %s the earliest today on earth is %s', async (now, today) => {
    const [row] = await sql`select private.earliest_today(${now}::timestamptz)::text as today`
    expect(row).toEqual({ today })
  })
})
