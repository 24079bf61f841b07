// Shared plans as everybody sees them: the marketplace, the search and the counts.
// Proves BROWSE 01 07
import { beforeAll, describe, expect, test } from 'vitest'
import { shareManyPlans } from '../many-plans.ts'
import { type Asker, addPeople, addPerson, ownDatabase, type Person } from '../people.ts'
import { join, type SharedPlan, sayingHowPaid, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeAll(async () => {
  ;[olivia, marc, zoe] = await addPeople(db, ['Olivia', 'Marc', 'Zoe'])
  plan = await sharePlan(db, olivia)
  await join(db, marc, plan)
})

interface Card {
  id: string
  hasRoom: boolean
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
  const card = (await market()).find(({ id }) => id === plan.id)
  expect(card).toEqual({
    ...{ id: plan.id, provider: 'Netflix', name: 'Premium', category: 'streaming', currency: 'EUR' },
    ...{ totalPrice: 19.99, memberPrice: 5, cycle: 'monthly', settlement: 'direct', feeRate: 0.1 },
    cycleMonths: null,
    ...{ monthlyCost: 5, currentMembers: 2, ownerMaxMembers: 4, hasRoom: true, kept: 0, keptForYou: false },
    ...{ instantFrom: null, nextPayment: expect.any(String), createdAt: expect.any(String) },
    ...{ ownerId: olivia.id, ownerName: 'Olivia', ownerAvatarUrl: null, ownerSince: expect.any(String) },
    ...{ ownerLevel: 'new', ownerRating: null, ownerReviewers: 0 },
  })
  expect(await one(plan.id)).toEqual({
    ...card,
    offered: true,
    quote: expect.objectContaining({ share: 5, fee: 0, sum: 5 }),
    prices: {
      place: [{ since: card?.createdAt, cost: 5 }],
      alone: [{ since: expect.any(String), cost: 19.99 }],
    },
  })
  for (const secret of ['Halen', olivia.email, marc.id, marc.email, 'Marc'])
    expect(JSON.stringify(await market())).not.toContain(secret)
})

test('what a place and the plan alone cost is noted whenever it changes, and only then', async () => {
  const shared = await sharePlan(db, zoe, { catalogueId: 'spotify-premium-family' })
  const costs = async () => {
    const { prices } = (await one(shared.id)) as unknown as {
      prices: Record<string, { since: string; cost: number }[]>
    }
    return [prices.place, prices.alone].map((list) => list?.map(({ cost }) => cost))
  }
  const reprice = (from: string, to: string) =>
    sql`update service_provider_data set data = replace(data::text, ${from}, ${to})::jsonb where is_current`
  expect(await costs()).toEqual([[3.67], [21.99]])
  await reprice('21.99', '23.99')
  await reprice('Premium Family', 'Premium family')
  await reprice('Premium family', 'Premium Family')
  expect(await costs()).toEqual([[3.67], [21.99, 23.99]])
  await zoe.sql`select propose_terms(${shared.id}, 'direct')`
  await zoe.sql`update shared_subscriptions set owner_max_members = 3 where id = ${shared.id}`
  expect(await costs()).toEqual([
    [3.67, 4],
    [21.99, 23.99],
  ])
  await reprice('23.99', '21.99')
  await zoe.sql`delete from shared_subscriptions where id = ${shared.id}`
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
    await sql`insert into provider_rules (provider, rule, reason, ground, clause) values ('Netflix', 'off', 'Asked by the provider', 'provider', '4.2')`
    expect(await shown()).toEqual([false, true])
    await sql`delete from provider_rules`
  })

  test('for whoever its owner has blocked and who has blocked its owner, and is for everybody else', async () => {
    for (const [who, whom] of [
      [olivia, zoe],
      [zoe, olivia],
    ] as const) {
      await who.sql`select block_person(${whom.id})`
      expect([await shown(zoe), await shown(marc), await shown()]).toEqual([
        [false, false],
        [true, true],
        [true, true],
      ])
      await who.sql`select unblock_person(${whom.id})`
    }
    expect(await shown(zoe)).toEqual([true, true])
  })
})

test('a search finds plans by a part of provider or plan name in any case, newest first, the full ones last', async () => {
  const [nina, omar] = await addPeople(db, ['Nina', 'Omar'])
  const netflix = await sharePlan(db, nina)
  const spotify = await sharePlan(db, nina, { catalogueId: 'spotify-premium-family' })
  const other = await sharePlan(db, omar)
  const names: Record<string, string> = {
    ...{ [netflix.id]: 'netflix', [spotify.id]: 'spotify', [other.id]: 'other' },
  }
  const found = async (args: string) =>
    (await ids(`${args}, p_full => true`, zoe)).flatMap((id) => names[id] ?? []).join(' ')
  expect(await found("'PREMIUM'")).toBe('other spotify netflix')
  expect(await found("'etfl'")).toBe('other netflix')
  expect(await found("'netflix pre'")).toBe('other netflix')
  expect(await found("'premium', p_category => 'music'")).toBe('spotify')
  expect(await found("p_provider => 'Netflix'")).toBe('other netflix')
  for (const nothing of ["'100%'", "'_'", "'%'"]) expect(await found(nothing)).toBe('')
  await join(db, zoe, other)
  await omar.sql`update shared_subscriptions set owner_max_members = 2 where id = ${other.id}`
  expect(await found("'netflix'")).toBe('netflix other')
  expect(await ids("'netflix'")).not.toContain(other.id)
  await sql`update shared_subscriptions set status = 'pending' where id = ${spotify.id}`
  expect(await found("'spotify'")).toBe('')
})

