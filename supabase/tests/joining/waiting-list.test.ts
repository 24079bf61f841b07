// Who waits for a place in a full plan, and who gets the one that becomes free.
import { describe, expect, test } from 'vitest'
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
import { approve, ask, join, type SharedPlan, sharePlan } from '../plans.ts'
import { race } from '../race.ts'

const { db, sql } = await ownDatabase()
const { invite, invited, decline, withdraw, passDays } = invitationsIn(db)

const wait = async (person: Person, { id }: Pick<SharedPlan, 'id'>) =>
  (await person.sql<{ position: number }>`select join_waiting_list(${id}) as position`)[0]?.position
const giveUp = (person: Person, { id }: SharedPlan) => person.sql`select leave_waiting_list(${id})`
const leave = (person: Person, { id }: SharedPlan) =>
  person.sql`delete from subscription_members where subscription_id = ${id} and user_id = ${person.id}`
const due = () => sql`select private.run_due_work()`
/** Lets an offer's time pass, and nobody has looked yet. */
const lapse = ({ id }: SharedPlan) =>
  sql`update waiting_list set offered_until = now() where subscription_id = ${id} and offered_until is not null`
/** Each person's position, with a star for whom a place is kept. */
const line = async (...people: Person[]) =>
  Promise.all(
    people.map(async (person) => {
      const [mine] = await person.sql<{ position: number; offered_until: Date | null }>`
        select position, offered_until from my_waiting_lists()`
      return mine ? `${mine.position}${mine.offered_until ? '*' : ''}` : '-'
    }),
  )
const told = (person: Person, ...titles: string[]) =>
  person.run('select message from user_notifications where title = any ($1)', [`{${titles.join(',')}}`])
const placesOf = async ({ id }: SharedPlan) =>
  (
    await sql`select current_members as members, kept_places as kept, waiting from shared_subscriptions where id = ${id}`
  )[0]

const KEPT = rule('Every open place is kept for somebody')

/** A plan of two places, both taken. */
async function aFullPlan() {
  const [olivia, marc] = await addPeople(db, ['Olivia', 'Marc'])
  const plan = await sharePlan(db, olivia, { places: 2 })
  await join(db, marc, plan)
  return { olivia, marc, plan }
}

/** And three people in line. */
async function aLine() {
  const { olivia, marc, plan } = await aFullPlan()
  const [anna, ben, cleo] = await addPeople(db, ['Anna', 'Ben', 'Cleo'])
  for (const person of [anna, ben, cleo]) await wait(person, plan)
  return { olivia, marc, plan, anna, ben, cleo }
}

