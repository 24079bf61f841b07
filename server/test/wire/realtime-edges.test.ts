// Rubbish, refusals, limits and endings: nothing a client does may hurt the others.

import { connect, type Socket } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { LIMITS } from '#realtime/limits.ts'
import { eventually } from '../eventually.ts'
import {
  type BareSocket,
  newPerson,
  openSocket,
  signClaims,
  startRealtimeAlone,
  startRealtimeServer,
  testRealtime,
} from '../fixtures/realtime.ts'

const olivia = newPerson()
const onNotes = { event: '*', schema: 'public', table: 'notes' }
const server = await testRealtime()
let bystander: BareSocket
beforeEach(async () => {
  server.logged.length = 0
  bystander = await openSocket(server)
  await bystander.join('realtime:bystander', { changes: [onNotes], token: await olivia.token() })
  return () => bystander.ws.terminate()
})

async function bystanderIsWell(): Promise<void> {
  const before = bystander.changes().length
  await server.db.query('insert into notes (owner_id) values ($1)', [olivia.id])
  await eventually(() => expect(bystander.changes()).toHaveLength(before + 1))
}

describe('rubbish', () => {
  test.each([
    ['text that is not JSON', 'rubbish', 1007],
    ['JSON that is no frame', '{"a":[1,2,{"b":null}]}', 1007],
    ['deeply nested JSON', '['.repeat(100_000), 1007],
    ['a frame with a list for a payload', '["1","1","realtime:x","phx_join",[]]', 1007],
    ['bytes', Buffer.from([0, 1, 2, 3, 255, 254]), 1007],
    ['a frame larger than allowed', 'x'.repeat(LIMITS.frameBytes + 1), 1009],
  ])('%s closes the socket it came on, with one log line', async (_what, data, code) => {
    const socket = await openSocket(server)
    socket.ws.send(data)
    expect(await socket.closed).toBe(code)
    await bystanderIsWell()
    expect(server.logged).toHaveLength(1)
    expect(server.logged[0]).not.toContain('rubbish')
  })

  test('in every part of a join is answered, and the socket goes on', async () => {
    const socket = await openSocket(server)
    const payloads = [
      { config: 'none' },
      { config: { postgres_changes: 'all' } },
      { config: { postgres_changes: [null] } },
      { config: { broadcast: { self: 'yes' } } },
    ]
    for (const [index, payload] of payloads.entries()) {
      socket.send('j', `bad ${index}`, 'realtime:x', 'phx_join', payload)
      const reply = await socket.next({ ref: `bad ${index}` })
      expect(reply.payload.status).toBe('error')
    }
    await socket.join('realtime:x', { token: await olivia.token() })
    socket.send('1', null, 'realtime:x', 'access_token', { access_token: { a: 1 } })
    socket.send('1', 'bad', 'realtime:x', 'broadcast', { event: 7 })
    expect((await socket.next({ ref: 'bad' })).payload.status).toBe('error')
    socket.ws.terminate()
  })

  test('instead of a websocket handshake leaves the server up', async () => {
    const port = Number(new URL(server.url).port)
    const raw = connect(port, '127.0.0.1')
    raw.write(
      `GET /realtime/v1/websocket?apikey=${server.anonKey} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    const answer = await new Promise<string>((done) => raw.once('data', (data) => done(String(data))))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    const hangsUp = connect(port, '127.0.0.1')
    hangsUp.write(
      `GET /realtime/v1/websocket?apikey=${server.anonKey} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      () => hangsUp.resetAndDestroy(),
    )
    await bystanderIsWell()
  })
})

