import { describe, expect, test } from 'vitest'
import { type Asker, DENIED, denied, ownDatabase, refusalOf, rule } from '../people.ts'
import { join, openChat, setTheTable } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

const send = (person: Asker, conversation: string, content: string) =>
  person.sql`insert into messages (conversation_id, content) values (${conversation}, ${content}) returning *`
const read = (person: Asker, conversation: string) =>
  person.sql`select sender_id, content from messages where conversation_id = ${conversation} order by created_at`
const chat = async () => {
  const table = await setTheTable(db)
  return { ...table, conversation: await openChat(db, table.plan, table.marc) }
}
const UNAUTHORIZED = denied('Unauthorized: Cannot send message to this conversation')

describe('a message', () => {
  test('is written and read by both sides, oldest first', async () => {
    const { olivia, marc, conversation } = await chat()
    await send(olivia, conversation, 'Welcome!')
    await send(marc, conversation, 'Thank you')
    const both = [
      { sender_id: olivia.id, content: 'Welcome!' },
      { sender_id: marc.id, content: 'Thank you' },
    ]
    expect(await read(olivia, conversation)).toEqual(both)
    expect(await read(marc, conversation)).toEqual(both)
  })

  test('is for nobody else, staff included', async () => {
    const { olivia, zoe, conversation } = await chat()
    await send(olivia, conversation, 'Between us')
    await sql`insert into user_roles (user_id, role) values (${zoe.id}, 'super-admin')`
    expect(await read(zoe, conversation)).toEqual([])
    expect(await refusalOf(send(zoe, conversation, 'Hello?'))).toEqual(UNAUTHORIZED)
    expect(await refusalOf(send(VISITOR, conversation, 'Hello?'))).toMatchObject(DENIED)
  })

  test('is never written as the system, or as the other side', async () => {
    const { olivia, marc, conversation } = await chat()
    const forge = (sender: string, type: string) =>
      refusalOf(
        marc.sql`insert into messages (conversation_id, sender_id, content, message_type) values (${conversation}, ${sender}, ${'I quit'}, ${type})`,
      )
    expect(await forge('system', 'system')).toEqual(UNAUTHORIZED)
    expect(await forge(marc.id, 'system')).toEqual(UNAUTHORIZED)
    expect(await forge('system', 'user')).toEqual(UNAUTHORIZED)
    expect(await forge(olivia.id, 'user')).toEqual(UNAUTHORIZED)
    expect(
      await sql`insert into messages (conversation_id, sender_id, content, message_type)
         values (${conversation}, 'system', 'Marc joined', 'system') returning sender_id, message_type, metadata`,
    ).toEqual([
      { sender_id: 'system', message_type: 'system', metadata: { status: 'delivered', retry_count: 0 } },
    ])
    for (const [sender, type] of [
      ['system', 'user'],
      [marc.id, 'system'],
      [marc.id, 'note'],
    ] as const)
      expect(
        await refusalOf(
          sql`insert into messages (conversation_id, sender_id, content, message_type) values (${conversation}, ${sender}, ${'x'}, ${type})`,
        ),
        `${type} by ${sender}`,
      ).toMatchObject({ code: '23514' })
  })

  test('may have 1000 characters, and keeps its line breaks', async () => {
    const { marc, conversation } = await chat()
    expect(await send(marc, conversation, 'x'.repeat(1000))).toHaveLength(1)
    expect(await send(marc, conversation, 'one\ntwo')).toMatchObject([{ content: 'one\ntwo' }])
  })

  test.each([
    ['families, of seven code points each', '👨‍👩‍👧‍👦'.repeat(1000)],
    ['letters with a mark apart', 'e\u0301'.repeat(1000)],
    ['flags', '🇪🇺'.repeat(1000)],
    ['Arabic', 'م'.repeat(1000)],
  ])('may have a thousand %s', async (_what, content) => {
    const { marc, conversation } = await chat()
    expect(await send(marc, conversation, content)).toMatchObject([{ content }])
  })

  test('keeps markup, links and text that runs from right to left letter for letter', async () => {
    const { olivia, marc, conversation } = await chat()
    const said = [
      '<script>alert(1)</script>',
      'javascript:alert(1)',
      'مرحبا \u202eabc\u202c',
      "'; drop table messages; --",
    ]
    for (const content of said) await send(marc, conversation, content)
    expect((await read(olivia, conversation)).map(({ content }) => content)).toEqual(said)
  })

  test('is delivered once stored, and remembers its retries', async () => {
    const { marc, conversation } = await chat()
    const insert = `insert into messages (conversation_id, sender_id, content, message_type, metadata)
      values ($1, $2, 'Hi', 'user', $3) returning metadata, sender_id, message_type`
    expect(
      await marc.run(insert, [conversation, marc.id, '{"status":"sent","retry_count":2,"more":"x"}']),
    ).toEqual([
      { metadata: { status: 'delivered', retry_count: 2 }, sender_id: marc.id, message_type: 'user' },
    ])
  })

  test('says that it was sent or delivered, whoever writes it', async () => {
    const { marc, conversation } = await chat()
    const insert = (metadata: string) =>
      sql`insert into messages (conversation_id, sender_id, content, metadata) values (${conversation}, ${marc.id}, 'Hi', ${metadata}) returning metadata`
    expect(await insert('{"status":"sent","retry_count":1}')).toHaveLength(1)
    for (const metadata of ['{}', '[]', '{"status":"read","retry_count":0}', '{"status":"sent"}'])
      expect(await refusalOf(insert(metadata)), metadata).toMatchObject({ code: '23514' })
  })
})

