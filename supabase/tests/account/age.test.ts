// Who must confirm their age, and when. Young is a person who has not; everybody else has.
//
// | who                                        | does                                          | result                         |
// |--------------------------------------------|-----------------------------------------------|--------------------------------|
// | Young, also with a second account          | shares a plan, an own one, by import          | refused; nothing is made       |
// | Young, to whom a plan is offered           | takes it over                                 | refused                        |
// | Young, an owner from before the question   | has members pay through the site              | refused                        |
// | Young                                      | asks for a paid place, also an instant one    | refused                        |
// | Young, invited to a paid plan              | accepts                                       | refused; still invited         |
// | Young, a member who pays directly          | accepts to pay through the site               | refused; may keep the old way  |
// | Young, with a place from before            | pays a first time                             | refused; renewals go on        |
// | Young's program                            | shares, asks, confirms                        | refused                        |
// | Young                                      | takes a place that is paid directly           | not asked                      |
// | owner                                      | approves Young, who asked before the question | not asked                      |
// | operator                                   | turns the question off                        | nobody is asked                |
// | Young                                      | confirms twice, writes the time, reads others'| first time stays; refused      |
// | who leaves with money owed                 | ends the account                              | the time is gone               |
import { expect, test } from 'vitest'
import { expectRefusal, refusalOf, rule, single } from '../answers.ts'
import { invitationsIn } from '../invitations.ts'
import { addPerson, calling, ownDatabase, type Person } from '../people.ts'
import { approve, ask, join, type SharedPlan, sayHowPaid, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'
import { storeEntry } from '../vault-entries.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const { invited, accept } = invitationsIn(db)
const UNCONFIRMED = rule(
  'Confirm first that you’re at least 18 years old. The site asks when you share a plan or take a place there.',
)

const grow = (young: Person) => young.sql`select confirm_age()`
async function rejuvenate(person: Person) {
  await sql`update private.user_details set of_age_at = null where user_id = ${person.id}`
  return person
}
/** The time of the confirmation, as the person's own export has it. */
const confirmedAt = (person: Person) =>
  single<string | null>(person.sql`select export_own_data() -> 'profile' ->> 'of_age_at'`)
const addYoung = async () => rejuvenate(await till.payer('Young'))
const direct = async () => sharePlan(db, await addPerson(db, 'Olivia'))
const paid = async () => till.share(await till.payer('Olivia'))
const bring = (
  person: Person,
) => person.sql`select import_plans(jsonb_build_array(jsonb_build_object('key', '0',
  'name', 'Netflix', 'price', 19.99, 'currency', 'EUR', 'unit', 'month', 'every', 1, 'renews', current_date + 40)))`
const shareOwn = (person: Person) =>
  single(person.sql`insert into shared_subscriptions
  (provider, name, total_price, cycle_months, max_members, next_payment) values ('Kagi', 'Family', 20, 1, 4, current_date) returning id`)
async function enter(person: Person, plan: SharedPlan) {
  await person.sql`select open_plan_link(${await single(plan.owner.sql`select get_plan_link(${plan.id})`)})`
  await join(db, person, plan)
}

/** What Young may not do before the confirmation; each prepares the scene and returns the act. */
const ACTS: Record<string, (young: Person) => Promise<() => Promise<unknown>>> = {
  'share a plan': async (young) => () => sharePlan(db, young),
  'share an own plan': async (young) => () => shareOwn(young),
  'import plans': async (young) => () => bring(young),
  'take a plan over': async (young) => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = { id: await shareOwn(olivia), owner: olivia }
    await enter(young, plan)
    await sayHowPaid(young)
    await olivia.sql`select offer_plan(${plan.id}, ${young.id}, true)`
    return () => young.sql`select accept_plan(${plan.id}, true)`
  },
  'have members pay through the site': async (young) => {
    await grow(young)
    const { id } = await sharePlan(db, young)
    await rejuvenate(young)
    return () => young.sql`select propose_terms(${id}, 'potluck')`
  },
  'ask for a paid place': async (young) => {
    const plan = await paid()
    return () => ask(db, young, plan)
  },
  'take an instant place': async (young) => {
    const plan = await paid()
    await storeEntry(db, plan)
    await plan.owner.sql`update shared_subscriptions set instant_from = 'new' where id = ${plan.id}`
    return () => ask(db, young, plan)
  },
  'accept an invitation to a paid place': async (young) => {
    const { token } = await invited(await paid(), young)
    return () => accept(young, token)
  },
  'accept to pay through the site': async (young) => {
    const plan = await direct()
    await join(db, young, plan)
    await plan.owner.sql`select propose_terms(${plan.id}, 'potluck')`
    return () => young.sql`select answer_terms(id, true, true) from term_proposals`
  },
  'pay for a place from before the question': async (young) => {
    await grow(young)
    await till.enter(young, await paid())
    await till.work('failed')
    await rejuvenate(young)
    return () => young.sql`select begin_payment(id, null) from member_payments where status = 'failed'`
  },
}
const everything = () =>
  sql`select (select count(*) from shared_subscriptions) as plans, (select count(*) from subscription_requests) as requests,
    (select count(*) from private.charges) as charges, (select array_agg(settlement order by id) from private.seats) as seats`

