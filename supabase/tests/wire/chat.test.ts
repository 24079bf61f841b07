// The chat as a browser speaks it: supabase-js over the real server.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addUser, startTestServer, type TestServer, type TestUser } from '../../../server/test/harness.ts'
import { denied, rule } from '../people.ts'
import { listen } from './listening.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const { client } of [olivia, marc, nina, zoe]) await client.removeAllChannels()
  await server.close()
})

let groups = 0
let olivia: TestUser
let marc: TestUser
let nina: TestUser
let zoe: TestUser
let planId: string
let conversation: string

beforeEach(async () => {
  groups += 1
  const signUp = (name: string) => addUser(server, `${name}${groups}@potluck.example`)
  olivia = await signUp('olivia')
  marc = await signUp('marc')
  nina = await signUp('nina')
  zoe = await signUp('zoe')
  planId = await share(olivia)
  await join(marc, planId)
  await join(nina, planId)
  conversation = await open(marc)
})

async function share(owner: TestUser): Promise<string> {
  const next_payment = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  const plan = { catalogue_plan_id: 'netflix-premium', owner_max_members: 4, next_payment }
  const { data } = await owner.client
    .from('shared_subscriptions')
    .insert(plan)
    .select('id')
    .single()
    .throwOnError()
  return data.id
}

async function join(person: TestUser, plan: string): Promise<void> {
  const asked = person.client.from('subscription_requests').insert({ subscription_id: plan })
  const { data } = await asked.select('id').single().throwOnError()
  await olivia.client
    .rpc('approve_subscription_request', { p_request_id: data.id, p_subscription_id: plan })
    .throwOnError()
}

const find = (person: TestUser, member: TestUser) =>
  person.client.rpc('find_or_create_conversation', {
    p_subscription_id: planId,
    p_owner_id: olivia.id,
    p_member_id: member.id,
  })

async function open(member: TestUser): Promise<string> {
  return (await find(member, member).throwOnError()).data
}

const say = (person: TestUser, content: string, to = conversation) =>
  person.client.from('messages').insert({
    conversation_id: to,
    sender_id: person.id,
    content,
    message_type: 'user',
    metadata: { status: 'sent', retry_count: 0 },
  })

describe('the functions of the chat', () => {
  test('find_or_create_conversation answers the id, the same one to both sides', async () => {
    expect(conversation).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(await find(olivia, marc)).toMatchObject({ data: conversation, status: 200 })
    expect(await find(zoe, marc)).toMatchObject({
      status: 403,
      error: denied('User does not have access to this subscription'),
    })
  })

  test('unread is a boolean, the list as long as the count, and reading clears both', async () => {
    await say(olivia, 'Hi').throwOnError()
    const other = await open(nina)
    await say(nina, 'Hello', other).throwOnError()
    const status = (person: TestUser) =>
      person.client.rpc('get_conversation_unread_status', {
        p_conversation_id: conversation,
        p_user_id: person.id,
      })
    const unread = (person: TestUser) =>
      person.client.rpc('get_user_unread_conversations', { p_user_id: person.id })
    expect((await status(marc)).data).toBe(true)
    expect((await status(olivia)).data).toBe(false)
    expect((await unread(marc)).data).toEqual([
      { conversation_id: conversation, subscription_id: planId, owner_id: olivia.id, member_id: marc.id },
    ])
    expect((await unread(olivia)).data).toHaveLength(1)
    const read = { p_conversation_id: conversation, p_user_id: marc.id }
    expect(await marc.client.rpc('mark_conversation_read', read)).toMatchObject({ error: null })
    expect((await status(marc)).data).toBe(false)
    expect((await unread(marc)).data).toEqual([])
    expect(await zoe.client.rpc('mark_conversation_read', { ...read, p_user_id: zoe.id })).toMatchObject({
      status: 403,
      error: denied('Unauthorized: Cannot mark conversation as read'),
    })
    expect(await zoe.client.rpc('get_user_unread_conversations', { p_user_id: marc.id })).toMatchObject({
      status: 403,
      error: { code: '42501' },
    })
  })

  test('a plan that is not there answers 404, and nobody signed in 401', async () => {
    const nowhere = { p_subscription_id: 'sub-nowhere', p_owner_id: olivia.id, p_member_id: marc.id }
    expect(await marc.client.rpc('find_or_create_conversation', nowhere)).toMatchObject({
      status: 404,
      error: { message: 'Subscription not found' },
    })
    await zoe.client.auth.signOut()
    expect(await find(zoe, marc)).toMatchObject({ status: 401, error: { code: '42501' } })
  })
})

