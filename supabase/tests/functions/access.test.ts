// From payment to access, and what a problem does to payments and their dates.
import { beforeEach, describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addStaff, denied, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
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

interface Seat extends Record<string, unknown> {
  id: string
  status: string
}
const seat = async () => (await marc.sql<Seat>`select * from my_seats() order by opened_at desc`)[0]
const seatId = async () => (await seat())?.id ?? ''
const payment = async (number = 1) =>
  (
    await marc.sql<
      Record<string, string>
    >`select *, date_part('day', ends_at - starts_at) as days from member_payments
      where number = ${number} order by created_at desc limit 1`
  )[0]
const told = async (person: Person, event: string) =>
  (await person.sql`select id from user_notifications where event = ${event}`).length
const pay = async (access: boolean) => {
  await till.enter(marc, plan, { access })
  await till.work()
}
const report = async () => {
  await marc.sql`select report_problem(${await seatId()}, 'password', 'It says wrong password')`
  return (await seat())?.problem_id as string
}
const toBoundary = async (plus: string) => {
  const [left] = await sql<{
    left: string
  }>`select (max(ends_at) - private.now() + ${plus}::interval)::text as left
    from member_payments where member_id = ${marc.id}`
  return left?.left ?? ''
}

describe('a place that is paid', () => {
  test('waits for access, with one clock for both; the first period begins when it is given', async () => {
    await pay(false)
    const [theirs] = await olivia.sql`select access_due_at, access_works, status from plan_seats(${plan.id})`
    expect(theirs).toEqual({
      access_due_at: (await seat())?.access_due_at,
      access_works: false,
      status: 'active',
    })
    const [time] = await sql<{
      left: number
    }>`select extract(epoch from access_due_at - private.now())::integer as left
      from private.seats where member_id = ${marc.id}`
    expect(time?.left).toBeGreaterThan(48 * 3600 - 60)
    expect(await payment()).toMatchObject({ status: 'paid', starts_at: null, ends_at: null })
    await till.pass('30 hours')
    await olivia.sql`select give_access(${await seatId()}, ' marc@example.com ')`
    expect(await payment()).toMatchObject({ earned_share: '0.00', starts_at: expect.anything() })
    expect(Number((await payment())?.days)).toBeGreaterThan(26)
    expect(await seat()).toMatchObject({
      invited_address: 'marc@example.com',
      access_due_at: null,
      access_works: false,
    })
    expect(await told(marc, 'access-given')).toBe(1)
    await till.pass('48 hours')
    expect(await seat()).toMatchObject({ access_works: true })
  })

  test('gives all back after 48 hours without access, and the seat ends; the owner was reminded at 24', async () => {
    await pay(false)
    await till.pass('23 hours 55 minutes')
    expect(await told(olivia, 'access-reminder')).toBe(0)
    await till.pass('10 minutes')
    expect(await told(olivia, 'access-reminder')).toBe(1)
    await till.pass('23 hours 50 minutes')
    expect(await seat()).toMatchObject({ status: 'active' })
    await till.pass('10 minutes')
    expect(await seat()).toMatchObject({ status: 'ended', end_reason: 'no-access' })
    expect(await payment()).toMatchObject({
      status: 'given-back',
      returned_share: '5.00',
      returned_fee: '0.50',
    })
    expect([await told(marc, 'seat-ended'), await told(olivia, 'member-seat-ended')]).toEqual([1, 1])
    await till.work()
    expect(await till.held('refunds_due')).toBe(0)
    expect(await till.books()).toEqual([])
  })

  test.each([
    ['the member leaves', () => marc.sql`select leave_seat(id, true) from my_seats() where ended_at is null`],
    ['the owner removes', () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`],
    ['the plan is cancelled', () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`],
  ])('gives all back when %s before there is access', async (_how, end) => {
    await pay(false)
    await till.pass('10 hours')
    await end()
    await till.work()
    expect(await payment()).toMatchObject({
      status: 'given-back',
      returned_share: '5.00',
      returned_fee: '0.50',
    })
  })

  test('has access as soon as what gets people in is in the vault, and whoever joins later from the payment on', async () => {
    await pay(false)
    await storeEntry(db, plan)
    expect(await payment()).toMatchObject({ starts_at: expect.anything() })
    expect([await told(marc, 'access-given'), await told(marc, 'access-changed')]).toEqual([1, 0])
    await storeEntry(db, plan)
    expect([await told(marc, 'access-given'), await told(marc, 'access-changed')]).toEqual([1, 1])
    marc = await till.payer('Mia')
    await pay(false)
    expect(await payment()).toMatchObject({ starts_at: expect.anything() })
    const { version } = await openEntry(marc, plan)
    const problem = await report()
    expect(
      await olivia.sql`select kind, person_name, note from problem_timeline(${problem}) where kind like 'vault%'`,
    ).toEqual([
      { kind: 'vault-version', person_name: 'Olivia', note: '1' },
      { kind: 'vault-version', person_name: 'Olivia', note: '2' },
      { kind: 'vault-opened', person_name: 'Mia', note: `${version}` },
    ])
  })

  test('is paid for by nobody where a bank took the money and gave it back before there was access', async () => {
    await pay(false)
    const { id = '' } = (await payment()) ?? {}
    const dispute = (status: string) =>
      sql`select record_dispute(${`dp ${id}`}, ${`pi ${id}`}, 5.5, ${status}, 'fraudulent', null)`
    await dispute('needs_response')
    expect(await seat()).toMatchObject({ end_reason: 'disputed' })
    await dispute('won')
    await till.work()
    expect(await payment()).toMatchObject({
      status: 'given-back',
      earned_share: '0.00',
      returned_share: '5.00',
    })
    expect(await till.coins(olivia)).toBe(0)
    expect(await till.books()).toEqual([])
  })

  test('works when its member says so, whether or not the owner has said anything', async () => {
    await pay(false)
    await marc.sql`select confirm_access(${await seatId()})`
    expect(await seat()).toMatchObject({ access_works: true, access_due_at: null })
    expect(await payment()).toMatchObject({ starts_at: expect.anything() })
    expect(await told(olivia, 'access-confirmed')).toBe(1)
    expect(await refusalOf(olivia.sql`select give_access(${await seatId()}, 'x')`)).toEqual(
      rule('This member has said that it works'),
    )
  })

  test('keeps its time when nobody looked at the clock for a while', async () => {
    await pay(false)
    await sql`update private.clock set beat_at = now() - interval '5 hours'`
    const before = (await seat())?.access_due_at as string
    await till.due()
    const [moved] =
      await sql`select access_due_at - ${before}::timestamptz > interval '4 hours' as is from private.seats
      where member_id = ${marc.id}`
    expect(moved).toEqual({ is: true })
  })
})

test.each([
  ['is removed', () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`],
  ['sees the plan cancelled', () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`],
  [
    'sees the owner close their account, which takes cancelling the plan',
    async () => {
      expect(await refusalOf(olivia.sql`select delete_own_account(true)`)).toEqual(
        rule('Other people still have a place in a plan you share. Cancel those plans first.'),
      )
      await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
      await olivia.sql`select delete_own_account(true)`
    },
  ],
] as const)(
  'a member who %s gets back what is unused, the card first, then coins, and the books keep all of it',
  async (_what, end) => {
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
    const [refund] = await sql<{
      card: number
    }>`select amount::float8 as card from private.refunds where payment_id = ${period?.id ?? null}`
    expect(refund?.card).toBe(3.5)
    expect(await till.coins(marc)).toBeCloseTo((period?.back ?? 0) - 3.5, 2)
    expect(await sql`select status from private.seats where member_id = ${marc.id}`).toEqual([
      { status: 'ended' },
    ])
    expect(await till.books()).toEqual([])
  },
)

describe('a problem', () => {
  test('is one at a time, of a list, about a place that lets its member in', async () => {
    await till.enter(marc, plan, { access: false })
    const seatNow = await seatId()
    const tried = (reason: string, note = '') =>
      refusalOf(marc.sql`select report_problem(${seatNow}, ${reason}, ${note})`)
    expect(await tried('password')).toEqual(rule('Access comes with the first payment'))
    await till.work()
    expect(await tried('password')).toEqual(
      rule('The owner still has time to give you access. Without it your money goes back by itself.'),
    )
    await marc.sql`select confirm_access(${seatNow})`
    expect(await tried('whatever')).toEqual(rule('Please choose what is wrong'))
    expect(await tried('password', 'x'.repeat(501))).toEqual(rule('Please say it in at most 500 characters'))
    await report()
    expect(await tried('password')).toEqual(rule('You have reported a problem already'))
    expect(await told(olivia, 'problem-reported')).toBe(1)
  })

  test('stops what is earned until it is closed, and the time until "Fixed" is never earned', async () => {
    await pay(true)
    const problem = await report()
    await till.pass('20 hours')
    await olivia.sql`select say_fixed(${problem}, 'New password is in the vault')`
    await till.pass('47 hours')
    expect(await seat()).toMatchObject({ problem_id: problem })
    await till.pass('2 hours')
    expect(await seat()).toMatchObject({ problem_id: null })
    await till.pass('8 days')
    const earned = Number((await payment())?.earned_share)
    const [worked] = await sql<{
      share: number
    }>`select trunc(5 * (extract(epoch from earned_until - starts_at) - 20 * 3600)
      / extract(epoch from ends_at - starts_at), 2)::float8 as share from member_payments where member_id = ${marc.id}`
    expect(earned).toBeGreaterThan(1)
    expect(Math.abs(earned - (worked?.share ?? 0))).toBeLessThan(0.011)
  })

  test('the third of a period is for staff at once', async () => {
    await pay(true)
    for (const _earlier of [1, 2]) {
      const problem = await report()
      await marc.sql`select withdraw_problem(${problem})`
    }
    await report()
    expect(await marc.sql`select status from seat_problems where status <> 'closed'`).toEqual([
      { status: 'staff' },
    ])
  })

  test('that is open at the boundary keeps the next payment back; fixed, the next period begins that day', async () => {
    await pay(true)
    await till.pass(await toBoundary('-3 hours'))
    const problem = await report()
    await till.pass('10 hours')
    expect(await payment(2)).toBeUndefined()
    await olivia.sql`select say_fixed(${problem})`
    await till.pass('24 hours')
    expect(await payment(2)).toBeUndefined()
    await marc.sql`select answer_fix(${problem}, true)`
    await till.work()
    const [next] = await sql`select n.status, n.starts_at - p.ends_at > interval '30 hours' as later,
      extract(day from n.ends_at) = extract(day from n.starts_at) as day
      from member_payments as n join member_payments as p on p.seat_id = n.seat_id and p.number = 1
      where n.number = 2 and n.member_id = ${marc.id}`
    expect(next).toEqual({ status: 'paid', later: true, day: true })
    const [first] =
      await sql`select earned_share + returned_share = share as whole, returned_share > 0 as back
      from member_payments where number = 1 and member_id = ${marc.id}`
    expect(first).toEqual({ whole: true, back: true })
  })

  test('decided for the owner after the boundary, the next period begins at the boundary', async () => {
    await pay(true)
    await till.pass(await toBoundary('-3 hours'))
    const problem = await report()
    await olivia.sql`select contest_problem(${problem}, 'I just signed in')`
    await till.pass('40 hours')
    const ada = await addStaff(db, 'Ada', 'admin')
    await ada.sql`select decide_problem(${problem}, false, 'The owner showed it working')`
    await till.pass('1 minute')
    const [next] = await sql`select n.starts_at = p.ends_at as "at the boundary", n.status, p.returned_share
      from member_payments as n join member_payments as p on p.seat_id = n.seat_id and p.number = 1
      where n.number = 2 and n.member_id = ${marc.id}`
    expect(next).toEqual({ 'at the boundary': true, status: 'paid', returned_share: '0.00' })
    for (const side of [olivia, marc])
      expect(await side.sql`select decision from seat_problems`).toEqual([
        { decision: 'The owner showed it working' },
      ])
  })

  test('keeps a renewal that failed from being charged again', async () => {
    await pay(true)
    await till.pass(await toBoundary('1 minute'), 'failed')
    await sql`update private.seats set late_since = null where member_id = ${marc.id}`
    const problem = await report()
    expect(
      await refusalOf(marc.sql`select begin_payment(id, null) from member_payments where number = 2`),
    ).toEqual(rule('Nothing is charged while a problem is open'))
    await olivia.sql`select say_fixed(${problem})`
    await till.pass('30 hours')
    expect(await payment(2)).toMatchObject({ status: 'failed' })
    await marc.sql`select answer_fix(${problem}, true)`
    await till.work()
    expect(await payment(2)).toMatchObject({ status: 'paid' })
  })

  test('is decided by staff who have no part in the plan, and who then pay out none of it', async () => {
    const leo = await till.payer('Leo')
    await till.enter(leo, plan)
    await leo.sql`select leave_seat(id, true) from my_seats()`
    await pay(true)
    const problem = await report()
    await olivia.sql`select contest_problem(${problem})`
    const ada = await addStaff(db, 'Ada', 'admin')
    const mona = await addStaff(db, 'Mona', 'moderator')
    const decide = (person: Person, reason = 'Seen working') =>
      person.sql`select decide_problem(${problem}, false, ${reason})`
    expect(await refusalOf(decide(mona))).toEqual(denied('Only an admin can do this'))
    await sql`insert into user_roles (user_id, role) values (${olivia.id}, 'admin'), (${marc.id}, 'admin'), (${leo.id}, 'admin')`
    for (const side of [olivia, marc, leo])
      expect(await refusalOf(decide(side))).toEqual(
        denied('You have, or had, a place in this plan: another admin decides'),
      )
    expect(await refusalOf(decide(ada, ' '))).toMatchObject({ code: '23514' })
    await decide(ada)
    expect(await refusalOf(decide(ada))).toEqual(rule('This problem is closed'))
    await till.pass('40 days')
    await moveCoins(db, olivia, 'earned', 50, 'A share')
    await addBankAccount(db, olivia)
    await olivia.sql`insert into withdrawal_requests (amount) values (30)`
    expect(
      await refusalOf(
        ada.sql`update withdrawal_requests set status = 'processing' where user_id = ${olivia.id}`,
      ),
    ).toEqual(denied('You have decided a problem for this person: another admin processes their withdrawals'))
    expect(await sql`select action from private.staff_log where subject = ${problem}`).toEqual([
      { action: 'problem decided for-owner' },
    ])
  })

  test('has one timeline for both sides and staff', async () => {
    await pay(false)
    await olivia.sql`select give_access(${await seatId()}, 'marc@example.com')`
    await till.pass('1 hour')
    const problem = await report()
    await till.pass('1 hour')
    await olivia.sql`select contest_problem(${problem}, 'Not here')`
    await till.pass('1 hour')
    const ada = await addStaff(db, 'Ada', 'admin')
    await ada.sql`select decide_problem(${problem}, true, 'It fails')`
    const lines = (person: Person) =>
      person.sql`select kind, person_name, note, amount from problem_timeline(${problem})`
    const all = [
      { kind: 'paid', person_name: 'Marc', note: null, amount: '5.50' },
      { kind: 'invitation-sent', person_name: 'Olivia', note: 'marc@example.com', amount: null },
      { kind: 'reported', person_name: 'Marc', note: 'It says wrong password', amount: null },
      { kind: 'contested', person_name: 'Olivia', note: 'Not here', amount: null },
      { kind: 'for-member', person_name: 'Ada', note: 'It fails', amount: null },
      { kind: 'seat-ended', person_name: null, note: 'problem', amount: null },
      { kind: 'given-back', person_name: null, note: null, amount: expect.stringMatching(/^5\.\d\d$/) },
    ]
    for (const side of [olivia, marc, ada]) expect(await lines(side)).toMatchObject(all)
    const zoe = await till.payer('Zoe')
    expect(await refusalOf(lines(zoe))).toMatchObject({ code: 'PT404' })
  })

  test('outlives the place its member has left, and is decided against an owner who closes the account', async () => {
    await pay(true)
    const problem = await report()
    await marc.sql`select leave_seat(${await seatId()}, true)`
    expect(await payment()).toMatchObject({ status: 'paid', earned_share: '0.00', returned_share: '0.00' })
    await olivia.sql`select delete_own_account(true)`
    expect(await sql`select outcome, fault from seat_problems where id = ${problem}`).toEqual([
      { outcome: 'owner-ended', fault: 'owner' },
    ])
    expect(Number((await payment())?.returned_share)).toBeGreaterThan(4.9)
    await till.work()
    expect(await till.books()).toEqual([])
  })

  test('outlives the account of its member, and is decided against an owner who cancels the plan', async () => {
    await pay(true)
    const problem = await report()
    await addBankAccount(db, marc)
    await marc.sql`select delete_own_account()`
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await sql`select outcome, fault from seat_problems where id = ${problem}`).toEqual([
      { outcome: 'owner-ended', fault: 'owner' },
    ])
    await till.work()
    expect(await till.books()).toEqual([])
  })
})

