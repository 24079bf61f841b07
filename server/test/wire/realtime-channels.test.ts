// Sockets, joins, leaves and tokens as on hosted Supabase, and broadcasts between the people whom the project's
// policies on realtime.messages allow.
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { LIMITS } from '#realtime/limits.ts'
import { eventually } from '../eventually.ts'
import {
  type BareSocket,
  everythingIsHeard,
  newPerson,
  ON_NOTES,
  openSocket,
  signClaims,
  testRealtime,
  testSocket,
} from '../fixtures/realtime.ts'
import { addUser } from '../harness.ts'

const [olivia, marc, zoe] = [newPerson(), newPerson(), newPerson()]
const server = await testRealtime()
const socket = testSocket(server)

const insertNote = (title: string, owner = olivia.id) =>
  server.db.query('insert into notes (owner_id, title) values ($1, $2) returning id', [owner, title])
const change = (topic?: string) => socket.next({ event: 'postgres_changes', ...(topic && { topic }) })
const setToken = (token: unknown, topic = 'realtime:x') =>
  socket.send('1', null, topic, 'access_token', { access_token: token })
const refusal = (reason: unknown) => ({ status: 'error', response: { reason } })

describe('a socket', () => {
  test('is kept alive by heartbeats', async () => {
    socket.send(null, '5', 'phoenix', 'heartbeat', {})
    const { text } = await socket.next({ ref: '5' })
    expect(text).toBe('[null,"5","phoenix","phx_reply",{"status":"ok","response":{}}]')
  })

  test('of version 1.0.0 speaks in objects', async () => {
    const address = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.anonKey}`
    const ws = new WebSocket(address)
    await new Promise((done) => ws.once('open', done))
    const heard = new Promise((done) => ws.once('message', (data) => done(JSON.parse(String(data)))))
    const refs = { topic: 'realtime:x', ref: '1', join_ref: '1' }
    ws.send(JSON.stringify({ ...refs, event: 'phx_join', payload: {} }))
    const payload = { status: 'ok', response: { postgres_changes: [] } }
    expect(await heard).toEqual({ ...refs, event: 'phx_reply', payload })
    ws.terminate()
  })
})

describe('joining', () => {
  test('echoes each binding as it came, in order, with whole ids that are equal for equal bindings', async () => {
    const changes = [
      { event: 'INSERT', schema: 'public', table: 'notes', filter: `owner_id=eq.${olivia.id}` },
      { event: '*', schema: 'public' },
      { event: 'UPDATE', schema: 'public', table: 'notes' },
    ]
    const first = await socket.join('realtime:x', { changes })
    const echoed = (first.payload.response as { postgres_changes: { id: number }[] }).postgres_changes
    expect(echoed).toEqual(changes.map((change) => ({ ...change, id: expect.any(Number) })))
    expect(echoed.every(({ id }) => Number.isInteger(id) && id > 0)).toBe(true)
    expect(new Set(echoed.map(({ id }) => id)).size).toBe(3)
    const again = await socket.join('realtime:y', { changes })
    expect(again.payload.response).toEqual(first.payload.response)
    const { payload } = await socket.next({ topic: 'realtime:x', event: 'system' })
    const told = { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' }
    expect(payload).toEqual({ ...told, channel: 'x' })
  })

  test('tells all bindings of one channel of a change together, a table left out meaning every table', async () => {
    const changes = [ON_NOTES, { ...ON_NOTES, event: 'DELETE' }, { event: 'INSERT', schema: 'public' }]
    const { payload } = await socket.join('realtime:x', { changes, token: await olivia.token() })
    const { postgres_changes } = payload.response as { postgres_changes: { id: number }[] }
    const [all, , inserts] = postgres_changes.map(({ id }) => id)
    await insertNote('one')
    expect((await change()).payload.ids).toEqual([all, inserts])
  })

  test('once more closes the older channel', async () => {
    await socket.watch('x', olivia)
    await socket.watch('x', olivia)
    expect(await socket.next({ event: 'phx_close' })).toMatchObject({ joinRef: '1', ref: '1' })
    await insertNote('once')
    await change()
    await leave('2')
    expect(socket.changes()).toHaveLength(1)
  })

  test.each([
    ['realtime:', {}, 'TopicNameRequired: You must provide a topic name'],
    ['room:1', {}, 'TopicNameRequired: You must provide a topic name'],
    [
      'realtime:x',
      { config: { private: true } },
      'Unauthorized: You do not have permissions to read from this Channel topic: x',
    ],
    ['realtime:x', { changes: [{ table: 5 }] }, 'InvalidJoinPayload: the configuration cannot be read'],
    ['realtime:x', { token: 'a.b.c' }, 'JwtSignatureError: JWT could not be verified'],
  ])('%s with %j is refused, and the socket goes on', async (topic, options, reason) => {
    expect((await socket.tryJoin(topic, options)).payload).toEqual(refusal(reason))
    await socket.join('realtime:fine')
  })

  test('with an expired token, or a role the API does not have, is refused', async () => {
    const role = await signClaims({ sub: olivia.id, role: 'postgres' }, 60)
    const reasons = [
      [
        await olivia.token(-100),
        expect.stringMatching(/^InvalidJWTToken: Token has expired 1\d\d seconds ago$/),
      ],
      [role, 'InvalidJWTToken: role "postgres" does not exist'],
    ]
    for (const [token, reason] of reasons)
      expect((await socket.tryJoin('realtime:x', { token })).payload).toEqual(refusal(reason))
  })
})

async function leave(joinRef: string) {
  socket.send(joinRef, 'leaving', 'realtime:x', 'phx_leave', {})
  expect((await socket.next({ ref: 'leaving' })).payload.status).toBe('ok')
  await socket.next({ joinRef, ref: joinRef, event: 'phx_close' })
}

describe('leaving', () => {
  test('is confirmed, closes the channel and ends its changes', async () => {
    await socket.watch('x', olivia)
    await socket.watch('y', olivia)
    await leave('1')
    await insertNote('after')
    await change('realtime:y')
    expect(socket.changes('realtime:x')).toEqual([])
  })

  test('for a topic never joined is confirmed as well; anything else there is not', async () => {
    socket.send('7', '8', 'realtime:never', 'phx_leave', {})
    expect((await socket.next({ ref: '8' })).payload.status).toBe('ok')
    socket.send('7', '9', 'realtime:never', 'broadcast', { event: 'e' })
    expect((await socket.next({ ref: '9' })).payload).toEqual(refusal('unmatched topic'))
  })
})

describe('a token', () => {
  test('sent later decides from then on', async () => {
    const system = (count: number) => socket.next({}, () => socket.heard.filter(isSystem).length === count)
    const isSystem = ({ event }: { event: string }) => event === 'system'
    await socket.watch('x', zoe)
    await insertNote('not for Zoe')
    await everythingIsHeard(server, socket, olivia)
    setToken(await olivia.token())
    for (const ignored of [null, 'sb_publishable_x', '']) setToken(ignored)
    // After a change of role, the server looks up which columns the new role may select, and reports the subscription
    // again.
    setToken(server.anonKey)
    await system(2)
    setToken(await olivia.token())
    await system(3)
    await insertNote('for Olivia')
    await change()
    expect(socket.heardOf('title')).toEqual(['for Olivia'])
  })

  test('that runs out closes the channel, a little after its time, unless a newer one has come', async () => {
    // Expired tokens are accepted for half a minute more, so these have a second or two left.
    await socket.join('realtime:renewed', { changes: [ON_NOTES], token: await olivia.token(-28) })
    setToken(await olivia.token(), 'realtime:renewed')
    await socket.join('realtime:x', { token: await olivia.token(-28) })
    await socket.join('realtime:y')
    const { payload } = await socket.next({ topic: 'realtime:x', event: 'system' })
    const message = expect.stringMatching(/^Token has expired (29|30|31) seconds ago$/)
    expect(payload).toEqual({ extension: 'system', status: 'error', message, channel: 'x' })
    await socket.next({ topic: 'realtime:x', event: 'phx_close', joinRef: '2', ref: '2' })
    await insertNote('still here')
    await change('realtime:renewed')
    expect(socket.heard.filter(({ event }) => event === 'phx_close')).toHaveLength(1)
  })

  test('that is forged closes the channel', async () => {
    await socket.join('realtime:x')
    setToken('a.b.c')
    expect((await socket.next({ event: 'system' })).payload.message).toBe('JWT could not be verified')
    await socket.next({ event: 'phx_close', ref: '1' })
  })
})

const others: BareSocket[] = []
afterEach(() => {
  for (const { ws } of others.splice(0)) ws.terminate()
})
/** Opens another socket on a channel. Talk channels must be joined as private ones. */
async function listener(topic = 'realtime:talk', isPrivate = true): Promise<BareSocket> {
  const other = await openSocket(server)
  others.push(other)
  await other.join(topic, { config: { private: isPrivate } })
  return other
}
const told = (one: BareSocket) =>
  one.heard.filter(({ event }) => event === 'broadcast').map(({ payload }) => payload)
const joinAsOlivia = async (topic: string, broadcast: object = {}) =>
  socket.join(topic, { config: { private: true, broadcast }, token: await olivia.token() })
const send = (event: string) =>
  socket.send('1', 'b', 'realtime:talk', 'broadcast', { type: 'broadcast', event, payload: { n: 2 } })
const binary = Buffer.concat([
  Buffer.from([3, 1, 1, 13, 5, 0, 1]),
  Buffer.from('1brealtime:talkshout{"text":"hi"}'),
])

describe('a broadcast on a private channel', () => {
  test('in text or binary reaches the others on the topic, in text', async () => {
    const other = await listener()
    const elsewhere = await listener('realtime:talk-2')
    await joinAsOlivia('realtime:talk')
    socket.ws.send(binary)
    send('second')
    await other.next({ event: 'broadcast' }, ({ payload }) => payload.event === 'second')
    expect(other.heard.find(({ event }) => event === 'broadcast')?.text).toBe(
      '[null,null,"realtime:talk","broadcast",{"type":"broadcast","event":"shout","payload":{"text":"hi"}}]',
    )
    expect([socket, elsewhere].flatMap(told)).toEqual([])
  })

  test('comes back to its sender, and is confirmed, where the join asked for it', async () => {
    await joinAsOlivia('realtime:talk', { self: true, ack: true })
    socket.ws.send(binary)
    await socket.next({ event: 'broadcast' })
    expect((await socket.next({ ref: 'b', event: 'phx_reply' })).payload.status).toBe('ok')
  })

  test('of who may only hear is refused, and heard by nobody, until a token that may speak', async () => {
    const other = await listener()
    await socket.join('realtime:talk', { config: { private: true } })
    send('quiet')
    const reason = 'Unauthorized: You do not have permissions to write to this Channel topic: talk'
    expect((await socket.next({ ref: 'b' })).payload).toEqual(refusal(reason))
    setToken(await olivia.token(), 'realtime:talk')
    send('loud')
    await other.next({ event: 'broadcast' })
    expect(told(other)).toMatchObject([{ event: 'loud' }])
    expect(await server.db.query('select 1 from realtime.messages')).toEqual([])
  })

  test('is not heard by people whose next token does not allow it, and ends their channel', async () => {
    await server.db.query(`create policy "Olivia hears" on realtime.messages for select to authenticated
      using (realtime.topic() = 'hers' and (select auth.uid()) = '${olivia.id}')`)
    await joinAsOlivia('realtime:hers')
    setToken(await marc.token(), 'realtime:hers')
    const message = 'You do not have permissions to read from this Channel topic: hers'
    await socket.next({ event: 'system' }, ({ payload }) => payload.message === message)
    await socket.next({ event: 'phx_close' })
  })

  test('opens by no policy that fails', async () => {
    await server.db.query(`create policy "Broken" on realtime.messages for select to authenticated
      using (realtime.topic() = 'broken' and 1 / length(left(topic, 0)) = 1)`)
    const config = { private: true }
    const { payload } = await socket.tryJoin('realtime:broken', { config, token: await olivia.token() })
    expect(payload.status).toBe('error')
    await joinAsOlivia('realtime:talk')
  })
})

test('a public channel refuses broadcasts and presence, whatever its name', async () => {
  const listeners = [await listener(), await listener('realtime:talk', false)]
  await socket.join('realtime:talk', { config: { presence: { enabled: true, key: '' } } })
  socket.ws.send(binary)
  const reason = 'PrivateOnly: This project only allows private channels to broadcast'
  expect((await socket.next({ ref: 'b' })).payload).toEqual(refusal(reason))
  socket.send('1', 'p', 'realtime:talk', 'presence', { type: 'presence', event: 'track', payload: {} })
  expect((await socket.next({ ref: 'p' })).payload).toEqual(refusal('presence is not offered here'))
  expect(listeners.flatMap(told)).toEqual([])
})

describe('a broadcast over HTTP', () => {
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}/realtime/v1/api/broadcast${path}`, {
      method: 'POST',
      headers: { apikey: server.anonKey, ...headers },
      body,
    })
    return [answer.status, await answer.text()]
  }
  const message = { topic: 'talk', event: 'shout', payload: {}, private: true }
  const one = (more: object) => JSON.stringify({ messages: [{ ...message, ...more }] })
  const asOlivia = async () => ({ authorization: `Bearer ${await olivia.token()}` })

  test('reaches the topic, from people and from the service', async () => {
    const other = await listener()
    const service = { apikey: server.serviceKey }
    expect(await post('', one({ payload: { n: 1 } }), await asOlivia())).toEqual([202, ''])
    expect(await post('/talk/events/again?private=true', '{"n":2}', service)).toEqual([202, ''])
    await other.next({ event: 'broadcast' }, ({ payload }) => payload.event === 'again')
    expect(told(other)).toEqual([
      { type: 'broadcast', event: 'shout', payload: { n: 1 } },
      { type: 'broadcast', event: 'again', payload: { n: 2 } },
    ])
  })

  test('is refused where a policy does not allow it, with all that came along, and where it is wrong', async () => {
    const other = await listener()
    const hers = await asOlivia()
    const both = JSON.stringify({ messages: [message, { ...message, topic: 'x' }] })
    const large = 'x'.repeat(LIMITS.frameBytes)
    const anything = expect.any(String)
    expect([
      await post('', one({ private: false }), hers),
      await post('/talk/events/again', '{}', hers),
      await post('', one({})),
      await post('', both, hers),
      await post('', one({ payload: { large } }), hers),
      await post('', '{"messages":[{"topic":5}]}', hers),
      await post('', '{', hers),
      await post('/talk/events/again?private=true', 'nothing', hers),
      await post('', one({}), { apikey: randomUUID() }),
      await post('', `"${'x'.repeat(1_100_000)}"`, hers),
    ]).toEqual([
      [403, expect.stringContaining('PrivateOnly: ')],
      [403, expect.stringContaining('PrivateOnly: ')],
      [403, expect.stringContaining('Unauthorized: ')],
      [403, expect.stringContaining('topic: x')],
      [422, expect.stringContaining('Payload size exceeds tenant limit')],
      [422, anything],
      [422, anything],
      [422, anything],
      [401, anything],
      [413, anything],
    ])
    // The last message arrives after all messages that were refused.
    await post('', one({ event: 'last' }), hers)
    await other.next({ event: 'broadcast' }, ({ payload }) => payload.event === 'last')
    expect(told(other)).toHaveLength(1)
  })
})

