// The chat of a plan's owner and a member: opening, messages, unread marks, and archiving.
// Proves ROLE 13, MEMB 09, CHAT 01 03 07-09 13-15, DATA 09-11, API 14 31 38-40, ERR 35-37, VALID 15
import { describe, expect, test } from 'vitest'
import { columnOf, DENIED, denied, expectRefusal, notFound, rule, single } from '../answers.ts'
import { type Asker, addPerson, calling, ownDatabase, type Person } from '../people.ts'
import { join, openChat, setTheTable, sharePlan } from '../plans.ts'
import { BLANK, FAMILY, MEGABYTE, RTL, SCRIPT, ZERO_WIDTH } from '../texts.ts'

const { db, sql } = await ownDatabase()
await sql`update private.rate_limits set attempts = 1000000 where action <> 'announcement'`
const NOBODY = '00000000-0000-4000-8000-000000000000'
const EMPTY = rule('A message cannot be empty')
const LONG = rule('A message can be at most 1000 characters long')
const UNAUTHORIZED = denied('Unauthorized: Cannot send message to this conversation')

/** Creates Olivia and Marc, who share a plan, and their chat. */
const chat = async () => {
  const table = await setTheTable(db)
  return { ...table, conversation: await openChat(db, table.plan, table.marc) }
}
const open = (person: Asker, plan: string | null, owner: string | null, member: string | null) =>
  person.sql`select find_or_create_conversation(${plan}, ${owner}, ${member}) as id`
const say = (person: Asker, conversation: string, content = 'Hello') =>
  person.sql`insert into messages (conversation_id, content) values (${conversation}, ${content}) returning content`
const insert = (person: Asker, row: Record<string, string | null>) =>
  person.insert<Record<string, unknown>>('messages', { content: 'Hi', ...row })
const unread = (person: Asker, conversation: string, of: Person) =>
  single(person.sql`select get_conversation_unread_status(${conversation}, ${of.id})`)
const markRead = (person: Asker, conversation: string, of: Person) =>
  person.sql`select mark_conversation_read(${conversation}, ${of.id})`

describe('a conversation', () => {
  test('is the same each time for owner and member, and starts open and read', async () => {
    const { olivia, marc, plan, conversation } = await chat()
    for (const side of [olivia, marc]) {
      expect(await open(side, plan.id, olivia.id, marc.id)).toEqual([{ id: conversation }])
      expect(await side.sql`select * from conversations where subscription_id = ${plan.id}`).toEqual([
        {
          ...{ id: conversation, subscription_id: plan.id, owner_id: olivia.id, member_id: marc.id },
          ...{ archived: false, is_question: false, question_until: null, created_at: expect.anything() },
        },
      ])
      expect(await side.sql`select * from chat_participants`).toEqual([
        { id: expect.any(String), conversation_id: conversation, user_id: side.id, has_unread: false },
      ])
    }
  })

  test('is one for each member, and one for each plan', async () => {
    const { olivia, marc, zoe, plan, conversation } = await chat()
    await join(db, zoe, plan)
    const second = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
    await join(db, marc, second)
    const others = [await openChat(db, plan, zoe), await openChat(db, second, marc)]
    expect(new Set([conversation, ...others]).size).toBe(3)
    await say(olivia, conversation, 'Only for Marc')
    expect(await zoe.sql`select content from messages`).toEqual([])
    expect(await columnOf(zoe.sql`select member_id from conversations`)).toEqual([zoe.id])
  })

  test('is opened by its two sides about a plan they share, and by nobody else', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const nobody = calling(db, { role: 'authenticated', claims: '{"role":"authenticated"}' })
    const ALONE = rule('Cannot start chat without a recipient')
    const NO_ACCESS = denied('User does not have access to this subscription')
    for (const [who, ...given] of [
      [nobody, plan.id, marc.id, denied('Authentication required')],
      [olivia, null, marc.id, rule('Subscription information is required')],
      [olivia, plan.id, null, ALONE],
      [olivia, plan.id, olivia.id, ALONE],
      [olivia, 'sub-nowhere', marc.id, notFound('Subscription not found')],
      [olivia, plan.id, zoe.id, NO_ACCESS],
      [zoe, plan.id, marc.id, NO_ACCESS],
    ] as const) {
      const [id, member, refusal] = given
      await expectRefusal(open(who, id, olivia.id, member), refusal)
    }
    await expectRefusal(open(zoe, plan.id, zoe.id, marc.id), NO_ACCESS)
  })

  test('is archived when its member leaves: read, not written to, and open again with a new place', async () => {
    const { olivia, marc, plan, conversation } = await chat()
    const archived = () => single(olivia.sql`select archived from conversations where id = ${conversation}`)
    await say(marc, conversation, 'Farewell')
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    expect(await archived()).toBe(true)
    expect(await marc.sql`select content from messages`).toEqual([{ content: 'Farewell' }])
    expect(await open(marc, plan.id, olivia.id, marc.id)).toEqual([{ id: conversation }])
    await expectRefusal(
      say(marc, conversation),
      rule('This conversation has been archived because the member has left the subscription.'),
    )
    await join(db, marc, plan)
    expect(await archived()).toBe(false)
    await say(marc, conversation)
  })

  test('goes with its plan, and so do its messages and what was unread', async () => {
    const { olivia, marc, plan, conversation } = await chat()
    await say(olivia, conversation)
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(
      await sql`select from conversations where id = ${conversation} union all
        select from messages where conversation_id = ${conversation} union all
        select from chat_participants where conversation_id = ${conversation}`,
    ).toEqual([])
    await expectRefusal(say(marc, conversation), DENIED)
  })
})

