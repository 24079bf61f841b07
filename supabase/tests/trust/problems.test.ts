// What a problem does to payments and their dates, who decides it, and what both sides read of it.
import { beforeEach, expect, test } from 'vitest'
import { columnOf, expectRefusal, single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addStaff, denied, ownDatabase, type Person, rule } from '../people.ts'
import type { SharedPlan } from '../plans.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const ada = await addStaff(db, 'Ada', 'admin')
let olivia: Person
let marc: Person
let plan: SharedPlan
beforeEach(async () => {
  olivia = await till.payer('Olivia')
  marc = await till.payer('Marc')
  plan = await till.share(olivia)
})

const seat = async () => (await marc.sql`select * from my_seats()`)[0]
const seatId = () => single(marc.sql`select id from my_seats()`)
const payment = async (number = 1) =>
  (await marc.sql`select * from member_payments where number = ${number}`)[0]
const told = async (person: Person, event: string) =>
  (await person.sql`select id from user_notifications where event = ${event}`).length
const pay = async () => {
  await till.enter(marc, plan)
  await till.work()
}
const report = async (reason = 'password', note = 'It says wrong password') =>
  single(marc.sql`select report_problem(${await seatId()}, ${reason}, ${note})`)
const fix = (problem: string, note = '') => olivia.sql`select say_fixed(${problem}, ${note})`
const contest = (problem: string, note = '') => olivia.sql`select contest_problem(${problem}, ${note})`
const agree = (problem: string) => marc.sql`select answer_fix(${problem}, true)`
const decide = (person: Person, problem: string, forMember: boolean, reason: string) =>
  person.sql`select decide_problem(${problem}, ${forMember}, ${reason})`
const outcomeOf = (problem: string) => sql`select outcome, fault from seat_problems where id = ${problem}`
/** Lets time pass until so long after the period that is paid. */
const passBoundary = async (plus: string, outcome?: 'failed') => {
  const left = sql`select (max(ends_at) - private.now() + ${plus}::interval)::text from member_payments
    where member_id = ${marc.id}`
  await till.pass(await single(left), outcome)
}
/** How the second period follows the first. */
const second = async () =>
  (
    await sql`select n.status, (extract(epoch from n.starts_at - p.ends_at) / 3600)::float8 as hours_later,
      extract(day from n.ends_at) = extract(day from n.starts_at) as same_day,
      p.earned_share + p.returned_share = p.share as whole, p.returned_share::float8 as back
      from member_payments as n join member_payments as p on p.seat_id = n.seat_id and p.number = 1
      where n.number = 2 and n.member_id = ${marc.id}`
  )[0]

test('a problem is one at a time, of a list, about a place that lets its member in', async () => {
  await till.enter(marc, plan, { access: false })
  await expectRefusal(report(), rule('Access comes with the first payment'))
  await till.work()
  await expectRefusal(
    report(),
    rule('The owner still has time to give you access. Without it your money goes back by itself.'),
  )
  await marc.sql`select confirm_access(${await seatId()})`
  await expectRefusal(report('whatever'), rule('Please choose what is wrong'))
  await expectRefusal(report('password', 'x'.repeat(501)), rule('Please say it in at most 500 characters'))
  await report('password', 'x'.repeat(500))
  await expectRefusal(report(), rule('You have reported a problem already'))
  expect(await told(olivia, 'problem-reported')).toBe(1)
})

test('it stops what is earned until it is closed, and the time until "Fixed" is never earned', async () => {
  await pay()
  const problem = await report()
  await till.pass('20 hours')
  await fix(problem, 'New password is in the vault')
  await till.pass('47 hours')
  expect(await seat()).toMatchObject({ problem_id: problem })
  await till.pass('2 hours')
  expect(await seat()).toMatchObject({ problem_id: null })
  await till.pass('8 days')
  const [row] = await sql<{ earned: number; worked: number }>`select earned_share::float8 as earned,
    trunc(5 * (extract(epoch from earned_until - starts_at) - 20 * 3600)
      / extract(epoch from ends_at - starts_at), 2)::float8 as worked from member_payments where member_id = ${marc.id}`
  expect(row?.earned).toBeGreaterThan(1)
  expect(Math.abs(Number(row?.earned) - Number(row?.worked))).toBeLessThan(0.011)
})

