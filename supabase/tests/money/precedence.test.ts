// People who lose a paid place through no fault of their own come first in the waiting lists of similar plans.
// Proves QUEUE 05
import { beforeEach, describe, expect, test } from 'vitest'
import { addPeople, addPerson, addStaff, ownDatabase, type Person } from '../people.ts'
import { join, type SharedPlan, sayHowPaid, sharePlan, stopPlaces } from '../plans.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)

let olivia: Person
let marc: Person
let plan: SharedPlan
let seat: string

/**
 * Gives Marc a place in Olivia's plan. He has paid the first month or, if it is paid directly, has said so unless
 * `says` is false.
 */
async function begin(settlement: 'direct' | 'potluck', says = true) {
  olivia = await till.payer('Olivia')
  marc = await till.payer('Marc')
  plan = settlement === 'potluck' ? await till.share(olivia) : await sharePlan(db, olivia)
  if (settlement === 'potluck') await till.enter(marc, plan)
  else await join(db, marc, plan)
  await till.work()
  if (settlement === 'direct' && says)
    await marc.sql`select say_paid(id) from member_payments where member_id = ${marc.id}`
  seat = (await marc.sql<{ id: string }>`select id from my_seats()`)[0]?.id ?? ''
}
beforeEach(async () => {
  await stopPlaces(db)
  await begin('potluck')
})

const report = async () =>
  (await marc.sql<{ id: string }>`select report_problem(${seat}, 'sign-in') as id`)[0]?.id ?? ''
