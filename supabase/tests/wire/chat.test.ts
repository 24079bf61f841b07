// The chat as a browser speaks it: supabase-js over the real server.
import { expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import type { TestUser } from '../../../server/test/harness.ts'
import { listen } from './listening.ts'
import { join, openSite, share } from './site.ts'

const { olivia, marc, nina, zoe } = await openSite({ olivia: null, marc: null, nina: null, zoe: null })
const planId = await share(olivia)
const chatOf = async (member: TestUser): Promise<string> => {
  await join(olivia, member, planId)
  const sides = { p_subscription_id: planId, p_owner_id: olivia.id, p_member_id: member.id }
  return (await member.client.rpc('find_or_create_conversation', sides).throwOnError()).data
}
const conversation = await chatOf(marc)
const elsewhere = await chatOf(nina)

const say = (person: TestUser, content: string, to: string) =>
  person.client.from('messages').insert({
    conversation_id: to,
    sender_id: person.id,
    content,
    message_type: 'user',
    metadata: { status: 'sent', retry_count: 0 },
  })

test('messages are read by conversation, oldest first, with all their columns', async () => {
  for (const [person, text] of [
    [olivia, 'one'],
    [nina, 'two'],
    [olivia, 'three'],
  ] as const)
    await say(person, text, elsewhere).throwOnError()
  const of = (person: TestUser, id: string) =>
    person.client.from('messages').select('*').eq('conversation_id', id).order('created_at')
  const { data } = await of(nina, elsewhere)
  expect(data?.map(({ content }) => content)).toEqual(['one', 'two', 'three'])
  expect(data?.[0]).toEqual({
    id: expect.any(String),
    conversation_id: elsewhere,
    sender_id: olivia.id,
    content: 'one',
    message_type: 'user',
    metadata: { status: 'delivered', retry_count: 0 },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/),
  })
  expect((await of(olivia, conversation)).data).toEqual([])
  expect((await of(zoe, elsewhere)).data).toEqual([])
})

test('both sides are told live of their messages and unread marks, filtered and not, and nobody else', async () => {
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
  await say(olivia, 'To Marc', conversation).throwOnError()
  await say(marc, 'To Olivia', conversation).throwOnError()
  await say(nina, 'From Nina', elsewhere).throwOnError()
  await eventually(() => expect(all).toHaveLength(3))
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
  await eventually(() => expect([marks, sides]).toEqual([[unread], [unread]]))
  await eventually(() => expect(nosy.map(({ row }) => row.content)).toContain('From Nina'))
  const rows = nosy.filter(({ row }) => row.conversation_id !== elsewhere)
  expect(rows).toEqual([])
  await marc.client
    .rpc('mark_conversation_read', { p_conversation_id: conversation, p_user_id: marc.id })
    .throwOnError()
  await eventually(() => expect(marks.at(-1)?.row).toMatchObject({ has_unread: false }))
})
