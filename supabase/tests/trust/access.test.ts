// From payment to access: its beginning, its confirmation, and refunds without it; and the effects of a problem on
// payments and their dates, its decision, and both sides' view of it.
// Proves PAY 10, ACCESS 01-07 09 10 14 16, PAYOUT 06
import { beforeEach, expect, test } from 'vitest'
import { columnOf, denied, expectRefusal, notFound, rule, single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addStaff, ownDatabase, type Person } from '../people.ts'
import { join, type SharedPlan, sharePlan, stopPlaces } from '../plans.ts'
import { openTill } from '../till.ts'
import { openEntry, storeEntry } from '../vault-entries.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const ada = await addStaff(db, 'Ada', 'admin')
let olivia: Person
let marc: Person
let plan: SharedPlan
beforeEach(async () => {
  await stopPlaces(db)
  olivia = await till.payer('Olivia')
  marc = await till.payer('Marc')
  plan = await till.share(olivia)
})

const seat = async () => (await marc.sql`select * from my_seats() order by opened_at desc`)[0]
const seatId = () => single(marc.sql`select id from my_seats() order by opened_at desc`)
const payment = async (number = 1) =>
  (
    await marc.sql`select *, date_part('day', ends_at - starts_at)::int as days from member_payments
      where number = ${number} order by created_at desc limit 1`
  )[0]
const told = async (person: Person, event: string) =>
  (await person.sql`select id from user_notifications where event = ${event}`).length
/** Admits Marc, and lets him pay. */
const pay = async ({ access }: { access: boolean }) => {
  await till.enter(marc, plan, { access })
  await till.work()
}
const report = async (reason = 'password', note = 'It says wrong password') =>
  single(marc.sql`select report_problem(${await seatId()}, ${reason}, ${note})`)
const fix = (problem: string, note = '') => olivia.sql`select say_fixed(${problem}, ${note})`
const contest = (problem: string, note = '') => olivia.sql`select contest_problem(${problem}, ${note})`
const agree = (problem: string) => marc.sql`select answer_fix(${problem}, true)`
const decide = (person: Person, problem: string, forMember: boolean | null, reason: string) =>
  person.sql`select decide_problem(${problem}, ${forMember}, ${reason})`
const paidFor = async (time: string) => {
  await pay({ access: true })
  await till.pass(time)
}
const paidDirectly = async (time: string) => {
  await join(db, marc, plan)
  await marc.sql`select say_paid(id) from member_payments where member_id = ${marc.id}`
  await olivia.sql`select confirm_payment(id) from member_payments where member_id = ${marc.id}`
  await till.pass(time)
}
/** Moves time to `plus` after the end of the paid period. */
const passBoundary = async (plus: string, outcome?: 'failed') => {
  await till.pass(await toBoundary(plus), outcome)
}
const toBoundary = (plus: string): Promise<string> =>
  single(sql`select (max(ends_at) - private.now() + ${plus}::interval)::text from member_payments
    where member_id = ${marc.id}`)
/** Returns the times and amounts that show how the second period follows the first. */
const second = async () =>
  (
    await sql`select n.status, (extract(epoch from n.starts_at - p.ends_at) / 3600)::float8 as hours_later,
      extract(day from n.ends_at) = extract(day from n.starts_at) as same_day,
      p.earned_share + p.returned_share = p.share as whole, p.returned_share::float8 as back
      from member_payments as n join member_payments as p on p.seat_id = n.seat_id and p.number = 1
      where n.number = 2 and n.member_id = ${marc.id}`
  )[0]