describe('a waiting list', () => {
  test('says who is how far, moves up as people leave it, and is on the plan for all to see', async () => {
    const { plan, anna, ben, cleo, marc, olivia } = await aLine()
    expect(await line(anna, ben, cleo, marc)).toEqual(['1', '2', '3', '-'])
    expect(await placesOf(plan)).toEqual({ members: 2, kept: 0, waiting: 3 })
    await giveUp(ben, plan)
    expect(await line(anna, ben, cleo)).toEqual(['1', '-', '2'])
    expect(await wait(ben, plan)).toBe(3)
    expect(await olivia.sql`select 1 from waiting_list`).toEqual([])
    expect(await anna.sql`select user_id from waiting_list`).toEqual([{ user_id: anna.id }])
  })

  test('is for who could ask if there were a place, on a plan without one, and five at a time', async () => {
    const { plan, anna, olivia, marc } = await aLine()
    expect(await refusalOf(wait(anna, plan))).toEqual(taken('Already on the Waiting List'))
    expect(await refusalOf(wait(marc, plan))).toEqual(taken('Already a Member'))
    expect(await refusalOf(wait(olivia, plan))).toEqual(taken('Already a Member'))
    expect(await refusalOf(wait(anna, { id: 'sub-none' }))).toEqual(notFound('Subscription not found'))
    expect(await refusalOf(giveUp(marc, plan))).toEqual(notFound('You are not on this waiting list'))

    const open = await sharePlan(db, await addPerson(db, 'Nina'), { places: 2 })
    expect(await refusalOf(wait(anna, open))).toEqual(rule('This plan has a place. You can ask for it.'))
    const zoe = await addPerson(db, 'Zoe')
    await ask(db, zoe, open)
    await invite(open, 'kept@example.com')
    expect(await refusalOf(wait(zoe, open))).toEqual(taken('Request Already Sent'))
    expect(await wait(anna, open)).toBe(1)

    const full = await Promise.all(Array.from({ length: 4 }, aFullPlan))
    const outcome = await race(full.map((one) => () => wait(anna, one.plan)))
    expect(outcome).toEqual({ done: 3, '23514: You can be on 5 waiting lists at a time': 1 })
  })

  test.each<[string, (scene: Awaited<ReturnType<typeof aLine>>) => Promise<unknown>]>([
    ['a member leaves', ({ marc, plan }) => leave(marc, plan)],
    [
      'the owner removes a member',
      ({ olivia, marc }) => olivia.sql`delete from subscription_members where user_id = ${marc.id}`,
    ],
    [
      'the owner opens a slot',
      ({ olivia, plan }) =>
        olivia.sql`update shared_subscriptions set owner_max_members = 3 where id = ${plan.id}`,
    ],
    ['the account of a member ends', ({ marc }) => marc.sql`select delete_own_account()`],
  ])('offers the place to the first at once when %s', async (_what, free) => {
    const scene = await aLine()
    const { anna, ben, plan } = scene
    await free(scene)
    expect(await line(anna, ben)).toEqual(['1*', '2'])
    expect(await told(anna, 'Place Offered')).toEqual([
      {
        message:
          'A place in Netflix Premium is free, and kept for you for 24 hours. Ask for it before somebody else gets it.',
      },
    ])
    expect(
      await sql`select event from private.outgoing_mail
      where recipient = ${anna.email} and strpos(html, ${`/subscription/${plan.id}`}) > 0`,
    ).toMatchObject([{ event: 'place-offered' }])
    expect(await told(ben, 'Place Offered')).toEqual([])
  })

  test('offers the place of an invitation that is declined, withdrawn or over', async () => {
    const [olivia, dora, ivy, omar] = await addPeople(db, ['Olivia', 'Dora', 'Ivy', 'Omar'])
    const [anna, ben, cleo] = await addPeople(db, ['Anna', 'Ben', 'Cleo'])
    const plan = await sharePlan(db, olivia, { places: 4 })
    const [first, second] = [await invited(plan, dora), await invited(plan, ivy)]
    const third = await invited(plan, omar)
    for (const person of [anna, ben, cleo]) await wait(person, plan)
    await decline(dora, first.token)
    expect(await line(anna, ben, cleo)).toEqual(['1*', '2', '3'])
    await withdraw(olivia, second.id)
    expect(await line(anna, ben, cleo)).toEqual(['1*', '2*', '3'])
    await passDays(third.id, 7)
    // Before anybody has looked it is for who waits already.
    expect(await refusalOf(ask(db, await addPerson(db, 'Zoe'), plan))).toEqual(KEPT)
    await due()
    expect(await line(anna, ben, cleo)).toEqual(['1*', '2*', '3*'])
  })
})

