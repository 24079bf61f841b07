// Seats that are paid through the site: the first payment, what is held, earned and given back.
import { describe, expect, test } from 'vitest'
import { moveCoins } from '../coins.ts'
import { setThePayingTable } from '../paying.ts'

const { db, sql, till, who, seat, seatId, last, told, enterAndPay, toBoundary, sums } =
  await setThePayingTable()
type Who = ReturnType<typeof who>

describe('a first payment', () => {
  test('is asked for with the approval; the period begins, and the login shows, when it is there', async () => {
    const { olivia, marc, plan } = who()
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
    const { marc, plan } = who()
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
    const { olivia, marc, plan } = who()
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
    await till.due()
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'unpaid' })
    await till.pass('31 days')
    await till.enter(marc, plan)
    await till.work('failed')
    expect(await seat()).toMatchObject({ status: 'paying' })
  })

  test('that arrives when the seat has ended goes back whole', async () => {
    const { marc, plan } = who()
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
    const { olivia, marc } = who()
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
    const { olivia, marc } = who()
    await enterAndPay()
    await till.pass('10 days')
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    expect(await sums()).toEqual({ paid: 5.5, earned: 5, fee: 0.5, back: 0 })
    expect(await till.coins(olivia)).toBe(5)
  })

  test.each([
    [
      'removal',
      ({ olivia, marc }: Who) => olivia.sql`delete from subscription_members where user_id = ${marc.id}`,
    ],
    [
      'cancellation',
      ({ olivia, plan }: Who) => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`,
    ],
  ])('a %s gives back what is unused, the way it was paid', async (_what, end) => {
    const { marc, plan } = who()
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
    await end(who())
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
