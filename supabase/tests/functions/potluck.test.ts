// Seats that are paid through the site: what is held, earned and given back, renewals, failures and ends.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { moveCoins } from '../coins.ts'
import { ownDatabase, type Person } from '../people.ts'
import type { SharedPlan } from '../plans.ts'
import { openTill } from '../till.ts'

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
// Whatever a test leaves is cancelled: nothing may be held then, and no book be wrong before or after.
afterEach(async () => {
  expect(await till.books()).toEqual([])
  await sql`delete from shared_subscriptions`
  await till.work()
  expect(await till.held('held_share', 'held_fee', 'refunds_due')).toBe(0)
  expect(await till.books()).toEqual([])
  expect(await till.failures()).toEqual([])
})

const seat = async () => (await marc.sql`select status, end_reason from my_seats()`)[0]
const seatId = async () => (await marc.sql<{ id: string }>`select id from my_seats()`)[0]?.id ?? ''
const periods = () =>
  marc.sql<{ id: string; status: string; number: number }>`select id, number, status from member_payments
    where member_id = ${marc.id} order by number`
const last = async () => (await periods()).at(-1) ?? { id: '', status: '', number: 0 }
const told = async (person: Person, event: string) =>
  (await person.sql`select id from user_notifications where event = ${event}`).length
const mayGetIn = async () =>
  (await marc.sql<{ may: boolean }>`select private.may_get_in(${plan.id}) as may`)[0]?.may
const enterAndPay = async () => {
  await till.enter(marc, plan)
  await till.work()
}
/** To just after the end of the current period. */
const toBoundary = async (plus = '1 minute') => {
  const [until] = await sql<{
    left: string
  }>`select (max(ends_at) - private.now() + ${plus}::interval)::text as left
    from member_payments where member_id = ${marc.id}`
  return until?.left ?? ''
}
/** What was paid for all periods, and what became of it, in euros. */
const sums = async () =>
  (
    await sql`select sum(coins + card)::float8 as paid, sum(earned_share)::float8 as earned, sum(earned_fee)::float8 as fee,
      sum(returned_share + returned_fee)::float8 as back from member_payments where member_id = ${marc.id}`
  )[0]

describe('a first payment', () => {
  test('is asked for with the approval; the period begins, and the login shows, when it is there', async () => {
    await olivia.sql`insert into subscription_logins (subscription_id, login_name) values (${plan.id}, 'us')`
    await till.enter(marc, plan)
    expect(await seat()).toMatchObject({ status: 'paying' })
    expect(await marc.sql`select starts_at, share, fee from member_payments`).toEqual([
      { starts_at: null, share: '5.00', fee: '0.50' },
    ])
    expect(await marc.sql`select login_name from subscription_logins`).toEqual([])
    await till.pass('3 hours')
    expect(await seat()).toMatchObject({ status: 'active' })
    expect(await marc.sql`select login_name from subscription_logins`).toHaveLength(1)
    const [paid] =
      await marc.sql`select starts_at > now() + interval '2 hours' as begun, card, receipt_number is not null as receipt
      from member_payments`
    expect(paid).toEqual({ begun: true, card: '5.50', receipt: true })
    expect(await olivia.sql`select held, earned, status from plan_seats(${plan.id})`).toEqual([
      { held: '5.00', earned: '0.00', status: 'active' },
    ])
  })

  test('that is declined keeps the place for a day, and is made good with another card', async () => {
    await till.enter(marc, plan)
    await till.work('failed')
    expect(await last()).toMatchObject({ status: 'failed' })
    expect(await told(marc, 'payment-failed')).toBe(1)
    await till.pass('23 hours')
    expect(await seat()).toMatchObject({ status: 'paying' })
    await sql`select private.queue_charge(${(await last()).id})`
    await till.work()
    expect(await seat()).toMatchObject({ status: 'active' })
  })

  test('that is declined or given up ends the seat after a day, and at once the second time in 30 days', async () => {
    await till.enter(marc, plan)
    await till.work('needs-action')
    await till.pass('25 hours')
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'unpaid' })
    expect([await told(marc, 'seat-ended'), await told(olivia, 'member-seat-ended')]).toEqual([1, 1])
    expect(await sql`select current_members from shared_subscriptions where id = ${plan.id}`).toEqual([
      { current_members: 1 },
    ])
    await till.enter(marc, plan)
    await till.work('failed')
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'unpaid' })
    await till.pass('31 days')
    await till.enter(marc, plan)
    await till.work('failed')
    expect(await seat()).toMatchObject({ status: 'paying' })
  })

  test('that arrives when the seat has ended goes back whole', async () => {
    await till.enter(marc, plan)
    const { id } = await last()
    await sql`select take_payment_jobs('simulated', 100)`
    await sql`select record_intent(${id}, ${`pi ${id}`})`
    await marc.sql`select leave_seat(${await seatId()}, true)`
    for (let times = 0; times < 3; times++) await till.report(id, 'succeeded', 5.5)
    expect(await last()).toMatchObject({ status: 'given-back' })
    expect(await till.held('refunds_due')).toBe(5.5)
    await till.work()
    expect(await till.held('refunds_due', 'held_share', 'held_fee')).toBe(0)
  })
})

