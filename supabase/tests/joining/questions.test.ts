// Asking before deciding: questions about a plan, and messages while a request is pending.
import { beforeEach, describe, expect, test } from 'vitest'
import { addPerson, notFound, ownDatabase, type Person, refusalOf, rule, taken } from '../people.ts'
import { approve, ask, openChat, type SharedPlan, setTheTable } from '../plans.ts'

const { db, sql } = await ownDatabase()

let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeEach(async () => {
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

const question = async (person: Person, text = 'Is it in 4K?') =>
  (await person.sql<{ id: string }>`select ask_question(${plan.id}, ${text}) as id`)[0]?.id ?? ''
const say = (person: Person, chat: string) =>
  person.sql`insert into messages (conversation_id, content) values (${chat}, 'Hello')`
const age = (chat: string, by: string) =>
  sql`update conversations set question_until = question_until - ${by}::interval where id = ${chat}`
const stateOf = async (chat: string) =>
  (await sql`select archived, is_question, question_until from conversations where id = ${chat}`)[0]
const isClosed = async (chat: string) => (await stateOf(chat))?.archived
const asked = () => olivia.sql`select message from user_notifications where event = 'question-asked'`
const reject = (request: string) => olivia.sql`select reject_subscription_request(${request}, ${plan.id})`
const cancel = (request: string) =>
  zoe.sql`update subscription_requests set status = 'cancelled' where id = ${request}`
const expire = async (request: string) => {
  await sql`update subscription_requests set requested_at = now() - interval '3 days' where id = ${request}`
  await sql`select private.run_due_work()`
}
const ENDED = rule('This conversation has ended.')

describe('a question', () => {
  test('opens a chat of the two, which its owner is told of once', async () => {
    const chat = await question(zoe)
    expect(await question(zoe, 'And in French?')).toBe(chat)
    await say(olivia, chat)
    const said = await zoe.sql`select content, sender_id = ${zoe.id} as own from messages order by content`
    expect(said.map(({ content, own }) => (own ? content : `Olivia: ${content}`))).toEqual([
      'And in French?',
      'Olivia: Hello',
      'Is it in 4K?',
    ])
    expect(await asked()).toEqual([{ message: 'Zoe has a question about Netflix Premium.' }])
    expect(await olivia.sql`select conversation_id from get_user_unread_conversations(${olivia.id})`).toEqual(
      [{ conversation_id: chat }],
    )
    expect(await marc.sql`select id from conversations where id = ${chat}`).toEqual([])
  })

  test('is for who could ask for a place, and for no empty words', async () => {
    expect(await refusalOf(question(olivia))).toEqual(rule('Owners cannot ask about their own plan'))
    expect(await refusalOf(question(marc))).toEqual(taken('Already a Member'))
    expect(await refusalOf(question(zoe, ' '))).toEqual(rule('A message cannot be empty'))
    await sql`update shared_subscriptions set is_private = true where id = ${plan.id}`
    expect(await refusalOf(question(zoe))).toEqual(notFound('Subscription not found'))
    await sql`update shared_subscriptions set is_private = false where id = ${plan.id}`
    await olivia.sql`select block_person(${zoe.id})`
    expect(await refusalOf(question(zoe))).toEqual(notFound('Subscription not found'))
    expect(await sql`select id from conversations where member_id = ${zoe.id}`).toEqual([])
  })

  test('is closed after 7 days without a request, and can be asked again', async () => {
    const chat = await question(zoe)
    await age(chat, '6 days 23 hours')
    await sql`select private.run_due_work()`
    expect(await isClosed(chat)).toBe(false)
    await age(chat, '2 hours')
    // The chat is closed even if due work has not run.
    for (const person of [zoe, olivia]) expect(await refusalOf(say(person, chat))).toEqual(ENDED)
    await sql`select private.run_due_work()`
    expect(await isClosed(chat)).toBe(true)
    expect(await question(zoe, 'Still there?')).toBe(chat)
    expect(await isClosed(chat)).toBe(false)
    expect(await asked()).toHaveLength(2)
  })

  test('has the time of a gap in which nothing ran as well', async () => {
    const chat = await question(zoe)
    await age(chat, '8 days')
    await sql`update private.clock set beat_at = now() - interval '3 days'`
    await say(zoe, chat)
    // Asking a new question also does due work, here before the gap has been noticed.
    await question(await addPerson(db, 'Nina'))
    expect(await isClosed(chat)).toBe(false)
    await sql`select private.run_due_work()`
    expect(await isClosed(chat)).toBe(false)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['hides the plan', () => sql`update shared_subscriptions set is_private = true where id = ${plan.id}`],
    [
      'loses it to staff',
      () => sql`update shared_subscriptions set status = 'rejected' where id = ${plan.id}`,
    ],
    ['blocks who asked', () => olivia.sql`select block_person(${zoe.id})`],
    ['is blocked by who asked', () => zoe.sql`select block_person(${olivia.id})`],
  ])('is closed when its owner %s, and goes with the plan', async (_what, end) => {
    const chat = await question(zoe)
    const member = await openChat(db, plan, marc)
    await end()
    expect([await isClosed(chat), await isClosed(member)]).toEqual([true, false])
    expect(await refusalOf(question(zoe))).toMatchObject({ code: expect.stringMatching(/PT404|23514/) })
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await isClosed(chat)).toBe(undefined)
  })
})

describe('a request that waits', () => {
  test('lets both sides open a chat, and nobody else', async () => {
    const nina = await addPerson(db, 'Nina')
    const request = await ask(db, zoe, plan)
    const chat = await openChat(db, plan, zoe)
    await say(zoe, chat)
    await say(olivia, chat)
    expect(await refusalOf(openChat(db, plan, nina))).toMatchObject({ code: '42501' })
    await cancel(request)
    expect(await refusalOf(say(olivia, chat))).toEqual(ENDED)
    expect(await openChat(db, plan, zoe)).toBe(chat)
  })

  test.each<[string, (request: string) => Promise<unknown>]>([
    ['is rejected', reject],
    ['is withdrawn', cancel],
    ['expires', expire],
  ])('and %s ends the chat that its question began, and another opens it again', async (_what, end) => {
    const chat = await question(zoe)
    const request = await ask(db, zoe, plan)
    // While the request is pending the question has no deadline.
    expect(await stateOf(chat)).toMatchObject({ question_until: null })
    await end(request)
    expect(await isClosed(chat)).toBe(true)
    await ask(db, zoe, plan)
    expect(await isClosed(chat)).toBe(false)
  })

  test('and brings a place goes on as the chat of a member, to the end of that', async () => {
    const chat = await question(zoe)
    await approve(db, plan, await ask(db, zoe, plan))
    expect(await stateOf(chat)).toEqual({ archived: false, is_question: false, question_until: null })
    await zoe.sql`delete from subscription_members where user_id = ${zoe.id}`
    expect(await refusalOf(say(zoe, chat))).toEqual(
      rule('This conversation has been archived because the member has left the subscription.'),
    )
  })

  test('of a former member opens what they said before, until it is over', async () => {
    const chat = await openChat(db, plan, marc)
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    await question(marc)
    expect(await isClosed(chat)).toBe(false)
    const request = await ask(db, marc, plan)
    await reject(request)
    expect(await isClosed(chat)).toBe(true)
  })
})

test('asking cannot be kept up: ten questions an hour', async () => {
  for (let n = 0; n < 10; n += 1) await question(zoe, `Question ${n}`)
  expect(await refusalOf(question(zoe))).toMatchObject({ code: 'PT429' })
})