test('what is owed for a place that is paid directly is settled between the two', async () => {
  const [direct] = await olivia.sql<{ id: string }>`insert into shared_subscriptions
    (catalogue_plan_id, owner_max_members, next_payment) values ('spotify-premium-family', 4, current_date + 30) returning id`
  await till.enter(marc, { id: direct?.id ?? '', owner: olivia })
  await marc.sql`select say_paid(id) from member_payments`
  await report()
  await till.pass('25 hours')
  const owed = Number((await seat())?.owed_back)
  expect(owed).toBeGreaterThan(1)
  expect([await told(marc, 'owner-owes-you'), await told(olivia, 'you-owe-member')]).toEqual([1, 1])
  // Nothing goes back by itself, and nobody reads that it does.
  const words = async (person: Person) =>
    (
      await person.sql<{ message: string }>`select message from user_notifications
        where event in ('problem-reported', 'problem-closed', 'seat-ended') order by created_at`
    ).map(({ message }) => message)
  const OWED = 'what was paid for the time since the report'
  expect(await words(olivia)).toEqual([
    expect.stringMatching(
      new RegExp(`^Marc cannot use .*; without an answer the place ends, and you owe Marc ${OWED}\\.$`),
    ),
    `Olivia did not answer about Spotify Premium Family in time, so you owe Marc ${OWED}.`,
  ])
  expect(await words(marc)).toEqual([
    'Your place in Spotify Premium Family has ended because it did not work. Its owner owes you what you paid for the time since you said so.',
    `Olivia did not answer about Spotify Premium Family in time, so Olivia owes you ${OWED}.`,
  ])
  await marc.sql`select settle_owed(${await seatId()})`
  expect(await seat()).toMatchObject({ owed_back: '0.00' })
  expect(await refusalOf(marc.sql`select settle_owed(${await seatId()})`)).toEqual(
    rule('Nothing is owed to you here'),
  )
})