test.each(Object.entries(ACTS))(
  'nobody may %s before they have confirmed their age',
  async (_name, prepare) => {
    const young = await addYoung()
    const act = await prepare(young)
    const before = await everything()
    expect(await refusalOf(act())).toEqual(UNCONFIRMED)
    expect(await everything()).toEqual(before)
    await grow(young)
    await act()
    // A second account is a person of its own.
    expect(await refusalOf(sharePlan(db, await addYoung()))).toEqual(UNCONFIRMED)
  },
)

test.each(Object.entries(ACTS))('anybody may %s where the operator does not ask', async (_name, prepare) => {
  await sql`update app_settings set ask_age = false`
  try {
    const young = await addYoung()
    await (await prepare(young))()
  } finally {
    await sql`update app_settings set ask_age = true`
  }
})

test('a program can share and ask only for a person who has confirmed it on the site, and cannot confirm it', async () => {
  const young = await addYoung()
  const claims = JSON.stringify({ sub: young.id, role: 'authenticated', token_id: 'x' })
  const program = { ...young, ...calling(db, { role: 'authenticated', claims }) }
  expect(await refusalOf(sharePlan(db, program))).toEqual(UNCONFIRMED)
  await expectRefusal(grow(program), { code: 'PT403' })
  await grow(young)
  await sharePlan(db, program)
})

test('direct places, open requests and renewals go on without it', async () => {
  const young = await addYoung()
  await join(db, young, await direct())
  await grow(young)
  const [one, two] = [await paid(), await paid()]
  await till.enter(young, one)
  const request = await ask(db, young, two)
  await till.work()
  await rejuvenate(young)
  await approve(db, two, request)
  await till.work()
  await till.pass('40 days')
  expect(
    await sql`select status in ('paid', 'closed') as paid, number from member_payments where member_id = ${young.id} and subscription_id = ${one.id}
    order by number limit 2`,
  ).toEqual([1, 2].map((number) => ({ paid: true, number })))
})

test('the time of the first confirmation is kept, read by its person alone, written by nobody, and ends with the account', async () => {
  const young = await addYoung()
  expect(await confirmedAt(young)).toBeNull()
  await grow(young)
  const first = await confirmedAt(young)
  expect(first).toEqual(expect.any(String))
  await sql`update private.clock set ahead = ahead + interval '1 day'`
  await grow(young)
  expect(await confirmedAt(young)).toBe(first)
  for (const attempt of [
    'select of_age_at from private.user_details',
    'update private.user_details set of_age_at = now()',
    'insert into private.user_details (user_id, of_age_at) values (auth.uid(), now())',
    'select of_age_at from user_profiles',
  ])
    expect((await refusalOf(young.run(attempt))).code).toMatch(/42501|42703/)
})
