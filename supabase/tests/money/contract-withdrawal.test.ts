// Withdrawing from the contract about a place: the refund, who bears it, and the notifications.
import { describe, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { moveCoins } from '../coins.ts'
import { invitationsIn } from '../invitations.ts'
import { waitingMails } from '../mail-words.ts'
import { setThePayingTable } from '../paying.ts'
import { type Asker, addPerson, notFound, refusalOf, rule } from '../people.ts'
import { approve, join, letIn, sharePlan } from '../plans.ts'
import { race, times } from '../race.ts'

const { db, sql, till, who, seat, seatId, last, told, sums } = await setThePayingTable()

const withdraw = (person: Asker, id: string) => person.sql`select withdraw_from_contract(${id})`
const leaveNow = (person: Asker, id: string) => person.sql`select leave_seat(${id}, true)`
const WITHDRAWN = { status: 'ended', end_reason: 'withdrawn' }
const NO_WISH = rule('This place begins only if you ask for it to begin at once')
const mailsTo = ({ email }: { email: string }) => waitingMails(db, email)
const cents = (euros: unknown) => Math.round(Number(euros) * 100)
/** Returns the time until the deadline for withdrawing, less `before`. */
const toTheEnd = (before = '0') =>
  single(sql`select (withdrawable_until - private.now() - ${before}::interval)::text
    from private.seats where member_id = ${who().marc.id} order by opened_at desc limit 1`)
const enterAndPay = async (terms: { coinsFirst?: boolean } = {}) => {
  await till.enter(who().marc, who().plan, terms)
  await till.work()
}
const instant = () => sql`update shared_subscriptions set instant_from = 'new' where id = ${who().plan.id}`
const asks = (wish: string | null) => who().marc.sql`
  insert into subscription_requests (subscription_id, begins_at_once_at) values (${who().plan.id}, ${wish}) returning id`
const agreed = () =>
  single<
    string | null
  >(sql`select case when begins_at_once_at between private.now() - interval '1 minute' and private.now() then 'now'
      else begins_at_once_at::text end from private.seats where member_id = ${who().marc.id} and ended_at is null`)

/**
 * Each way to a place that is paid through the site. `wish`: whether the person asks to begin immediately, with the
 * time that the client sends.
 */
const WAYS: [string, (wish: boolean) => Promise<unknown>][] = [
  [
    'a request that the owner approves',
    async (wish) => {
      const [request] = await asks(wish ? '2020-01-01' : null)
      await approve(db, who().plan, String(request?.id))
    },
  ],
  [
    'a place that is had at once',
    async (wish) => {
      await instant()
      await asks(wish ? '2020-01-01' : null)
    },
  ],
  [
    'an offer to those who wait',
    async (wish) => {
      const { olivia, marc, plan } = who()
      const paul = await till.payer('Paul')
      await sql`update shared_subscriptions set owner_max_members = 2 where id = ${plan.id}`
      await till.enter(paul, plan)
      await marc.sql`select join_waiting_list(${plan.id})`
      await olivia.sql`delete from subscription_members where user_id = ${paul.id}`
      const [request] = await asks(wish ? '2020-01-01' : null)
      await approve(db, plan, String(request?.id))
    },
  ],
  [
    'an invitation',
    async (wish) => {
      const { olivia, marc, plan } = who()
      await sql`delete from private.outgoing_mail`
      const { token } = await invitationsIn(db).invited({ ...plan, owner: olivia }, marc)
      await marc.sql`select accept_invitation(${token}, ${wish})`
    },
  ],
  [
    'new terms of a place that was paid directly',
    async (wish) => {
      const { olivia, marc } = who()
      const plan = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
      await join(db, marc, plan)
      await olivia.sql`select propose_terms(${plan.id}, 'potluck')`
      await marc.sql`select answer_terms(id, true, ${wish}) from term_proposals
        where subscription_id = ${plan.id} and answered_at is null`
    },
  ],
]
describe.each(WAYS)('%s', (_way, enter) => {
  test('needs the wish to begin at once, which is kept at the site’s own time, also where there was one before', async () => {
    const seats = () =>
      sql`select id from private.seats where member_id = ${who().marc.id} and settlement = 'potluck'`
    expect(await refusalOf(enter(false))).toEqual(NO_WISH)
    expect(await seats()).toEqual([])
    await sql`delete from shared_subscriptions where catalogue_plan_id = 'spotify-premium-family'`
    await sql`delete from private.outgoing_mail`
    await sql`delete from waiting_list`
    await sql`update shared_subscriptions set owner_max_members = 4, instant_from = null where id = ${who().plan.id}`
    // A wish to begin immediately that was sent for an earlier place does not count for the new one.
    await till.enter(who().marc, who().plan)
    await who().marc.sql`delete from subscription_members where user_id = ${who().marc.id}`
    await sql`update subscription_requests set begins_at_once_at = '2020-01-01', decided_at = '2020-01-01' where user_id = ${who().marc.id}`
    await enter(true)
    expect(await agreed()).toBe('now')
  })
})

test('an invitation is accepted with the wish of a request that waits; directly paid places take none', async () => {
  const { olivia, marc, plan } = who()
  await asks('2020-01-01')
  const { token } = await invitationsIn(db).invited({ ...plan, owner: olivia }, marc)
  await marc.sql`select accept_invitation(${token})`
  expect(await agreed()).toBe('now')
  const direct = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
  await join(db, marc, direct)
  expect(
    await sql`select begins_at_once_at, withdrawable_until from private.seats where subscription_id = ${direct.id}`,
  ).toEqual([{ begins_at_once_at: null, withdrawable_until: null }])
})

test('no server lets a place begin without it either', async () => {
  const { marc, plan } = who()
  const [profile] = await sql`select private.add_member(${plan.id}, ${marc.id}, false)`.catch((error) => [
    (error as Error).message,
  ])
  expect(profile).toBe(NO_WISH.message)
})

/** Each way to leave immediately. */
const LEAVING: [string, (id: string) => Promise<unknown>][] = [
  ['withdraws', (id) => withdraw(who().marc, id)],
  ['leaves now', (id) => leaveNow(who().marc, id)],
  [
    'leaves the plan',
    () => who().marc.sql`delete from subscription_members where user_id = ${who().marc.id}`,
  ],
]
describe.each(LEAVING)('a member who %s', (_how, leave) => {
  test.each([['at once'], ['3 days 7 hours'], ['10 days'], ['the last minute']])(
    'after: %s. What comes back, and what the owner and the site earned, is all that was paid, to the cent',
    async (time) => {
      const { olivia, marc } = who()
      await moveCoins(db, marc, 'earned', 2)
      await enterAndPay({ coinsFirst: true })
      if (time !== 'at once') await till.pass(time === 'the last minute' ? await toTheEnd('1 minute') : time)
      const guarantee = await till.held('guarantee')
      const said = await single(marc.sql`select back_now from my_seats() where ended_at is null`)
      await leave(await seatId())
      expect(await seat()).toEqual(WITHDRAWN)
      const { earned = 0, fee = 0, back = 0 } = (await sums()) as Record<string, number>
      expect(cents(earned + fee + back)).toBe(550)
      expect(cents(earned)).toBe(cents(await till.coins(olivia)))
      expect([cents(back), guarantee]).toEqual([cents(said), await till.held('guarantee')])
      if (time === '10 days') expect([earned > 1, back < 4]).toEqual([true, true])
      // Of the payment, 3.50 was paid by card and is refunded first.
      expect(cents(await till.held('refunds_due'))).toBe(Math.min(350, cents(back)))
      expect(cents(await till.coins(marc))).toBe(Math.max(0, cents(back) - 350))
      expect(await marc.sql`select round(paid * 100)::integer as paid from payment_totals()`).toEqual([
        { paid: 550 - cents(back) },
      ])
      expect([await told(marc, 'contract-withdrawn'), await told(olivia, 'member-withdrew')]).toEqual([1, 1])
      expect([await told(olivia, 'member-left'), await told(marc, 'membership-ended')]).toEqual([0, 0])
    },
  )
})

test('after the last day, leaving now gives nothing back, and the rest is the owner’s', async () => {
  const { olivia, marc } = who()
  await enterAndPay()
  await till.pass(await toTheEnd())
  await leaveNow(marc, await seatId())
  expect(await seat()).toEqual({ status: 'ended', end_reason: 'left' })
  expect(await sums()).toMatchObject({ earned: 5, back: 0 })
  expect([await till.coins(olivia), await told(marc, 'contract-withdrawn')]).toEqual([5, 0])
})

test('an account that ends within the time withdraws, and the confirmation still goes out', async () => {
  const { marc } = who()
  await enterAndPay()
  await till.pass('5 days')
  await marc.sql`select delete_own_account()`
  expect(await sql`select end_reason from private.seats where member_id = ${marc.id}`).toEqual([
    { end_reason: 'withdrawn' },
  ])
  expect(await till.held('refunds_due')).toBeGreaterThan(4)
  expect(await sql`select event from private.outgoing_mail where recipient = ${marc.email}`).toEqual([
    { event: 'contract-withdrawn' },
  ])
})

test('the last day is fixed at the contract, in the time zone of then', async () => {
  const { marc } = who()
  await marc.sql`select set_time_zone('Pacific/Honolulu')`
  await till.enter(marc, who().plan)
  const until = () =>
    single<string>(sql`select withdrawable_until::text from private.seats where member_id = ${marc.id}`)
  const local =
    await single(sql`select to_char(withdrawable_until at time zone 'Pacific/Honolulu', 'HH24:MI') || ' '
    || ((withdrawable_until at time zone 'Pacific/Honolulu')::date - (opened_at at time zone 'Pacific/Honolulu')::date)
    from private.seats where member_id = ${marc.id}`)
  expect(local).toBe('00:00 15')
  const fixed = await until()
  await marc.sql`select set_time_zone('Pacific/Auckland')`
  expect(await until()).toBe(fixed)
})

test('new terms are a contract of their own, with a time to withdraw of its own', async () => {
  const { olivia, marc } = who()
  const direct = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
  await join(db, marc, direct)
  await till.pass('20 days')
  await olivia.sql`select propose_terms(${direct.id}, 'potluck')`
  await marc.sql`select answer_terms(id, true, true) from term_proposals where answered_at is null`
  await till.pass('13 days')
  await till.work()
  expect(await last()).toMatchObject({ number: 2, status: 'paid' })
  await leaveNow(marc, await seatId())
  expect(await seat()).toEqual(WITHDRAWN)
  expect((await sums())?.back).toBeGreaterThan(0)
})

test('who has not paid yet pays nothing, and what arrives then goes back', async () => {
  const { marc, plan } = who()
  await till.enter(marc, plan)
  const { id } = await last()
  await sql`select lease_payment_jobs('simulated', 100)`
  await sql`select record_intents(jsonb_build_object(${id}::text, ${`pi ${id}`}::text))`
  expect(await single(withdraw(marc, await seatId()))).toBe('0.00')
  expect(await last()).toMatchObject({ status: 'cancelled' })
  await till.report(id, 'succeeded', 5.5)
  expect(await till.held('refunds_due')).toBe(5.5)
})

test('an open problem holds the money; once it is closed, what came after the withdrawal goes back all the same', async () => {
  const { olivia, marc } = who()
  await enterAndPay()
  await till.pass('6 days')
  const problem = await single(marc.sql`select report_problem(${await seatId()}, 'password')`)
  expect(await single(withdraw(marc, await seatId()))).toBeNull()
  expect(await till.held('held_share', 'held_fee')).toBe(5.5)
  expect(
    await single(marc.sql`select message from user_notifications where event = 'contract-withdrawn'`),
  ).toMatch(/What comes back is held until your problem is closed\.$/)
  await till.pass('20 hours')
  await marc.sql`select drop_problem(${problem})`
  const { paid, earned = 0, fee = 0, back = 0 } = (await sums()) as Record<string, number>
  expect(cents(earned + fee + back)).toBe(cents(paid))
  expect([earned > 0.9 && earned < 1.1, await till.coins(olivia)]).toEqual([true, earned])
  expect(await told(marc, 'money-given-back')).toBe(1)
})

test('whoever is not its member, is late, withdraws twice or pays the owner is told why not', async () => {
  const { olivia, marc } = who()
  await enterAndPay()
  const id = await seatId()
  const offered = () => single(marc.sql`select withdraw_until is not null from my_seats() where id = ${id}`)
  for (const person of [olivia, await addPerson(db, 'Zoe')])
    expect(await refusalOf(withdraw(person, id))).toEqual(notFound('Place not found'))
  await till.pass(await toTheEnd('1 minute'))
  expect(await offered()).toBe(true)
  await till.pass('1 minute')
  expect(await offered()).toBe(false)
  expect(await refusalOf(withdraw(marc, id))).toEqual(
    rule('You could withdraw for 14 days after the contract. You can still leave.'),
  )
  await marc.sql`delete from subscription_members where user_id = ${marc.id}`
  expect(await refusalOf(withdraw(marc, id))).toEqual(notFound('Place not found'))

  await enterAndPay()
  const again = await seatId()
  await withdraw(marc, again)
  expect(await refusalOf(withdraw(marc, again))).toEqual(rule('You’ve already withdrawn from this contract'))

  await join(db, marc, await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' }))
  expect(await refusalOf(withdraw(marc, await seatId()))).toEqual(
    rule('You pay a private person directly, so there’s no right to withdraw'),
  )
})

test('it is confirmed by mail at once with when, what and how much, whatever was turned off; the owner is told', async () => {
  const { olivia, marc } = who()
  await enterAndPay()
  await marc.sql`select set_mail_preference(false)`
  await withdraw(marc, await seatId())
  await marc.sql`select mark_notifications_as_read(${marc.id})`
  const mails = (await mailsTo(marc)).filter(({ event }) => event === 'contract-withdrawn')
  expect(mails).toMatchObject([
    {
      minutes: 0,
      unsubscribe_path: null,
      params: { name: 'Marc', plan: 'Netflix Premium', amount: 5.5, what: 'back', days: 14 },
    },
  ])
  expect(mails[0]?.said.subject).toMatch(
    /^Marc, on \d+ \w+ \d{4}, \d\d:\d\d UTC you withdrew from the contract for Netflix Premium\. €5\.50 comes back the way you paid it, within 14 days\.$/,
  )
  expect([await told(olivia, 'member-withdrew'), await told(olivia, 'member-left')]).toEqual([1, 0])
  expect([await told(marc, 'money-given-back'), await told(marc, 'membership-ended')]).toEqual([0, 0])
})

test('two withdrawals, a leave, a removal and due work at once end the place once', async () => {
  const { olivia, marc } = who()
  await enterAndPay()
  await sql`update private.clock set ahead = ahead + interval '8 days'`
  const id = await seatId()
  const outcome = await race([
    ...times(2, () => withdraw(marc, id)),
    () => leaveNow(marc, id),
    till.due,
    () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`,
  ])
  for (const reason of Object.keys(outcome))
    expect(reason).toMatch(/^(done|PT404: .+|23514: You’ve already withdrawn from this contract)$/)
  expect(await till.held('held_share', 'held_fee')).toBe(0)
  await till.work()
})

type Days = 'all' | 'those used' | 'the rest' | 'none'
/**
 * Places that are paid directly, by how their owner declares to share, and when. After a withdrawal, an owner who was
 * paid owes for the days `owes` of the month (null where there is no right to withdraw), and an unpaid member owes for
 * the days `left`.
 */
const DIRECT: [
  string,
  { asked?: string; approved?: string; later?: string; owes: Days | null; left: Days },
][] = [
  ['a private person', { owes: null, left: 'all' }],
  ['a trader', { asked: 'trader', owes: 'the rest', left: 'those used' }],
  [
    'a trader who calls themselves private once it has begun',
    { asked: 'trader', later: 'private', owes: 'the rest', left: 'those used' },
  ],
  ['a trader who says so once it was asked for', { approved: 'trader', owes: 'all', left: 'none' }],
  ['a trader who says so once it has begun', { later: 'trader', owes: null, left: 'all' }],
]
describe.each(DIRECT)('a place that is paid to %s', (_who, { asked, approved, later, owes, left }) => {
  const declare = async (as?: string) => {
    const [name, address, email] = ['Olivia Ltd', '1 Road, Town', 'olivia@ltd.example']
    if (as === 'trader') await who().olivia.sql`select declare_seller(true, ${name}, ${address}, ${email})`
    if (as === 'private') await who().olivia.sql`select declare_seller(false)`
  }
  /** Returns the price in EUR of these days of the current month. */
  const worth = async (days: Days) => {
    const part = { all: 1, 'those used': 'used', 'the rest': '1 - used', none: 0 }[days]
    const text = `select round(share * (${part}), 2)::text from member_payments cross join lateral
      (select extract(epoch from private.now() - starts_at) / extract(epoch from ends_at - starts_at) as used) as month
      where member_id = $1`
    return single<string>(db.query(text, [who().marc.id]))
  }
  const enterDirectly = async () => {
    const { olivia, marc } = who()
    await olivia.sql`insert into payment_wishes (kind, note) values ('text', 'Cash')`
    const plan = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
    await declare(asked)
    const request = (wish: string | null) => marc.sql<{ id: string }>`
      insert into subscription_requests (subscription_id, begins_at_once_at) values (${plan.id}, ${wish}) returning id`
    if (asked === 'trader') expect(await refusalOf(request(null))).toEqual(NO_WISH)
    const [sent] = await request(asked === 'trader' ? '2020-01-01' : null)
    await declare(approved)
    await approve(db, plan, String(sent?.id))
    await declare(later)
    await letIn(db)
  }

  test('which is paid: the owner owes the unused part', async () => {
    const { olivia, marc } = who()
    await enterDirectly()
    const { id } = await last()
    await marc.sql`select say_paid(${id})`
    await olivia.sql`select confirm_payment(${id})`
    await till.pass('10 days')
    const seatOfMarc = await seatId()
    const owed = owes && (await worth(owes))
    expect(await single(marc.sql`select back_now from my_seats() where id = ${seatOfMarc}`)).toBe(owed)
    if (owed === null) {
      expect(await refusalOf(withdraw(marc, seatOfMarc))).toMatchObject({ code: '23514' })
      await leaveNow(marc, seatOfMarc)
      expect(await seat()).toEqual({ status: 'ended', end_reason: 'left' })
    } else {
      expect(await single(withdraw(marc, seatOfMarc))).toBe(owed)
      expect(await seat()).toEqual(WITHDRAWN)
      expect(
        await single(marc.sql`select message from user_notifications where event = 'contract-withdrawn'`),
      ).toMatch(new RegExp(`Olivia owes you €${owed}, within 14 days\\.$`))
    }
    expect(await single(sql`select owed_back from member_payments where id = ${id}`)).toBe(owed ?? '0.00')
  })

  test('which is unpaid: the member owes the days of access if they asked for them', async () => {
    const { marc } = who()
    await enterDirectly()
    await till.pass('10 days')
    const owed = await worth(left)
    await leaveNow(marc, await seatId())
    expect(await marc.sql`select amount from member_payments where left_unpaid_at is not null`).toEqual(
      left === 'none' ? [] : [{ amount: owed }],
    )
    expect(await till.held('held_share', 'held_fee')).toBe(0)
  })

  test('the contract goes out by mail, with the right and the form where there is one', async () => {
    await enterDirectly()
    const [mail] = (await mailsTo(who().marc)).filter(({ event }) => event === 'contract-with-owner')
    const text = mail?.said.sentences.join('\n')
    if (owes === null) {
      expect(text).toMatch(/does not apply between private people\./)
      return expect(text).not.toMatch(/Model withdrawal form/)
    }
    expect(text).toMatch(/Olivia shares as a trader, so you have the rights of a consumer\./)
    expect(text).toMatch(/— To Olivia Ltd, 1 Road, Town, olivia@ltd\.example:/)
    expect(/you pay for the days you had access/.test(text ?? '')).toBe(asked === 'trader')
  })
})
