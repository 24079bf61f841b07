// From payment to access: when it begins, what confirms it, and what goes back where there is none.
import { beforeEach, expect, test } from 'vitest'
import { columnOf, expectRefusal, single } from '../answers.ts'
import { moveCoins } from '../coins.ts'
import { ownDatabase, type Person, rule } from '../people.ts'
import type { SharedPlan } from '../plans.ts'
import { openTill } from '../till.ts'
import { openEntry, storeEntry } from '../vault-entries.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
let olivia: Person
let marc: Person
let plan: SharedPlan
beforeEach(async () => {
  olivia = await till.payer('Olivia')
  marc = await till.payer('Marc')
  plan = await till.share(olivia)
})

const seat = async () => (await marc.sql`select * from my_seats() order by opened_at desc`)[0]
const seatId = () => single(marc.sql`select id from my_seats() order by opened_at desc`)
const payment = async () =>
  (
    await marc.sql`select *, date_part('day', ends_at - starts_at)::int as days from member_payments
      order by created_at desc limit 1`
  )[0]
const told = async (person: Person, event: string) =>
  (await person.sql`select id from user_notifications where event = ${event}`).length
/** Marc is let in and has paid; the owner has not given access. */
const pay = async () => {
  await till.enter(marc, plan, { access: false })
  await till.work()
}
const BEGUN = { starts_at: expect.anything() }
const GIVEN_BACK = {
  status: 'given-back',
  earned_share: '0.00',
  returned_share: '5.00',
  returned_fee: '0.50',
}
const removed = () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`
const cancelled = () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`

test('a paid place waits for access, with one clock for both; the first period begins when it is given', async () => {
  await pay()
  const access_due_at = (await seat())?.access_due_at
  expect(await olivia.sql`select access_due_at, access_works, status from plan_seats(${plan.id})`).toEqual([
    { access_due_at, access_works: false, status: 'active' },
  ])
  const left = sql`select extract(epoch from access_due_at - private.now())::integer from private.seats
    where member_id = ${marc.id}`
  expect(await single(left)).toBeGreaterThan(48 * 3600 - 60)
  expect(await payment()).toMatchObject({ status: 'paid', starts_at: null, ends_at: null })
  await till.pass('30 hours')
  await olivia.sql`select give_access(${await seatId()}, ' marc@example.com ')`
  expect(await payment()).toMatchObject({ earned_share: '0.00', ...BEGUN })
  expect((await payment())?.days).toBeGreaterThan(26)
  const given = { invited_address: 'marc@example.com', access_due_at: null, access_works: false }
  expect(await seat()).toMatchObject(given)
  expect(await told(marc, 'access-given')).toBe(1)
  await till.pass('48 hours')
  expect(await seat()).toMatchObject({ access_works: true })
})

test('48 hours without access give all back and end the seat; the owner was reminded at 24', async () => {
  await pay()
  await till.pass('23 hours 55 minutes')
  expect(await told(olivia, 'access-reminder')).toBe(0)
  await till.pass('10 minutes')
  expect(await told(olivia, 'access-reminder')).toBe(1)
  await till.pass('23 hours 50 minutes')
  expect(await seat()).toMatchObject({ status: 'active' })
  await till.pass('10 minutes')
  expect(await seat()).toMatchObject({ status: 'ended', end_reason: 'no-access' })
  expect(await payment()).toMatchObject(GIVEN_BACK)
  expect([await told(marc, 'seat-ended'), await told(olivia, 'member-seat-ended')]).toEqual([1, 1])
  await till.work()
  expect([await till.held('refunds_due'), await till.books()]).toEqual([0, []])
})

test.each([
  ['the member leaves', () => marc.sql`select leave_seat(id, true) from my_seats() where ended_at is null`],
  ['the owner removes', removed],
  ['the plan is cancelled', cancelled],
])('all goes back when %s before there is access', async (_how, end) => {
  await pay()
  await till.pass('10 hours')
  await end()
  await till.work()
  expect(await payment()).toMatchObject(GIVEN_BACK)
})