test('the counts go on while places are taken, kept, freed, opened and closed and plans come and go', async () => {
  const counts = async () => {
    const [row] = await VISITOR.sql<{
      plans: number
      open: number
    }>`select sum(plans)::int as plans, sum(open)::int as open
      from count_available_plans() where category = 'music' and provider = 'Deezer'`
    return [row?.plans ?? 0, row?.open ?? 0] as const
  }
  const before = await counts()
  const [nina, omar] = await addPeople(db, ['Nina', 'Omar'])
  const shared = await sharePlan(db, nina, { catalogueId: 'deezer-family', places: 2 })
  const second = await sharePlan(db, omar, { catalogueId: 'deezer-family', places: 3 })
  const places = (count: number) =>
    nina.sql`update shared_subscriptions set owner_max_members = ${count} where id = ${shared.id}`
  const decide = (status: string) =>
    sql`update shared_subscriptions set status = ${status} where id = ${second.id}`
  for (const [step, plans, open] of [
    [() => join(db, marc, shared), 2, 1],
    [() => places(3), 2, 2],
    [() => places(2), 2, 1],
    [() => marc.sql`delete from subscription_members where subscription_id = ${shared.id}`, 2, 2],
    // A kept place does not count as open, neither here nor in the list.
    [
      () => sayingHowPaid(nina, () => nina.sql`select invite_member(${shared.id}, 'kept@potluck.example')`),
      2,
      1,
    ],
    [
      () =>
        sql`update subscription_invitations set withdrawn_at = now() where subscription_id = ${shared.id}`,
      2,
      2,
    ],
    [() => decide('rejected'), 1, 1],
    [() => decide('active'), 2, 2],
    [() => sql`delete from auth.users where id = ${omar.id}`, 1, 1],
    [() => nina.sql`delete from shared_subscriptions where id = ${shared.id}`, 0, 0],
  ] as const) {
    await step()
    expect([step.toString(), ...(await counts())]).toEqual([
      step.toString(),
      before[0] + plans,
      before[1] + open,
    ])
  }
})

describe('among thousands of plans', () => {
  beforeAll(async () => {
    await shareManyPlans(db, 3000)
    // Many plans have the same time and price, so that ids have to break ties.
    await sql`update shared_subscriptions set created_at = date_trunc('hour', created_at)`
    await sql`alter table shared_subscriptions disable trigger user`
    await sql`update shared_subscriptions set settlement = 'potluck' where right(id, 1) in ('1', '5')`
    await sql`update shared_subscriptions set instant_from = 'proven' where settlement = 'potluck' and right(id, 1) = '5'`
    await sql`alter table shared_subscriptions enable trigger user`
    await sql`update private.user_profiles set created_at = now() - interval '200 days'`
    await sql`insert into private.known_facts (user_id, known_at, holds_until, access_given, pace, paid_on_time, paid_late, problems, answers,
        unkept_debts)
      select id, now(), 'infinity', '0', 0, case when right(id::text, 1) in ('1', '2') then 4 else 12 end, 0, 0, 0, 0
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
      const order = `has_room desc, ${cheapest ? 'monthly_cost, ' : ''}created_at desc, id desc`
      const expected = await zoe.run<{ id: string }>(
        `select id from shared_subscriptions where status = 'active' and ${condition} order by ${order}`,
      )
      const seen: string[] = []
      for (let after = '', more = true; more; ) {
        const page = await market(
          [args, `p_full => true, p_cheapest => ${cheapest}, p_limit => 100${after}`]
            .filter(Boolean)
            .join(', '),
        )
        seen.push(...page.map(({ id }) => id))
        const last = page.at(-1)
        more = page.length === 100
        after = `, p_after_room => ${last?.hasRoom}, p_before => '${last?.createdAt}', p_before_id => '${last?.id}', p_above => ${cheapest ? last?.monthlyCost : 'null'}`
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
    // Everybody's cached facts are marked as outdated, but no new fact raises anybody's level.
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

  test('a list gives page after page without a gap or a repetition, while plans come and go', async () => {
    const disney = `select id from shared_subscriptions where provider = 'Disney+' and has_room order by created_at desc, id desc`
    const expected = (await zoe.run<{ id: string }>(disney)).map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(60)
    const gone = new Set<string>()
    const seen: string[] = []
    for (let after = '', more = true; more; ) {
      const page = await market(`'disney+', p_limit => 20${after}`, zoe)
      seen.push(...page.map(({ id }) => id))
      more = page.length === 20
      const last = page.at(-1)
      after = `, p_before => '${last?.createdAt}', p_before_id => '${last?.id}'`
      // Between two pages, one plan already seen and one not yet seen are removed, and a new one appears at the top.
      const ahead = expected.findLast((id) => !seen.includes(id) && !gone.has(id)) ?? ''
      for (const id of more ? [last?.id ?? '', ahead] : []) {
        gone.add(id)
        await sql`delete from shared_subscriptions where id = ${id}`
      }
      await sharePlan(db, await addPerson(db, 'Newcomer'), { catalogueId: 'disney-plus-premium' })
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expected.filter((id) => seen.includes(id) || !gone.has(id)))
  })

  test('a page is never more than a hundred', async () => {
    for (const [args, most] of [
      ["'spotify'", 24],
      ["'spotify', p_limit => 3", 3],
      ["'e', p_limit => 5000", 100],
    ] as const)
      expect(await ids(args)).toHaveLength(most)
  })
})