test('the third of a period is for staff at once', async () => {
  await pay()
  for (const _earlier of [1, 2]) await marc.sql`select withdraw_problem(${await report()})`
  await report()
  const open = marc.sql`select status from seat_problems where status <> 'closed'`
  expect(await columnOf(open)).toEqual(['staff'])
})

test('open at the boundary it keeps the next payment back; fixed, the next period begins that day', async () => {
  await pay()
  await passBoundary('-3 hours')
  const problem = await report()
  await till.pass('10 hours')
  expect(await payment(2)).toBeUndefined()
  await fix(problem)
  await till.pass('24 hours')
  expect(await payment(2)).toBeUndefined()
  await agree(problem)
  await till.work()
  const next = await second()
  expect(next).toMatchObject({ status: 'paid', same_day: true, whole: true })
  expect([Number(next?.hours_later) > 30, Number(next?.back) > 0]).toEqual([true, true])
})

test('decided for the owner after the boundary, the next period begins at the boundary', async () => {
  await pay()
  await passBoundary('-3 hours')
  const problem = await report()
  await contest(problem, 'I just signed in')
  await till.pass('40 hours')
  await decide(ada, problem, false, 'The owner showed it working')
  await till.pass('1 minute')
  expect(await second()).toMatchObject({ hours_later: 0, status: 'paid', back: 0 })
  for (const side of [olivia, marc])
    expect(await columnOf(side.sql`select decision from seat_problems`)).toEqual([
      'The owner showed it working',
    ])
})

test('a renewal that failed is not charged again while one is open', async () => {
  await pay()
  await passBoundary('1 minute', 'failed')
  await sql`update private.seats set late_since = null where member_id = ${marc.id}`
  const problem = await report()
  await expectRefusal(
    marc.sql`select begin_payment(id, null) from member_payments where number = 2`,
    rule('Nothing is charged while a problem is open'),
  )
  await fix(problem)
  await till.pass('30 hours')
  expect(await payment(2)).toMatchObject({ status: 'failed' })
  await agree(problem)
  await till.work()
  expect(await payment(2)).toMatchObject({ status: 'paid' })
})

test('it is decided by staff who have no part in the plan, and who then pay out none of it', async () => {
  const leo = await till.payer('Leo')
  await till.enter(leo, plan)
  await leo.sql`select leave_seat(id, true) from my_seats()`
  await pay()
  const problem = await report()
  await contest(problem)
  const mona = await addStaff(db, 'Mona', 'moderator')
  await expectRefusal(decide(mona, problem, false, 'Seen'), denied('Only an admin can do this'))
  for (const side of [olivia, marc, leo]) {
    await sql`insert into user_roles (user_id, role) values (${side.id}, 'admin')`
    await expectRefusal(
      decide(side, problem, false, 'Seen'),
      denied('You have, or had, a place in this plan: another admin decides'),
    )
  }
  await expectRefusal(decide(ada, problem, false, ' '), { code: '23514' })
  await decide(ada, problem, false, 'Seen working')
  await expectRefusal(decide(ada, problem, false, 'Again'), rule('This problem is closed'))
  await till.pass('40 days')
  await moveCoins(db, olivia, 'earned', 50, 'A share')
  await addBankAccount(db, olivia)
  await olivia.sql`insert into withdrawal_requests (amount) values (30)`
  await expectRefusal(
    ada.sql`update withdrawal_requests set status = 'processing' where user_id = ${olivia.id}`,
    denied('You have decided a problem for this person: another admin processes their withdrawals'),
  )
  expect(await columnOf(sql`select action from private.staff_log where subject = ${problem}`)).toEqual([
    'problem decided for-owner',
  ])
})

