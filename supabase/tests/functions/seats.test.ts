// A membership and its seat are one: however one comes or goes, the other does.
import { describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { addPerson, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { ask, join, setTheTable, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()

const seatsOf = (person: Person) =>
  sql`select settlement, status, share, end_reason, ended_by from private.seats where member_id = ${person.id} order by opened_at`
const seatOf = async (person: Person) =>
  (await person.sql<{ id: string }>`select id from my_seats() where ended_at is null`)[0]?.id ?? ''
const LIVING = { settlement: 'direct', status: 'active', share: '5.00', end_reason: null, ended_by: null }
const periods = (person: Person) =>
  person.sql`select number, status, share, fee, amount, ends_at > now() + interval '27 days' as long
    from member_payments where member_id = ${person.id} order by created_at, number`

describe('a seat opens', () => {
  test('with the approval of a request, its first period due at once', async () => {
    const { marc } = await setTheTable(db)
    expect(await seatsOf(marc)).toEqual([LIVING])
    expect(await periods(marc)).toEqual([
      { number: 1, status: 'due', share: '5.00', fee: '0.00', amount: '5.00', long: true },
    ])
  })

  test('with an invitation that is accepted', async () => {
    const { zoe, plan } = await setTheTable(db)
    const { invited, accept } = invitationsIn(db)
    await accept(zoe, (await invited(plan, zoe)).token)
    expect(await seatsOf(zoe)).toEqual([LIVING])
  })

  test('with a membership that the server writes, and never for an owner', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    await sql`select private.add_member(${plan.id}, ${zoe.id}, false)`
    expect(await seatsOf(zoe)).toEqual([LIVING])
    expect(await seatsOf(olivia)).toEqual([])
  })

  test('and a yearly plan is paid in instalments of the month', async () => {
    const [olivia, marc] = [await addPerson(db, 'Olivia'), await addPerson(db, 'Marc')]
    const plan = await sharePlan(db, olivia, { catalogueId: 'nintendo-switch-online-family' })
    await join(db, marc, plan)
    const [quote] = await marc.sql<{
      quote: { share: number; instalments: number[] }
    }>`select quote_plan(${plan.id}) as quote`
    const [paid] = await marc.sql`select share::float8 as share from member_payments`
    expect(paid?.share).toBe(quote?.quote.share)
    expect(quote?.quote.instalments).toHaveLength(12)
    const [year] = await sql<{ share: number }>`select member_price::float8 as share
      from shared_subscriptions where id = ${plan.id}`
    expect(quote?.quote.instalments.reduce((a, b) => a + b, 0)).toBeCloseTo(year?.share ?? 0, 6)
  })
})

describe('a seat ends', () => {
  test.each([
    ['leaves', 'left', 'marc'],
    ['is removed', 'removed', 'olivia'],
  ] as const)('when its member %s', async (_how, reason, by) => {
    const table = await setTheTable(db)
    await table[by].sql`delete from subscription_members where user_id = ${table.marc.id}`
    expect(await seatsOf(table.marc)).toEqual([
      { ...LIVING, status: 'ended', end_reason: reason, ended_by: table[by].id },
    ])
    expect(await periods(table.marc)).toMatchObject([{ status: 'cancelled' }])
    await join(db, table.marc, table.plan)
    expect(await seatsOf(table.marc)).toMatchObject([{ status: 'ended' }, { status: 'active' }])
  })

  test('when its plan is cancelled, and both sides still see it', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    const ended = { subscription_id: plan.id, status: 'ended', end_reason: 'cancelled' }
    expect(await marc.sql`select * from my_seats()`).toMatchObject([ended])
    expect(await olivia.sql`select * from plan_seats(${plan.id})`).toMatchObject([
      { member_name: 'Marc', status: 'ended', end_reason: 'cancelled' },
    ])
    for (const side of [olivia, marc])
      expect(await side.sql`select status from member_payments`).toEqual([{ status: 'cancelled' }])
  })

  test('with its member’s account, which stays as nobody’s', async () => {
    const { marc, plan, olivia } = await setTheTable(db)
    await marc.sql`select delete_own_account()`
    expect(await olivia.sql`select member_name, end_reason from plan_seats(${plan.id})`).toEqual([
      { member_name: 'Deleted account', end_reason: 'left' },
    ])
  })

  test('once only, however many end it at once', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    await Promise.allSettled([
      marc.sql`delete from subscription_members where user_id = ${marc.id}`,
      olivia.sql`delete from subscription_members where user_id = ${marc.id}`,
      olivia.sql`delete from shared_subscriptions where id = ${plan.id}`,
      marc.sql`select leave_seat(${await seatOf(marc)}, true)`,
    ])
    expect(await seatsOf(marc)).toMatchObject([{ status: 'ended' }])
    expect(await sql`select id from subscription_members where user_id = ${marc.id}`).toEqual([])
  })
})

