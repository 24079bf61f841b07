// Plan alerts: who is notified of a plan, and when.
import { beforeEach, expect, test } from 'vitest'
import { expectRefusal, rule } from '../answers.ts'
import { addPeople, addPerson, ownDatabase, type Person } from '../people.ts'
import { ask, join, type SharedPlan, sayHowPaid, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()
let olivia: Person
let zoe: Person
beforeEach(async () => {
  await sql`delete from shared_subscriptions`
  ;[olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
})

const look = (person: Person, args = `p_provider => 'Netflix'`) =>
  person.run(`select create_plan_alert(${args})`)
/** Returns all plan alerts that a person has received from the due work so far. */
async function told({ sql: asThem }: Person) {
  await sql`select private.run_due_work()`
  return (await asThem`select message from user_notifications where title = 'Plan Found'`).map(
    ({ message }) => message,
  )
}
const change = ({ id }: SharedPlan, to: string) =>
  db.query(`update shared_subscriptions set ${to} where id = $1`, [id])
const FOUND = 'Netflix Premium has a place for €5.00 a month, shared by Olivia.'

test.each([
  [`p_search => ' NETFL '`, true],
  [`p_search => 'spot'`, false],
  [`p_category => 'streaming', p_most => 5`, true],
  [`p_category => 'music'`, false],
  ['p_most => 4.99', false],
  [`p_provider => 'Netflix', p_settlement => 'direct'`, true],
  [`p_provider => 'Spotify'`, false],
  [`p_settlement => 'potluck'`, false],
  [`p_level => 'proven'`, false],
  ['p_instant => true', false],
])('of a Netflix plan for €5 whoever looks for %s is told: %s', async (args, fits) => {
  await look(zoe, args)
  await sharePlan(db, olivia)
  expect(await told(zoe)).toEqual(fits ? [FOUND] : [])
})

test.each([
  ['published after review', `status = 'pending'`, `status = 'active'`],
  ['made public', 'is_private = true', 'is_private = false'],
  ['given a place', 'owner_max_members = 1', 'owner_max_members = 2'],
])('once, when it is %s', async (_when, hide, show) => {
  const plan = await sharePlan(db, olivia)
  await change(plan, hide)
  await look(zoe)
  expect(await told(zoe)).toEqual([])
  await look(zoe, `p_category => 'streaming'`)
  for (const to of [show, hide, show]) {
    await change(plan, to)
    expect(await told(zoe)).toEqual([FOUND])
  }
})

test('not of their own plan, nor of one of people apart, nor where they have a place or have asked for one, nor of a provider switched off', async () => {
  const [ben, bea, marc, nina] = await addPeople(db, ['Ben', 'Bea', 'Marc', 'Nina'])
  for (const person of [olivia, ben, bea, marc, nina, zoe]) await look(person)
  await olivia.sql`select block_person(${ben.id})`
  await bea.sql`select block_person(${olivia.id})`
  const plan = await sharePlan(db, olivia)
  await join(db, marc, plan)
  await ask(db, nina, plan)
  for (const person of [olivia, ben, bea, marc, nina]) expect(await told(person)).toEqual([])
  expect(await told(zoe)).toEqual([FOUND])
  await sql`insert into provider_rules (provider, rule, reason, ground, clause) values ('Netflix', 'off', 'Its terms', 'provider', '4.2')`
  const other = await addPerson(db, 'Omar')
  await look(other)
  await change(plan, 'owner_max_members = 3')
  expect(await told(other)).toEqual([])
  await sql`delete from provider_rules`
})

test('not while the place is kept for whoever waits in line, who hears of it from there', async () => {
  const [marc, wanda] = await addPeople(db, ['Marc', 'Wanda'])
  const plan = await sharePlan(db, olivia, { places: 2 })
  await sayHowPaid(olivia)
  await join(db, marc, plan)
  await wanda.sql`select join_waiting_list(${plan.id})`
  for (const person of [wanda, zoe]) await look(person)
  await marc.sql`delete from subscription_members where subscription_id = ${plan.id}`
  expect([await told(wanda), await told(zoe)]).toEqual([[], []])
  await wanda.sql`select leave_waiting_list(${plan.id})`
  expect([await told(wanda), await told(zoe)]).toEqual([[FOUND], [FOUND]])
})

test('until it lapses or is taken back; again begins anew; something has to be looked for, and ten things at most', async () => {
  await look(zoe)
  await sql`update plan_alerts set expires_at = now() where user_id = ${zoe.id}`
  await sharePlan(db, olivia)
  expect(await told(zoe)).toEqual([])
  await expectRefusal(look(zoe, ''), { code: '23514' })
  await expectRefusal(look(zoe, `p_category => 'gardening'`), { code: '23514' })
  for (let most = 1; most <= 10; most += 1) await look(zoe, `p_most => ${most}`)
  await look(zoe, 'p_most => 10')
  await expectRefusal(
    look(zoe, 'p_most => 11'),
    rule('You can have up to 10 alerts. Stop one of them first.'),
  )
  const mine = await zoe.sql`select expires_at > now() + interval '89 days' as lasts from plan_alerts`
  expect(mine).toEqual(Array(10).fill({ lasts: true }))
  await zoe.sql`delete from plan_alerts`
  await sharePlan(db, await addPerson(db, 'Nina'))
  expect(await told(zoe)).toEqual([])
})
