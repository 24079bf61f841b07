// Joining, leaving, tokens, bindings and broadcasts, as hosted Supabase has them.
import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { newPerson, openSocket, signClaims, testRealtime, testSocket } from '../fixtures/realtime.ts'

const olivia = newPerson()
const zoe = newPerson()
const server = await testRealtime()
const socket = testSocket(server)

const run = (sql: string, ...values: (string | null)[]) => server.db.query(sql, values)
const onNotes = { event: '*', schema: 'public', table: 'notes' }
const insertNote = (title: string, owner = olivia) =>
  run('insert into notes (owner_id, title) values ($1, $2)', owner.id, title)

describe('a socket', () => {
  test('is kept alive by heartbeats', async () => {
    socket.send(null, '5', 'phoenix', 'heartbeat', {})
    const { text } = await socket.next({ ref: '5' })
    expect(text).toBe('[null,"5","phoenix","phx_reply",{"status":"ok","response":{}}]')
  })

  test('of version 1.0.0 speaks in objects', async () => {
    const ws = new WebSocket(
      `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.anonKey}`,
    )
    await new Promise((done) => ws.once('open', done))
    const heard: unknown[] = []
    ws.on('message', (data) => heard.push(JSON.parse(String(data))))
    ws.send(JSON.stringify({ topic: 'realtime:x', event: 'phx_join', payload: {}, ref: '1', join_ref: '1' }))
    const reply = { status: 'ok', response: { postgres_changes: [] } }
    const frame = { topic: 'realtime:x', event: 'phx_reply', payload: reply, ref: '1', join_ref: '1' }
    await vi.waitFor(() => expect(heard).toEqual([frame]))
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

  test('once more closes the older channel', async () => {
    await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
    await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
    expect(await socket.next({ event: 'phx_close' })).toMatchObject({ joinRef: '1', ref: '1' })
    await insertNote('once')
    await socket.next({ event: 'postgres_changes' })
    await leave('2')
    expect(socket.changes()).toHaveLength(1)
  })

  test.each([
    ['realtime:', {}, 'TopicNameRequired: You must provide a topic name'],
    ['room:1', {}, 'TopicNameRequired: You must provide a topic name'],
    [
      'realtime:x',
      { config: { private: true } },
      'Unauthorized: You do not have permissions to read from this Channel topic',
    ],
    ['realtime:x', { changes: [{ table: 5 }] }, 'InvalidJoinPayload: the configuration cannot be read'],
    ['realtime:x', { token: 'a.b.c' }, 'JwtSignatureError: JWT could not be verified'],
  ])('%s with %j is refused, and the socket goes on', async (topic, options, reason) => {
    const { payload } = await socket.tryJoin(topic, options)
    expect(payload).toEqual({ status: 'error', response: { reason } })
    await socket.join('realtime:fine')
  })

  test('with an expired token, or a role the API does not have, is refused', async () => {
    const expired = await socket.tryJoin('realtime:x', { token: await olivia.token(-100) })
    const reason = expect.stringMatching(/^InvalidJWTToken: Token has expired 10\d seconds ago$/)
    expect(expired.payload.response).toEqual({ reason })
    const token = await signClaims({ sub: olivia.id, role: 'postgres' }, 60)
    const { payload } = await socket.tryJoin('realtime:y', { token })
    expect(payload.response).toEqual({ reason: 'InvalidJWTToken: role "postgres" does not exist' })
  })
})

describe('leaving', () => {
  test('is confirmed, closes the channel and ends its changes', async () => {
    await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
    await socket.join('realtime:y', { changes: [onNotes], token: await olivia.token() })
    await leave('1')
    await insertNote('after')
    await socket.next({ topic: 'realtime:y', event: 'postgres_changes' })
    expect(socket.changes('realtime:x')).toEqual([])
  })

  test('for a topic never joined is confirmed as well; anything else there is not', async () => {
    socket.send('7', '8', 'realtime:never', 'phx_leave', {})
    expect((await socket.next({ ref: '8' })).payload.status).toBe('ok')
    socket.send('7', '9', 'realtime:never', 'broadcast', { event: 'e' })
    expect((await socket.next({ ref: '9' })).payload).toEqual({
      status: 'error',
      response: { reason: 'unmatched topic' },
    })
  })
})

async function leave(joinRef: string) {
  socket.send(joinRef, 'leaving', 'realtime:x', 'phx_leave', {})
  expect((await socket.next({ ref: 'leaving' })).payload.status).toBe('ok')
  await socket.next({ joinRef, ref: joinRef, event: 'phx_close' })
}

describe('a token', () => {
  const setToken = (token: unknown) =>
    socket.send('1', null, 'realtime:x', 'access_token', { access_token: token })

  test('sent later decides from then on', async () => {
    await socket.join('realtime:x', { changes: [onNotes], token: await zoe.token() })
    await insertNote('not for Zoe')
    setToken(await olivia.token())
    for (const ignored of [null, 'sb_publishable_x', '']) setToken(ignored)
    // Of another role: what it may select is found out anew, and said.
    setToken(server.anonKey)
    await socket.next({ event: 'system' }, (one) => socket.heard.filter(isSystem).indexOf(one) === 1)
    setToken(await olivia.token())
    await socket.next({ event: 'system' }, (one) => socket.heard.filter(isSystem).indexOf(one) === 2)
    await insertNote('for Olivia')
    await socket.next({ event: 'postgres_changes' })
    expect(socket.changes().map(({ record }) => record?.title)).toEqual(['for Olivia'])
  })

  test('that runs out closes the channel, a little after its time', async () => {
    // Half a minute is forgiven, so this one has two seconds left.
    await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token(-28) })
    await socket.join('realtime:y')
    const { payload } = await socket.next(
      { topic: 'realtime:x', event: 'system' },
      ({ payload }) => payload.status === 'error',
    )
    const message = expect.stringMatching(/^Token has expired (29|30|31) seconds ago$/)
    expect(payload).toEqual({ extension: 'system', status: 'error', message, channel: 'x' })
    await socket.next({ topic: 'realtime:x', event: 'phx_close', joinRef: '1', ref: '1' })
    expect(socket.heard).not.toContainEqual(
      expect.objectContaining({ topic: 'realtime:y', event: 'phx_close' }),
    )
  })

  test('that runs out is outlived by a newer one', async () => {
    await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token(-28) })
    setToken(await olivia.token())
    await new Promise((done) => setTimeout(done, 2_500))
    await insertNote('still here')
    await socket.next({ event: 'postgres_changes' })
  })

  test('that is forged or expired closes the channel', async () => {
    await socket.join('realtime:x')
    setToken('a.b.c')
    expect((await socket.next({ event: 'system' })).payload.message).toBe('JWT could not be verified')
    await socket.next({ event: 'phx_close', ref: '1' })
  })
})