describe('an archived conversation', () => {
  test('is read but not written to, and opens again with a new place', async () => {
    const { olivia, marc, plan, conversation } = await chat()
    await send(marc, conversation, 'Farewell')
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    const archived = 'select archived from conversations where id = $1'
    expect(await olivia.run(archived, [conversation])).toEqual([{ archived: true }])
    expect(await read(marc, conversation)).toHaveLength(1)
    expect(await refusalOf(send(marc, conversation, 'Wait'))).toEqual(
      rule('This conversation has been archived because the member has left the subscription.'),
    )
    await join(db, marc, plan)
    expect(await olivia.run(archived, [conversation])).toEqual([{ archived: false }])
    expect(await send(marc, conversation, 'Back again')).toHaveLength(1)
  })
})

test.each([
  [
    'conversations',
    [
      'id',
      'subscription_id',
      'owner_id',
      'member_id',
      'archived',
      'is_question',
      'question_until',
      'created_at',
    ],
  ],
  ['messages', ['id', 'conversation_id', 'sender_id', 'content', 'message_type', 'metadata', 'created_at']],
  ['chat_participants', ['id', 'conversation_id', 'user_id', 'has_unread']],
])('the columns of %s', async (table, columns) => {
  const found = await sql<{ name: string }>`select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = ${table} order by ordinal_position`
  expect(found.map(({ name }) => name)).toEqual(columns)
})

describe('conversations and unread marks', () => {
  test('start open and read, one mark for each side', async () => {
    const { olivia, marc, plan, conversation } = await chat()
    expect(await marc.sql`select * from conversations where id = ${conversation}`).toEqual([
      {
        id: conversation,
        subscription_id: plan.id,
        owner_id: olivia.id,
        member_id: marc.id,
        archived: false,
        is_question: false,
        question_until: null,
        created_at: expect.anything(),
      },
    ])
    for (const side of [olivia, marc])
      expect(
        await side.sql`select * from chat_participants where conversation_id = ${conversation}`,
      ).toMatchObject([{ conversation_id: conversation, user_id: side.id, has_unread: false }])
  })

  test('are seen by their own sides, and written by the server alone', async () => {
    const { olivia, marc, zoe, conversation } = await chat()
    const text = 'select owner_id, member_id, archived from conversations where id = $1'
    const row = [{ owner_id: olivia.id, member_id: marc.id, archived: false }]
    expect(await olivia.run(text, [conversation])).toEqual(row)
    expect(await marc.run(text, [conversation])).toEqual(row)
    expect(await zoe.run(text, [conversation])).toEqual([])
    expect(await marc.sql`select user_id from chat_participants`).toEqual([{ user_id: marc.id }])
    for (const write of [
      'update conversations set archived = false',
      'update chat_participants set has_unread = false',
    ]) {
      expect(await refusalOf(marc.run(write))).toMatchObject(DENIED)
    }
  })
})
