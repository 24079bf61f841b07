// What the chat listens to, as the web app subscribes to it: supabase-js over the real server. realtime.test.ts tests who
// hears of which row.
// Proves API 53 54
import { expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import type { TestUser } from '../../../server/test/harness.ts'
import { listen, type Watch } from './listening.ts'
import { join, openSite, share } from './site.ts'

const { marc, nina, olivia } = await openSite({ marc: null, nina: null, olivia: null })
const planId = await share(nina)
const chatOf = async (member: TestUser): Promise<string> => {
  await join(nina, member, planId)
  const sides = { p_subscription_id: planId, p_owner_id: nina.id, p_member_id: member.id }
  return (await member.client.rpc('find_or_create_conversation', sides).throwOnError()).data
}
const [conversation, elsewhere] = [await chatOf(marc), await chatOf(olivia)]
const say = ({ client, id }: TestUser, content: string, conversation_id: string) =>
  client
    .from('messages')
    .insert({
      ...{ conversation_id, sender_id: id, content, message_type: 'user' },
      metadata: { status: 'sent', retry_count: 0 },
    })
    .throwOnError()

test('a chat tells both sides live of their messages and unread marks, filtered and not, and nobody else', async () => {
  const messages: Watch = { table: 'messages', event: 'INSERT' }
  const marks: Watch = { table: 'chat_participants', event: 'UPDATE' }
  const here = `conversation_id=eq.${conversation}`
  const filtered = await listen(nina, [{ ...messages, filter: here }])
  const all = await listen(nina, [messages])
  const own = await listen(marc, [{ ...marks, filter: `user_id=eq.${marc.id}` }])
  const sides = await listen(marc, [{ ...marks, filter: here }])
  const nosy = await listen(olivia, [
    messages,
    { ...messages, filter: here },
    marks,
    { ...marks, filter: here },
  ])
  await say(nina, 'To Marc', conversation)
  await say(marc, 'To Nina', conversation)
  await say(olivia, 'From Olivia', elsewhere)
  const texts = (heard: typeof all) => heard.map(({ row }) => row.content)
  await eventually(() => expect(texts(all)).toEqual(['To Marc', 'To Nina', 'From Olivia']))
  expect(texts(filtered)).toEqual(['To Marc', 'To Nina'])
  const unread = expect.objectContaining({
    row: expect.objectContaining({ conversation_id: conversation, user_id: marc.id, has_unread: true }),
  })
  await eventually(() => expect([own, sides]).toEqual([[unread], [unread]]))
  await eventually(() => expect(texts(nosy)).toContain('From Olivia'))
  expect(nosy.filter(({ row }) => row.conversation_id !== elsewhere)).toEqual([])
  const read = { p_conversation_id: conversation, p_user_id: marc.id }
  await marc.client.rpc('mark_conversation_read', read).throwOnError()
  await eventually(() => expect(own.at(-1)?.row).toMatchObject({ has_unread: false }))
})
