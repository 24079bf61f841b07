// Joining, leaving, tokens and bindings, as hosted Supabase has them.
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { eventually } from '../eventually.ts'
import { newPerson, signClaims, testRealtime, testSocket } from '../fixtures/realtime.ts'

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
    await eventually(() => expect(heard).toEqual([frame]))
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
      'Unauthorized: You do not have permissions to read from this Channel topic: x',
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
