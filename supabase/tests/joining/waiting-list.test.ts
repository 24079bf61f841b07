// The waiting list of a full plan, and who gets a place that becomes free.
// Proves QUEUE 01 02
import { beforeEach, describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import {
  addPeople,
  addPerson,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
  taken,
} from '../people.ts'
import { approve, ask, found, join, type SharedPlan, sayHowPaid, sharePlan } from '../plans.ts'
import { race } from '../race.ts'

const { db, sql } = await ownDatabase()
const { invite, invited, decline, withdraw, passDays } = invitationsIn(db)

async function aFullPlan() {
  const [owner, member] = await addPeople(db, ['Olivia', 'Marc'])
  const full = await sharePlan(db, owner, { places: 2 })
  await join(db, member, full)
  await sayHowPaid(owner)
  return [full, owner, member] as const
}
let plan: SharedPlan
let olivia: Person
let marc: Person
let anna: Person
let ben: Person
let cleo: Person
let zoe: Person
// Both places are taken, and three people are in line.
beforeEach(async () => {
  ;[plan, olivia, marc] = await aFullPlan()
  ;[anna, ben, cleo, zoe] = await addPeople(db, ['Anna', 'Ben', 'Cleo', 'Zoe'])
  for (const person of [anna, ben, cleo]) await wait(person)
})

const wait = async (person: Person, { id } = plan) =>
  (await person.sql<{ position: number }>`select join_waiting_list(${id}) as position`)[0]?.position
const giveUp = (person: Person) => person.sql`select leave_waiting_list(${plan.id})`
const leave = () => marc.sql`delete from subscription_members where user_id = ${marc.id}`
const openSlot = () => olivia.sql`update shared_subscriptions set owner_max_members = 3 where id = ${plan.id}`
const due = () => sql`select private.run_due_work()`
/** Each person's position, with a star for people for whom a place is reserved. */
const line = async (...people: Person[]) => {
  const all = people.map(async (person) => {
    const [mine] = await person.sql`select position, offered_until from my_waiting_lists()`
    return mine ? `${mine.position}${mine.offered_until ? '*' : ''}` : '-'
  })
  return (await Promise.all(all)).join(' ')
}
const told = async (person: Person, title: string) =>
  (await person.sql`select message from user_notifications where title = ${title}`).map(
    ({ message }) => message,
  )
const offerMails = () =>
  sql`select from private.outgoing_mail where recipient = ${anna.email} and event = 'place-offered'
    and path = ${`/subscription/${plan.id}`}`
const places = async () =>
  (
    await sql`select current_members as members, kept_places as kept, waiting from shared_subscriptions where id = ${plan.id}`
  )[0]
const KEPT = rule('The last places are reserved')

describe('a waiting list', () => {
  test('says who is how far, moves up as people leave it, and is on the plan for all to see', async () => {
    expect(await line(anna, ben, cleo, marc)).toBe('1 2 3 -')
    expect(await places()).toEqual({ members: 2, kept: 0, waiting: 3 })
    await giveUp(ben)
    expect(await line(anna, ben, cleo)).toBe('1 - 2')
    expect(await wait(ben)).toBe(3)
  })

  test('is for who could ask if there were a place, on a plan without one, and five at a time', async () => {
    const open = await sharePlan(db, await addPerson(db, 'Nina'), { places: 2 })
    const refused = (person: Person, to?: SharedPlan) => refusalOf(wait(person, to))
    expect(await refused(anna)).toEqual(taken('Already on the Waiting List'))
    expect(await refused(marc)).toEqual(taken('Already a Member'))
    expect(await refused(olivia)).toEqual(taken('Already a Member'))
    expect(await refused(anna, { ...plan, id: 'sub-none' })).toEqual(notFound('Subscription not found'))
    expect(await refused(anna, open)).toEqual(rule('This plan has a free place. Ask for it instead.'))
    expect(await refusalOf(giveUp(marc))).toEqual(notFound('You’re not on this waiting list'))
    await ask(db, zoe, open)
    await invite(open, 'kept@example.com')
    expect(await refused(zoe, open)).toEqual(taken('Request Already Sent'))
    expect(await wait(anna, open)).toBe(1)

    const full = await Promise.all([1, 2, 3, 4].map(aFullPlan))
    expect(
      await race(
        full.map(
          ([one]) =>
            () =>
              wait(anna, one),
        ),
      ),
    ).toEqual({
      ...{ done: 3, '23514: You can be on up to 5 waiting lists. Leave one first.': 1 },
    })
  })

  test.each([
    ['a member leaves', leave],
    ['a member is removed', () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`],
    ['the owner opens a slot', openSlot],
    ['the account of a member ends', () => marc.sql`select delete_own_account()`],
  ])('offers the place to the first at once when %s', async (_what, free) => {
    await free()
    expect(await line(anna, ben)).toBe('1* 2')
    expect(await told(anna, 'Place Offered')).toEqual([
      'A place in Netflix Premium is free. We’re keeping it for you for 24 hours.',
    ])
    expect(await offerMails()).toHaveLength(1)
    expect(await told(ben, 'Place Offered')).toEqual([])
  })

  test('offers the place of an invitation that is declined, withdrawn or over', async () => {
    const [owner, dora, ivy, omar] = await addPeople(db, ['Olivia', 'Dora', 'Ivy', 'Omar'])
    const [first, second, third] = await addPeople(db, ['Faye', 'Sam', 'Theo'])
    const other = await sharePlan(db, owner, { places: 4 })
    await sayHowPaid(owner)
    const declined = await invited(other, dora)
    const withdrawn = await invited(other, ivy)
    const lapsed = await invited(other, omar)
    for (const person of [first, second, third]) await wait(person, other)
    await decline(dora, declined.token)
    expect(await line(first, second, third)).toBe('1* 2 3')
    await withdraw(owner, withdrawn.id)
    expect(await line(first, second, third)).toBe('1* 2* 3')
    await passDays(lapsed.id, 7)
    // Until due work has run, the free place is for people who are already waiting.
    expect(await refusalOf(ask(db, zoe, other))).toEqual(KEPT)
    await due()
    expect(await line(first, second, third)).toBe('1* 2* 3*')
  })
})

// | owner of a directly paid plan | person in line | another person | the free place                  |
// | has no payment details        | waits          |                | is not offered                  |
// | has none                      | waits          | asks for it    | stays reserved for the line     |
// | has none                      | leaves         |                | is not offered                  |
// | stores them                   | waits          |                | is offered to the first in line |
// | deletes them afterwards       | has the offer  |                | stays offered                   |
// | stores them again             | has the offer  |                | stays offered, only once        |
// A plan that is paid through the site needs no payment details: paid-places-races.test.ts.
test('a free place is offered once the owner of a directly paid plan has said how to pay, to the first in line', async () => {
  const forget = () => olivia.sql`delete from payment_wishes where user_id = ${olivia.id}`
  await forget()
  await leave()
  await due()
  expect(await line(anna, ben, cleo)).toBe('1 2 3')
  expect(await refusalOf(ask(db, zoe, plan))).toEqual(rule('The last places are reserved'))
  await giveUp(anna)
  await due()
  expect(await line(anna, ben, cleo)).toBe('- 1 2')
  await sayHowPaid(olivia)
  expect(await line(ben, cleo)).toBe('1* 2')
  await forget()
  await due()
  expect(await line(ben, cleo)).toBe('1* 2')
  await sayHowPaid(olivia)
  expect(await line(ben, cleo)).toBe('1* 2')
  expect(await told(ben, 'Place Offered')).toHaveLength(1)
})

describe('an offer', () => {
  beforeEach(leave)

  test('keeps the place: for nobody else to ask for, invite to or close', async () => {
    for (const person of [zoe, ben]) expect(await refusalOf(ask(db, person, plan))).toEqual(KEPT)
    expect(await refusalOf(invite(plan, 'friend@example.com'))).toEqual(KEPT)
    const close = olivia.sql`update shared_subscriptions set owner_max_members = 1 where id = ${plan.id}`
    expect(await refusalOf(close)).toMatchObject({ code: '23514' })
    const seen = async (person: Person) => (await found(person, 'p_full => true')).get(plan.id)
    for (const person of [zoe, ben]) expect(await seen(person)).toMatchObject({ kept: 1, keptForYou: false })
    expect(await seen(anna)).toMatchObject({ kept: 0, keptForYou: true })
    expect(await places()).toEqual({ members: 1, kept: 1, waiting: 3 })
  })

  test('is taken by asking, and the request keeps the place until it is decided', async () => {
    const request = await ask(db, anna, plan)
    expect(await line(anna, ben)).toBe('- 1')
    expect(await places()).toEqual({ members: 1, kept: 1, waiting: 2 })
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(KEPT)
    expect(await told(olivia, 'New Join Request')).toHaveLength(2)
    await approve(db, plan, request)
    expect(await places()).toEqual({ members: 2, kept: 0, waiting: 2 })
    expect(await line(ben)).toBe('1')
  })

  test.each<[string, (request: string) => Promise<unknown>]>([
    ['turned down', (request) => olivia.sql`select reject_subscription_request(${request}, ${plan.id})`],
    ['cancelled', () => anna.sql`update subscription_requests set status = 'cancelled'`],
    [
      'not answered',
      async (request) => {
        await sql`update subscription_requests set requested_at = now() - interval '49 hours' where id = ${request}`
        await due()
      },
    ],
    ['without a requester, whose account has ended', () => anna.sql`select delete_own_account()`],
  ])('goes to the next when the request is %s', async (_end, end) => {
    await end(await ask(db, anna, plan))
    expect(await line(ben, cleo)).toBe('1* 2')
    expect(await places()).toEqual({ members: 1, kept: 1, waiting: 2 })
  })

  test('goes to the next after 24 hours, or once it is declined, and is free for all when nobody waits', async () => {
    const [until] = await sql`select extract(epoch from offered_until - now())::float8 / 3600 as hours
      from waiting_list where user_id = ${anna.id}`
    expect(until?.hours).toBeCloseTo(24, 1)
    await sql`update waiting_list set offered_until = now() where user_id = ${anna.id}`
    // The offer has expired, but due work has not run yet, so the place is still kept.
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(KEPT)
    await due()
    expect(await line(anna, ben, cleo)).toBe('- 1* 2')
    expect(await told(anna, 'Offer Lapsed')).toEqual([
      'You didn’t take the place in Netflix Premium within 24 hours, so it’s no longer kept for you.',
    ])
    expect(await offerMails()).toEqual([])
    await giveUp(ben)
    expect(await line(ben, cleo)).toBe('- 1*')
    await giveUp(cleo)
    expect(await places()).toEqual({ members: 1, kept: 0, waiting: 0 })
    await ask(db, zoe, plan)
  })

  test('has as much time left after a gap in which nothing ran', async () => {
    await sql`update private.clock set beat_at = now() - interval '5 hours'`
    await sql`update waiting_list set offered_until = now() - interval '1 hour' where user_id = ${anna.id}`
    await openSlot()
    expect(await line(anna, ben, cleo)).toBe('1 2 3')
    await due()
    expect(await line(anna, ben, cleo)).toBe('1* 2* 3')
  })

  test('ends with the plan, and so does the line', async () => {
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await line(anna, ben)).toBe('- -')
    expect(await told(ben, 'Subscription Cancelled')).toEqual([
      'The owner cancelled Netflix Premium, and its waiting list with it.',
    ])
    expect(await offerMails()).toEqual([])
  })

  test('that is made to an invited person is one kept place, and one membership uses both', async () => {
    await invited(plan, anna)
    expect(await places()).toMatchObject({ kept: 1 })
    await join(db, anna, plan)
    expect(await places()).toEqual({ members: 2, kept: 0, waiting: 2 })
    expect(await line(ben)).toBe('1')
  })
})