describe('earning', () => {
  test('moves every 7 days, rounded down, and the rest when the period closes: all that was paid, to the cent', async () => {
    await enterAndPay()
    const [{ days } = { days: 0 }] = await marc.sql<{
      days: number
    }>`select extract(epoch from ends_at - starts_at)::float8 / 86400 as days from member_payments`
    await till.pass('6 days')
    expect(await till.coins(olivia)).toBe(0)
    await till.pass('1 day')
    expect(await till.coins(olivia)).toBe(Math.floor((500 * 7) / days) / 100)
    await till.pass('7 days')
    expect(await till.coins(olivia)).toBe(Math.floor((500 * 14) / days) / 100)
    await marc.sql`select leave_seat(${await seatId()})`
    await till.pass(await toBoundary())
    expect(await sums()).toEqual({ paid: 5.5, earned: 5, fee: 0.5, back: 0 })
    expect(await till.coins(olivia)).toBe(5)
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'over' })
    const [revenue] =
      await sql`select balance::float8 as fees from private.ledger_accounts where kind = 'fees'`
    expect(revenue?.fees).toBeGreaterThanOrEqual(0.5)
  })

  test('leaving now gives nothing back, and the rest is the owner’s at once', async () => {
    await enterAndPay()
    await till.pass('10 days')
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    expect(await sums()).toEqual({ paid: 5.5, earned: 5, fee: 0.5, back: 0 })
    expect(await till.coins(olivia)).toBe(5)
  })

  test.each([
    ['removal', () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`],
    ['cancellation', () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`],
  ])('a %s gives back what is unused, the way it was paid', async (_what, end) => {
    await moveCoins(db, marc, 'earned', 2)
    await till.enter(marc, plan, { coinsFirst: true })
    await till.work()
    expect(await till.coins(marc)).toBe(0)
    await till.pass('3 days')
    const [unused] = await sql<{
      back: number
    }>`select (round(share * part, 2) + round(fee * part, 2))::float8 as back
      from member_payments, extract(epoch from ends_at - private.now()) as rest, extract(epoch from ends_at - starts_at) as whole,
        lateral (select rest / whole as part) as of_it where member_id = ${marc.id}`
    await end()
    const { paid, earned, fee, back } = (await sums()) as Record<string, number>
    expect(paid).toBe(5.5)
    expect(Math.round(((earned ?? 0) + (fee ?? 0) + (back ?? 0)) * 100)).toBe(550)
    expect(Math.abs((back ?? 0) - (unused?.back ?? 0))).toBeLessThan(0.011)
    // The card has paid 3.50 and gets that back first; the rest is coins again.
    expect(await till.held('refunds_due')).toBe(3.5)
    expect(await till.coins(marc)).toBeCloseTo((back ?? 0) - 3.5, 6)
    expect(await told(marc, 'money-given-back')).toBe(1)
    await till.work()
    expect(await till.held('refunds_due', 'held_share', 'held_fee')).toBe(0)
  })
})

