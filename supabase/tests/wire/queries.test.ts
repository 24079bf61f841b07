// The web app's queries, written as it sends them: supabase-js over the real server. Permissions are tested
// in authorization/, and each object's rules beside it; here it is columns, filters, order and live changes.
// Proves ROLE 06, PROVREQ 08, ADMIN 16 17 25 28, DATA 10 13 16 20, API 15 16 18 20 21 28 32 33 36 49 53 54 56
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import type { TestUser } from '../../../server/test/harness.ts'
import { DENIED, rule } from '../people.ts'
import { listen, type Watch } from './listening.ts'
import { join, openSite, share } from './site.ts'

const { server, olivia, marc, nina, zoe, ada, sofia, mona } = await openSite({
  ...{ olivia: null, marc: null, nina: null, zoe: null },
  ...{ ada: 'admin', sofia: 'super-admin', mona: 'moderator' },
})
const MOMENT = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/)
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/)

test('members begin with the owner’s row, and go by subscription_id and user_id, leaving or removed', async () => {
  const planId = await share(olivia)
  const seated = async () => {
    const read = olivia.client.from('subscription_members').select('user_id, is_owner')
    return (await read.eq('subscription_id', planId).order('joined_at').throwOnError()).data
  }
  const remove = (who: TestUser, { id }: TestUser) =>
    who.client
      .from('subscription_members')
      .delete()
      .eq('subscription_id', planId)
      .eq('user_id', id)
      .select('user_id')
  const [owner, ...members] = [olivia, marc, nina].map(({ id }, n) => ({ user_id: id, is_owner: n === 0 }))
  for (const person of [marc, nina]) await join(olivia, person, planId)
  expect(await seated()).toEqual([owner, ...members])
  expect((await remove(marc, nina)).data).toEqual([])
  for (const [who, whom] of [
    [marc, marc],
    [olivia, nina],
  ] as const)
    expect((await remove(who, whom)).data).toEqual([{ user_id: whom.id }])
  expect(await seated()).toEqual([owner])
  await olivia.client.from('shared_subscriptions').delete().eq('id', planId).throwOnError()
})

describe('provider requests', () => {
  const PLAN = { plan_name: 'Solo', price: 9.99, billing_cycle: 'monthly', max_members: 2, features: ['HD'] }
  const request = (person: TestUser, provider_name: string) => ({
    ...{ user_id: person.id, provider_name, category: 'Streaming', website_url: 'https://mubi.com' },
    ...{ description: 'Films chosen by hand.', plans_data: [PLAN], status: 'pending' as const },
  })
  const askFor = (person: TestUser, name: string) =>
    person.client.from('provider_requests').insert(request(person, name)).select('id').single().throwOnError()
  const decide = (person: TestUser, id: string, status: 'approved' | 'rejected') =>
    person.client.from('provider_requests').update({ status }).eq('id', id).select('status')

  test('are asked, read newest first, counted and decided', async () => {
    const { data: mubi } = await askFor(zoe, 'Mubi')
    const { data: arte } = await askFor(zoe, 'Arte')
    await askFor(ada, 'Of an admin')
    const read = zoe.client.from('provider_requests').select('*').eq('user_id', zoe.id)
    const { data: own } = await read.order('created_at', { ascending: false }).throwOnError()
    expect(own).toEqual([
      { ...request(zoe, 'Arte'), id: arte.id, created_at: MOMENT },
      { ...request(zoe, 'Mubi'), id: mubi.id, created_at: MOMENT },
    ])
    const waiting = (person: TestUser) => person.client.rpc('get_pending_provider_requests_count')
    expect((await waiting(ada).throwOnError()).data).toBe(3)
    expect((await waiting(mona)).error).toMatchObject(DENIED)
    expect((await decide(mona, mubi.id, 'rejected')).data).toEqual([])
    expect((await decide(ada, mubi.id, 'approved')).data).toEqual([{ status: 'approved' }])
    expect((await waiting(sofia).throwOnError()).data).toBe(2)
    const again = { status: 400, error: rule('This request has already been approved') }
    expect(await decide(ada, mubi.id, 'rejected')).toMatchObject(again)
  })

  test('any change reaches admins and the one who asked, and nobody else', async () => {
    const admin = await listen(ada, [{ table: 'provider_requests' }])
    const asker = await listen(zoe, [{ table: 'provider_requests', filter: `user_id=eq.${zoe.id}` }])
    const moderator = await listen(mona, [{ table: 'provider_requests' }])
    const { data } = await askFor(zoe, 'Kanopy')
    await decide(sofia, data.id, 'approved').throwOnError()
    const told = (type: string, status: string) =>
      expect.objectContaining({ type, row: expect.objectContaining({ provider_name: 'Kanopy', status }) })
    const expected = [told('INSERT', 'pending'), told('UPDATE', 'approved')]
    await eventually(() => expect([admin, asker]).toEqual([expected, expected]))
    // The moderator receives changes in order: once this permitted change has arrived, a forbidden earlier one would
    // have too.
    await askFor(mona, 'Of a moderator')
    await eventually(() => expect(moderator).toHaveLength(1))
    expect(moderator[0]?.row.provider_name).toBe('Of a moderator')
  })
})