describe('leaving', () => {
  test('is at the end of the period by default, and can be taken back until then', async () => {
    const { olivia, marc } = await setTheTable(db)
    const seat = await seatOf(marc)
    const [left] = await marc.sql<{ at: string }>`select leave_seat(${seat})::text as at`
    const [period] = await marc.sql`select ends_at::text as at from member_payments`
    expect(left).toEqual(period)
    expect(await marc.sql`select status, may_stay, end_reason from my_seats()`).toEqual([
      { status: 'ending', may_stay: true, end_reason: null },
    ])
    expect(
      await olivia.sql`select title from user_notifications where event = 'member-will-leave'`,
    ).toHaveLength(1)
    await marc.sql`select stay(${seat})`
    expect(await marc.sql`select status, may_stay from my_seats()`).toEqual([
      { status: 'active', may_stay: false },
    ])
    expect(await refusalOf(marc.sql`select stay(${seat})`)).toEqual(rule('You have not said that you leave'))
  })

  test('now ends the place at once', async () => {
    const { marc, plan } = await setTheTable(db)
    await marc.sql`select leave_seat(${await seatOf(marc)}, true)`
    expect(await sql`select current_members from shared_subscriptions where id = ${plan.id}`).toEqual([
      { current_members: 1 },
    ])
    expect(await marc.sql`select status, end_reason from my_seats()`).toEqual([
      { status: 'ended', end_reason: 'left' },
    ])
  })
})

test('the login name is for the owner and for seats that are let in', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  await olivia.sql`insert into subscription_logins (subscription_id, login_name) values (${plan.id}, 'us')`
  const login = (person: Person) => person.sql`select login_name from subscription_logins`
  expect([await login(olivia), await login(marc), await login(zoe)].map((rows) => rows.length)).toEqual([
    1, 1, 0,
  ])
  // Who pays through the site is let in once that is paid, and not while a renewal is missing.
  const change = (settings: string) =>
    db.query(`update private.seats set ${settings} where member_id = $1`, [marc.id])
  await change(`settlement = 'potluck', anchor = null, admitted_at = null`)
  expect(await login(marc)).toEqual([])
  await change('admitted_at = now()')
  expect(await login(marc)).toHaveLength(1)
  await change('late_since = now()')
  expect(await login(marc)).toEqual([])
})

test('a plan is paid through the site only where that takes payments, and is worth a charge', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const share = (catalogueId: string, who = olivia) =>
    who.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, settlement)
      values (${catalogueId}, 2, current_date + 30, 'potluck')`
  expect(await refusalOf(share('netflix-premium'))).toEqual(
    rule('This site takes no payments, so members pay you directly'),
  )
  expect(
    await refusalOf(sql`insert into shared_subscriptions (owner_id, catalogue_plan_id, owner_max_members, next_payment, settlement)
      values (${olivia.id}, 'nintendo-switch-online-family', 2, current_date + 30, 'potluck')`),
  ).toEqual(rule('Less than €1.00 a month is too little for a card, so members pay you directly'))
})

test('whoever asks may choose to pay with coins first', async () => {
  const { olivia, zoe, plan } = await setTheTable(db)
  await zoe.sql`insert into subscription_requests (subscription_id, coins_first) values (${plan.id}, true)`
  const [request] = await sql<{ id: string }>`select id from subscription_requests where user_id = ${zoe.id}`
  await olivia.sql`select approve_subscription_request(${request?.id}, ${plan.id})`
  expect(await zoe.sql`select coins_first from my_seats()`).toEqual([{ coins_first: true }])
  await zoe.sql`select use_coins_first(${await seatOf(zoe)}, false)`
  expect(await zoe.sql`select coins_first from my_seats()`).toEqual([{ coins_first: false }])
  expect(await ask(db, await addPerson(db, 'Nina'), plan)).not.toBe('')
})
