import { describe, expect, test } from 'vitest'
import {
  type Asker,
  addPerson,
  calling,
  DENIED,
  denied,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'
import { join, openChat, setTheTable, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

const open = (person: Asker, plan: string | null, owner: string | null, member: string | null) =>
  person.sql`select find_or_create_conversation(${plan}, ${owner}, ${member}) as id`
const say = (person: Person, conversation: string, content = 'Hello') =>
  person.sql`insert into messages (conversation_id, content) values (${conversation}, ${content})`
const unread = (person: Asker, conversation: string, of: Person) =>
  person.sql`select get_conversation_unread_status(${conversation}, ${of.id}) as unread`
const markRead = (person: Asker, conversation: string, of: Person) =>
  person.sql`select mark_conversation_read(${conversation}, ${of.id})`

describe('find_or_create_conversation', () => {
  test('gives owner and member the same one each time', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const first = await open(marc, plan.id, olivia.id, marc.id)
    expect(await open(olivia, plan.id, olivia.id, marc.id)).toEqual(first)
    expect(await open(marc, plan.id, olivia.id, marc.id)).toEqual(first)
  })

  test('is one for each member, and one for each plan', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    await join(db, nina, plan)
    const second = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
    await join(db, marc, second)
    const conversations = [
      await openChat(db, plan, marc),
      await openChat(db, plan, nina),
      await openChat(db, second, marc),
    ]
    expect(new Set(conversations).size).toBe(3)
    await say(olivia, conversations[0] ?? '', 'Only for Marc')
    expect(await nina.sql`select content from messages`).toEqual([])
    expect(await nina.sql`select member_id from conversations`).toEqual([{ member_id: nina.id }])
  })

  test('needs somebody signed in', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const nobody = calling(db, { role: 'authenticated', claims: '{"role":"authenticated"}' })
    expect(await refusalOf(open(nobody, plan.id, olivia.id, marc.id))).toEqual(
      denied('Authentication required'),
    )
  })

  test.each([
    ['without a plan', { plan: null }, rule('Subscription information is required')],
    ['without a member', { member: null }, rule('Cannot start chat without a recipient')],
    ['with oneself', { member: 'olivia' }, rule('Cannot start chat without a recipient')],
    ['on no plan', { plan: 'sub-nowhere' }, notFound('Subscription not found')],
    ['with a stranger', { member: 'zoe' }, denied('User does not have access to this subscription')],
  ] as const)('is refused %s', async (_what, given, refusal) => {
    const { plan, ...people } = await setTheTable(db)
    const { olivia, marc } = people
    const member = 'member' in given ? (given.member === null ? null : people[given.member].id) : marc.id
    expect(await refusalOf(open(olivia, 'plan' in given ? given.plan : plan.id, olivia.id, member))).toEqual(
      refusal,
    )
  })

  test('is not for third parties, nor with a false owner', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const noAccess = denied('User does not have access to this subscription')
    expect(await refusalOf(open(zoe, plan.id, olivia.id, marc.id))).toEqual(noAccess)
    expect(await refusalOf(open(zoe, plan.id, zoe.id, marc.id))).toEqual(noAccess)
    expect(await refusalOf(open(VISITOR, plan.id, olivia.id, marc.id))).toMatchObject(DENIED)
  })

  test('leads a former member to the archived one', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const before = await open(marc, plan.id, olivia.id, marc.id)
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    expect(await open(marc, plan.id, olivia.id, marc.id)).toEqual(before)
  })
})