describe('a message', async () => {
  const { olivia, marc, conversation } = await chat()

  test.each<[string, Record<string, string | null>, { code: string }]>([
    ['nothing', { content: null }, EMPTY],
    ['blanks', { content: BLANK }, EMPTY],
    ['zero-width characters', { content: ZERO_WIDTH }, EMPTY],
    ['1001 letters', { content: 'x'.repeat(1001) }, LONG],
    ['1001 families', { content: FAMILY.repeat(1001) }, LONG],
    ['endless marks', { content: `a${'\u0301'.repeat(10_000)}` }, LONG],
    ['a megabyte', { content: MEGABYTE }, LONG],
    ['a NUL', { content: 'a\0b' }, { code: '22021' }],
    ['no conversation', { conversation_id: null }, UNAUTHORIZED],
    ['another conversation', { conversation_id: NOBODY }, UNAUTHORIZED],
    ['a conversation that is no id', { conversation_id: 'sub-1' }, { code: '22P02' }],
    ['a sender that is nobody', { sender_id: SCRIPT }, UNAUTHORIZED],
    ['the other side as its sender', { sender_id: olivia.id }, UNAUTHORIZED],
    ['the system as its sender', { sender_id: 'system' }, UNAUTHORIZED],
    ['the words of the system', { sender_id: marc.id, message_type: 'system' }, UNAUTHORIZED],
    ['the system’s name and words', { sender_id: 'system', message_type: 'system' }, UNAUTHORIZED],
    ['another type', { message_type: 'note' }, UNAUTHORIZED],
    ['metadata that is no JSON', { metadata: '{' }, { code: '22P02' }],
  ])('is refused with %s', async (_what, change, refusal) => {
    await expectRefusal(insert(marc, { conversation_id: conversation, ...change }), refusal)
  })

  test.each([
    ['letters', 'x'.repeat(1000)],
    ['families, of seven code points each', FAMILY.repeat(1000)],
    ['letters with a mark apart', 'e\u0301'.repeat(1000)],
    ['flags', '🇪🇺'.repeat(1000)],
    ['lines', `${'x\n'.repeat(499)}xx`],
    ['of what runs from right to left', `مرحبا ${RTL}`],
    ['of markup', `${SCRIPT} javascript:alert(1) '; drop table messages; --`],
  ])('may have a thousand %s, and keeps them letter for letter', async (_what, content) => {
    expect(await say(marc, conversation, content)).toEqual([{ content }])
  })

  test.each([
    ['{"status":"sent","retry_count":2,"more":"x"}', 2],
    ['{"retry_count":1e400}', 3],
    ['{"retry_count":-5}', 0],
    [`["${MEGABYTE}"]`, 0],
    ['null', 0],
  ])(
    'is delivered once stored, and keeps of metadata a small number of retries alone: %#',
    async (metadata, n) => {
      const row = { conversation_id: conversation, sender_id: marc.id, message_type: 'user', metadata }
      expect(await insert(marc, row)).toEqual({
        ...{ ...row, metadata: { status: 'delivered', retry_count: n } },
        ...{ id: expect.any(String), content: 'Hi', created_at: expect.anything() },
        is_removed: false,
      })
    },
  )

  test('of the system is written by the server, in its own name, and says that it was sent or delivered', async () => {
    const system = { sender_id: 'system', message_type: 'system' }
    const write = (row: Record<string, string>) =>
      sql`insert into messages (conversation_id, content, sender_id, message_type, metadata) values (${conversation}, 'Hi',
        ${row.sender_id ?? marc.id}, ${row.message_type ?? 'user'}, ${row.metadata ?? '{"status":"sent","retry_count":1}'})
        returning metadata ->> 'status' as status`
    for (const good of [system, {}]) expect(await write(good)).toEqual([{ status: 'sent' }])
    expect(
      await sql`insert into messages (conversation_id, sender_id, content, message_type)
        values (${conversation}, 'system', 'Marc joined', 'system') returning metadata`,
    ).toEqual([{ metadata: { status: 'delivered', retry_count: 0 } }])
    for (const bad of [
      { sender_id: 'system' },
      { message_type: 'system' },
      { message_type: 'note' },
      ...['{}', '[]', '{"status":"read","retry_count":0}', '{"status":"sent"}'].map((metadata) => ({
        metadata,
      })),
    ])
      await expectRefusal(write(bad), { code: '23514' })
  })
})

