// A ban hides a person, and nothing is earned, charged or due for places in the person's plans or for the person's own
// places. After 72 hours the places end with a refund since the ban; a ban that is over before then leaves everything
// as it was.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { columnOf, single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { REASONS } from '../cases.ts'
import { invitationsIn } from '../invitations.ts'
import { addPerson, addStaff, notFound, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { approve, ask, found, letIn, type SharedPlan, sayHowPaid, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const { invited, accept } = invitationsIn(db)
const ada = await addStaff(db, 'Ada', 'admin')
let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeEach(async () => {
  olivia = await till.payer('Olivia')
  marc = await till.payer('Marc')
  zoe = await till.payer('Zoe')
})
afterEach(async () => {
  expect(await till.books()).toEqual([])
  expect(await till.failures()).toEqual([])
  await sql`update private.payment_provider set connect = false`
  await sql`update auth.users set banned_until = null`
  await sql`update private.payout_holds set released_at = private.now()`
  await sql`delete from shared_subscriptions`
  await till.due()
  await till.work()
})

const ban = async (person: Person, time = '10 years') => {
  await sql`update auth.users set banned_until = now() + ${time}::interval where id = ${person.id}`
  await till.due()
}
const lift = async (person: Person) => {
  await sql`update auth.users set banned_until = null where id = ${person.id}`
  await till.due()
}
type Settlement = 'direct' | 'potluck'
/** Gives the member a place in the owner's plan, and pays for it. */
const enter = async (settlement: Settlement, owner = olivia, member = marc) => {
  if (settlement === 'potluck') {
    plan = await till.share(owner)
    await till.enter(member, plan)
    await till.work()
    return
  }
  plan = await sharePlan(db, owner)
  await owner.insert('payment_wishes', { kind: 'text', note: 'Cash at dinner' })
  await owner.sql`select approve_subscription_request(${await ask(db, member, plan)}, ${plan.id})`
  await letIn(db)
  await member.sql`select say_paid(id) from member_payments`
  await owner.sql`select confirm_payment(id) from member_payments where member_id = ${member.id}`
}
/**
 * Moves the site's clock by whole days, then by the remaining hours, and works through the provider's jobs after each
 * step.
 */
const pass = async (hours: number) => {
  let charges = 0
  for (let left = hours; left > 0; left -= 24) {
    await sql`update private.clock set ahead = ahead + make_interval(hours => ${Math.min(left, 24)})`
    await till.due()
    charges += await till.work()
  }
  return charges
}
const seat = async (member = marc) => (await member.sql`select status, end_reason from my_seats()`)[0]
const seatId = () => single(marc.sql`select id from my_seats()`)
const told = (person: Person, event: string) =>
  columnOf<string>(person.sql`select message from user_notifications where event = ${event}`)
/** Returns the member's first payment, and its unused part when the first ban began. */
const first = async (member = marc) =>
  (
    await sql`select owed_back, earned_share, returned_share, returned_fee, share,
      round(share * (1 - used), 2) as unused, round(fee * (1 - used), 2) as unused_fee
      from member_payments cross join lateral (select extract(epoch from min(since) - starts_at) / extract(epoch from ends_at - starts_at) as used
        from private.suspensions where user_id in (owner_id, member_id)) as ban
      where number = 1 and member_id = ${member.id}`
  )[0]
/** Returns the hours until Marc's period ends. */
const hoursLeft = () =>
  single<number>(
    sql`select floor(extract(epoch from max(ends_at) - private.now()) / 3600)::integer from member_payments where member_id = ${marc.id}`,
  )
const LIVES = { status: 'active', end_reason: null }
const ENDED = { status: 'ended', end_reason: 'suspended' }

// The state of a place after ten days: who was banned, how long the ban lasts, when it is lifted (in hours; null if it
// ends by itself, or after the place), and whether the place has ended by then. All these places exist side by side.
const STATES: [Settlement, 'owner' | 'member' | 'both', string, number | null, boolean][] = []
for (const settlement of ['direct', 'potluck'] as const)
  for (const who of ['owner', 'member', 'both'] as const)
    STATES.push(
      [settlement, who, '10 years', 1, false],
      [settlement, who, '10 years', 71, false],
      [settlement, who, '10 years', 73, true],
      [settlement, who, '10 years', null, true],
      [settlement, who, '24 hours', null, false],
      [settlement, who, '72 hours', null, false],
      [settlement, who, '73 hours', null, true],
    )

describe('a place', () => {
  test('ends after 72 hours of a ban with a refund since it began, and goes on after a shorter one as before', async () => {
    const places = []
    for (const [settlement, who, time, hours, hasEnded] of STATES) {
      const [owner, member] = [await till.payer('Olivia'), await till.payer('Marc')]
      await enter(settlement, owner, member)
      const banned = [...(who === 'member' ? [] : [owner]), ...(who === 'owner' ? [] : [member])]
      const what = `paid ${settlement}, ${who} banned for ${time} and let in again after ${hours} hours`
      places.push({ settlement, who, time, hours: hours ?? 80, hasEnded, owner, member, banned, what })
    }
    await pass(240)
    const earned = ({ id }: Person) =>
      single(sql`select earned_share from member_payments where member_id = ${id}`)
    const before = new Map<Person, string>()
    for (const { member } of places) before.set(member, await earned(member))
    // private.follow_suspensions() handles 20 suspensions per run.
    for (const who of ['owner', 'member', 'both'])
      for (const settlement of ['direct', 'potluck']) {
        for (const { banned, time } of places.filter(
          (place) => place.who === who && place.settlement === settlement,
        ))
          for (const { id } of banned)
            await sql`update auth.users set banned_until = now() + ${time}::interval where id = ${id}`
        await till.due()
      }
    let charges = 0
    let now = 0
    for (const hour of [1, 24, 48, 71, 72, 73, 74, 80]) {
      charges += await pass(hour - now)
      now = hour
      const lifted = places.filter(({ hours }) => hours === hour)
      for (const { member, banned, hasEnded, what } of lifted) {
        expect(await seat(member), what).toEqual(hasEnded ? ENDED : LIVES)
        if (!hasEnded && hour < 80) expect(await earned(member), what).toBe(before.get(member))
        for (const { id } of banned) await sql`update auth.users set banned_until = null where id = ${id}`
      }
      await till.due()
      for (const { owner, member, what } of lifted)
        for (const { id } of [owner, member])
          expect(
            await sql`select problems, paid_late from private.standing_facts(array[${id}]::uuid[])`,
            what,
          ).toEqual([{ problems: 0, paid_late: 0 }])
    }
    expect(charges).toBe(0)
    await pass(1440)
    for (const { settlement, who, hasEnded, member, what } of places) {
      const period = await first(member)
      const owes = settlement === 'direct' && hasEnded && who !== 'member'
      const back = settlement === 'potluck' && hasEnded ? period?.unused : '0.00'
      expect(period, what).toMatchObject(
        settlement === 'direct'
          ? { owed_back: owes ? period?.unused : '0.00' }
          : {
              returned_share: back,
              returned_fee: hasEnded ? period?.unused_fee : '0.00',
              earned_share: (Number(period?.share) - Number(back)).toFixed(2),
            },
      )
      expect(await told(member, 'owner-owes-you'), what).toHaveLength(owes ? 1 : 0)
      expect(await seat(member), what).toMatchObject({ end_reason: hasEnded ? 'suspended' : null })
      expect(await member.sql`select 1 from member_payments where number > 1 limit 1`, what).toHaveLength(
        hasEnded ? 0 : 1,
      )
    }
  })

  test.each(['direct', 'potluck'] as const)(
    'paid %s, whose owner is banned for 62 days, is charged nothing, and nothing is sent to the owner',
    async (settlement) => {
      await enter(settlement)
      await pass(24)
      const paid = await told(marc, 'payment-made')
      await ban(olivia)
      expect(await pass(62 * 24)).toBe(0)
      expect(await marc.sql`select number from member_payments`).toEqual([{ number: 1 }])
      for (const event of ['renewal-coming', 'payment-due']) expect(await told(marc, event)).toHaveLength(0)
      expect(await told(marc, 'payment-made')).toEqual(paid)
      expect(await told(marc, 'seat-ended')).toEqual([
        `Your place in Netflix Premium ended because its owner stayed suspended. ${
          settlement === 'direct'
            ? 'The owner owes you what you paid for the time since.'
            : 'You get back what you paid for the time since.'
        }`,
      ])
      if (settlement === 'potluck') expect(await till.held('held_share', 'held_fee', 'refunds_due')).toBe(0)
    },
  )

  test('that renews during a ban is announced and charged once it is lifted, from the boundary', async () => {
    await enter('potluck')
    const left = await hoursLeft()
    await pass(left - 80)
    await ban(olivia)
    expect(await pass(71)).toBe(0)
    await lift(olivia)
    expect(await told(marc, 'renewal-coming')).toHaveLength(1)
    await pass(8)
    await ban(olivia)
    expect(await pass(48)).toBe(0)
    expect(await marc.sql`select number from member_payments`).toHaveLength(1)
    await lift(olivia)
    await till.work()
    expect(
      await marc.sql`select second.status, second.starts_at = first.ends_at as follows, first.returned_share
        from member_payments as first join member_payments as second on second.number = 2 where first.number = 1`,
    ).toEqual([{ status: 'paid', follows: true, returned_share: '0.00' }])
    expect(await seat()).toEqual(LIVES)
  })

  test.each(['owner', 'member'] as const)(
    'whose renewal has failed is not tried again while the %s is banned, nor is a charge that waits begun',
    async (who) => {
      await enter('potluck')
      await pass(await hoursLeft())
      await till.pass('1 hour', 'failed')
      const banned = who === 'owner' ? olivia : marc
      await sql`select private.queue_charges(array(select id from member_payments where member_id = ${marc.id} and status = 'failed'))`
      await ban(banned)
      expect(await pass(70)).toBe(0)
      expect(
        await refusalOf(
          marc.sql`select begin_payment(id, null) from member_payments where status = 'failed'`,
        ),
      ).toEqual(rule('We don’t charge you while this place is paused'))
      await lift(banned)
      expect(await till.work()).toBe(1)
      expect(await seat()).toEqual(LIVES)
    },
  )

  test('that waits for access: the owner has as much time left after the ban as before it', async () => {
    plan = await till.share(olivia)
    await till.enter(marc, plan, { access: false })
    await till.work()
    await pass(40)
    await ban(olivia)
    await pass(60)
    await lift(olivia)
    expect(await seat()).toEqual(LIVES)
    await pass(7)
    expect(await seat()).toEqual(LIVES)
    await pass(2)
    expect(await seat()).toEqual({ status: 'ended', end_reason: 'no-access' })
  })

  test.each([
    [60, LIVES, 'owner'],
    [72, ENDED, 'closed'],
  ])('with an open problem waits for %i hours of a ban and is then %j', async (hours, state, turn) => {
    await enter('potluck')
    await pass(240)
    await marc.sql`select report_problem(${await seatId()}, 'password', 'It says wrong password')`
    await ban(olivia)
    await pass(hours)
    expect(await seat()).toEqual(state)
    if (turn === 'closed')
      expect(await marc.sql`select outcome from seat_problems`).toEqual([{ outcome: 'owner-ended' }])
    await lift(olivia)
    expect(await marc.sql`select status from seat_problems`).toEqual([{ status: turn }])
    // Events while the account was banned do not count as the owner's fault.
    expect(
      await single(sql`select f.problems from private.standing_facts(array[${olivia.id}]::uuid[]) as f`),
    ).toBe(0)
    if (turn === 'closed') return
    await pass(25)
    expect(await marc.sql`select outcome from seat_problems`).toEqual([{ outcome: 'owner-silent' }])
  })

  test('of a member who leaves, or is removed, while the owner is banned is refunded since the ban', async () => {
    await enter('potluck')
    await pass(240)
    await ban(olivia)
    await pass(30)
    await marc.sql`select leave_seat(${await seatId()}, true)`
    const period = await first()
    expect(period?.returned_share).toBe(period?.unused)
  })

  test('survives two bans that are lifted, and counts the third from its own beginning', async () => {
    await enter('potluck')
    for (const _time of [1, 2]) {
      await ban(olivia)
      await pass(50)
      await lift(olivia)
      expect(await seat()).toEqual(LIVES)
    }
    await ban(olivia)
    await pass(71)
    expect(await seat()).toEqual(LIVES)
    await pass(1)
    expect(await seat()).toEqual(ENDED)
  })
})

describe('everybody concerned', () => {
  const messages = async () => ({
    member: await told(marc, 'owner-suspended'),
    owner: await told(olivia, 'you-are-suspended'),
    staff: (await told(ada, 'person-suspended')).length,
  })
  test('is told what happens to the money, the owner by mail at once, and when the ban is over', async () => {
    await enter('potluck')
    const staffBefore = (await told(ada, 'person-suspended')).length
    await ban(olivia, '100 years')
    const until = await single<string>(
      sql`select to_char(ends_places_at at time zone 'utc', 'FMDD FMMonth, HH24:MI') from private.suspensions where lifted_at is null`,
    )
    expect(await messages()).toEqual({
      member: [
        `The owner of Netflix Premium is suspended. Nothing is charged. If that isn’t lifted by ${until} UTC, your place ends, and you get back what you paid for the time since.`,
      ],
      owner: [
        `Your account is suspended. Your plans are hidden, and nothing is charged or paid out. If that isn’t lifted by ${until} UTC, your places and those in your plans end, and what was paid for the time since goes back.`,
      ],
      staff: staffBefore + 1,
    })
    expect(
      await sql`select unsubscribe_path, path, next_attempt_at <= clock_timestamp() as due from private.outgoing_mail
        where recipient = ${olivia.email} and event = 'you-are-suspended'`,
    ).toEqual([{ unsubscribe_path: null, path: '/imprint', due: true }])
    expect(await marc.sql`select pause_ends_place from my_seats()`).toEqual([{ pause_ends_place: true }])
    expect(
      await single(marc.sql`select count(*)::integer from shared_subscriptions where id = ${plan.id}`),
    ).toBe(1)
    await lift(olivia)
    expect(await told(marc, 'owner-back')).toHaveLength(1)
    expect(await told(olivia, 'you-are-back')).toEqual([
      'Your account is no longer suspended. Your plans and places go on as before.',
    ])
    expect(await marc.sql`select paused_until from my_seats()`).toEqual([{ paused_until: null }])
  })

  test('is told of a short ban when it is over', async () => {
    await enter('direct')
    await ban(marc, '24 hours')
    expect((await told(olivia, 'member-suspended'))[0]).toMatch(
      /^Marc’s place in Netflix Premium is paused until \d+ \w+, \d\d:\d\d UTC\. Nothing is charged until then\.$/,
    )
    expect(await olivia.sql`select pause_ends_place from plan_seats(${plan.id})`).toEqual([
      { pause_ends_place: false },
    ])
    await pass(25)
    expect(await told(olivia, 'member-back')).toEqual(['Marc’s place in Netflix Premium goes on as before.'])
  })
})

describe('while the owner is banned', () => {
  test('requests, offers and questions end, invitations cannot be accepted, and nothing new begins', async () => {
    plan = await sharePlan(db, olivia, { places: 4 })
    await sayHowPaid(olivia)
    const [asks, waits, guest] = [zoe, await addPerson(db, 'Wanda'), await addPerson(db, 'Gus')]
    await ask(db, asks, plan)
    const { token } = await invited(plan, guest)
    await sql`insert into waiting_list (subscription_id, user_id, offered_until) values (${plan.id}, ${waits.id}, now() + interval '1 day')`
    await ban(olivia)
    expect(await asks.sql`select status from subscription_requests`).toEqual([{ status: 'rejected' }])
    expect(await waits.sql`select offered_until from waiting_list`).toEqual([{ offered_until: null }])
    expect(await refusalOf(accept(guest, token))).toEqual(rule('This invitation has already been withdrawn'))
    expect(await columnOf(guest.sql`select my_home() ->> 'tasks'`)).toEqual(['[]'])
    for (const way of [ask(db, asks, plan), asks.sql`select ask_question(${plan.id}, 'Are you there?')`])
      expect(await refusalOf(way)).toEqual(notFound('Subscription not found'))
    expect((await found(asks)).has(plan.id)).toBe(false)
    await lift(olivia)
    await till.due()
    expect(await single(waits.sql`select offered_until is not null from waiting_list`)).toBe(true)
    await accept(guest, token)
    expect((await found(asks)).has(plan.id)).toBe(true)
    // A permanent ban empties the waiting list.
    await ban(olivia)
    await pass(73)
    await till.due()
    expect(await waits.sql`select id from waiting_list`).toEqual([])
    expect(await told(waits, 'waiting-list-closed')).toEqual([
      'Netflix Premium takes no new members, so you’re no longer waiting for it.',
    ])
  })

  test('nobody approves the request of somebody who is banned, or is offered their place in line', async () => {
    plan = await sharePlan(db, olivia, { places: 2 })
    await sayHowPaid(olivia)
    const request = await ask(db, marc, plan)
    await sql`update auth.users set banned_until = now() + interval '1 day' where id = ${marc.id}`
    expect(await refusalOf(approve(db, plan, request))).toEqual(
      rule('This request has already been cancelled'),
    )
    await till.due()
    expect(await sql`select status from subscription_requests where id = ${request}`).toEqual([
      { status: 'cancelled' },
    ])
    await sql`insert into waiting_list (subscription_id, user_id, joined_at)
      values (${plan.id}, ${marc.id}, now() - interval '1 day'), (${plan.id}, ${zoe.id}, now())`
    await till.due()
    expect(await sql`select user_id from waiting_list where offered_until is not null`).toEqual([
      { user_id: zoe.id },
    ])
  })

  test('a member neither sees how to pay the owner nor is reminded or late', async () => {
    await enter('direct')
    const sees = () => marc.sql`select note from payment_wishes where user_id = ${olivia.id}`
    const left = await hoursLeft()
    await pass(left + 25)
    expect(await sees()).toHaveLength(1)
    const reminders = (await told(marc, 'payment-due')).length
    await ban(olivia)
    expect(await sees()).toEqual([])
    await pass(70)
    expect(await told(marc, 'payment-due')).toHaveLength(reminders)
    await lift(olivia)
    expect(await sees()).toHaveLength(1)
    expect(
      await sql`select due_at > private.now() - interval '2 days' as soon from member_payments
      where number = 2 and member_id = ${marc.id}`,
    ).toEqual([{ soon: true }])
  })
})

describe('what was earned before', () => {
  const queued = () =>
    columnOf(sql`select t.amount from private.account_transfers as t join private.payment_jobs as j on j.about = t.id::text
      where j.kind = 'transfer' and t.user_id = ${olivia.id}`)
  const hold = async (time: string, by = ada, reasons: string | null = REASONS) => {
    const until = await single<string>(sql`select (private.now() + ${time}::interval)::text`)
    return by.sql`select hold_payouts(${olivia.id}, ${until}::timestamptz, ${reasons})`
  }
  const orders = () =>
    sql`select private.account_transfer_order(id) is not null as goes from private.account_transfers where user_id = ${olivia.id}`

  test('is not sent to the owner’s own account until the places have ended, and then is', async () => {
    await sql`update private.payment_provider set connect = true`
    await sql`select register_account(${olivia.id}, ${`acct_${olivia.id}`})`
    await sql`select record_account(${`acct_${olivia.id}`}, true, true, '{}', null)`
    await enter('potluck')
    await pass(170)
    await ban(olivia)
    await sql`update private.payment_jobs set next_attempt_at = now()`
    await till.work()
    expect(await orders()).toEqual([{ goes: false }])
    expect(await queued()).toEqual([])
    await pass(73)
    await till.due()
    expect(await orders()).toEqual([{ goes: true }, { goes: true }])
  })

  test('is paid out to the bank account once the places have ended, unless staff reject it', async () => {
    await enter('potluck')
    await addBankAccount(db, olivia)
    await pass(170)
    await ban(olivia)
    await pass(73)
    // Nothing is paid out while a bank may still take back the first payments.
    await sql`select private.pay_out_suspended()`
    expect(await sql`select id from withdrawal_requests where user_id = ${olivia.id}`).toEqual([])
    await pass(31 * 24)
    const coins = await till.coins(olivia)
    expect(coins).toBeGreaterThan(0)
    for (const _again of [1, 2]) await sql`select private.pay_out_suspended()`
    const withdrawals = () =>
      sql`select status, amount::float8 from withdrawal_requests where user_id = ${olivia.id}`
    expect(await withdrawals()).toEqual([{ status: 'pending', amount: coins }])
    await ada.sql`update withdrawal_requests set status = 'rejected', rejection_reason = 'Not yet' where user_id = ${olivia.id}`
    await sql`select private.pay_out_suspended()`
    expect(await withdrawals()).toHaveLength(1)
  })

  test('is held while there is no bank account, of which the person and staff are told once', async () => {
    await enter('potluck')
    await pass(170)
    await ban(olivia)
    await pass(73 + 31 * 24)
    await till.due()
    const coins = await till.coins(olivia)
    for (const _again of [1, 2]) await sql`select private.pay_out_suspended()`
    expect(await told(olivia, 'payout-held')).toEqual([
      expect.stringMatching(
        /^We’re holding your payouts until .*, because you haven’t added a bank account\. /,
      ),
    ])
    expect(await told(ada, 'payout-account-missing')).toEqual([
      `Olivia is suspended and has ${coins.toFixed(2)} coins, but no bank account.`,
    ])
    await addBankAccount(db, olivia)
    await ada.sql`select release_payouts(${olivia.id})`
    await sql`select private.pay_out_suspended()`
    expect(
      await sql`select status, amount::float8 from withdrawal_requests where user_id = ${olivia.id}`,
    ).toEqual([{ status: 'pending', amount: coins }])
  })

  test('is held with a ground and an end, which the person is told, and is free again after it', async () => {
    await enter('potluck')
    await addBankAccount(db, olivia)
    await pass(170)
    await sql`insert into withdrawal_requests (user_id, amount, closes_account) values (${olivia.id}, 1, true)`
    expect(await refusalOf(hold('1 day', marc))).toMatchObject({ code: '42501' })
    for (const time of ['181 days', '-1 day'])
      expect(await refusalOf(hold(time))).toEqual(rule('Payouts can be held for up to 180 days'))
    expect(await refusalOf(hold('1 day', ada, null))).toEqual(
      rule('Please choose what the decision is based on'),
    )
    await hold('10 days')
    const day = await single<string>(
      sql`select to_char(until, 'FMDD FMMonth YYYY') from private.payout_holds where released_at is null`,
    )
    const HELD = rule(`Payouts are held until ${day}`)
    expect(await told(olivia, 'decision')).toEqual([
      expect.stringMatching(
        /^We’re holding your payouts until .* “Asks for passwords” Section 5 of our terms/,
      ),
    ])
    const process = () =>
      ada.sql`update withdrawal_requests set status = 'processing' where user_id = ${olivia.id}`
    expect(await refusalOf(process())).toEqual(HELD)
    expect(
      await refusalOf(
        sql`insert into withdrawal_requests (user_id, amount, closes_account) values (${olivia.id}, 0.1, true)`,
      ),
    ).toEqual(HELD)
    expect(
      await single(sql`select private.refusal(private.moving_refusal(${olivia.id})) ->> 'message'`),
    ).toBe(HELD.message)
    await pass(241)
    await sql`select private.pay_out_suspended()`
    expect(await told(olivia, 'payout-released')).toEqual(['Your payouts are no longer held.'])
    await hold('10 days')
    await ada.sql`select release_payouts(${olivia.id})`
    expect(await told(olivia, 'payout-released')).toHaveLength(2)
    expect(await refusalOf(ada.sql`select release_payouts(${olivia.id})`)).toEqual(
      rule('Payouts to this person are not held'),
    )
  })
})

test('an account that ends while it is banned refunds its members since the ban', async () => {
  await enter('potluck')
  await pass(240)
  await ban(olivia)
  await pass(20)
  const before = await first()
  await olivia.sql`delete from payment_wishes`
  await addBankAccount(db, olivia)
  await olivia.sql`select delete_own_account(true)`
  expect((await sql`select returned_share from member_payments where member_id = ${marc.id}`)[0]).toEqual({
    returned_share: before?.unused,
  })
  expect(await seat()).toEqual({ status: 'ended', end_reason: 'cancelled' })
})
