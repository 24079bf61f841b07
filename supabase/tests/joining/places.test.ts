// A place in a plan, which is a membership and its seat: its readers, its opening and end, and the access it gives.
// Proves NOTIF 11, ROLE 11, PLAN 12 19 23, MEMB 02 09, API 28, VALID 16, PAY 20, ACCESS 13 14
import { beforeEach, describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { addPerson, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { join, openChat, type SharedPlan, sayingHowPaid, setTheTable, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()

let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeEach(async () => {
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

const remove = (by: Person, member: Person) =>
  by.sql`delete from subscription_members where subscription_id = ${plan.id} and user_id = ${member.id} returning user_id`
const members = async () =>
  (await sql`select current_members from shared_subscriptions where id = ${plan.id}`)[0]?.current_members
const archived = async (chat: string) =>
  (await sql`select archived from conversations where id = ${chat}`)[0]?.archived
const told = (person: Person, title: string) =>
  person.sql`select message from user_notifications where title = ${title}`
const seatsOf = (person: Person) =>
  sql`select settlement, status, share, end_reason, ended_by from private.seats where member_id = ${person.id} order by opened_at`
const seatOf = async (person: Person) =>
  (await person.sql<{ id: string }>`select id from my_seats() where ended_at is null`)[0]?.id ?? ''
const LIVING = { settlement: 'direct', status: 'active', share: '5.00', end_reason: null, ended_by: null }

describe('a member', () => {
  test('is seen by the owner with all others, sees the owner and themselves, and strangers see nobody', async () => {
    const nina = await addPerson(db, 'Nina')
    await join(db, nina, plan)
    const seen = async (person: Person) =>
      (
        await person.sql`select user_id from subscription_members where subscription_id = ${plan.id}
          order by is_owner desc, joined_at`
      ).map(({ user_id }) => user_id)
    expect(await seen(olivia)).toEqual([olivia.id, marc.id, nina.id])
    expect(await seen(marc)).toEqual([olivia.id, marc.id])
    expect(await seen(zoe)).toEqual([])
  })

  test('is known by a UUID that has a profile, and by nothing else', async () => {
    const add = (id: string) =>
      refusalOf(
        sql`insert into subscription_members (subscription_id, user_id, name, email) values (${plan.id}, ${id}, 'X', 'x')`,
      )
    expect(await add('marc')).toMatchObject({ code: '22P02' })
    expect(await add('00000000-0000-4000-8000-000000000000')).toMatchObject({ code: '23503' })
  })

  test('who leaves is counted off, the chat archived and the owner told', async () => {
    const chat = await openChat(db, plan, marc)
    expect([await members(), await archived(chat)]).toEqual([2, false])
    expect(await remove(marc, marc)).toHaveLength(1)
    expect([await members(), await archived(chat)]).toEqual([1, true])
    expect(await told(olivia, 'Member Left')).toEqual([{ message: 'Marc has left Netflix Premium.' }])
  })

  test('who is removed by the owner is told, and their chat alone is archived', async () => {
    const nina = await addPerson(db, 'Nina')
    await join(db, nina, plan)
    const [chat, other] = [await openChat(db, plan, marc), await openChat(db, plan, nina)]
    expect(await remove(olivia, marc)).toHaveLength(1)
    expect([await members(), await archived(chat), await archived(other)]).toEqual([2, true, false])
    expect(await told(marc, 'Membership Ended')).toEqual([
      { message: 'You are no longer a member of Netflix Premium.' },
    ])
  })

  test('who owns the plan cannot leave it, and nobody removes another member', async () => {
    for (const [by, whom] of [
      [olivia, olivia],
      [marc, olivia],
      [zoe, marc],
    ] as const)
      expect(await remove(by, whom)).toEqual([])
    expect(await members()).toBe(2)
  })
})

describe('a seat opens', () => {
  test('with the approval of a request, its first period due at once', async () => {
    expect(await seatsOf(marc)).toEqual([LIVING])
    expect(
      await sql`select number, status, share, fee, amount, ends_at > now() + interval '27 days' as long
        from member_payments where member_id = ${marc.id}`,
    ).toEqual([{ number: 1, status: 'due', share: '5.00', fee: '0.00', amount: '5.00', long: true }])
  })

  test('with an invitation that is accepted, and with a membership that the server writes, never for an owner', async () => {
    const { invited, accept } = invitationsIn(db)
    await accept(zoe, (await invited(plan, zoe)).token)
    const nina = await addPerson(db, 'Nina')
    await sql`select private.add_member(${plan.id}, ${nina.id}, false)`
    expect([await seatsOf(zoe), await seatsOf(nina), await seatsOf(olivia)]).toEqual([[LIVING], [LIVING], []])
  })

  test('and a yearly plan is paid in instalments of the month', async () => {
    const yearly = await sharePlan(db, olivia, { catalogueId: 'nintendo-switch-online-family' })
    await join(db, zoe, yearly)
    const [row] = await zoe.sql<{
      quote: { share: number; instalments: number[] }
    }>`select quote_plan(${yearly.id}) as quote`
    expect(await zoe.sql`select share::float8 as share from member_payments`).toEqual([
      { share: row?.quote.share },
    ])
    // An eighth of 34.99 a year, in cents from the first month on.
    expect(row?.quote.instalments).toEqual([
      ...[0.36, 0.37, 0.36, 0.37, 0.36, 0.37, 0.36, 0.36, 0.37, 0.36, 0.37, 0.36],
    ])
  })

  test('with coins first for whoever asked for that, who may choose otherwise later', async () => {
    await zoe.sql`insert into subscription_requests (subscription_id, coins_first, begins_at_once_at) values (${plan.id}, true, now())`
    await sayingHowPaid(
      olivia,
      () =>
        olivia.sql`select approve_subscription_request(id, subscription_id) from subscription_requests where status = 'pending'`,
    )
    const first = () => zoe.sql`select coins_first from my_seats()`
    expect(await first()).toEqual([{ coins_first: true }])
    await zoe.sql`select use_coins_first(${await seatOf(zoe)}, false)`
    expect(await first()).toEqual([{ coins_first: false }])
  })
})

describe('a seat ends', () => {
  test.each(['left', 'removed'])('when its member has %s', async (reason) => {
    const by = reason === 'left' ? marc : olivia
    await remove(by, marc)
    const ended = { ...LIVING, status: 'ended', end_reason: reason, ended_by: by.id }
    expect(await seatsOf(marc)).toEqual([ended])
    expect(await marc.sql`select status from member_payments`).toEqual([{ status: 'cancelled' }])
    await join(db, marc, plan)
    expect(await seatsOf(marc)).toEqual([ended, LIVING])
  })

  test('when its plan is cancelled, and both sides still see it', async () => {
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    const ended = { subscription_id: plan.id, status: 'ended', end_reason: 'cancelled' }
    expect(await marc.sql`select * from my_seats()`).toMatchObject([ended])
    expect(await olivia.sql`select * from plan_seats(${plan.id})`).toMatchObject([
      { member_name: 'Marc', status: 'ended', end_reason: 'cancelled' },
    ])
    for (const side of [olivia, marc])
      expect(await side.sql`select status from member_payments`).toEqual([{ status: 'cancelled' }])
  })

  test('with its member’s account, which stays as nobody’s and gives the place back', async () => {
    await marc.sql`select delete_own_account()`
    expect(await members()).toBe(1)
    expect(await olivia.sql`select member_name, end_reason from plan_seats(${plan.id})`).toEqual([
      { member_name: 'Deleted account', end_reason: 'left' },
    ])
  })

  test('with the period for who leaves, by default, which can be taken back until then', async () => {
    const seat = await seatOf(marc)
    const [left] = await marc.sql<{ at: string }>`select leave_seat(${seat})::text as at`
    expect(await marc.sql`select ends_at::text as at from member_payments`).toEqual([left])
    const mine = () => marc.sql`select status, may_stay, end_reason from my_seats()`
    expect(await mine()).toEqual([{ status: 'ending', may_stay: true, end_reason: null }])
    expect(await olivia.sql`select from user_notifications where event = 'member-will-leave'`).toHaveLength(1)
    await marc.sql`select cancel_departure(${seat})`
    expect(await mine()).toEqual([{ status: 'active', may_stay: false, end_reason: null }])
    expect(await refusalOf(marc.sql`select cancel_departure(${seat})`)).toEqual(
      rule('You haven’t asked to leave'),
    )
    await marc.sql`select leave_seat(${seat}, true)`
    expect(await members()).toBe(1)
    expect(await mine()).toMatchObject([{ status: 'ended', end_reason: 'left' }])
  })
})

test('a plan is paid through the site only where that takes payments, and is worth a charge', async () => {
  const terms = {
    owner_max_members: '2',
    next_payment: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
    settlement: 'potluck',
  }
  const disney = zoe.insert('shared_subscriptions', { ...terms, catalogue_plan_id: 'disney-plus-premium' })
  expect(await refusalOf(disney)).toEqual(rule('This site doesn’t take cards, so members pay you directly'))
  // The server itself may store such a plan even if the site takes no cards; only the price is checked.
  expect(
    await refusalOf(sql`insert into shared_subscriptions (owner_id, catalogue_plan_id, owner_max_members, next_payment, settlement)
      values (${zoe.id}, 'nintendo-switch-online-family', 2, current_date + 30, 'potluck')`),
  ).toEqual(rule('Cards need at least €1.00 a month, so members pay you directly'))
})