describe('a handshake is refused', () => {
  const refusal = (path: string, headers = {}) =>
    new Promise<{ status: number; body: unknown }>((done, fail) => {
      const ws = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, { headers })
      ws.once('unexpected-response', (_request, response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => done({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
      })
      ws.once('open', () => fail(new Error('it opened')))
      ws.once('error', fail)
    })
  const path = '/realtime/v1/websocket'

  test('without a key, with a wrong one, a bad token, an unknown version, elsewhere', async () => {
    const withKey = `${path}?apikey=${server.anonKey}`
    expect(await refusal(path)).toEqual({ status: 401, body: { error: 'No API key found in request' } })
    expect(await refusal(`${path}?apikey=wrong`)).toEqual({ status: 401, body: { error: 'Invalid API key' } })
    const token = await olivia.token(-100)
    expect(await refusal(withKey, { authorization: `Bearer ${token}` })).toEqual({
      status: 403,
      body: { error: 'JWT expired' },
    })
    expect(await refusal(`${withKey}&vsn=9.9.9`)).toMatchObject({ status: 403 })
    expect(await refusal(`/elsewhere?apikey=${server.anonKey}`)).toMatchObject({ status: 404 })
    expect(server.logged).toHaveLength(5)
    await bystanderIsWell()
  })
})

describe('limits', () => {
  test('on channels and on bindings of one socket are told to the join', async () => {
    const socket = await openSocket(server)
    const many = Array.from({ length: LIMITS.bindingsPerSocket }, () => ({
      ...onNotes,
      filter: 'number=eq.1',
    }))
    await socket.join('realtime:full', { changes: many })
    expect((await socket.tryJoin('realtime:more', { changes: [onNotes] })).payload.response).toEqual({
      reason: 'ChannelRateLimitReached: Too many postgres_changes bindings',
    })
    for (let n = 1; n < LIMITS.channelsPerSocket; n += 1) await socket.join(`realtime:${n}`)
    expect((await socket.tryJoin('realtime:more')).payload.response).toEqual({
      reason: 'ChannelRateLimitReached: Too many channels',
    })
    socket.send('1', 'leave', 'realtime:full', 'phx_leave', {})
    await socket.next({ ref: 'leave' })
    await socket.join('realtime:more', { changes: [onNotes] })
    socket.ws.terminate()
  })

  test('on messages waiting close a socket that floods', async () => {
    const socket = await openSocket(server)
    // A filter is cast by the database, so each of these takes a moment.
    const filtered = { ...onNotes, filter: 'number=eq.1' }
    // In one piece, as a flood would come.
    const wire = Reflect.get(socket.ws, '_socket') as Socket
    wire.cork()
    for (let n = 0; n < LIMITS.pendingFrames + 10; n += 1) {
      socket.send('1', null, 'realtime:x', 'phx_join', { config: { postgres_changes: [filtered] } })
    }
    wire.uncork()
    expect(await socket.closed).toBe(1008)
    await bystanderIsWell()
  })

  test('on the rate of messages close a socket, on that of joins refuse them', async () => {
    const slow = await startRealtimeAlone(server.db, {
      frames: { burst: 20, perSecond: 1 },
      joins: { burst: 2, perSecond: 20 },
    })
    const socket = await openSocket(slow)
    await socket.join('realtime:1')
    await socket.join('realtime:2')
    const third = await socket.tryJoin('realtime:3')
    const reason = 'ClientJoinRateLimitReached: Too many joins per second'
    expect(third.payload).toEqual({ status: 'error', response: { reason } })
    await new Promise((done) => setTimeout(done, 60))
    await socket.join('realtime:3')
    for (let n = 0; n < 20; n += 1) socket.send(null, `${n}`, 'phoenix', 'heartbeat', {})
    expect(await socket.closed).toBe(1008)
    expect(socket.heard.filter(({ topic }) => topic === 'phoenix')).toHaveLength(16)
    await slow.close()
  })

  test.each([
    ['of one', { bufferedBytes: 200_000 }],
    ['of all together', { backlogBytes: 200_000 }],
  ])('on silence and on unread bytes %s drop the socket', async (_of, limit) => {
    const small = await startRealtimeAlone(server.db, { silentMs: 300, sweepMs: 50, ...limit })
    const [reader, deaf] = [await openSocket(small), await openSocket(small)]
    for (const socket of [reader, deaf]) await socket.join('realtime:talk', { config: { private: true } })
    deaf.ws.pause()
    const beat = setInterval(() => {
      for (const { ws } of [reader, deaf]) ws.send('[null,"0","phoenix","heartbeat",{}]')
    }, 50)
    const blob = 'x'.repeat(200_000)
    await eventually(async () => {
      await fetch(`${small.url}/realtime/v1/api/broadcast/talk/events/e?private=true`, {
        method: 'POST',
        headers: { apikey: small.serviceKey },
        body: JSON.stringify({ blob }),
      })
      expect(small.logged.join()).toContain('a socket that does not read was dropped')
    })
    expect(reader.ws.readyState).toBe(WebSocket.OPEN)
    clearInterval(beat)
    expect(await reader.closed).toBe(1006)
    await small.close()
  })
})

test('a policy that fails hides the row from those it fails for, and is logged', async () => {
  const broken = await openSocket(server)
  const token = await signClaims({ sub: 'not a uuid', role: 'authenticated' }, 3600)
  await broken.join('realtime:x', { changes: [onNotes], token })
  await bystanderIsWell()
  await eventually(() => expect(server.logged.join()).toContain('a visibility check was refused'))
  expect(broken.changes()).toEqual([])
  broken.ws.terminate()
})

test('a right taken away since is respected, and everybody subscribes anew', async () => {
  const socket = await openSocket(server)
  await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
  await server.db.query('revoke select (title) on public.notes from authenticated')
  await server.db.query(`notify pgrst, 'reload schema'`)
  await socket.next({ event: 'phx_error', topic: 'realtime:x', ref: '1' })
  await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
  await server.db.query(`insert into notes (owner_id, title) values ($1, 'hidden')`, [olivia.id])
  await socket.next({ event: 'postgres_changes' })
  expect(socket.changes()[0]?.record).not.toHaveProperty('title')
  await server.db.query('grant select (title) on public.notes to authenticated')
  socket.ws.terminate()
})

test('a server that stops says good-bye to its sockets', async () => {
  const stopping = await startRealtimeServer()
  const socket = await openSocket(stopping)
  await socket.join('realtime:x', { changes: [onNotes], token: await olivia.token() })
  await stopping.close()
  expect(await socket.closed).toBe(1001)
})