describe('roles', () => {
  const give = (role: string) =>
    sofia.client
      .from('user_roles')
      .upsert({ user_id: zoe.id, role, granted_by: sofia.id }, { onConflict: 'user_id' })
      .select('user_id, role, granted_by')

  test('are upserted on user_id, one row per user, read by their person, and deleted by user_id', async () => {
    const own = () => zoe.client.from('user_roles').select('role').eq('user_id', zoe.id).maybeSingle()
    for (const role of ['moderator', 'admin'])
      expect((await give(role)).data).toEqual([{ user_id: zoe.id, role, granted_by: sofia.id }])
    expect((await own()).data).toEqual({ role: 'admin' })
    expect((await sofia.client.from('user_roles').delete().eq('user_id', zoe.id)).status).toBe(204)
    expect(await own()).toMatchObject({ data: null, error: null })
  })

  test('are listed with the accounts and counted, behind a check and without a privileged key', async () => {
    const listed = await ada.client.rpc('list_users', { p_search: 'MARC' }).throwOnError()
    const account = { id: marc.id, email: 'marc@potluck.example', display_name: 'marc' }
    expect(listed.data).toEqual([{ ...account, avatar_url: null, role: null, created_at: MOMENT }])
    const counts = await ada.client.rpc('list_system_roles').throwOnError()
    expect(counts.data?.[0]).toMatchObject({ id: 'r1', name: 'super-admin', users_count: 1 })
    // Browsers cannot list the accounts of the auth service.
    const { data, error } = await sofia.client.auth.admin.listUsers()
    expect(data.users).toEqual([])
    expect([401, 403]).toContain(error?.status)
  })
})

describe('role requests', () => {
  const sent = ({ id, email }: TestUser) => ({
    ...{ user_id: id, name: 'Zoe Day', email, reason: 'I would like to help with payouts.' },
  })
  const ask = async (person: TestUser) =>
    (await person.client.from('admin_role_requests').insert(sent(person)).select().single().throwOnError())
      .data
  const review = (person: TestUser, id: string, status: string) =>
    person.client
      .from('admin_role_requests')
      .update({ status, reviewed_at: new Date().toISOString() })
      .eq('id', id)
      .select('status, reviewed_at')

  test('are inserted, read with all their columns, the newest first, and reviewed by id', async () => {
    const asked = await ask(zoe)
    const waiting = { id: ID, status: 'pending', requested_at: MOMENT, reviewed_at: null }
    expect(asked).toEqual({ ...sent(zoe), ...waiting })
    expect((await review(ada, asked.id, 'approved')).data).toEqual([])
    expect((await review(sofia, asked.id, 'maybe')).error).toMatchObject({ code: '23514' })
    const { data: rejected } = await review(sofia, asked.id, 'rejected')
    expect(rejected).toEqual([{ status: 'rejected', reviewed_at: MOMENT }])
    const latest = await ask(nina)
    const read = (person: TestUser) =>
      person.client.from('admin_role_requests').select('*').order('requested_at', { ascending: false })
    expect((await read(ada)).data).toMatchObject([latest, { id: asked.id, status: 'rejected' }])
    expect((await read(zoe)).data).toMatchObject([{ id: asked.id }])
  })

  test('are decided once when two super-admins decide at the same moment', async () => {
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'super-admin')`, [olivia.id])
    const { id } = await ask(marc)
    const answers = await Promise.all([review(sofia, id, 'approved'), review(olivia, id, 'rejected')])
    expect(answers.filter(({ data }) => data?.length === 1)).toHaveLength(1)
    const [stored] = await server.db.query('select status from admin_role_requests where id = $1', [id])
    const { data: role } = await marc.client.from('user_roles').select('role').eq('user_id', marc.id)
    expect(role).toEqual(stored?.status === 'approved' ? [{ role: 'admin' }] : [])
    const told = await marc.client.from('user_notifications').select('title').like('title', '%Access%')
    expect(told.data).toHaveLength(1)
    await server.db.query('delete from user_roles where user_id in ($1, $2)', [olivia.id, marc.id])
  })
})

describe('the chat', async () => {
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

  test('is read by conversation, oldest first, with all columns of a message', async () => {
    for (const [person, text] of [
      [nina, 'one'],
      [olivia, 'two'],
    ] as const)
      await say(person, text, elsewhere)
    const of = ({ client }: TestUser, id: string) =>
      client.from('messages').select('*').eq('conversation_id', id).order('created_at')
    const message = (sender_id: string, content: string) => ({
      ...{ id: ID, conversation_id: elsewhere, sender_id, content, message_type: 'user', created_at: MOMENT },
      metadata: { status: 'delivered', retry_count: 0 },
      is_removed: false,
    })
    expect((await of(olivia, elsewhere)).data).toEqual([message(nina.id, 'one'), message(olivia.id, 'two')])
    expect((await of(nina, conversation)).data).toEqual([])
    expect((await of(zoe, elsewhere)).data).toEqual([])
  })

  test('tells both sides live of their messages and unread marks, filtered and not, and nobody else', async () => {
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
})