describe('a renewal', () => {
  test('is announced 3 days before, once, and charged at the boundary, whether looked for often or late', async () => {
    await enterAndPay()
    await till.pass(await toBoundary('-3 days -1 hour'))
    expect(await told(marc, 'renewal-coming')).toBe(0)
    await till.pass('2 hours')
    await till.pass('1 hour')
    expect(await told(marc, 'renewal-coming')).toBe(1)
    const [{ day } = { day: '' }] = await marc.sql<{
      day: string
    }>`select ends_at::date::text as day from member_payments`
    const sentence = `€5.50 for Netflix Premium is charged on ${day}. You can leave until then.`
    expect(await marc.sql`select message from user_notifications where event = 'renewal-coming'`).toEqual([
      { message: sentence },
    ])
    const mails = sql`select subject from private.outgoing_mail where recipient = ${marc.email}
      and position(${sentence} in html) > 0`
    expect(await mails).toHaveLength(1)
    expect(await periods()).toHaveLength(1)
    await till.pass('3 days')
    expect(await periods()).toMatchObject([{ status: 'closed' }, { status: 'paid' }])
    const [same] =
      await marc.sql`select max(ends_at) filter (where number = 1) = max(starts_at) filter (where number = 2) as same
      from member_payments`
    expect(same).toEqual({ same: true })
  })

  test('that fails is tried after 1, 3 and 5 days with access closed, and then the seat ends', async () => {
    await enterAndPay()
    await till.pass(await toBoundary(), 'failed')
    expect(await seat()).toMatchObject({ status: 'late' })
    expect(await mayGetIn()).toBe(false)
    const tried: number[] = []
    for (const pause of ['23 hours', '1 hour', '1 day', '1 day', '1 day', '1 day']) {
      await sql`update private.clock set ahead = ahead + ${pause}::interval`
      await till.due()
      tried.push(await till.work('failed'))
    }
    expect(tried).toEqual([0, 1, 0, 1, 0, 1])
    // Each attempt says when the next one is.
    const next = marc.sql`select round(extract(epoch from (params ->> 'until')::timestamptz - due_at) / 86400)::integer as days
      from user_notifications, member_payments where event = 'payment-failed' and number = 2 order by 1`
    expect(await next).toEqual([{ days: 1 }, { days: 3 }, { days: 5 }])
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'unpaid' })
    expect(await told(olivia, 'member-seat-ended')).toBe(1)
    expect(await sums()).toEqual({ paid: 5.5, earned: 5, fee: 0.5, back: 0 })
  })

  test('that succeeds late pays from the boundary', async () => {
    await enterAndPay()
    await till.pass(await toBoundary(), 'failed')
    await till.pass('1 day', 'failed')
    expect(await mayGetIn()).toBe(false)
    await till.pass('2 days')
    expect(await seat()).toMatchObject({ status: 'active' })
    expect(await mayGetIn()).toBe(true)
    const [same] =
      await marc.sql`select max(ends_at) filter (where number = 1) = max(starts_at) filter (where number = 2) as same
      from member_payments`
    expect(same).toEqual({ same: true })
  })

  test('is not for a period that is wholly past: whoever comes back after half a year pays for one', async () => {
    await enterAndPay()
    await till.pass('6 months')
    expect(await periods()).toMatchObject([{ number: 1, status: 'closed' }, { status: 'paid' }])
    expect(await sums()).toMatchObject({ paid: 11 })
    // In order: what was earned, the notice, the end of the first period, the next one.
    const told =
      await marc.sql`select event from user_notifications where event like 'payment%' or event like 'renewal%'
      order by created_at, event desc`
    expect(told.map(({ event }) => event)).toEqual(['payment-made', 'renewal-coming', 'payment-made'])
    const [current] =
      await sql`select starts_at <= private.now() and ends_at > private.now() as running from member_payments
      where id = ${(await last()).id}`
    expect(current).toEqual({ running: true })
  })

  test('after a gap in which nothing ran, open deadlines have as much time left as before', async () => {
    await till.enter(marc, plan)
    await till.work('failed')
    const left = async () =>
      (
        await sql`select next_attempt_at - private.now() between interval '23 hours' and interval '25 hours' as good
        from member_payments where member_id = ${marc.id}`
      )[0]?.good
    await sql`update private.clock set ahead = ahead + interval '3 days', beat_at = now() - interval '3 days'`
    await till.due()
    expect(await seat()).toMatchObject({ status: 'paying' })
    expect(await left()).toBe(true)
    await till.pass('26 hours')
    expect(await seat()).toMatchObject({ status: 'ended' })
  })
})