const BEGUN = { starts_at: expect.anything() }
const GIVEN_BACK = {
  status: 'given-back',
  earned_share: '0.00',
  returned_share: '5.00',
  returned_fee: '0.50',
}
const removed = () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`
const cancelled = () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
const closed = () => olivia.sql`select delete_own_account(true)`

test('a paid place waits for access, with one clock for both; the first period begins when it is given', async () => {
  await pay({ access: false })
  const access_due_at = (await seat())?.access_due_at
  expect(await olivia.sql`select access_due_at, access_works, status from plan_seats(${plan.id})`).toEqual([
    { access_due_at, access_works: false, status: 'active' },
  ])
  const left = sql`select extract(epoch from access_due_at - private.now())::integer from private.seats
  where member_id = ${marc.id}`
  expect(await single(left)).toBeGreaterThan(48 * 3600 - 60)
  expect(await payment()).toMatchObject({ status: 'paid', starts_at: null, ends_at: null })
  await till.pass('30 hours')
  for (const address of [' ', 'x'.repeat(201)])
    await expectRefusal(
      olivia.sql`select give_access(${await seatId()}, ${address})`,
      rule('Please say where the invitation went, in up to 200 characters'),
    )
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
  await pay({ access: false })
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
  await pay({ access: false })
  await till.pass('10 hours')
  await end()
  await till.work()
  expect(await payment()).toMatchObject(GIVEN_BACK)
})

test('a stored entry is access, also for whoever joins later, and stands in the timeline of a problem', async () => {
  await pay({ access: false })
  await storeEntry(db, plan)
  expect(await payment()).toMatchObject(BEGUN)
  expect([await told(marc, 'access-given'), await told(marc, 'access-changed')]).toEqual([1, 0])
  await storeEntry(db, plan)
  expect([await told(marc, 'access-given'), await told(marc, 'access-changed')]).toEqual([1, 1])
  marc = await till.payer('Mia')
  await pay({ access: false })
  expect(await payment()).toMatchObject(BEGUN)
  await openEntry(marc, plan)
  const problem = await report()
  expect(
    await olivia.sql`select kind, person_name, note from problem_timeline(${problem}) where kind like 'vault%'`,
  ).toEqual([
    { kind: 'vault-version', person_name: 'Olivia', note: '1' },
    { kind: 'vault-version', person_name: 'Olivia', note: '2' },
    { kind: 'vault-opened', person_name: 'Mia', note: '2' },
  ])
})

test('nobody is paid for a time in which a bank had the money back before there was access', async () => {
  await pay({ access: false })
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

test('works when its member says so, whether or not the owner has said anything', async () => {
  await pay({ access: false })
  await marc.sql`select confirm_access(${await seatId()})`
  expect(await seat()).toMatchObject({ access_works: true, access_due_at: null })
  expect(await payment()).toMatchObject(BEGUN)
  expect(await told(olivia, 'access-confirmed')).toBe(1)
  const late = olivia.sql`select give_access(${await seatId()}, 'x')`
  await expectRefusal(late, rule('This member already said it works'))
})

test('the time for access is kept when nobody looked at the clock for a while', async () => {
  await pay({ access: false })
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
  ['sees the owner close their account', closed],
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
  // The seat, its payments and the books are kept, whatever ended it.
  expect(await columnOf(sql`select status from private.seats where member_id = ${marc.id}`)).toEqual([
    'ended',
  ])
  expect(await till.books()).toEqual([])
})

test('a problem is one at a time, of a list, about a place that lets its member in', async () => {
  await till.enter(marc, plan, { access: false })
  await expectRefusal(report(), rule('You get access with the first payment'))
  await till.work()
  await expectRefusal(
    report(),
    rule('The owner still has time to give you access. Otherwise you get a full refund.'),
  )
  await marc.sql`select confirm_access(${await seatId()})`
  await expectRefusal(report('whatever'), rule('Please choose what is wrong'))
  await expectRefusal(report('password', 'x'.repeat(501)), rule('Please use up to 500 characters'))
  await report('password', 'x'.repeat(500))
  await expectRefusal(report(), rule('You’ve already reported a problem'))
  expect(await told(olivia, 'problem-reported')).toBe(1)
})

test.each([
  [
    'code',
    /^The provider asks Marc for a code to sign in to .* It has sent the code to you: pass it on\. Answer by /,
  ],
  ['household', /^The provider tells Marc that .* is for another household\. Answer by /],
])('what the provider says (%s) is told to the owner at once', async (reason, words) => {
  await till.enter(marc, plan, { access: true })
  await till.work()
  const problem = await report(reason, '')
  expect(
    await single(olivia.sql`select message from user_notifications where event = 'problem-reported'`),
  ).toMatch(words)
  await fix(problem)
  await agree(problem)
  expect(await single(sql`select outcome from seat_problems where id = ${problem}`)).toBe('fixed')
})

test('a problem stops what is earned until it is closed, and the time until "Fixed" is never earned', async () => {
  await pay({ access: true })
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

test('both sides and staff speak about a problem in turn', async () => {
  await pay({ access: true })
  const problem = await report()
  const NOT_YOUR_TURN = rule('It’s not your turn to answer')
  await expectRefusal(agree(problem), NOT_YOUR_TURN)
  await expectRefusal(decide(ada, problem, true, 'Seen'), NOT_YOUR_TURN)
  await expectRefusal(marc.sql`select say_fixed(${problem})`, notFound('Problem not found'))
  await fix(problem)
  await expectRefusal(fix(problem), NOT_YOUR_TURN)
  await expectRefusal(marc.sql`select answer_fix(${problem}, null)`, rule('Please say whether it works'))
})

test('the third problem of a period is for staff at once', async () => {
  await pay({ access: true })
  for (const _earlier of [1, 2]) await marc.sql`select drop_problem(${await report()})`
  await report()
  const open = marc.sql`select status from seat_problems where status <> 'closed'`
  expect(await columnOf(open)).toEqual(['staff'])
})

test('a problem that is open at the boundary keeps the next payment back; fixed, the next period begins that day', async () => {
  await pay({ access: true })
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

test('after a problem decided for the owner after the boundary, the next period begins at the boundary', async () => {
  await pay({ access: true })
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

test('a renewal that failed is not charged again while a problem is open', async () => {
  await pay({ access: true })
  await passBoundary('1 minute', 'failed')
  await expectRefusal(report(), rule('Your access is closed until your payment goes through'))
  await sql`update private.seats set late_since = null where member_id = ${marc.id}`
  const problem = await report()
  await expectRefusal(
    marc.sql`select begin_payment(id, null) from member_payments where number = 2`,
    rule('We don’t charge you while a problem is open'),
  )
  await fix(problem)
  await till.pass('30 hours')
  expect(await payment(2)).toMatchObject({ status: 'failed' })
  await agree(problem)
  await till.work()
  expect(await payment(2)).toMatchObject({ status: 'paid' })
})

test('a problem is decided by staff who have no part in the plan, and who then pay out none of it', async () => {
  const leo = await till.payer('Leo')
  await till.enter(leo, plan)
  await leo.sql`select leave_seat(id, true) from my_seats()`
  await pay({ access: true })
  const problem = await report()
  await contest(problem)
  const mona = await addStaff(db, 'Mona', 'moderator')
  await expectRefusal(decide(mona, problem, false, 'Seen'), denied('Only admins can do this'))
  for (const side of [olivia, marc, leo]) {
    await sql`insert into user_roles (user_id, role) values (${side.id}, 'admin')`
    await expectRefusal(
      decide(side, problem, false, 'Seen'),
      denied('You have or had a place in this plan, so another admin decides'),
    )
  }
  const reasonless = rule('Please give both a reason, in up to 500 characters')
  for (const reason of [' ', 'x'.repeat(501)])
    await expectRefusal(decide(ada, problem, false, reason), reasonless)
  await expectRefusal(decide(ada, problem, null, 'Tried it'), reasonless)
  await decide(ada, problem, false, 'Seen working')
  await expectRefusal(decide(ada, problem, false, 'Again'), rule('This problem is closed'))
  await till.pass('40 days')
  await moveCoins(db, olivia, 'earned', 50, 'A share')
  await addBankAccount(db, olivia)
  await olivia.sql`insert into withdrawal_requests (amount) values (30)`
  await expectRefusal(
    ada.sql`update withdrawal_requests set status = 'processing' where user_id = ${olivia.id}`,
    denied('You decided a problem for this person, so another admin processes their withdrawals'),
  )
  expect(await columnOf(sql`select action from private.staff_log where subject = ${problem}`)).toEqual([
    'problem decided for-owner',
  ])
})

test.each<[string, 'potluck' | 'direct', () => Promise<unknown>]>([
  ['has not begun', 'potluck', () => pay({ access: false })],
  ['has earned its owner something', 'potluck', () => paidFor('9 days')],
  ['is over tomorrow', 'potluck', () => pay({ access: true }).then(() => passBoundary('-1 day'))],
  ['has an open problem', 'potluck', () => paidFor('2 days').then(() => report())],
  [
    'has an open problem and has ended',
    'potluck',
    async () => {
      await paidFor('2 days')
      await report()
      await marc.sql`select leave_seat(${await seatId()}, true)`
    },
  ],
  ['was not paid', 'potluck', () => till.enter(marc, plan)],
  ['was paid to its owner', 'direct', () => paidDirectly('3 days')],
  [
    'was paid to its owner and has an open problem',
    'direct',
    () => paidDirectly('3 days').then(() => report()),
  ],
])(
  'of a place that %s, the end of its owner’s account leaves what was said before',
  async (_what, how, begin) => {
    if (how === 'direct') plan = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
    await begin()
    type Plan = { back: number; owed: number }
    const said = await single<{ plans: Plan[]; coins: number }>(olivia.sql`select quote_account_end()`)
    const [unused] = await olivia.sql<{ unused: string }>`select unused from plan_seats(${plan.id})`
    await addBankAccount(db, olivia)
    await olivia.sql`select delete_own_account()`
    const [done] = await sql`select sum(returned_share + returned_fee) as back, sum(owed_back) as owed,
      (select coalesce(sum(amount), 0) from withdrawal_requests where user_id = ${olivia.id}) as coins
    from member_payments where member_id = ${marc.id}`
    // The database's clock advances between the two queries, so that a cent may have moved.
    const close = (one: unknown, other: unknown) =>
      expect(Math.abs(Number(one) - Number(other))).toBeLessThan(0.015)
    close(said.coins, done?.coins)
    // Money that the site still holds for an ended place is not listed under a plan.
    const ended = (await seat())?.end_reason === 'withdrawn'
    const [listed = { back: 0, owed: 0 }] = said.plans
    close(listed.back, ended ? 0 : done?.back)
    close(listed.owed, done?.owed)
    close(unused?.unused, Number(listed.back) + Number(listed.owed))
    expect([said.plans.length, Number(done?.owed) > 0]).toEqual([ended ? 0 : 1, how === 'direct'])
    await till.work()
    expect(await till.books()).toEqual([])
  },
)

test('a problem has one timeline for both sides and staff', async () => {
  await pay({ access: false })
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

test.each([
  [
    'the place its member has left, and is decided against an owner who closes the account',
    async () => marc.sql`select leave_seat(${await seatId()}, true)`,
    closed,
  ],
  [
    'the account of its member, and is decided against an owner who cancels the plan',
    () => addBankAccount(db, marc).then(() => marc.sql`select delete_own_account()`),
    cancelled,
  ],
])('a problem outlives %s', async (_what, leave, end) => {
  await pay({ access: true })
  const problem = await report()
  const period = () =>
    sql`select status, earned_share, returned_share > 4.9 as back from member_payments where member_id = ${marc.id}`
  await leave()
  expect(await period()).toEqual([{ status: 'paid', earned_share: '0.00', back: false }])
  await end()
  expect(await sql`select outcome, fault from seat_problems where id = ${problem}`).toEqual([
    { outcome: 'owner-ended', fault: 'owner' },
  ])
  expect(await period()).toMatchObject([{ back: true }])
  await till.work()
  expect(await till.books()).toEqual([])
})

test('what is owed for a place that is paid directly is settled between the two', async () => {
  const id = await single(olivia.sql`insert into shared_subscriptions
  (catalogue_plan_id, owner_max_members, next_payment) values ('spotify-premium-family', 4, current_date + 30) returning id`)
  await till.enter(marc, { id, owner: olivia })
  await marc.sql`select say_paid(id) from member_payments`
  await olivia.sql`select confirm_payment(id) from member_payments where owner_id = ${olivia.id}`
  await report()
  await till.pass('25 hours')
  expect(Number((await seat())?.owed_back)).toBeGreaterThan(1)
  expect([await told(marc, 'owner-owes-you'), await told(olivia, 'you-owe-member')]).toEqual([1, 1])
  // Nothing is refunded automatically, and no message says so.
  const words = (person: Person) =>
    single(person.sql`select string_agg(message, ' ' order by created_at) from user_notifications
      where event in ('problem-reported', 'problem-closed', 'seat-ended')`)
  const OWED = 'what was paid for the time since the report.'
  const NO_ANSWER = 'Olivia didn’t answer about Spotify Premium Family in time, so'
  const ended =
    'Your place in Spotify Premium Family ended because it didn’t work. The owner owes you what you paid'
  expect(await words(marc)).toBe(
    `${ended} for the time since you reported it. ${NO_ANSWER} Olivia owes you ${OWED}`,
  )
  expect(await words(olivia)).toMatch(
    /^Marc has a problem with .* Otherwise the place ends, and you owe Marc /,
  )
  expect(await words(olivia)).toContain(`and you owe Marc ${OWED} ${NO_ANSWER} you owe Marc ${OWED}`)
  const settle = async () => marc.sql`select settle_owed(${await seatId()})`
  await settle()
  expect(await seat()).toMatchObject({ owed_back: '0.00' })
  await expectRefusal(settle(), rule('Nothing is owed to you here'))
})
