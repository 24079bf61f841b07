// Withdrawing from the contract about a place that is paid through the site: what comes back, who bears it, and who is told.
import { describe, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { moveCoins } from '../coins.ts'
import { invitationsIn } from '../invitations.ts'
import { setThePayingTable } from '../paying.ts'
import { type Asker, addPerson, notFound, refusalOf, rule } from '../people.ts'
import { approve, join, sharePlan } from '../plans.ts'
import { race, times } from '../race.ts'

const { db, sql, till, who, seat, seatId, last, told, sums } = await setThePayingTable()

const withdraw = (person: Asker, id: string) => person.sql`select withdraw_from_contract(${id})`
const WITHDRAWN = { status: 'ended', end_reason: 'withdrawn' }
const cents = (euros: unknown) => Math.round(Number(euros) * 100)
/** How long until the time to withdraw is over, or so much before it. */
const toTheEnd = (before = '0') =>
  single(sql`select (private.withdrawable_until(s) - private.now() - ${before}::interval)::text
    from private.seats as s where member_id = ${who().marc.id} order by opened_at desc limit 1`)
const enterAndPay = async (terms: { beginsAtOnce: boolean; coinsFirst?: boolean }) => {
  await till.enter(who().marc, who().plan, terms)
  await till.work()
}

describe.each([
  ['who asked us to begin at once', true],
  ['who did not', false],
])('a member %s', (_who, beginsAtOnce) => {
  test.each([['at once'], ['3 days 7 hours'], ['10 days'], ['the last minute']])(
    'withdraws after: %s. What comes back, and what the owner and the site earned, is all that was paid, to the cent',
    async (time) => {
      const { olivia, marc } = who()
      await moveCoins(db, marc, 'earned', 2)
      await enterAndPay({ beginsAtOnce, coinsFirst: true })
      if (time !== 'at once') await till.pass(time === 'the last minute' ? await toTheEnd('1 minute') : time)
      const guarantee = await till.held('guarantee')
      const back = cents(await single(withdraw(marc, await seatId())))
      expect(await seat()).toEqual(WITHDRAWN)
      const { earned = 0, fee = 0, back: returned = 0 } = (await sums()) as Record<string, number>
      expect(cents(earned + fee + returned)).toBe(550)
      expect(cents(earned)).toBe(cents(await till.coins(olivia)))
      const borne = cents(guarantee - (await till.held('guarantee')))
      expect([back, borne]).toEqual(beginsAtOnce ? [cents(returned), 0] : [550, cents(earned + fee)])
      if (time === '10 days') expect([earned > 1, back < 400]).toEqual([true, beginsAtOnce])
      // The card has paid 3.50 and is refunded first.
      expect(cents(await till.held('refunds_due'))).toBe(Math.min(350, back))
      expect(cents(await till.coins(marc))).toBe(Math.max(0, back - 350))
      expect(await marc.sql`select round(paid * 100)::integer as paid from payment_totals()`).toEqual([
        { paid: 550 - back },
      ])
    },
  )
})

test('what was agreed to is kept with the place, at the site’s own time, and never from an earlier one', async () => {
  const { olivia, marc, plan } = who()
  const { invited } = invitationsIn(db)
  const agreed = () =>
    single<
      string | null
    >(sql`select case when begins_at_once_at between private.now() - interval '1 minute' and private.now() then 'now'
      else begins_at_once_at::text end from private.seats where member_id = ${marc.id} and ended_at is null`)
  const leave = () => marc.sql`delete from subscription_members where user_id = ${marc.id}`
  const request = await single(marc.sql`insert into subscription_requests (subscription_id, begins_at_once_at)
    values (${plan.id}, '2020-01-01') returning id`)
  await approve(db, plan, request)
  expect(await agreed()).toBe('now')
  await leave()
  for (const [said, is] of [
    [false, null],
    [true, 'now'],
  ] as const) {
    await sql`delete from private.outgoing_mail`
    const { token } = await invited({ ...plan, owner: olivia }, marc)
    await marc.sql`select accept_invitation(${token}, ${said})`
    expect(await agreed()).toBe(is)
    await leave()
  }
})

test('who has not paid yet pays nothing, and what arrives then goes back', async () => {
  const { marc, plan } = who()
  await till.enter(marc, plan)
  const { id } = await last()
  await sql`select take_payment_jobs('simulated', 100)`
  await sql`select record_intent(${id}, ${`pi ${id}`})`
  expect(await single(withdraw(marc, await seatId()))).toBe('0.00')
  expect(await last()).toMatchObject({ status: 'cancelled' })
  await till.report(id, 'succeeded', 5.5)
  expect(await till.held('refunds_due')).toBe(5.5)
})

test('an open problem holds the money; once it is closed, what came after the withdrawal goes back all the same', async () => {
  const { olivia, marc } = who()
  await enterAndPay({ beginsAtOnce: true })
  await till.pass('6 days')
  const problem = await single(marc.sql`select report_problem(${await seatId()}, 'password')`)
  expect(await single(withdraw(marc, await seatId()))).toBeNull()
  expect(await till.held('held_share', 'held_fee')).toBe(5.5)
  expect(
    await single(marc.sql`select message from user_notifications where event = 'contract-withdrawn'`),
  ).toMatch(/What comes back is held until your problem is closed\.$/)
  await till.pass('20 hours')
  await marc.sql`select withdraw_problem(${problem})`
  const { paid, earned = 0, fee = 0, back = 0 } = (await sums()) as Record<string, number>
  expect(cents(earned + fee + back)).toBe(cents(paid))
  expect([earned > 0.9 && earned < 1.1, await till.coins(olivia)]).toEqual([true, earned])
  expect(await told(marc, 'money-given-back')).toBe(1)
})

test('whoever is not its member, is late, withdraws twice or pays the owner is told why not', async () => {
  const { olivia, marc } = who()
  await enterAndPay({ beginsAtOnce: true })
  const id = await seatId()
  const offered = () => single(marc.sql`select withdraw_until is not null from my_seats() where id = ${id}`)
  for (const person of [olivia, await addPerson(db, 'Zoe')])
    expect(await refusalOf(withdraw(person, id))).toEqual(notFound('Place not found'))
  await till.pass(await toTheEnd('1 minute'))
  expect(await offered()).toBe(true)
  await till.pass('1 minute')
  expect(await offered()).toBe(false)
  expect(await refusalOf(withdraw(marc, id))).toEqual(
    rule('You could withdraw for 14 days after joining. You can still leave.'),
  )
  await marc.sql`delete from subscription_members where user_id = ${marc.id}`
  expect(await refusalOf(withdraw(marc, id))).toEqual(notFound('Place not found'))

  await enterAndPay({ beginsAtOnce: true })
  const again = await seatId()
  await withdraw(marc, again)
  expect(await refusalOf(withdraw(marc, again))).toEqual(rule('You’ve already withdrawn from this contract'))

  await join(db, marc, await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' }))
  expect(await refusalOf(withdraw(marc, await seatId()))).toEqual(
    rule('You pay the owner directly, so there’s no contract with us to withdraw from'),
  )
})

test('it is confirmed by mail at once with when, what and how much, whatever was turned off; the owner is told', async () => {
  const { olivia, marc } = who()
  await enterAndPay({ beginsAtOnce: true })
  await marc.sql`select set_mail_preference(false)`
  await withdraw(marc, await seatId())
  await marc.sql`select mark_notifications_as_read(${marc.id})`
  const mails = await sql<{ id: string; subject: string }>`
    select *, parts || private.mail_standing_words() as parts, next_attempt_at <= clock_timestamp() as due
    from private.outgoing_mail where recipient = ${marc.email} and event = 'contract-withdrawn'`
  expect(mails).toMatchObject([
    {
      due: true,
      unsubscribe_path: null,
      params: { name: 'Marc', plan: 'Netflix Premium', amount: 5.5, what: 'back', days: 14 },
    },
  ])
  expect(mails[0]?.subject).toMatch(
    /^Marc, on \d+ \w+ \d{4}, \d\d:\d\d UTC you withdrew from the contract for Netflix Premium\. €5\.50 comes back the way you paid it, within 14 days\.$/,
  )
  expect([await told(olivia, 'member-withdrew'), await told(olivia, 'member-left')]).toEqual([1, 0])
  expect([await told(marc, 'money-given-back'), await told(marc, 'membership-ended')]).toEqual([0, 0])
})

test.each([
  [
    true,
    / On \d+ \w+ \d{4}, \d\d:\d\d UTC you asked us to begin at once\. You can withdraw from this contract until \d+ \w+, \d\d:\d\d UTC\.$/,
  ],
  [false, /^We received your €5\.50 for Netflix Premium\. You can withdraw from this contract until /],
])(
  'the mail about the first payment, and of no other, confirms the right and the wish to begin (%s), whatever was turned off',
  async (beginsAtOnce, said) => {
    const { marc } = who()
    await marc.sql`select set_mail_preference(false)`
    await enterAndPay({ beginsAtOnce })
    await till.pass('32 days')
    await till.work()
    expect((await last()).number).toBe(2)
    const mails = await sql<{ subject: string }>`select subject from private.outgoing_mail
    where recipient = ${marc.email} and event in ('payment-made', 'contract-made')`
    expect(mails).toEqual([{ subject: expect.stringMatching(said) }])
  },
)

test('two withdrawals, a removal and due work at once end the place once', async () => {
  for (const beginsAtOnce of [true, false]) {
    const { olivia, marc } = who()
    await enterAndPay({ beginsAtOnce })
    await sql`update private.clock set ahead = ahead + interval '8 days'`
    const id = await seatId()
    const guarantee = await till.held('guarantee')
    const outcome = await race([
      ...times(2, () => withdraw(marc, id)),
      till.due,
      ...(beginsAtOnce
        ? [() => olivia.sql`delete from subscription_members where user_id = ${marc.id}`]
        : []),
    ])
    for (const reason of Object.keys(outcome))
      expect(reason).toMatch(/^(done|PT404: .+|23514: You’ve already withdrawn from this contract)$/)
    if (!beginsAtOnce) {
      expect(outcome.done).toBe(2)
      expect(guarantee - (await till.held('guarantee'))).toBeGreaterThan(0.5)
    }
    expect(await till.held('held_share', 'held_fee')).toBe(0)
    await till.work()
  }
})