describe('unread conversations', () => {
  test('a message is unread for the other side until it is marked read', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const conversation = await openChat(db, plan, marc)
    await say(olivia, conversation)
    expect(await unread(marc, conversation, marc)).toEqual([{ unread: true }])
    expect(await unread(olivia, conversation, olivia)).toEqual([{ unread: false }])
    await markRead(marc, conversation, marc)
    expect(await unread(marc, conversation, marc)).toEqual([{ unread: false }])
  })

  test('the badge counts conversations, not messages', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const conversation = await openChat(db, plan, marc)
    await say(olivia, conversation, 'one')
    await say(olivia, conversation, 'two')
    const badge = (person: Person, of = person) =>
      person.sql`select * from get_user_unread_conversations(${of.id})`
    const mark = {
      conversation_id: conversation,
      subscription_id: plan.id,
      owner_id: olivia.id,
      member_id: marc.id,
    }
    expect(await badge(marc)).toEqual([mark])
    expect(await badge(olivia)).toEqual([])
    const second = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
    await join(db, marc, second)
    await say(olivia, await openChat(db, second, marc), 'three')
    expect(await badge(marc)).toHaveLength(2)
    await markRead(marc, conversation, marc)
    expect(await badge(marc)).toMatchObject([{ subscription_id: second.id }])
    expect(await refusalOf(badge(olivia, marc))).toMatchObject(DENIED)
  })

  test('only its sides ask about it, each for themselves', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const conversation = await openChat(db, plan, marc)
    expect(await refusalOf(markRead(zoe, conversation, zoe))).toEqual(
      denied('Unauthorized: Cannot mark conversation as read'),
    )
    expect(await refusalOf(unread(zoe, conversation, zoe))).toEqual(
      denied('Unauthorized access to conversation'),
    )
    expect(await refusalOf(markRead(olivia, conversation, marc))).toEqual(
      denied('You can only do this for yourself'),
    )
    expect(await refusalOf(unread(olivia, conversation, marc))).toEqual(
      denied('You can only do this for yourself'),
    )
    expect(await refusalOf(markRead(VISITOR, conversation, marc))).toMatchObject(DENIED)
    await say(olivia, conversation)
    await refusalOf(markRead(zoe, conversation, zoe))
    expect(await unread(marc, conversation, marc)).toEqual([{ unread: true }])
  })

  test('go with their plan, as the conversation and its messages do', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const conversation = await openChat(db, plan, marc)
    await say(olivia, conversation)
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    for (const table of ['messages', 'chat_participants'])
      expect(
        await db.query(`select 1 from ${table} where conversation_id = $1`, [conversation]),
        table,
      ).toEqual([])
    expect(await sql`select 1 from conversations where id = ${conversation}`).toEqual([])
    expect(await refusalOf(say(marc, conversation))).toMatchObject(DENIED)
  })
})

describe('announce_to_members', () => {
  const announce = (person: Person, plan: string, text: string) =>
    person.sql`select announce_to_members(${plan}, ${text}) as members`

  test('writes once into the chat with each member, who has it to read, and to nobody who has left', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    for (const person of [nina, zoe]) await join(db, person, plan)
    await openChat(db, plan, zoe)
    await zoe.sql`delete from subscription_members where user_id = ${zoe.id}`
    const rosa = await addPerson(db, 'Rosa')
    await join(db, rosa, plan)
    await rosa.sql`select block_person(${olivia.id})`
    expect(await announce(olivia, plan.id, 'The price changes in May.')).toEqual([{ members: 2 }])
    for (const person of [marc, nina]) {
      expect(await person.sql`select sender_id, content, message_type from messages`).toEqual([
        { sender_id: olivia.id, content: 'The price changes in May.', message_type: 'announcement' },
      ])
      expect(await person.sql`select has_unread from chat_participants`).toEqual([{ has_unread: true }])
    }
    for (const person of [zoe, rosa]) expect(await person.sql`select id from messages`).toEqual([])
  })

  test('refuses what is no message, a plan without members, and a sixth within the hour', async () => {
    const { olivia, plan } = await setTheTable(db)
    const alone = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
    expect(await refusalOf(announce(olivia, plan.id, ' \u200b'))).toEqual(rule('A message cannot be empty'))
    expect(await refusalOf(announce(olivia, plan.id, 'x'.repeat(1001)))).toEqual(
      rule('A message can be at most 1000 characters long'),
    )
    expect(await refusalOf(announce(olivia, alone.id, 'Hello?'))).toEqual(
      rule('There is nobody in this plan to write to yet'),
    )
    for (let n = 0; n < 5; n++) await announce(olivia, plan.id, `News ${n}`)
    expect(await refusalOf(announce(olivia, plan.id, 'More'))).toMatchObject({ code: 'PT429' })
  })
})
