// Staff's decisions about a report: a warning, a hidden plan or a suspension, each with a reason that the person reads;
// and the chat that a report opens to staff.
import { beforeEach, expect, test } from 'vitest'
import { columnOf, expectRefusal, single } from '../answers.ts'
import { addPerson, addStaff, denied, notFound, ownDatabase, type Person, rule } from '../people.ts'
import { ask, join, type SharedPlan, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()
const mona = await addStaff(db, 'Mona', 'moderator')
const ada = await addStaff(db, 'Ada', 'admin')
const sofia = await addStaff(db, 'Sofia', 'super-admin')

let olivia: Person
let zoe: Person
let plan: SharedPlan
let report: string
beforeEach(async () => {
  olivia = await addPerson(db, 'Olivia')
  zoe = await addPerson(db, 'Zoe')
  plan = await sharePlan(db, olivia)
  await join(db, zoe, plan)
  report = await reportOf(zoe, olivia)
})

const reportOf = async (by: Person, about: Person) => {
  await by.sql`select report_person(${about.id}, 'Rude')`
  return single(
    sql`select id from public.person_reports where (reporter_id, person_id) = (${by.id}, ${about.id}) and decided_at is null`,
  )
}
const close = (
  by: Person,
  decision: string,
  planId: string | null = null,
  days: number | null = null,
  id = report,
) => by.sql`select close_person_report(${id}, 'Asks for passwords', ${decision}, ${planId}, ${days})`
const told = (who: Person, event: string) =>
  columnOf(who.sql`select message from user_notifications where event = ${event}`)
const mailed = (who: Person, event: string) =>
  single<number>(
    sql`select count(*)::int from private.outgoing_mail where recipient = ${who.email} and event = ${event}`,
  )
const status = () => single(sql`select status from shared_subscriptions where id = ${plan.id}`)
const logged = (person: Person, action: string) =>
  sofia.sql`select actor_name, details from list_staff_log() where action = ${action} and subject = ${person.id}`

test('a warning reaches the person with its reason, by mail at once, and stands beside the next report', async () => {
  await expectRefusal(close(mona, 'fined'), rule('Please choose what to do'))
  await close(mona, 'warned')
  expect(await told(olivia, 'warned')).toEqual(['Our team warns you: Asks for passwords'])
  expect(await mailed(olivia, 'warned')).toBe(1)
  expect(await told(zoe, 'report-read')).toHaveLength(1)
  expect(await logged(olivia, 'report closed')).toMatchObject([
    { actor_name: 'Mona', details: { decision: 'warned', finding: 'Asks for passwords' } },
  ])
  await expectRefusal(close(ada, 'none'), notFound('Report not found'))
  await reportOf(zoe, olivia)
  expect(
    await ada.sql`select earlier, plans, unfounded from list_person_reports(p_person => ${olivia.id})`,
  ).toMatchObject([
    {
      earlier: [{ decision: 'warned', finding: 'Asks for passwords' }],
      plans: [{ id: plan.id, name: 'Netflix Premium', status: 'active', members: 2, isShared: true }],
      unfounded: 0,
    },
  ])
})

test('a hidden plan keeps its members, takes no one new, and only the reported person’s plan can be hidden', async () => {
  const lea = await addPerson(db, 'Lea')
  await ask(db, lea, plan)
  const other = await sharePlan(db, zoe)
  await expectRefusal(close(mona, 'plan-hidden', other.id), notFound('Subscription not found'))
  await expectRefusal(close(mona, 'plan-hidden'), notFound('Subscription not found'))
  await close(mona, 'plan-hidden', plan.id)
  expect(await status()).toBe('rejected')
  expect(await told(olivia, 'plan-hidden')).toEqual([
    'Our team has hidden Netflix Premium, so no one new can find or join it: Asks for passwords',
  ])
  expect(await mailed(olivia, 'plan-hidden')).toBe(1)
  expect(await told(lea, 'request-rejected')).toHaveLength(1)
  expect(await zoe.sql`select id from my_seats()`).toHaveLength(1)
  expect(await sofia.sql`select action from list_staff_log() where subject = ${plan.id}`).toEqual([
    { action: 'plan rejected' },
  ])
  const again = await reportOf(zoe, olivia)
  await expectRefusal(close(mona, 'plan-hidden', plan.id, null, again), rule('This plan is already rejected'))
  await mona.sql`select review_plan(${plan.id}, 'restore')`
  expect(await status()).toBe('active')
})

test('only an admin suspends, never above their own role, and the person reads why', async () => {
  await expectRefusal(close(mona, 'suspended', null, 3), denied('Only admins can do this'))
  await expectRefusal(close(ada, 'suspended', null, 0), rule('Please choose from 1 to 365 days'))
  const about = await reportOf(zoe, sofia)
  await expectRefusal(
    close(ada, 'suspended', null, 3, about),
    denied('You can’t suspend someone whose role allows more than yours'),
  )
  await close(ada, 'suspended', null, 30)
  await sql`select private.follow_suspensions()`
  expect(await told(olivia, 'you-are-suspended')).toEqual([
    expect.stringMatching(
      /^Your account is suspended until \d+ \w+ 2\d{3}, .* The reason: Asks for passwords$/,
    ),
  ])
  await expectRefusal(
    close(ada, 'suspended', null, 3, await reportOf(zoe, olivia)),
    rule('This account is already suspended'),
  )
  await expectRefusal(mona.sql`select lift_suspension(${olivia.id})`, denied('Only admins can do this'))
  await expectRefusal(
    ada.sql`select lift_suspension(${ada.id})`,
    denied('Someone else suspends you or lets you in again'),
  )
  await ada.sql`select lift_suspension(${olivia.id})`
  await expectRefusal(ada.sql`select lift_suspension(${olivia.id})`, rule('This account isn’t suspended'))
  expect(await logged(olivia, 'account let in again')).toMatchObject([{ actor_name: 'Ada' }])
})

test('an open report opens the chat of its two people to staff, each reading is logged, and closing shuts it', async () => {
  const lea = await addPerson(db, 'Lea')
  await join(db, lea, plan)
  for (const [member, content] of [
    [zoe, 'It stopped working'],
    [lea, 'Between Lea and Olivia'],
  ] as const) {
    const chat = await single(
      member.sql`select find_or_create_conversation(${plan.id}, ${olivia.id}, ${member.id})`,
    )
    await member.sql`insert into messages (conversation_id, content) values (${chat}, ${content})`
  }
  const read = (by: Person) => by.sql`select plan, is_reporter, content from read_reported_chat(${report})`
  await expectRefusal(read(zoe), denied('Only staff can see reports'))
  expect(await read(mona)).toEqual([
    { plan: 'Netflix Premium', is_reporter: true, content: 'It stopped working' },
  ])
  expect(await logged(olivia, 'reported chat read')).toEqual([
    { actor_name: 'Mona', details: { reporter: zoe.id, report } },
  ])
  await close(mona, 'none')
  await expectRefusal(read(mona), notFound('Report not found'))
  expect(await mona.sql`select id from messages`).toEqual([])
  expect(await ada.sql`select has_chat, decision from list_person_reports(true, ${olivia.id})`).toEqual([
    { has_chat: false, decision: 'none' },
  ])
})