describe('an offer', () => {
  const anOffer = async () => {
    const scene = await aLine()
    await leave(scene.marc, scene.plan)
    return scene
  }

  test('keeps the place: for nobody else to ask for, invite to, approve or close', async () => {
    const { plan, olivia, ben, anna } = await anOffer()
    const stranger = await addPerson(db, 'Zoe')
    expect(await refusalOf(ask(db, stranger, plan))).toEqual(KEPT)
    expect(await refusalOf(ask(db, ben, plan))).toEqual(KEPT)
    expect(await refusalOf(invite(plan, 'friend@example.com'))).toEqual(KEPT)
    expect(
      await refusalOf(
        olivia.sql`update shared_subscriptions set owner_max_members = 1 where id = ${plan.id}`,
      ),
    ).toMatchObject({ code: '23514' })
    const kept = (person: Person) => person.sql`select kept from count_kept_places(${`{${plan.id}}`})`
    expect(await kept(stranger)).toEqual([{ kept: 1 }])
    expect(await kept(ben)).toEqual([{ kept: 1 }])
    expect(await kept(anna)).toEqual([])
    expect(await placesOf(plan)).toEqual({ members: 1, kept: 1, waiting: 3 })
  })

  test('is taken by asking, and the request keeps the place until it is decided', async () => {
    const { plan, olivia, anna, ben } = await anOffer()
    const request = await ask(db, anna, plan)
    expect(await line(anna, ben)).toEqual(['-', '1'])
    expect(await placesOf(plan)).toEqual({ members: 1, kept: 1, waiting: 2 })
    expect(await refusalOf(ask(db, await addPerson(db, 'Zoe'), plan))).toEqual(KEPT)
    expect(await told(olivia, 'New Join Request')).toHaveLength(2)
    await approve(db, plan, request)
    expect(await placesOf(plan)).toEqual({ members: 2, kept: 0, waiting: 2 })
    expect(await line(ben)).toEqual(['1'])
  })

  test.each<[string, (plan: SharedPlan, anna: Person, request: string) => Promise<unknown>]>([
    [
      'turned down',
      (plan, _anna, request) => plan.owner.sql`select reject_subscription_request(${request}, ${plan.id})`,
    ],
    [
      'cancelled',
      (_plan, anna, request) =>
        anna.sql`update subscription_requests set status = 'cancelled' where id = ${request}`,
    ],
    [
      'not answered',
      async (_plan, _anna, request) => {
        await sql`update subscription_requests set requested_at = now() - interval '49 hours' where id = ${request}`
        await due()
      },
    ],
    ['without a requester, whose account has ended', (_plan, anna) => anna.sql`select delete_own_account()`],
  ])('goes to the next when the request is %s', async (_end, end) => {
    const { plan, anna, ben, cleo } = await anOffer()
    await end(plan, anna, await ask(db, anna, plan))
    expect(await line(ben, cleo)).toEqual(['1*', '2'])
    expect(await placesOf(plan)).toEqual({ members: 1, kept: 1, waiting: 2 })
  })

  test('goes to the next after 24 hours, or once it is declined, and is free for all when nobody waits', async () => {
    const { plan, anna, ben, cleo } = await anOffer()
    const [until] = await sql`select extract(epoch from offered_until - now())::float8 / 3600 as hours
      from waiting_list where user_id = ${anna.id}`
    expect(until?.hours).toBeCloseTo(24, 1)
    await lapse(plan)
    expect(await refusalOf(ask(db, await addPerson(db, 'Zoe'), plan))).toEqual(KEPT)
    await due()
    expect(await line(anna, ben, cleo)).toEqual(['-', '1*', '2'])
    expect(await told(anna, 'Offer Lapsed')).toEqual([
      {
        message:
          'You did not take the place in Netflix Premium within 24 hours, so it is no longer kept for you.',
      },
    ])
    expect(
      await sql`select 1 from private.outgoing_mail where recipient = ${anna.email} and event = 'place-offered'`,
    ).toEqual([])
    await giveUp(ben, plan)
    expect(await line(ben, cleo)).toEqual(['-', '1*'])
    await giveUp(cleo, plan)
    expect(await placesOf(plan)).toEqual({ members: 1, kept: 0, waiting: 0 })
    await ask(db, await addPerson(db, 'Yara'), plan)
  })

  test('has as much time left after a gap in which nothing ran', async () => {
    const { plan, olivia, anna, ben, cleo } = await anOffer()
    await sql`update private.clock set beat_at = now() - interval '5 hours'`
    await sql`update waiting_list set offered_until = now() - interval '1 hour' where user_id = ${anna.id}`
    await olivia.sql`update shared_subscriptions set owner_max_members = 3 where id = ${plan.id}`
    expect(await line(anna, ben, cleo)).toEqual(['1', '2', '3'])
    await due()
    expect(await line(anna, ben, cleo)).toEqual(['1*', '2*', '3'])
  })

  test('ends with the plan, and so does the line', async () => {
    const { plan, olivia, anna, ben } = await anOffer()
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await line(anna, ben)).toEqual(['-', '-'])
    expect(await told(ben, 'Subscription Cancelled')).toEqual([
      { message: 'Netflix Premium has been cancelled by its owner, and its waiting list with it.' },
    ])
    expect(await sql`select 1 from private.outgoing_mail where recipient = ${anna.email}`).toEqual([])
  })

  test('that is made to an invited person is one kept place, and one membership uses both', async () => {
    const { plan, anna, ben } = await anOffer()
    await invited(plan, anna)
    expect(await placesOf(plan)).toMatchObject({ kept: 1 })
    await join(db, anna, plan)
    expect(await placesOf(plan)).toEqual({ members: 2, kept: 0, waiting: 2 })
    expect(await line(ben)).toEqual(['1'])
  })
})
