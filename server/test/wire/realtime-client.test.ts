// The same through supabase-js, as the web app uses it.
import type { RealtimeChannel, RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { clientOf, newPerson, testRealtime } from '../fixtures/realtime.ts'
import { addUser, newClient } from '../harness.ts'

const olivia = newPerson()
const server = await testRealtime()

type Change = RealtimePostgresChangesPayload<Record<string, unknown>>
const insertNote = (title: string, owner: { id: string }) =>
  server.db.query('insert into notes (owner_id, title) values ($1, $2)', [owner.id, title])

/** Resolves with the first status, which callers expect to be SUBSCRIBED. */
const subscribe = (channel: RealtimeChannel) =>
  new Promise<string>((done) => channel.subscribe((status) => done(status)))

test('three bindings on one channel each hear their own', async () => {
  const client = await clientOf(server, olivia)
  const heard: [string, Change][] = []
  const hear = (name: string) => (change: Change) => heard.push([name, change])
  const on = { schema: 'public', table: 'notes' }
  const channel = client
    .channel('three')
    .on('postgres_changes', { ...on, event: 'INSERT', filter: `owner_id=eq.${olivia.id}` }, hear('insert'))
    .on('postgres_changes', { ...on, event: 'UPDATE', filter: 'title=in.("a, b",c)' }, hear('update'))
    .on('postgres_changes', { ...on, event: 'DELETE' }, hear('delete'))
  expect(await subscribe(channel)).toBe('SUBSCRIBED')
  const [note] = await server.db.query('insert into notes (owner_id) values ($1) returning id', [olivia.id])
  await server.db.query(`update notes set title = 'not this'`)
  await server.db.query(`update notes set title = 'a, b'`)
  // A row that is gone before its update was looked at would be no news any more.
  await eventually(() => expect(heard).toHaveLength(2))
  await server.db.query('delete from notes')
  await eventually(() => expect(heard.map(([name]) => name)).toEqual(['insert', 'update', 'delete']))
  expect(heard[1]?.[1]).toMatchObject({
    eventType: 'UPDATE',
    schema: 'public',
    table: 'notes',
    new: { id: note?.id, owner_id: olivia.id, title: 'a, b' },
    old: { id: note?.id },
    errors: null,
  })
  expect(heard[2]?.[1]).toMatchObject({ eventType: 'DELETE', new: {}, old: { id: note?.id } })
  await client.removeAllChannels()
})

test('a wrong filter is told by a system message, and a channel of its own goes on', async () => {
  const client = await clientOf(server, olivia)
  const told: unknown[] = []
  const wrong = client
    .channel('wrong')
    .on(
      'postgres_changes',
      { event: '*', schema: 'public', table: 'notes', filter: 'nothing=eq.1' },
      () => {},
    )
    .on('system', {}, (payload) => told.push(payload))
  expect(await subscribe(wrong)).toBe('SUBSCRIBED')
  await eventually(() =>
    expect(told).toMatchObject([{ extension: 'postgres_changes', status: 'error', channel: 'wrong' }]),
  )
  await client.removeAllChannels()
})

test('broadcasts go to and fro', async () => {
  const [sender, receiver] = [await clientOf(server, olivia), newClient(server)]
  const heard: unknown[] = []
  const to = receiver
    .channel('talk', { config: { private: true } })
    .on('broadcast', { event: 'shout' }, ({ payload }) => heard.push(payload))
  const from = sender.channel('talk', { config: { private: true, broadcast: { ack: true } } })
  expect(await subscribe(to)).toBe('SUBSCRIBED')
  expect(await subscribe(from)).toBe('SUBSCRIBED')
  expect(await from.send({ type: 'broadcast', event: 'shout', payload: { text: 'ü' } })).toBe('ok')
  expect(await from.httpSend('shout', { text: 'by post' })).toEqual({ success: true })
  await eventually(() => expect(heard).toEqual([{ text: 'ü' }, { text: 'by post' }]))
  await sender.removeAllChannels()
  await receiver.removeAllChannels()
})

test('a person who signed in goes on receiving after the session is refreshed, and signs out to be a stranger', async () => {
  const user = await addUser(server, 'olivia@example.com')
  const titles: unknown[] = []
  const moods: unknown[] = []
  let subscribed = 0
  const channel = user.client
    .channel('mine')
    .on('system', {}, () => (subscribed += 1))
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notes' }, (change: Change) =>
      titles.push((change.new as { title?: string }).title),
    )
    .on('postgres_changes', { event: '*', schema: 'public', table: 'open_moods' }, ({ new: mood }: Change) =>
      moods.push(mood),
    )
  expect(await subscribe(channel)).toBe('SUBSCRIBED')
  await insertNote('first', user)
  await eventually(() => expect(titles).toEqual(['first']))
  // Tokens of one second are alike.
  await new Promise((done) => setTimeout(done, 1_000))
  const { data } = await user.client.auth.refreshSession()
  expect(data.session?.access_token).not.toBe(user.accessToken)
  await insertNote('second', user)
  await eventually(() => expect(titles).toEqual(['first', 'second']))

  expect(subscribed).toBe(1)
  await user.client.auth.signOut()
  await insertNote('third', user)
  // The channel may have ended with the session; then the client joins again, by now with the public key alone.
  await eventually(async () => {
    await server.db.query(
      `insert into open_moods values ($1, now(), 'calm')
      on conflict (owner_id, day) do update set remark = clock_timestamp()::text`,
      [user.id],
    )
    expect(moods).not.toEqual([])
  })
  expect(titles).toEqual(['first', 'second'])
  await user.client.removeAllChannels()
})
