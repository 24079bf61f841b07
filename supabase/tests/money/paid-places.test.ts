// Seats that are paid through the site: the first payment, renewals, and what is held, earned and refunded.
// Proves WALLET 06 07, PAY 05 06 09 11 21, ACCESS 12 13, CLOCK 01 04
import { describe, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { setThePayingTable } from '../paying.ts'
import { addStaff, denied, notFound, refusalOf, rule } from '../people.ts'
import { recordCharge } from '../till.ts'
import { openLogin, storeLogin } from '../vault-entries.ts'

const { db, sql, till, who, seat, seatId, periods, last, told, mayGetIn, enterAndPay, toBoundary, sums } =
  await setThePayingTable()
type Who = ReturnType<typeof who>

/** True if the second period begins where the first ends. */
const followsOn = async () =>
  (
    await sql`select max(ends_at) filter (where number = 1) = max(starts_at) filter (where number = 2) as it
      from member_payments where member_id = ${who().marc.id}`
  )[0]?.it
const UNPAID = { status: 'ended', end_reason: 'unpaid' }

describe('a first payment', () => {
  test('is asked for with the approval; the period begins, and the login shows, when it is there', async () => {
    const { olivia, marc, plan } = who()
    await storeLogin(db, { ...plan, owner: olivia }, 'v1.us')
    await till.enter(marc, plan)
    expect(await seat()).toMatchObject({ status: 'paying' })
    expect(await marc.sql`select starts_at, share, fee from member_payments`).toEqual([
      { starts_at: null, share: '5.00', fee: '0.50' },
    ])
    expect(await openLogin(marc, plan)).toBeNull()
    expect(await refusalOf(olivia.sql`select end_seat_with_period(${await seatId()})`)).toEqual(
      rule('This member has no paid period, so you can remove them now'),
    )
    const { id } = await last()
    for (const amount of [0, 5.51, null]) {
      const payIn = sql`select private.pay_into(${id}, private.ledger_account('outside'), ${amount}, 'payment', 'k')`
      expect(await refusalOf(payIn)).toEqual(rule('This is more than the period costs'))
    }
    await till.pass('3 hours')
    expect(await seat()).toMatchObject({ status: 'active' })
    expect(await openLogin(marc, plan)).toBe('v1.us')
    expect(
      await marc.sql`select starts_at > now() + interval '2 hours' as begun, card, receipt_number ~ '^\\d{4}-\\d{6}$' as receipt, member_name
        from member_payments`,
    ).toEqual([{ begun: true, card: '5.50', receipt: true, member_name: 'Marc' }])
    expect(await olivia.sql`select held, earned, status from plan_seats(${plan.id})`).toEqual([
      { held: '5.00', earned: '0.00', status: 'active' },
    ])
  })

  test('that the provider cannot be asked for is asked for again after 30 s, 1, 2, 4, 8 and every 15 minutes', async () => {
    await till.enter(who().marc, who().plan)
    const seconds: (number | undefined)[] = []
    for (const attempt of [1, 2, 3, 4, 5, 6, 20]) {
      await sql`update private.payment_jobs set attempts = ${attempt}`
      await sql`select settle_payment_job(id, ${attempt}, 'unreachable') from private.payment_jobs`
      const [job] = await sql<{ left: number }>`
        select 10 * round(extract(epoch from next_attempt_at - clock_timestamp()) / 10)::integer as left from private.payment_jobs`
      seconds.push(job?.left)
    }
    expect(seconds).toEqual([30, 60, 120, 240, 480, 900, 900])
    // Staff are notified once of an error that lasts an hour, although several jobs have the same error.
    const ana = await addStaff(db, 'Ana', 'admin')
    await sql`insert into private.payment_jobs (kind, about, provider, last_error)
      values ('remove-card', 'pm', 'simulated', 'unreachable')`
    for (const [since, times] of [
      ['59 minutes', 0],
      ['60 minutes', 1],
      ['2 hours', 1],
    ] as const) {
      await sql`update private.payment_jobs set failing_since = now() - ${since}::interval`
      await till.due()
      expect(await told(ana, 'payment-jobs-fail')).toBe(times)
    }
    expect(await sql`select from private.outgoing_mail where recipient = ${ana.email}`).toHaveLength(1)
  })

  test('that no worker comes for within an hour is told to staff', async () => {
    const bea = await addStaff(db, 'Bea', 'admin')
    await till.enter(who().marc, who().plan)
    for (const [late, times] of [
      ['59 minutes', 0],
      ['60 minutes', 1],
      ['2 hours', 1],
    ] as const) {
      await sql`update private.payment_jobs set next_attempt_at = now() - ${late}::interval`
      await till.due()
      expect(await told(bea, 'payment-jobs-fail')).toBe(times)
    }
    expect(await till.work()).toBe(1)
  })

  test('that nobody decides keeps the place for a day, and once more where no card is at fault', async () => {
    const { marc, plan } = who()
    await till.enter(marc, plan)
    for (const status of ['paying', 'ended']) {
      await sql`update private.payment_jobs set next_attempt_at = now()`
      await sql`select lease_payment_jobs('simulated', 10)`
      await sql`update private.clock set ahead = ahead + '24 hours'`
      await till.due()
      expect(await seat()).toMatchObject({ status })
    }
    expect(await told(marc, 'payment-failed')).toBe(1)
  })

  test('that is declined keeps the place for a day, and is made good with another card', async () => {
    const { marc, plan } = who()
    await till.enter(marc, plan)
    await till.work('failed')
    expect(await last()).toMatchObject({ status: 'failed' })
    expect(await told(marc, 'payment-failed')).toBe(1)
    await till.pass('23 hours 50 minutes')
    expect(await seat()).toMatchObject({ status: 'paying' })
    await sql`select private.queue_charges(array[${(await last()).id}::uuid])`
    await till.work()
    expect(await seat()).toMatchObject({ status: 'active' })
  })

  test.each([
    ['29 days 23 hours', UNPAID],
    ['30 days', { status: 'paying' }],
  ])(
    'that is given up ends the seat after a day, and that fails again %s later leaves it %j',
    async (time, after) => {
      const { olivia, marc, plan } = who()
      await till.enter(marc, plan)
      await till.work('needs-action')
      await till.pass('23 hours 50 minutes')
      expect(await seat()).toMatchObject({ status: 'paying' })
      await till.pass('10 minutes')
      expect(await seat()).toEqual(UNPAID)
      expect([await told(marc, 'seat-ended'), await told(olivia, 'member-seat-ended')]).toEqual([1, 1])
      expect(await sql`select current_members from shared_subscriptions where id = ${plan.id}`).toEqual([
        { current_members: 1 },
      ])
      await till.pass(time)
      await till.enter(marc, plan)
      await till.work('failed')
      await till.due()
      expect(await seat()).toMatchObject(after)
    },
  )

  test('that arrives when the seat has ended goes back whole', async () => {
    const { marc, plan } = who()
    await till.enter(marc, plan)
    const { id } = await last()
    await sql`select lease_payment_jobs('simulated', 100)`
    await sql`select record_intents(jsonb_build_object(${id}::text, ${`pi ${id}`}::text))`
    await marc.sql`select leave_seat(${await seatId()}, true)`
    for (let times = 0; times < 3; times++) await till.report(id, 'succeeded', 5.5)
    expect(await last()).toMatchObject({ status: 'given-back' })
    expect(await till.held('refunds_due')).toBe(5.5)
    await till.work()
    expect(await till.held('refunds_due', 'held_share', 'held_fee')).toBe(0)
  })

  test.each([
    ['59 minutes', 23],
    ['61 minutes', 24],
    ['3 days', 24],
  ])('has, of its 24 hours, after a gap of %s in which nothing ran, %i left', async (gap, left) => {
    const { marc, plan } = who()
    await till.enter(marc, plan)
    await till.work('failed')
    await sql`update private.clock set ahead = ahead + ${gap}::interval, beat_at = now() - ${gap}::interval`
    await till.due()
    expect(await seat()).toMatchObject({ status: 'paying' })
    expect(
      await sql`select round(extract(epoch from next_attempt_at - private.now()) / 3600)::integer as left
        from member_payments where member_id = ${marc.id}`,
    ).toEqual([{ left }])
    await till.pass('25 hours')
    expect(await seat()).toEqual(UNPAID)
  })
})

describe('a renewal', () => {
  test('is announced 3 days before, once, and charged at the boundary, whether looked for often or late', async () => {
    const { marc } = who()
    await enterAndPay()
    await marc.sql`select set_mail_preference(false)`
    await till.pass(await toBoundary('-3 days -10 minutes'))
    expect(await told(marc, 'renewal-coming')).toBe(0)
    await till.pass('10 minutes')
    await till.pass('1 hour')
    expect(await told(marc, 'renewal-coming')).toBe(1)
    const [{ day } = { day: '' }] = await marc.sql<{
      day: string
    }>`select to_char(ends_at::date, 'FMDD FMMonth YYYY') as day from member_payments`
    const message = `We’ll charge €5.50 for Netflix Premium on ${day}. You can leave before then.`
    expect(await marc.sql`select message from user_notifications where event = 'renewal-coming'`).toEqual([
      { message },
    ])
    // The mail about the renewal is sent immediately, even if Marc has turned mail off or has read the notification.
    await marc.sql`select mark_notifications_as_read(${marc.id})`
    expect(
      await sql`select unsubscribe_path, next_attempt_at <= clock_timestamp() as due
        from private.outgoing_mail where recipient = ${marc.email} and event = 'renewal-coming'`,
    ).toEqual([{ unsubscribe_path: null, due: true }])
    expect(await periods()).toHaveLength(1)
    await till.pass('3 days')
    expect(await periods()).toMatchObject([{ status: 'closed' }, { status: 'paid' }])
    expect(await followsOn()).toBe(true)
  })

  test('that fails is tried after 1, 3 and 5 days with access closed, and then the seat ends', async () => {
    const { olivia, marc } = who()
    await enterAndPay()
    await till.pass(await toBoundary(), 'failed')
    expect([await seat(), await mayGetIn()]).toMatchObject([{ status: 'late' }, false])
    const tried: number[] = []
    for (const pause of ['23 hours', '1 hour', '1 day', '1 day', '1 day', '1 day']) {
      await sql`update private.clock set ahead = ahead + ${pause}::interval`
      await till.due()
      tried.push(await till.work('failed'))
    }
    await till.due()
    expect(tried).toEqual([0, 1, 0, 1, 0, 1])
    // Each failed attempt sets the time of the next one.
    const next = marc.sql`select round(extract(epoch from (params ->> 'until')::timestamptz - due_at) / 86400)::integer as days
      from user_notifications, member_payments where event = 'payment-failed' and number = 2 order by 1`
    expect(await next).toEqual([{ days: 1 }, { days: 3 }, { days: 5 }])
    expect(await seat()).toEqual(UNPAID)
    expect(await told(olivia, 'member-seat-ended')).toBe(1)
    expect(await sums()).toEqual({ paid: 5.5, earned: 5, fee: 0.5, back: 0 })
  })

  test.each([
    ['keeps that card', false, [0, 0, 0], UNPAID],
    ['saves another one', true, [0, 1, 0], { status: 'active', end_reason: null }],
  ])(
    'that is refused for good is not tried again while its member %s',
    async (_what, saves, charges, ends) => {
      const { marc } = who()
      await enterAndPay()
      await sql`update private.clock set ahead = ahead + ${await toBoundary()}::interval`
      await till.due()
      await till.work('failed', 'stolen_card')
      const tried: number[] = []
      for (const pause of ['1 day', '2 days', '2 days']) {
        await sql`update private.clock set ahead = ahead + ${pause}::interval`
        await till.due()
        tried.push(await till.work())
        if (saves)
          await sql`select record_card(${`cus ${marc.id}`}, ${`pm2 ${marc.id}`}, 'visa', '1881', 12, 2040, true)`
      }
      await till.due()
      expect([tried, await seat()]).toEqual([charges, ends])
      const [{ message } = { message: '' }] =
        await marc.sql`select message from user_notifications where event = 'payment-failed' order by created_at`
      expect(message).toMatch(/^Your payment for Netflix Premium .* refuses this card\. Pay with another/)
    },
  )

  test('that nobody decides closes access after a day and ends like a refused one; what arrives then goes back', async () => {
    const { marc } = who()
    await enterAndPay()
    await sql`update private.clock set ahead = ahead + ${await toBoundary()}::interval`
    const goOn = async (pause: string) => {
      await sql`update private.clock set ahead = ahead + ${pause}::interval`
      await till.due()
      await sql`update private.payment_jobs set next_attempt_at = now()`
      await sql`select lease_payment_jobs('simulated', 10)`
    }
    await goOn('0')
    await goOn('23 hours')
    expect([await seat(), await mayGetIn()]).toMatchObject([{ status: 'active' }, true])
    await goOn('1 hour')
    expect([await seat(), await mayGetIn()]).toMatchObject([{ status: 'late' }, false])
    expect(await told(marc, 'payment-failed')).toBe(1)
    for (const pause of ['3 days', '1 day']) await goOn(pause)
    const { id } = await last()
    await sql`select record_intents(jsonb_build_object(${id}::text, ${`pi ${id}`}::text))`
    expect(await seat()).toEqual(UNPAID)
    await till.report(id, 'succeeded', 5.5)
    expect(await till.held('refunds_due')).toBe(5.5)
  })

  test('whose period is wholly past before anybody could charge it is cancelled, and the next one is charged', async () => {
    await enterAndPay()
    await sql`update private.clock set ahead = ahead + ${await toBoundary()}::interval`
    await till.due()
    await sql`update private.clock set ahead = ahead + '40 days'`
    expect(await till.work()).toBe(0)
    await till.due()
    expect(await till.work()).toBe(1)
    expect((await periods()).map(({ status }) => status)).toEqual(['closed', 'cancelled', 'paid'])
  })

  test('that its holder confirms when the period is wholly past goes back whole', async () => {
    const { marc } = who()
    await enterAndPay()
    await till.pass(await toBoundary(), 'needs-action')
    const { id } = await last()
    // No due work has run for 40 days.
    await sql`update private.clock set ahead = ahead + '40 days'`
    await till.report(id, 'succeeded', 5.5)
    expect(await till.held('refunds_due')).toBe(5.5)
    expect(await sql`select status from member_payments where id = ${id}`).toEqual([{ status: 'given-back' }])
    await till.due()
    await till.work()
    expect(await last()).toMatchObject({ number: 3, status: 'paid' })
    expect(await till.books()).toEqual([])
    expect(await till.coins(marc)).toBe(0)
  })

  test('that succeeds late pays from the boundary', async () => {
    await enterAndPay()
    await till.pass(await toBoundary(), 'failed')
    await till.pass('1 day', 'failed')
    expect(await mayGetIn()).toBe(false)
    await till.pass('2 days')
    expect([await seat(), await mayGetIn()]).toMatchObject([{ status: 'active' }, true])
    expect(await followsOn()).toBe(true)
  })

  test('is not for a period that is wholly past: whoever comes back after half a year pays for one', async () => {
    const { marc } = who()
    await enterAndPay()
    await till.pass('6 months')
    expect(await periods()).toMatchObject([{ number: 1, status: 'closed' }, { status: 'paid' }])
    expect(await sums()).toMatchObject({ paid: 11 })
    // In order: earnings, the notice, the end of the first period, the next one.
    const told =
      await marc.sql`select event from user_notifications where event ~ '^(payment|contract|renewal)-'
        order by created_at, event desc`
    expect(told.map(({ event }) => event)).toEqual(['payment-made', 'renewal-coming', 'payment-made'])
    const [current] = await sql`select private.now() between starts_at and ends_at as running
      from member_payments where id = ${(await last()).id}`
    expect(current).toEqual({ running: true })
  })

  test('that is booked with others is booked as it is by itself', async () => {
    const { marc, plan } = who()
    const nina = await till.payer('Nina')
    for (const person of [marc, nina]) await till.enter(person, plan)
    await till.work()
    await sql`update private.clock set ahead = ahead + ${await toBoundary()}::interval`
    await till.due()
    await sql`select lease_payment_jobs('simulated', 10)`
    await sql`select record_intents(jsonb_build_object(payment_id, 'pi ' || payment_id)) from private.charges where intent is null`
    const [one] = await sql<{
      id: string
    }>`select id from member_payments where member_id = ${nina.id} and number = 2`
    const outcome = { status: 'succeeded', amount: 5.5 }
    expect(await recordCharge(sql, { intent: `pi ${(await last()).id}`, ...outcome })).toEqual([])
    await sql`select private.record_charge(${`pi ${one?.id}`}, 'succeeded', null, 5.5, 0, false)`
    const booked = ({ id }: { id: string }) =>
      sql`select to_jsonb(m) - '{id,seat_id,member_id,member_name,reference,receipt_number,paid_at}'::text[] as payment,
          to_jsonb(s) - '{id,member_id,opened_at,begins_at_once_at,admitted_at,access_given_at,next_at}'::text[] as seat, date_trunc('minute', s.next_at) as next,
          to_jsonb(c) - '{payment_id,intent,tried_id,created_at}'::text[] as charge,
          (select jsonb_agg(event order by event) from user_notifications where user_id = ${id}) as told,
          (select jsonb_agg(to_jsonb(array[t.kind, a.kind, t.amount::text, t.description]) order by t.id) from private.ledger_transfers as t
            join private.ledger_accounts as a on a.id = t.to_account where t.payment_id = m.id) as moved
        from member_payments as m join private.seats as s on s.id = m.seat_id join private.charges as c on c.payment_id = m.id
        where m.member_id = ${id} and m.number = 2`
    expect(await booked(marc)).toEqual(await booked(nina))
  })

  test('that cannot be charged keeps its error, and those that are charged with it are charged', async () => {
    const { marc, plan } = who()
    const nina = await till.payer('Nina')
    for (const person of [marc, nina]) await till.enter(person, plan)
    await sql`update member_payments set share = 99999999 where member_id = ${marc.id}`
    expect(await till.work()).toBe(1)
    expect(
      await sql`select m.member_id, j.attempts from private.payment_jobs as j
      join member_payments as m on m.id::text = j.about where j.last_error ~ 'out of range'`,
    ).toEqual([{ member_id: marc.id, attempts: 1 }])
    expect(await single(sql`select status from member_payments where member_id = ${nina.id}`)).toBe('paid')
  })

  test('that cannot be done moves nothing, and those that are due with it are done', async () => {
    const { olivia, marc, plan } = who()
    const nina = await till.payer('Nina')
    await till.enter(nina, plan)
    await enterAndPay()
    await sql`update private.seats set anchor = '5874897-12-01' where member_id = ${nina.id}`
    await till.pass(await toBoundary())
    expect(await till.failures()).toHaveLength(1)
    const failing = sql`select waiting::int, tried::int, error from private.queue_states() where queue = 'places'`
    expect(await failing).toEqual([{ waiting: 1, tried: 1, error: expect.stringContaining('out of range') }])
    expect(await periods()).toMatchObject([{ status: 'closed' }, { status: 'paid' }])
    expect(await nina.sql`select status, earned_share from member_payments`).toEqual([
      { status: 'paid', earned_share: '0.00' },
    ])
    expect(await till.coins(olivia)).toBe(5)
    expect(await till.books()).toEqual([])
    await sql`update private.seats set anchor = (select anchor from private.seats where member_id = ${marc.id})
      where member_id = ${nina.id}`
    await till.pass('1 day')
    expect(await till.coins(olivia)).toBe(10)
  })
})

describe('what is earned', () => {
  test('moves every 7 days, rounded down, and the rest when the period closes: all that was paid, to the cent', async () => {
    const { olivia, marc } = who()
    await enterAndPay()
    const [{ days } = { days: 0 }] = await marc.sql<{
      days: number
    }>`select extract(epoch from ends_at - starts_at)::float8 / 86400 as days from member_payments`
    for (const [time, earned] of [
      ['6 days 23 hours', 0],
      ['1 hour', 7],
      ['6 days 23 hours', 7],
      ['1 hour', 14],
    ] as const) {
      await till.pass(time)
      expect(await till.coins(olivia)).toBe(Math.floor((500 * earned) / days) / 100)
    }
    await marc.sql`select leave_seat(${await seatId()})`
    await till.pass(await toBoundary())
    expect(await sums()).toEqual({ paid: 5.5, earned: 5, fee: 0.5, back: 0 })
    expect(await till.coins(olivia)).toBe(5)
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'over' })
    expect(await till.held('fees')).toBeGreaterThanOrEqual(0.5)
  })

  test('is all of it at once when a member leaves after the time to withdraw, who gets nothing back', async () => {
    const { olivia, marc } = who()
    await enterAndPay()
    await till.pass('16 days')
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
  ])('is what was used at a %s, and the rest goes back the way it was paid', async (_what, end) => {
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
    const { paid = 0, earned = 0, fee = 0, back = 0 } = (await sums()) as Record<string, number>
    expect(paid).toBe(5.5)
    expect(Math.round((earned + fee + back) * 100)).toBe(550)
    expect(Math.abs(back - (unused?.back ?? 0))).toBeLessThan(0.011)
    // The card paid 3.50, which is refunded first; the rest is refunded as coins.
    expect(await till.held('refunds_due')).toBe(3.5)
    expect(await till.coins(marc)).toBeCloseTo(back - 3.5, 6)
    expect(await told(marc, 'money-given-back')).toBe(1)
    await till.work()
    expect(await till.held('refunds_due', 'held_share', 'held_fee')).toBe(0)
  })

  test('is no more than a refund by hand has left', async () => {
    const { olivia } = who()
    await enterAndPay()
    const { id } = await last()
    await sql`select record_refund(null, 're_hand', 'succeeded', null, ${`pi ${id}`}, 3)`
    await till.pass('21 days')
    expect(await till.coins(olivia)).toBe(2)
    await till.pass(await toBoundary())
    expect(await till.coins(olivia)).toBe(2)
  })

  test.each([
    ['because the card has it already', 'queued', 'charge_already_refunded', 0, ['failed']],
    ['for want of money, after it was accepted', 'pending', 'insufficient_funds', 0, ['failed', 'succeeded']],
    ['for want of money, after it was made', 'succeeded', 'insufficient_funds', 0, ['failed', 'succeeded']],
    ['for good, after it was made', 'succeeded', 'lost_or_stolen_card', 5.5, ['failed']],
  ])('of a refund that fails %s is right in the books', async (_why, first, reason, coins, ends) => {
    const { olivia, marc, plan } = who()
    await enterAndPay()
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    const [{ id } = { id: '' }] = await sql<{
      id: string
    }>`select id from private.refunds where status = 'queued'`
    const reference = first === 'queued' ? null : `re_${id}`
    if (reference) await sql`select record_refund(${id}, ${reference}, ${first}, null)`
    await sql`select record_refund(${id}, ${reference}, 'failed', ${reason})`
    expect(await till.books()).toEqual([])
    await till.work()
    expect(await till.books()).toEqual([])
    expect([await till.coins(marc), await till.held('refunds_due')]).toEqual([coins, 0])
    const refunds =
      await sql`select r.status from private.refunds as r join member_payments as m on m.id = r.payment_id
      where m.member_id = ${marc.id} order by r.status`
    expect(refunds.map(({ status }) => status)).toEqual(ends)
  })

  test('by card waits for 30 days before it, or anything else in the wallet, is paid out', async () => {
    const { olivia } = who()
    await moveCoins(db, olivia, 'earned', 20)
    await addBankAccount(db, olivia)
    const { id } = await olivia.insert('withdrawal_requests', { amount: '20' })
    const approve = () =>
      sql`update withdrawal_requests set status = 'processing' where id = ${id} returning status`
    await enterAndPay()
    await till.pass('7 days')
    const [{ day } = { day: '' }] = await sql<{ day: string }>`
      select to_char((private.now() + interval '30 days') at time zone 'utc', 'FMDD FMMonth YYYY') as day`
    await till.pass('29 days 23 hours')
    expect(await refusalOf(approve())).toEqual(
      rule(`This withdrawal has to wait until ${day}, as a bank may take back their first payments`),
    )
    await till.pass('1 hour')
    expect(await approve()).toEqual([{ status: 'processing' }])
  })
})