const isSystem = ({ event }: { event: string }) => event === 'system'

test('several bindings of one channel are told of a change together, a table left out meaning every table', async () => {
  const changes = [onNotes, { ...onNotes, event: 'DELETE' }, { event: 'INSERT', schema: 'public' }]
  const { payload } = await socket.join('realtime:x', { changes, token: await olivia.token() })
  const ids = (payload.response as { postgres_changes: { id: number }[] }).postgres_changes.map(
    ({ id }) => id,
  )
  await insertNote('one')
  expect((await socket.next({ event: 'postgres_changes' })).payload.ids).toEqual([ids[0], ids[2]])
})

describe('a broadcast', () => {
  const send = (payload: object) => socket.send('1', 'b', 'realtime:x', 'broadcast', payload)
  const binary = Buffer.concat([
    Buffer.from([3, 1, 1, 10, 5, 0, 1]),
    Buffer.from('1brealtime:xshout{"text":"hi"}'),
  ])

  test('in text or binary reaches the others on the topic, in text', async () => {
    const other = await openSocket(server)
    await socket.join('realtime:x')
    await socket.join('realtime:y')
    await other.join('realtime:x')
    socket.ws.send(binary)
    send({ event: 'second', payload: { n: 2 } })
    const first = await other.next({ event: 'broadcast' })
    expect(first.text).toBe(
      '[null,null,"realtime:x","broadcast",{"type":"broadcast","event":"shout","payload":{"text":"hi"}}]',
    )
    await other.next({ event: 'broadcast' }, ({ payload }) => payload.event === 'second')
    expect(socket.heard.filter(({ event }) => event === 'broadcast')).toEqual([])
    other.ws.terminate()
  })

  test('comes back to its sender, and is confirmed, where the join asked for it', async () => {
    await socket.join('realtime:x', { config: { broadcast: { self: true, ack: true } } })
    socket.ws.send(binary)
    await socket.next({ event: 'broadcast' })
    expect((await socket.next({ ref: 'b', event: 'phx_reply' })).payload.status).toBe('ok')
  })

  test('over HTTP reaches the topic, and wrong ones are refused', async () => {
    await socket.join('realtime:x')
    const url = `${server.url}/realtime/v1/api/broadcast`
    const post = (to: string, body: string, headers = { apikey: server.anonKey }) =>
      fetch(to, { method: 'POST', headers, body })
    const shout = { topic: 'x', event: 'shout', payload: { n: 1 } }
    const hidden = { topic: 'x', event: 'hidden', payload: {}, private: true }
    const sent = await post(url, JSON.stringify({ messages: [hidden, shout] }))
    expect([sent.status, await sent.text()]).toEqual([202, ''])
    expect((await post(`${url}/x/events/again`, '{"n":2}')).status).toBe(202)
    await socket.next({ event: 'broadcast' }, ({ payload }) => payload.event === 'again')
    expect(socket.heard.filter(({ event }) => event === 'broadcast').map(({ payload }) => payload)).toEqual([
      { type: 'broadcast', event: 'shout', payload: { n: 1 } },
      { type: 'broadcast', event: 'again', payload: { n: 2 } },
    ])
    const wrong = [
      await post(url, '{"messages":[{"topic":5}]}'),
      await post(url, '{'),
      await post(`${url}/x/events/again`, 'nothing'),
      await post(url, JSON.stringify({ messages: [shout] }), { apikey: randomUUID() }),
      await post(url, `"${'x'.repeat(1_100_000)}"`),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([422, 422, 422, 401, 413])
  })

  test('of presence is not offered, and said so', async () => {
    await socket.join('realtime:x', { config: { presence: { enabled: true, key: '' } } })
    socket.send('1', 'p', 'realtime:x', 'presence', { type: 'presence', event: 'track', payload: {} })
    expect((await socket.next({ ref: 'p' })).payload).toEqual({
      status: 'error',
      response: { reason: 'presence is not offered here' },
    })
  })
})