describe('messages', () => {
  test('are read by conversation, oldest first, with all their columns', async () => {
    for (const [person, text] of [
      [olivia, 'one'],
      [marc, 'two'],
      [olivia, 'three'],
    ] as const)
      await say(person, text).throwOnError()
    await say(nina, 'elsewhere', await open(nina)).throwOnError()
    const wanted = marc.client.from('messages').select('*').eq('conversation_id', conversation)
    const { data } = await wanted.order('created_at', { ascending: true })
    expect(data?.map(({ content }) => content)).toEqual(['one', 'two', 'three'])
    expect(data?.[0]).toEqual({
      id: expect.any(String),
      conversation_id: conversation,
      sender_id: olivia.id,
      content: 'one',
      message_type: 'user',
      metadata: { status: 'delivered', retry_count: 0 },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/),
    })
    expect((await zoe.client.from('messages').select('*').eq('conversation_id', conversation)).data).toEqual(
      [],
    )
  })

  test('a megabyte, a forged sender and a NUL are refused and not stored', async () => {
    expect(await say(marc, 'x'.repeat(1_048_576))).toMatchObject({ status: 413, error: { code: 'PGRST102' } })
    expect(await say(marc, 'x'.repeat(1_000_000))).toMatchObject({
      status: 400,
      error: rule('A message can be at most 1000 characters long'),
    })
    expect(await say(marc, ' \u200b ')).toMatchObject({
      status: 400,
      error: rule('A message cannot be empty'),
    })
    expect(await say(marc, 'a\0b')).toMatchObject({ status: 400, error: { code: '22P05' } })
    expect(await say(zoe, 'Hi')).toMatchObject({
      status: 403,
      error: denied('Unauthorized: Cannot send message to this conversation'),
    })
    expect(
      await server.db.query('select 1 from messages where conversation_id = $1', [conversation]),
    ).toEqual([])
  })
})

describe('live', () => {
  test('tells both sides of their messages and unread marks, filtered and not, and nobody else', async () => {
    const elsewhere = await open(nina)
    const filtered = await listen(olivia, [
      { table: 'messages', event: 'INSERT', filter: `conversation_id=eq.${conversation}` },
    ])
    const all = await listen(olivia, [{ table: 'messages', event: 'INSERT' }])
    const marks = await listen(marc, [
      { table: 'chat_participants', event: 'UPDATE', filter: `user_id=eq.${marc.id}` },
    ])
    const sides = await listen(marc, [
      { table: 'chat_participants', event: 'UPDATE', filter: `conversation_id=eq.${conversation}` },
    ])
    const nosy = await listen(nina, [
      { table: 'messages' },
      { table: 'messages', filter: `conversation_id=eq.${conversation}` },
      { table: 'chat_participants' },
      { table: 'chat_participants', filter: `user_id=eq.${marc.id}` },
    ])
    await say(olivia, 'To Marc').throwOnError()
    await say(marc, 'To Olivia').throwOnError()
    await say(nina, 'From Nina', elsewhere).throwOnError()
    await vi.waitFor(() => expect(all).toHaveLength(3), 8000)
    expect(all.map(({ row }) => row.content)).toEqual(['To Marc', 'To Olivia', 'From Nina'])
    expect(filtered.map(({ row }) => row.content)).toEqual(['To Marc', 'To Olivia'])
    const unread = {
      table: 'chat_participants',
      type: 'UPDATE',
      row: expect.objectContaining({
        conversation_id: conversation,
        user_id: marc.id,
        has_unread: true,
      }),
    }
    await vi.waitFor(() => expect([marks, sides]).toEqual([[unread], [unread]]), 8000)
    await vi.waitFor(() => expect(nosy.map(({ row }) => row.content)).toContain('From Nina'), 8000)
    const rows = nosy.filter(({ row }) => row.conversation_id !== elsewhere)
    expect(rows).toEqual([])
    await marc.client
      .rpc('mark_conversation_read', { p_conversation_id: conversation, p_user_id: marc.id })
      .throwOnError()
    await vi.waitFor(() => expect(marks.at(-1)?.row).toMatchObject({ has_unread: false }), 8000)
  })
})