test('the provider of payments is not simulated where others reach the site, nor real after that, nor what it says lost', async () => {
  expect(await refusalOf(sql`select report_payment_provider('stripe', 'test', 'pk_test')`)).toEqual(
    denied('This database holds simulated payments: real ones begin in a new one'),
  )
  const exposed = (call: string) =>
    db.transaction(async (tx) => {
      await tx.query(`select set_config('app.settings.sheltered', 'off', true)`)
      await tx.query(`select ${call}`)
    })
  for (const call of [`report_payment_provider('simulated', 'test', null)`, `remember_simulated('a', '{}')`])
    expect(await refusalOf(exposed(call))).toEqual(
      denied('Payments are simulated only where nobody else can reach the site'),
    )
  await sql`select record_unknown_event('evt_1', 'charge.succeeded', 'ch_1')`
  const ada = await addStaff(db, 'Ada', 'admin')
  const review = (id: string, finding: string) => ada.sql`select review_payment_event(${id}, ${finding})`
  expect(await refusalOf(review('evt_2', 'Ours'))).toEqual(notFound('Payment event not found'))
  expect(await refusalOf(review('evt_1', ' '))).toEqual(rule('Please say what you found'))
  await review('evt_1', 'Of another site')
  expect(await refusalOf(review('evt_1', 'Ours'))).toEqual({
    code: 'PT409',
    message: 'Someone already looked at this event',
  })
})
