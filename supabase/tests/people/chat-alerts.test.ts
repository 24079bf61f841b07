// How people are alerted to unread chat messages: when, how often, and until when.
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, single } from '../answers.ts'
import { leftInEnglish, waitingMails } from '../mail-words.ts'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { openChat, setTheTable } from '../plans.ts'

const { db, sql } = await ownDatabase()

let { olivia, marc, plan } = await setTheTable(db)
let chat: string
beforeEach(async () => {
  ;({ olivia, marc, plan } = await setTheTable(db))
  chat = await openChat(db, plan, marc)
  await sql`delete from private.outgoing_pushes`
  await sql`delete from private.outgoing_mail`
})

const say = (person: Person, text = 'The secret is out', where = chat) =>
  person.sql`insert into messages (conversation_id, content) values (${where}, ${text})`
const read = (person: Person, where = chat) =>
  person.sql`select mark_conversation_read(${where}, ${person.id})`
/** Adds a device of the person; returns its id. */
const device = (person: Person) =>
  single(sql`with session as (
      insert into auth.sessions (user_id, amr) values (${person.id}, '[]') returning id, user_id
    )
    insert into private.push_devices (session_id, user_id, endpoint, p256dh, auth)
    select id, user_id, 'https://fcm.googleapis.com/' || id, 'B' || repeat('a', 86), repeat('a', 22) from session
    returning session_id`)
/** Returns the seconds until devices are notified of chats. */
const waiting = () =>
  columnOf<number>(sql`select round(extract(epoch from next_attempt_at - clock_timestamp()))::int
    from private.outgoing_pushes order by 1`)
/** Makes all pushes due, and returns those that are sent. */
async function sent() {
  await sql`update private.outgoing_pushes set next_attempt_at = clock_timestamp()`
  const taken = await sql<Record<'about' | 'session_id' | 'attempt' | 'title' | 'message' | 'path', string>>`
    select * from private.lease_due_pushes(100)`
  for (const { about, session_id, attempt } of taken)
    await sql`select private.settle_push(${about}, ${session_id}, ${attempt}, null, 'sent')`
  return taken.map(({ session_id, title, message, path }) => ({ session_id, title, message, path }))
}
const mails = ({ email }: Person) => waitingMails(db, email)

describe('a chat message that waits to be read', () => {
  test('shows on each device of whom it is for: who wrote, about which plan, and the way there, not what', async () => {
    await sql`update user_profiles set display_name = 'Marc Antoine Dupont' where user_id = ${marc.id}`
    const devices = [await device(olivia), await device(olivia)]
    await device(marc)
    await say(marc)
    expect(await sql`select from private.lease_due_pushes(100)`).toEqual([])
    const message = 'Marc wrote to you about Netflix Premium.'
    const said = { title: 'New Message', message, path: `/messages/${chat}` }
    const shown = await sent()
    expect(await leftInEnglish(db)).toEqual([])
    expect(shown.sort((a, b) => a.session_id.localeCompare(b.session_id))).toEqual(
      devices.sort().map((session_id) => ({ session_id, ...said })),
    )
  })

  test('waits once for each device however much is written, and comes again only after a while', async () => {
    await device(olivia)
    for (let left = 10; left > 0; left--) await say(marc)
    const [soon, ...more] = await waiting()
    expect([Number(soon) <= 5, more]).toEqual([true, []])
    expect(await sent()).toHaveLength(1)
    await say(marc)
    await say(marc)
    const [later, ...others] = await waiting()
    expect([Number(later) > 300, others]).toEqual([true, []])
    await read(olivia)
    expect(await waiting()).toEqual([])
    await say(marc)
    expect(Number((await waiting())[0]) <= 5).toBe(true)
  })

  test('is told to nobody who has read it, whose chat is over, or who has blocked the other', async () => {
    await device(olivia)
    await say(marc)
    await read(olivia)
    expect([await sent(), await mails(olivia)]).toEqual([[], []])
    await say(marc)
    await olivia.sql`select block_person(${marc.id})`
    expect([await sent(), await mails(olivia)]).toEqual([[], []])
    await olivia.sql`select unblock_person(${marc.id})`
    await read(olivia)
    await say(marc)
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    expect((await sent()).map(({ title }) => title)).toEqual(['Member Left'])
    expect((await mails(olivia)).filter(({ path }) => path?.includes('/messages/'))).toEqual([])
  })

  test('is mailed once until it is read, without what was written', async () => {
    for (let left = 3; left > 0; left--) await say(marc)
    const message = 'Marc wrote to you about Netflix Premium.'
    const params = { person: 'Marc', plan: 'Netflix Premium' }
    const said = { subject: message, sentences: [message], action: 'Read the message' }
    expect(await mails(olivia)).toMatchObject([
      { event: 'chat-message', params, path: `/messages/${chat}`, said },
    ])
    await sql`update private.outgoing_mail set sent_at = clock_timestamp(), path = null`
    await say(marc)
    expect(await mails(olivia)).toEqual([])
    await read(olivia)
    await say(marc)
    expect(await mails(olivia)).toHaveLength(1)
  })

  test('reaches nobody in a way they do not want', async () => {
    await device(olivia)
    await say(marc)
    for (const channel of ['mail', 'push'])
      await olivia.sql`select choose_notifications('messages', ${channel}, false)`
    expect([await sent(), await mails(olivia)]).toEqual([[], []])
    await read(olivia)
    await say(marc)
    expect([await waiting(), await mails(olivia)]).toEqual([[], []])
    const unread = olivia.sql`select conversation_id from get_user_unread_conversations(${olivia.id})`
    expect(await columnOf(unread)).toEqual([chat])
  })

  test('that is announced reaches each member, and one that is a first question is told as such alone', async () => {
    const nina = await addPerson(db, 'Nina')
    await device(olivia)
    await device(marc)
    await olivia.sql`select announce_to_members(${plan.id}, 'A new password')`
    const announced = { message: 'Olivia wrote to you about Netflix Premium.' }
    expect(await sent()).toMatchObject([announced])
    await sql`delete from private.outgoing_mail`
    await nina.sql`select ask_question(${plan.id}, 'Is it in 4K?')`
    expect(await sent()).toMatchObject([{ title: 'New Question' }])
    expect(await mails(olivia)).toMatchObject([
      { said: { subject: 'Nina has a question about Netflix Premium.' } },
    ])
  })
})

test('the bell says nothing of a chat', async () => {
  await say(marc)
  expect(await olivia.sql`select event from user_notifications where event = 'chat-message'`).toEqual([])
})