test('a client of supabase-js goes on receiving after the session is refreshed, and is a stranger once signed out', async () => {
  const user = await addUser(server, 'olivia@example.com')
  const on = { event: '*', schema: 'public' } as const
  const titles: unknown[] = []
  const moods: unknown[] = []
  let subscribed = 0
  const channel = user.client
    .channel('mine')
    .on('system', {}, () => (subscribed += 1))
    .on('postgres_changes', { ...on, table: 'notes' }, (change) =>
      titles.push(Reflect.get(change.new, 'title')),
    )
    .on('postgres_changes', { ...on, table: 'open_moods' }, (change) => moods.push(change.new))
  expect(await new Promise((done) => channel.subscribe(done))).toBe('SUBSCRIBED')
  await insertNote('first', user.id)
  await eventually(() => expect(titles).toEqual(['first']))
  // Tokens with the same claims that are issued within one second are identical, so the claims are changed here.
  await user.client.auth.updateUser({ data: { mood: 'calm' } })
  const { data } = await user.client.auth.refreshSession()
  expect(data.session?.access_token).not.toBe(user.accessToken)
  await insertNote('second', user.id)
  await eventually(() => expect(titles).toEqual(['first', 'second']))

  expect(subscribed).toBe(1)
  await user.client.auth.signOut()
  await insertNote('third', user.id)
  // The channel may have ended with the session. The client then rejoins, now with only the public key.
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
