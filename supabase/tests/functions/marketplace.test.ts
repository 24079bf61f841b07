// What everybody may see of the plans people share.
import { beforeAll, describe, expect, test } from 'vitest'
import { shareManyPlans } from '../many-plans.ts'
import { type Asker, addPerson, ownDatabase, type Person } from '../people.ts'
import { join, type SharedPlan, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeAll(async () => {
  olivia = await addPerson(db, 'Olivia')
  marc = await addPerson(db, 'Marc')
  zoe = await addPerson(db, 'Zoe')
  plan = await sharePlan(db, olivia)
  await join(db, marc, plan)
})

interface Card {
  id: string
  monthlyCost: number
  createdAt: string
}
const market = async (args = '', asker: Asker = VISITOR) =>
  (await asker.run<{ plans: Card[] }>(`select market_plans(${args}) as plans`))[0]?.plans ?? []
const ids = async (...args: Parameters<typeof market>) => (await market(...args)).map(({ id }) => id)
const one = async (id: string, asker: Asker = VISITOR) =>
  (await asker.sql<{ card: Card | null }>`select market_plan(${id}) as card`)[0]?.card

test('a card says what a plan is and costs and who shares it, and names nobody in full', async () => {
  await sql`update user_profiles set display_name = 'Olivia Van Halen' where user_id = ${olivia.id}`
  const [card] = (await market()) as object[]
  expect(card).toEqual({
    ...{ id: plan.id, provider: 'Netflix', name: 'Premium', category: 'streaming', currency: 'EUR' },
    ...{
      totalPrice: 19.99,
      memberPrice: 5,
      cycle: 'monthly',
      settlement: 'direct',
      feeRate: 0.1,
      monthlyCost: 5,
    },
    ...{ currentMembers: 2, ownerMaxMembers: 4, kept: 0, instantFrom: null },
    ...{
      nextPayment: expect.any(String),
      createdAt: expect.any(String),
      ownerId: olivia.id,
      ownerName: 'Olivia',
      ownerAvatarUrl: null,
    },
    ...{ ownerSince: expect.any(String), ownerLevel: 'new', ownerRating: null, ownerReviewers: 0 },
  })
  expect(await one(plan.id)).toEqual({
    ...card,
    offered: true,
    quote: expect.objectContaining({ share: 5, fee: 0, sum: 5 }),
  })
  for (const secret of ['Halen', olivia.email, marc.id, marc.email, 'Marc'])
    expect(JSON.stringify(await market())).not.toContain(secret)
})

describe('a plan is not there', () => {
  const shown = async (asker: Asker = VISITOR) => [
    (await ids('', asker)).includes(plan.id),
    (await one(plan.id, asker)) !== null,
  ]
  test.each([
    ['in review', `status = 'pending'`, `status = 'active'`, [false, false]],
    ['once it is private', 'is_private = true', 'is_private = false', [false, false]],
    ['among the others while it is full', 'owner_max_members = 2', 'owner_max_members = 4', [false, true]],
    ['among them while all its places are kept', 'kept_places = 2', 'kept_places = 0', [false, true]],
  ])('%s', async (_when, hide, show, left) => {
    await sql`alter table shared_subscriptions disable trigger user`
    await db.query(`update shared_subscriptions set ${hide} where id = $1`, [plan.id])
    expect(await shown()).toEqual(left)
    await db.query(`update shared_subscriptions set ${show} where id = $1`, [plan.id])
    await sql`alter table shared_subscriptions enable trigger user`
    expect(await shown()).toEqual([true, true])
  })

  test('while its provider is switched off', async () => {
    await sql`insert into closed_providers (provider, reason) values ('Netflix', 'Asked by the provider')`
    expect(await shown()).toEqual([false, true])
    await sql`delete from closed_providers`
  })

  test('for whoever its owner has blocked, nor among the others for who has blocked its owner, and is for everybody else', async () => {
    for (const [who, whom, byItsLink] of [
      [olivia, zoe, false],
      [zoe, olivia, true],
    ] as const) {
      await who.sql`select block_person(${whom.id})`
      expect([await shown(zoe), await shown(marc), await shown()]).toEqual([
        [false, byItsLink],
        [true, true],
        [true, true],
      ])
      await who.sql`select unblock_person(${whom.id})`
    }
    expect(await shown(zoe)).toEqual([true, true])
  })
})

describe('among thousands of plans', () => {
  beforeAll(async () => {
    await shareManyPlans(db, 3000)
    // Many share a moment and a price with others, so that ids have to tell them apart.
    await sql`update shared_subscriptions set created_at = date_trunc('hour', created_at)`
    await sql`alter table shared_subscriptions disable trigger user`
    await sql`update shared_subscriptions set settlement = 'potluck' where right(id, 1) in ('1', '5')`
    await sql`update shared_subscriptions set instant_from = 'proven' where settlement = 'potluck' and right(id, 1) = '5'`
    await sql`alter table shared_subscriptions enable trigger user`
    await sql`update user_profiles set created_at = now() - interval '200 days'`
    await sql`insert into private.known_facts (user_id, known_at, holds_until, access_given, pace, paid_on_time, paid_late, problems, answers)
      select id, now(), 'infinity', '0', 0, case when right(id::text, 1) in ('1', '2') then 4 else 12 end, 0, 0, 0
      from auth.users where right(id::text, 1) in ('1', '2', '3')
      on conflict (user_id) do update set paid_on_time = excluded.paid_on_time`
    await sql`delete from private.fact_changes`
  })

  test.each([
    ['', 'true'],
    [`p_level => 'proven'`, `right(owner_id::text, 1) in ('1', '2', '3')`],
    [`p_level => 'trusted'`, `right(owner_id::text, 1) = '3'`],
    [`p_level => 'new', p_instant => true`, 'instant_from is not null'],
    [`p_search => ' Premium '`, `lower(provider || ' ' || name) like '%premium%'`],
    [`p_category => 'music', p_most => 3.5`, `category = 'music' and monthly_cost <= 3.5`],
    [`p_provider => 'Netflix', p_settlement => 'potluck'`, `provider = 'Netflix' and settlement = 'potluck'`],
  ])('page after page of %s is all of what matches, in order', async (args, condition) => {
    for (const cheapest of [false, true]) {
      const order = `${cheapest ? 'monthly_cost, ' : ''}created_at desc, id desc`
      const expected = await zoe.run<{ id: string }>(`select id from shared_subscriptions
        where status = 'active' and not is_full and kept_places = 0 and ${condition} order by ${order}`)
      const seen: string[] = []
      for (let after = '', more = true; more; ) {
        const page = await market(
          [args, `p_cheapest => ${cheapest}, p_limit => 100${after}`].filter(Boolean).join(', '),
        )
        seen.push(...page.map(({ id }) => id))
        const last = page.at(-1)
        more = page.length === 100
        after = `, p_before => '${last?.createdAt}', p_before_id => '${last?.id}', p_above => ${cheapest ? last?.monthlyCost : 'null'}`
      }
      expect(seen.length).toBeGreaterThan(20)
      expect(seen).toEqual(expected.map(({ id }) => id))
    }
  })

  test('the level asked for is that of each card, whatever is known of it', async () => {
    const levels = async (level: string) =>
      (await market(`p_level => '${level}', p_limit => 100`)).map(
        (card) => (card as Card & { ownerLevel: string }).ownerLevel,
      )
    expect(new Set(await levels('proven'))).toEqual(new Set(['proven', 'trusted']))
    expect(new Set(await levels('trusted'))).toEqual(new Set(['trusted']))
    // Something has happened to all of them, and nothing of it lifts anybody.
    await sql`insert into private.fact_changes (user_id) select user_id from private.known_facts`
    expect(await levels('proven')).toEqual([])
    await sql`delete from private.fact_changes`
    expect(await levels('nobody')).toEqual([])
  })

  test.each([
    ['of a plan paid directly is the share', 'direct', 'monthly', 3],
    ['of one paid through the site has the fee in it', 'potluck', 'monthly', 3.3],
    ['of a yearly one is a twelfth', 'potluck', 'yearly', 0.28],
  ])('the monthly cost %s', async (_what, settlement, cycle, cost) => {
    await sql`alter table shared_subscriptions disable trigger user`
    await sql`update shared_subscriptions set settlement = ${settlement}, billing_cycle = ${cycle} where id = 'sub-rare-1'`
    await sql`alter table shared_subscriptions enable trigger user`
    expect((await one('sub-rare-1'))?.monthlyCost).toBe(cost)
  })
})