test('a stored entry is access, also for whoever joins later, and stands in the timeline of a problem', async () => {
  await pay()
  await storeEntry(db, plan)
  expect(await payment()).toMatchObject(BEGUN)
  expect([await told(marc, 'access-given'), await told(marc, 'access-changed')]).toEqual([1, 0])
  await storeEntry(db, plan)
  expect([await told(marc, 'access-given'), await told(marc, 'access-changed')]).toEqual([1, 1])
  marc = await till.payer('Mia')
  await pay()
  expect(await payment()).toMatchObject(BEGUN)
  await openEntry(marc, plan)
  const problem = await single(marc.sql`select report_problem(${await seatId()}, 'password')`)
  expect(
    await olivia.sql`select kind, person_name, note from problem_timeline(${problem}) where kind like 'vault%'`,
  ).toEqual([
    { kind: 'vault-version', person_name: 'Olivia', note: '1' },
    { kind: 'vault-version', person_name: 'Olivia', note: '2' },
    { kind: 'vault-opened', person_name: 'Mia', note: '2' },
  ])
})

test('nobody is paid for a time in which a bank had the money back before there was access', async () => {
  await pay()
  const id = (await payment())?.id
  const dispute = (status: string) =>
    sql`select record_dispute(${`dp ${id}`}, ${`pi ${id}`}, 5.5, ${status}, 'fraudulent', null)`
  await dispute('needs_response')
  expect(await seat()).toMatchObject({ end_reason: 'disputed' })
  await dispute('won')
  await till.work()
  expect(await payment()).toMatchObject(GIVEN_BACK)
  expect([await till.coins(olivia), await till.books()]).toEqual([0, []])
})

test('it works when its member says so, whether or not the owner has said anything', async () => {
  await pay()
  await marc.sql`select confirm_access(${await seatId()})`
  expect(await seat()).toMatchObject({ access_works: true, access_due_at: null })
  expect(await payment()).toMatchObject(BEGUN)
  expect(await told(olivia, 'access-confirmed')).toBe(1)
  const late = olivia.sql`select give_access(${await seatId()}, 'x')`
  await expectRefusal(late, rule('This member has said that it works'))
})

test('the time for access is kept when nobody looked at the clock for a while', async () => {
  await pay()
  await sql`update private.clock set beat_at = now() - interval '5 hours'`
  const before = String((await seat())?.access_due_at)
  await till.due()
  expect(
    await sql`select access_due_at - ${before}::timestamptz > interval '4 hours' as later from private.seats
      where member_id = ${marc.id}`,
  ).toEqual([{ later: true }])
})

test.each([
  ['is removed', removed],
  ['sees the plan cancelled', cancelled],
  [
    'sees the owner close their account',
    () => cancelled().then(() => olivia.sql`select delete_own_account(true)`),
  ],
] as const)('a member who %s gets back what is unused, the card first, then coins', async (_what, end) => {
  await moveCoins(db, marc, 'earned', 2, 'A gift')
  await till.enter(marc, plan, { coinsFirst: true })
  await till.work()
  expect(await payment()).toMatchObject({ coins: '2.00', card: '3.50' })
  await till.pass('2 days')
  await end()
  await till.work()
  const [period] = await sql<{ id: string; back: number; unused: number }>`
    select id, (returned_share + returned_fee)::float8 as back, (round(share * part, 2) + round(fee * part, 2))::float8 as unused
    from (select *, extract(epoch from ends_at - closed_at) / extract(epoch from ends_at - starts_at) as part
      from member_payments where member_id = ${marc.id}) as period`
  expect(period?.back).toBeGreaterThan(4)
  expect(period?.back).toBeCloseTo(period?.unused ?? 0, 2)
  const refunds = sql`select amount::float8 from private.refunds where payment_id = ${period?.id}`
  expect(await columnOf(refunds)).toEqual([3.5])
  expect(await till.coins(marc)).toBeCloseTo((period?.back ?? 0) - 3.5, 2)
  // The seat, its periods and the books outlive whatever ended it.
  expect(await columnOf(sql`select status from private.seats where member_id = ${marc.id}`)).toEqual([
    'ended',
  ])
  expect(await till.books()).toEqual([])
})