describe('unread', () => {
  test('a message is so for the other side until it is marked read', async () => {
    const { olivia, marc, conversation } = await chat()
    await say(olivia, conversation)
    expect(await unread(marc, conversation, marc)).toBe(true)
    expect(await unread(olivia, conversation, olivia)).toBe(false)
    await markRead(marc, conversation, marc)
    expect(await unread(marc, conversation, marc)).toBe(false)
  })

  test('are listed with the last message, for the two sides alone', async () => {
    const { olivia, marc, zoe, conversation } = await chat()
    const listed = (person: Person) =>
      person.sql`select id, last_text, last_is_own, last_at is null as untold, unread, has_draft from my_conversations()`
    const untold = {
      id: conversation,
      last_text: null,
      last_is_own: false,
      untold: true,
      unread: false,
      has_draft: false,
    }
    expect(await listed(olivia)).toEqual([untold])
    await say(olivia, conversation, 'First')
    await say(marc, conversation, 'x'.repeat(300))
    const last = { ...untold, last_text: 'x'.repeat(200), untold: false }
    expect(await listed(olivia)).toEqual([{ ...last, unread: true }])
    expect(await listed(marc)).toEqual([{ ...last, last_is_own: true, unread: true }])
    expect(await listed(zoe)).toEqual([])
    // An unread mark alone does not make a conversation visible.
    await sql`insert into chat_participants (conversation_id, user_id) values (${conversation}, ${zoe.id})`
    expect(await listed(zoe)).toEqual([])
    await olivia.sql`delete from shared_subscriptions where owner_id = ${olivia.id}`
    expect(await listed(marc)).toEqual([])
  })

  test('conversations are counted, not messages', async () => {
    const { olivia, marc, plan, conversation } = await chat()
    await say(olivia, conversation, 'one')
    await say(olivia, conversation, 'two')
    const badge = (person: Person) => person.sql`select * from get_user_unread_conversations(${person.id})`
    expect(await badge(marc)).toEqual([
      { conversation_id: conversation, subscription_id: plan.id, owner_id: olivia.id, member_id: marc.id },
    ])
    expect(await badge(olivia)).toEqual([])
    const second = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
    await join(db, marc, second)
    await say(olivia, await openChat(db, second, marc), 'three')
    expect(await badge(marc)).toHaveLength(2)
    await markRead(marc, conversation, marc)
    expect(await badge(marc)).toMatchObject([{ subscription_id: second.id }])
  })

  test('is asked and marked by the two sides, each for themselves', async () => {
    const { olivia, marc, zoe, conversation } = await chat()
    await say(olivia, conversation)
    const NOT_YOURS = denied('You can only do this for yourself')
    await expectRefusal(
      markRead(zoe, conversation, zoe),
      denied('Unauthorized: Cannot mark conversation as read'),
    )
    await expectRefusal(unread(zoe, conversation, zoe), denied('Unauthorized access to conversation'))
    await expectRefusal(markRead(olivia, conversation, marc), NOT_YOURS)
    await expectRefusal(unread(olivia, conversation, marc), NOT_YOURS)
    expect(await unread(marc, conversation, marc)).toBe(true)
  })
})

describe('an announcement', () => {
  const announce = (person: Person, plan: string, text: string) =>
    single(person.sql`select announce_to_members(${plan}, ${text})`)

  test('is written once into the chat with each member, to read, and to nobody who has left or blocked', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const [nina, rosa] = [await addPerson(db, 'Nina'), await addPerson(db, 'Rosa')]
    for (const person of [nina, zoe]) await join(db, person, plan)
    await openChat(db, plan, zoe)
    await zoe.sql`delete from subscription_members where user_id = ${zoe.id}`
    await join(db, rosa, plan)
    await rosa.sql`select block_person(${olivia.id})`
    expect(await announce(olivia, plan.id, 'The price changes in May.')).toBe(2)
    const said = { sender_id: olivia.id, content: 'The price changes in May.', message_type: 'announcement' }
    for (const person of [marc, nina]) {
      expect(await person.sql`select sender_id, content, message_type from messages`).toEqual([said])
      expect(await columnOf(person.sql`select has_unread from chat_participants`)).toEqual([true])
    }
    for (const person of [zoe, rosa]) expect(await person.sql`select id from messages`).toEqual([])
  })

  test('is refused where it is no message, in a plan without members, and the sixth time within the hour', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const alone = await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' })
    const OWNER_ALONE = denied("Only the plan's owner can message all members")
    await expectRefusal(announce(marc, plan.id, 'Hello'), OWNER_ALONE)
    await expectRefusal(announce(olivia, plan.id, ' \u200b'), EMPTY)
    await expectRefusal(announce(olivia, plan.id, 'x'.repeat(1001)), LONG)
    await expectRefusal(announce(olivia, alone.id, 'Hello?'), rule('This plan has no members yet'))
    for (let n = 0; n < 5; n++) await announce(olivia, plan.id, `News ${n}`)
    await expectRefusal(announce(olivia, plan.id, 'More'), { code: 'PT429' })
  })
})