test('it has one timeline for both sides and staff', async () => {
  await till.enter(marc, plan, { access: false })
  await till.work()
  await olivia.sql`select give_access(${await seatId()}, 'marc@example.com')`
  await till.pass('1 hour')
  const problem = await report()
  await till.pass('1 hour')
  await contest(problem, 'Not here')
  await till.pass('1 hour')
  await decide(ada, problem, true, 'It fails')
  const lines = (person: Person) =>
    person.sql`select kind, person_name, note, amount from problem_timeline(${problem})`
  const line = (kind: string, person_name: string | null, note: string | null, amount: unknown = null) => ({
    ...{ kind, person_name, note, amount },
  })
  for (const side of [olivia, marc, ada])
    expect(await lines(side)).toEqual([
      line('paid', 'Marc', null, '5.50'),
      line('invitation-sent', 'Olivia', 'marc@example.com'),
      line('reported', 'Marc', 'It says wrong password'),
      line('contested', 'Olivia', 'Not here'),
      line('for-member', 'Ada', 'It fails'),
      line('seat-ended', null, 'problem'),
      line('given-back', null, null, expect.stringMatching(/^5\.\d\d$/)),
    ])
  await expectRefusal(lines(await till.payer('Zoe')), { code: 'PT404' })
})

test('it outlives the place its member has left, and is decided against an owner who closes the account', async () => {
  await pay()
  const problem = await report()
  await marc.sql`select leave_seat(${await seatId()}, true)`
  expect(await payment()).toMatchObject({ status: 'paid', earned_share: '0.00', returned_share: '0.00' })
  await olivia.sql`select delete_own_account(true)`
  expect(await outcomeOf(problem)).toEqual([{ outcome: 'owner-ended', fault: 'owner' }])
  expect(Number((await payment())?.returned_share)).toBeGreaterThan(4.9)
  await till.work()
  expect(await till.books()).toEqual([])
})

test('it outlives the account of its member, and is decided against an owner who cancels the plan', async () => {
  await pay()
  const problem = await report()
  await addBankAccount(db, marc)
  await marc.sql`select delete_own_account()`
  await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  expect(await outcomeOf(problem)).toEqual([{ outcome: 'owner-ended', fault: 'owner' }])
  await till.work()
  expect(await till.books()).toEqual([])
})

test('what is owed for a place that is paid directly is settled between the two', async () => {
  const id = await single(olivia.sql`insert into shared_subscriptions
    (catalogue_plan_id, owner_max_members, next_payment) values ('spotify-premium-family', 4, current_date + 30) returning id`)
  await till.enter(marc, { id, owner: olivia })
  await marc.sql`select say_paid(id) from member_payments`
  await report()
  await till.pass('25 hours')
  expect(Number((await seat())?.owed_back)).toBeGreaterThan(1)
  expect([await told(marc, 'owner-owes-you'), await told(olivia, 'you-owe-member')]).toEqual([1, 1])
  // Nothing goes back by itself, and nobody reads that it does.
  const words = (person: Person) =>
    columnOf(person.sql`select message from user_notifications
      where event in ('problem-reported', 'problem-closed', 'seat-ended') order by created_at`)
  const OWED = 'what was paid for the time since the report'
  const NO_ANSWER = 'Olivia did not answer about Spotify Premium Family in time'
  expect(await words(olivia)).toEqual([
    expect.stringMatching(
      new RegExp(`^Marc cannot use .*; without an answer the place ends, and you owe Marc ${OWED}\\.$`),
    ),
    `${NO_ANSWER}, so you owe Marc ${OWED}.`,
  ])
  expect(await words(marc)).toEqual([
    'Your place in Spotify Premium Family has ended because it did not work. Its owner owes you what you paid for the time since you said so.',
    `${NO_ANSWER}, so Olivia owes you ${OWED}.`,
  ])
  const settle = async () => marc.sql`select settle_owed(${await seatId()})`
  await settle()
  expect(await seat()).toMatchObject({ owed_back: '0.00' })
  await expectRefusal(settle(), rule('Nothing is owed to you here'))
})
