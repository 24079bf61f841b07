// A shared plan: columns fixed by the catalogue, decisions of its owner, its readers, and rows deleted with it.
// Proves ROLE 11 13, PLAN 07 11, CREATE 10 12 14 16 17, CATALOG 09, DATA 01-05, API 29 30 38 44 45, VALID
// 07-13
import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../answers.ts'
import {
  addPeople,
  addPerson,
  addStaff,
  DENIED,
  denied,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
  taken,
} from '../people.ts'
import { ask, join, openChat, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'
import { FAMILY, MEGABYTE, SCRIPT } from '../texts.ts'
import { storeLogin } from '../vault-entries.ts'

const { db, sql } = await ownDatabase()
const [olivia, marc, zoe, nina] = await addPeople(db, ['Olivia', 'Marc', 'Zoe', 'Nina'])
const netflix = await sharePlan(db, olivia)
await join(db, marc, netflix)
const request = await ask(db, zoe, netflix)

/** Today's date twelve hours behind UTC, in the zone where each day ends last; `day` counts from that date. */
const [west] = await sql<{ today: string }>`select ((now() at time zone 'Etc/GMT+12')::date)::text as today`
const day = (offset: number, from = west?.today ?? '') =>
  new Date(Date.parse(from) + offset * 86_400_000).toISOString().slice(0, 10)
const [furthest] = await sql<{
  day: string
}>`select (current_date + 1 + interval '10 years')::date::text as day`

const share = (person: Person, more: Record<string, string | null> = {}) => {
  const plan = { catalogue_plan_id: 'netflix-premium', owner_max_members: '3', next_payment: day(30) }
  return person.insert('shared_subscriptions', { ...plan, ...more })
}
const columnsOf = async (table: string) =>
  (
    await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} order by 1`
  ).map(({ name }) => name)

const MISSING_DATE = rule('Please enter next renewal date.')
const PAST_DATE = rule('Renewal date cannot be in the past.')
const NOT_SOLD = rule('This plan is not in the catalogue')
const FIXED = rule('A plan’s price and terms are set by its provider')
const SLOTS = rule('Open slots must be between 1 and 3.')
const NO_SUCH_VALUE = { code: '22P02' }
const OUT_OF_RANGE = { code: '22003' }

describe('sharing a plan', () => {
  test('keeps the word of the catalogue on every field, whatever was sent, and seats the owner', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await share(olivia, {
      ...{ id: 'sub-1', catalogue_plan_id: null, provider: 'Netflix', name: 'Premium', category: FAMILY },
      ...{ total_price: '19.990000000001', member_price: '5.00', currency: 'USD', billing_cycle: 'monthly' },
      ...{ max_members: '4', provider_max_members: '0', current_members: '1', description: MEGABYTE },
      ...{ owner_id: olivia.id, owner: SCRIPT, created_at: '2020-01-01', logo: FAMILY, status: 'active' },
    })
    expect(plan).toMatchObject({
      ...{
        catalogue_plan_id: 'netflix-premium',
        provider: 'Netflix',
        name: 'Premium',
        category: 'streaming',
      },
      ...{ total_price: '19.99', member_price: '5.00', currency: 'EUR', billing_cycle: 'monthly' },
      ...{ max_members: 4, owner_max_members: 3, provider_max_members: 4, status: 'active' },
      ...{ owner_id: olivia.id, owner: olivia.email.split('@')[0], logo: 'https://img.logo.dev/netflix.com' },
    })
    expect(plan.id).toMatch(/^sub-\d{13}-[0-9a-f]{10}$/)
    expect(String(plan.created_at)).not.toMatch(/^2020/)
    expect(String(plan.description).length).toBeLessThan(500)
    expect(
      await olivia.sql`select current_members, user_id, is_owner from shared_subscriptions as p
        join subscription_members as m on m.subscription_id = p.id where p.id = ${plan.id}`,
    ).toEqual([{ current_members: 1, user_id: olivia.id, is_owner: true }])
  })

  test('stores the cycle of the catalogue, yearly too, and opens four places unless the owner says otherwise', async () => {
    const marc = await addPerson(db, 'Marc')
    const yearly = ['nintendo-switch-online-family', day(30)]
    const [plan] = await marc.run(
      'insert into shared_subscriptions (catalogue_plan_id, next_payment) values ($1, $2) returning *',
      yearly,
    )
    expect(plan).toMatchObject({ billing_cycle: 'yearly', max_members: 8, owner_max_members: 4 })
    expect(await refusalOf(sql`update shared_subscriptions set billing_cycle = 'weekly'`)).toMatchObject({
      message: expect.stringContaining('billing_cycle'),
    })
  })

  test.each([
    ['no date', { next_payment: null }, MISSING_DATE],
    ['a date beyond ten years', { next_payment: day(1, furthest?.day) }, MISSING_DATE],
    ['a date without end', { next_payment: 'infinity' }, MISSING_DATE],
    ['a day that is over everywhere', { next_payment: day(-1) }, PAST_DATE],
    ['a date before all', { next_payment: '-infinity' }, PAST_DATE],
    ['the 30th of February', { next_payment: '2031-02-30' }, { code: '22008' }],
    ['words for a date', { next_payment: 'soon' }, { code: '22007' }],
    ['no catalogue plan', { catalogue_plan_id: null }, NOT_SOLD],
    ['a name alone', { catalogue_plan_id: null, name: 'Premium' }, NOT_SOLD],
    ['a provider alone', { catalogue_plan_id: null, provider: 'Netflix' }, NOT_SOLD],
    ['markup for a catalogue plan', { catalogue_plan_id: SCRIPT }, NOT_SOLD],
    ['a megabyte of catalogue plan', { catalogue_plan_id: MEGABYTE }, NOT_SOLD],
    ['a NUL in a catalogue plan', { catalogue_plan_id: 'disney\0plus' }, { code: '22021' }],
    [
      'a plan for one',
      { catalogue_plan_id: 'spotify-premium-individual' },
      rule('This plan cannot be shared'),
    ],
    ['another name', { name: SCRIPT }, FIXED],
    ['another provider', { provider: 'Netflix' }, FIXED],
    ['a price of nothing', { total_price: '0' }, FIXED],
    ['a price a cent lower', { total_price: '13.98' }, FIXED],
    ['a price that is no number', { total_price: 'NaN' }, FIXED],
    ['an endless price', { total_price: 'Infinity' }, OUT_OF_RANGE],
    ['words for a price', { total_price: 'free' }, NO_SUCH_VALUE],
    ['another share', { member_price: '3.49' }, FIXED],
    ['another cycle', { billing_cycle: 'weekly' }, FIXED],
    ['other members', { max_members: '5' }, FIXED],
    ['a member already', { current_members: '2' }, rule('A new plan has one member, its owner')],
    ['a place kept', { kept_places: '1' }, rule('A new plan has one member, its owner')],
    ['somebody waiting', { waiting: '1' }, rule('A new plan has one member, its owner')],
    ['a status of its own', { status: 'rejected' }, denied('Only staff can review plans')],
    ['no places', { owner_max_members: null }, SLOTS],
    ['a place for the owner alone', { owner_max_members: '1' }, SLOTS],
    ['a place more than it covers', { owner_max_members: '5' }, SLOTS],
    ['places beyond a number', { owner_max_members: '2147483648' }, OUT_OF_RANGE],
    ['half a place', { owner_max_members: '2.5' }, NO_SUCH_VALUE],
    [
      'a provider shared already',
      { catalogue_plan_id: 'netflix-standard-with-ads', owner_max_members: '2' },
      taken('Each user can only share one plan per service provider.'),
    ],
    [
      'the name of somebody else',
      { owner_id: '00000000-0000-4000-8000-000000000000' },
      denied('You can only share a plan in your own name'),
    ],
    ['an owner that is no id', { owner_id: SCRIPT }, NO_SUCH_VALUE],
  ] as const)('is refused with %s', async (_what, change, refusal) => {
    const good = { catalogue_plan_id: 'disney-plus-premium', owner_max_members: '3', next_payment: day(30) }
    await expectRefusal(olivia.insert('shared_subscriptions', { ...good, ...change }), refusal)
  })

  test('is possible to the last day and with the fewest and the most places', async () => {
    const nina = await addPerson(db, 'Nina')
    const disney = 'disney-plus-premium'
    await share(nina, { next_payment: day(0), owner_max_members: '2' })
    await share(nina, {
      catalogue_plan_id: disney,
      next_payment: furthest?.day ?? '',
      owner_max_members: '4',
    })
  })

  test.each([
    ['2026-11-21 11:59:59+00', '2026-11-20'],
    ['2026-11-21 12:00:00+00', '2026-11-21'],
    ['2026-11-21 13:30:00+14', '2026-11-20'],
  ])('at %s the earliest today on earth is %s', async (now, today) => {
    expect(await sql`select private.earliest_today(${now}::timestamptz)::text as today`).toEqual([{ today }])
  })
})

describe('a plan', () => {
  test('stores what the lists name, and nothing that a screen derives', async () => {
    const named =
      `id name provider description category total_price member_price max_members owner_max_members
      provider_max_members current_members owner_id owner next_payment currency created_at logo`.split(/\s+/)
    const derived = ['price', 'cycle', 'convenienceFeePercentage', 'is_owner', 'is_member']
    const columns = await columnsOf('shared_subscriptions')
    expect(columns.filter((name) => [...named, ...derived].includes(name))).toEqual(named.sort())
    expect(await columnsOf('subscription_members')).toEqual(
      ['email', 'id', 'is_owner', 'joined_at', 'name', 'subscription_id', 'user_id'], // the name and picture are joined
    )
  })

  test('has an id of its own, which every call takes as text', async () => {
    const [ids] = await sql`select count(distinct id)::int as different,
      bool_and(id ~ '^sub-[0-9]{13}-[0-9a-f]{10}$') as alike
      from (select private.new_plan_id() as id from generate_series(1, 2000)) as made`
    expect(ids).toEqual({ different: 2000, alike: true })
    const others = await sql`
      select table_name || '.' || column_name as found from information_schema.columns
      where table_schema = 'public' and column_name = 'subscription_id' and data_type <> 'text'
      union all
      select p.proname || ' ' || a.name from pg_proc as p, unnest(p.proargnames, p.proargtypes::oid[]) as a (name, type)
      where p.pronamespace = 'public'::regnamespace and a.name like '%subscription_id%'
        and a.type not in ('text'::regtype, 'text[]'::regtype)`
    expect(others).toEqual([])
  })

  test.each([
    ['', 'sub-', 'netflix', '%'],
    [SCRIPT, `sub-${FAMILY}`, MEGABYTE],
  ])('is not found under an id of another shape', async (...strange) => {
    const NOT_FOUND = notFound('Subscription not found')
    for (const id of strange) {
      for (const [person, call] of [
        [olivia, ['select approve_subscription_request($1, $2)', [request, id]]],
        [olivia, ['select reject_subscription_request($1, $2)', [request, id]]],
        [olivia, ['select invite_member($1, $2)', [id, 'a@b.example']]],
        [marc, ['select find_or_create_conversation($1, $2, $3)', [id, olivia.id, marc.id]]],
        [nina, ['insert into subscription_requests (subscription_id) values ($1)', [id]]],
      ] as const)
        await expectRefusal(person.run(call[0], call[1]), NOT_FOUND)
      expect(await olivia.sql`select is_subscription_owner(${id}) as owns`).toEqual([{ owns: false }])
      expect(await olivia.sql`select 1 from shared_subscriptions where id = ${id}`).toEqual([])
    }
  })
})

describe('its owner', () => {
  const change = (column: string, value: string | null, id = netflix.id) =>
    [`update shared_subscriptions set ${column} = $1 where id = $2`, [value, id]] as const
  const TOO_FEW = rule('Cannot set less than 2 members (already joined).')
  const TOO_MANY = rule("Cannot exceed provider's maximum limit of 4 members.")

  // Columns that cannot be changed: authorization/cells/plans.ts.
  test.each([
    ['no places', 'owner_max_members', null, TOO_FEW],
    ['a place less than members', 'owner_max_members', '1', TOO_FEW],
    ['a place more than the provider allows', 'owner_max_members', '5', TOO_MANY],
    ['more than a number', 'owner_max_members', '99999999999', OUT_OF_RANGE],
    ['a number that is none', 'owner_max_members', 'NaN', NO_SUCH_VALUE],
    ['no date', 'next_payment', null, MISSING_DATE],
    ['a date beyond ten years', 'next_payment', day(1, furthest?.day), MISSING_DATE],
    ['a day that is over everywhere', 'next_payment', day(-1), PAST_DATE],
  ] as const)('cannot change it to %s', async (_what, column, value, refusal) => {
    const [text, values] = change(column, value)
    await expectRefusal(olivia.run(text, values), refusal)
  })

  test('moves the places between members and the maximum, the day of renewal, and never the price', async () => {
    const { olivia, plan } = await setTheTable(db)
    for (const [column, value] of [
      ['owner_max_members', '2'],
      ['owner_max_members', '4'],
      ['next_payment', day(0)],
    ] as const) {
      const [text, values] = change(column, value, plan.id)
      const [row] = await olivia.run(`${text} returning ${column}::text, total_price, member_price`, [
        ...values,
      ])
      expect(row).toEqual({ [column]: value, total_price: '19.99', member_price: '5.00' })
    }
  })

  test('decides with the places opened who is refused, and the owner is counted', async () => {
    const [olivia, marc, zoe] = await addPeople(db, ['Olivia', 'Marc', 'Zoe'])
    const plan = await sharePlan(db, olivia, { places: 2 })
    await join(db, marc, plan)
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(rule('Subscription Full'))
    await olivia.sql`update shared_subscriptions set owner_max_members = 4 where id = ${plan.id}`
    await join(db, zoe, plan)
    expect(
      await sql`select current_members, owner_max_members, max_members, provider_max_members
        from shared_subscriptions where id = ${plan.id}`,
    ).toEqual([{ current_members: 3, owner_max_members: 4, max_members: 4, provider_max_members: 4 }])
    for (const [broken, set] of [
      ['one_maximum', 'provider_max_members = 5'],
      ['places_within_provider_maximum', 'provider_max_members = 3, max_members = 3'],
    ] as const)
      expect(
        await refusalOf(db.query(`update shared_subscriptions set ${set} where id = $1`, [plan.id])),
      ).toMatchObject({ message: expect.stringContaining(`"${broken}"`) })
  })
})

describe('cancelling a plan', () => {
  /** Returns the tables with a row that contains one of these ids. */
  const rowsNaming = async (ids: string[]): Promise<string[]> => {
    const tables = await sql<{ name: string }>`select schemaname || '.' || tablename as name from pg_tables
      where schemaname in ('public', 'private') order by 1`
    const found: string[] = []
    for (const { name } of tables) {
      const rows = await db.query(`select 1 from ${name} as t where t::text ~ $1`, [ids.join('|')])
      if (rows.length > 0) found.push(name)
    }
    return found
  }

  test('tells its members, and leaves no row that still names the plan or its chat, but what was paid', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    await ask(db, zoe, plan, 'May I?')
    const chat = await openChat(db, plan, marc)
    await marc.sql`insert into messages (conversation_id, content) values (${chat}, 'Hello')`
    await storeLogin(db, plan)
    const going = ['chat_participants', 'conversations', 'messages', 'shared_subscriptions']
    const goingToo = ['subscription_members', 'subscription_requests', 'user_notifications']
    // The mail with the contract is not sent yet.
    const staying = ['private.outgoing_mail', 'private.seats', 'public.member_payments']
    expect(await rowsNaming([plan.id, chat])).toEqual(
      expect.arrayContaining([...staying, ...[...going, ...goingToo].map((name) => `public.${name}`)]),
    )
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    // Payments stay in the books, with the plan they were for.
    expect(await rowsNaming([plan.id, chat])).toEqual(staying)
    expect(await marc.sql`select subscription_id, share from member_payments`).toEqual([
      { subscription_id: plan.id, share: '5.00' },
    ])
    expect(await marc.sql`select title, message from user_notifications where type = 'warning'`).toEqual([
      { title: 'Subscription Cancelled', message: 'The owner cancelled Netflix Premium.' },
    ])
  })
})

test('while new plans are reviewed one is there for its owner and staff alone, until it is approved', async () => {
  await sql`update app_settings set review_new_plans = true`
  const [olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
  const plan: SharedPlan = { id: (await share(olivia)).id, owner: olivia }
  await sql`update app_settings set review_new_plans = false`
  const staff = await Promise.all(
    ['moderator', 'admin', 'super-admin'].map((role) => addStaff(db, 'Mona', role)),
  )
  const seen = (person: Person) => person.sql`select status from shared_subscriptions where id = ${plan.id}`
  const everybody = async () =>
    Promise.all([olivia, ...staff, zoe].map(async (one) => (await seen(one)).length))
  expect(await everybody()).toEqual([1, 1, 1, 1, 0])
  expect(await refusalOf(ask(db, zoe, plan))).toEqual(notFound('Subscription not found'))
  const approve = `update shared_subscriptions set status = 'active' where id = $1`
  expect(await refusalOf(olivia.run(approve, [plan.id]))).toMatchObject(DENIED)
  await db.query(approve, [plan.id])
  expect(await everybody()).toEqual([1, 1, 1, 1, 1])
})