const cancel = () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
const remove = () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`
const leave = () => marc.sql`select leave_seat(${seat}, true)`
const contest = (problem: string) => olivia.sql`select contest_problem(${problem}, 'It works here')`
const decide = async (problem: string, forMember: boolean) => {
  const ada = await addStaff(db, 'Ada', 'admin')
  await contest(problem)
  await ada.sql`select decide_problem(${problem}, ${forMember}, 'Seen')`
}
/**
 * Checks whether Marc comes first: the seats that give him that, each with the remaining days, and his notifications.
 */
const expectFirst = async (isFirst: boolean) => {
  const seats = await sql`select seat_id as seat, catalogue_plan_id as plan,
    round(extract(epoch from until - private.now()) / 86400)::integer as days from private.precedence_of(${marc.id})`
  const told =
    await marc.sql`select params->>'seat' as seat from user_notifications where event = 'comes-first'`
  expect([seats, told]).toEqual(
    isFirst ? [[{ seat, plan: 'netflix-premium', days: 30 }], [{ seat }]] : [[], []],
  )
}

describe('the end of a place puts its member first', () => {
  test.each([
    ['potluck', '13 days 23 hours', false],
    ['potluck', '14 days', true],
    ['direct', '13 days 23 hours', false],
    ['direct', '14 days', true],
  ] as const)('when a plan, paid %s, is cancelled after %s: %s', async (settlement, time, comesFirst) => {
    if (settlement === 'direct') await begin('direct')
    await till.pass(time)
    await cancel()
    await expectFirst(comesFirst)
  })

  test.each<[string, boolean, (problem: string) => Promise<unknown>]>([
    ['the owner is silent', true, () => till.pass('24 hours')],
    ['staff decides for the member', true, (problem) => decide(problem, true)],
    ['the owner removes the member meanwhile', true, remove],
    ['the owner cancels meanwhile', true, cancel],
    ['staff decides for the owner', false, (problem) => decide(problem, false)],
    ['the member takes it back', false, (problem) => marc.sql`select drop_problem(${problem})`],
    ['staff is silent', false, async (problem) => [await contest(problem), await till.pass('7 days')]],
  ])('of a problem in which %s: %s', async (_what, comesFirst, end) => {
    await till.pass('15 days')
    await end(await report())
    await expectFirst(comesFirst)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['is decided', () => till.pass('24 hours')],
    ['ends with the plan', cancel],
    ['ends with the account', () => olivia.sql`select delete_own_account(true)`],
  ])('of who has left with a problem, from the day on which it %s against the owner', async (_what, end) => {
    await till.pass('15 days')
    await report()
    await leave()
    await expectFirst(false)
    await till.pass('20 hours')
    await end()
    await expectFirst(true)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['leaves', leave],
    ['is removed', remove],
    ['leaves, and the plan is cancelled later', async () => [await leave(), await cancel()]],
  ])('but not of a member who %s', async (_what, end) => {
    await till.pass('15 days')
    await end()
    await expectFirst(false)
  })

  test('after days with access that were paid for, and no others', async () => {
    await begin('direct', false)
    await till.pass('20 days')
    await cancel()
    await expectFirst(false)

    await begin('potluck')
    await till.pass('10 days')
    const problem = await report()
    await till.pass('10 hours')
    await olivia.sql`select say_fixed(${problem})`
    await marc.sql`select answer_fix(${problem}, true)`
    await till.pass('4 days')
    await report()
    await till.pass('24 hours')
    await expectFirst(true)

    await begin('potluck')
    await till.pass('13 days')
    await report()
    await till.pass('24 hours')
    expect(await marc.sql`select end_reason from my_seats()`).toEqual([{ end_reason: 'problem' }])
    await expectFirst(false)
  })
})

describe('in the waiting list of a plan like it', () => {
  /** Everybody's position, with a star for the person who is offered the place. */
  const positions = (...people: Person[]) =>
    Promise.all(
      people.map(async ({ sql }) => {
        const [line] = await sql`select position || case when offered_until is null then '' else '*' end as at
          from my_waiting_lists()`
        return line?.at
      }),
    )
  const wait = (person: Person, { id }: SharedPlan) => person.sql`select join_waiting_list(${id})`

  /**
   * Creates a full plan of Nina's with Paul as its member, by default of Marc's catalogue plan; `people` wait for a
   * place.
   */
  async function aFullPlan(people: Person[], catalogueId = 'netflix-premium') {
    const [nina, paul] = await addPeople(db, ['Nina', 'Paul'])
    const full = await sharePlan(db, nina, { places: 2, catalogueId })
    await join(db, paul, full)
    await sayHowPaid(nina)
    for (const person of people) await wait(person, full)
    return { full, free: () => paul.sql`delete from subscription_members where user_id = ${paul.id}` }
  }

  test('people who come first are before the others, among themselves by when they joined, and get the place', async () => {
    const [anna, ben] = await addPeople(db, ['Anna', 'Ben'])
    const early = await till.payer('Early')
    await till.enter(early, plan)
    await till.work()
    const { full, free } = await aFullPlan([anna, early])
    await till.pass('14 days')
    expect(await positions(anna)).toEqual(['1'])
    await cancel()
    expect(await positions(early, anna)).toEqual(['1', '2'])
    await wait(ben, full)
    await wait(marc, full)
    expect(await positions(early, marc, anna, ben)).toEqual(['1', '2', '3', '4'])
    await free()
    expect(await positions(early, marc, anna, ben)).toEqual(['1*', '2', '3', '4'])
    await early.sql`select leave_waiting_list(${full.id})`
    expect(await positions(marc, anna, ben)).toEqual(['1*', '2', '3'])
  })

  test('nobody loses what is offered already, and other plans keep their order', async () => {
    const [anna, ben, cleo] = await addPeople(db, ['Anna', 'Ben', 'Cleo'])
    await till.pass('14 days')
    await cancel()
    const { full, free } = await aFullPlan([anna])
    await free()
    await wait(ben, full)
    await wait(marc, full)
    expect(await positions(anna, marc, ben)).toEqual(['1*', '2', '3'])
    const { full: other } = await aFullPlan([cleo, marc], 'spotify-premium-family')
    const line = marc.sql`select position from my_waiting_lists() where subscription_id = ${other.id}`
    expect(await line).toEqual([{ position: 2 }])
  })

  test('for 30 days', async () => {
    await till.pass('14 days')
    await cancel()
    const { full } = await aFullPlan([await addPerson(db, 'Anna')])
    await wait(marc, full)
    const left = () => sql`select seat_id from private.precedence_of(${marc.id})`
    await till.pass('29 days 23 hours 50 minutes')
    expect([await positions(marc), await left()]).toEqual([['1'], [{ seat_id: seat }]])
    await till.pass('10 minutes')
    expect([await positions(marc), await left()]).toEqual([['2'], []])
  })
})

test('the person is told when it ends, at the bell and by mail with the way to plans like it; nobody else is', async () => {
  await till.pass('14 days')
  await cancel()
  const [until] =
    await marc.sql`select to_char(until at time zone 'UTC', 'FMDD FMMonth YYYY') as day from my_precedence()`
  const message = `You lost your place in Netflix Premium through no fault of your own. Until ${until?.day} you’re first in line for plans like it.`
  expect(
    await marc.sql`select type, title, message, subscription_id, params->>'plan' as plan from user_notifications where event = 'comes-first'`,
  ).toEqual([
    { type: 'info', title: 'You Come First', message, subscription_id: null, plan: 'Netflix Premium' },
  ])
  expect(
    await sql`select from private.outgoing_mail
      where recipient = ${marc.email} and event = 'comes-first' and path = ${`/plans-like/${seat}`}`,
  ).toHaveLength(1)
  expect(await olivia.sql`select 1 from my_precedence()`).toEqual([])

  // Lists plans of the same catalogue plan, by any name and any owner except the one who ended Marc's place; only for
  // Marc.
  const like = ({ sql }: Person) =>
    sql<{ plans: { id: string }[] }>`select market_plans(p_like => ${seat}, p_full => true) as plans`
  await sql`update shared_subscriptions set is_private = true`
  const [nina, zoe] = await addPeople(db, ['Nina', 'Zoe'])
  const renamed = await sharePlan(db, nina)
  await sql`update shared_subscriptions set name = 'Premium 4K' where id = ${renamed.id}`
  await sharePlan(db, olivia)
  await sharePlan(db, zoe, { catalogueId: 'spotify-premium-family' })
  expect((await like(marc))[0]?.plans.map(({ id }) => id)).toEqual([renamed.id])
  expect((await like(nina))[0]?.plans).toEqual([])
})
