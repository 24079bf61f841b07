// Invalid frames, refusals, limits and closing. Nothing that a client does may affect other clients.
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { LIMITS, type Limits } from '#realtime/limits.ts'
import { eventually } from '../eventually.ts'
import {
  type BareSocket,
  newPerson,
  ON_NOTES,
  openSocket,
  type Person,
  signClaims,
  startRealtimeAlone,
  testRealtime,
  testSocket,
} from '../fixtures/realtime.ts'

const [olivia, marc, zoe] = [newPerson(), newPerson(), newPerson()]
const server = await testRealtime()
const path = '/realtime/v1/websocket'
const withKey = `${path}?apikey=${server.anonKey}`
const bystander = testSocket(server)
const socket = testSocket(server)
beforeEach(async () => {
  server.logged.length = 0
  await bystander.watch('bystander', olivia)
})

async function bystanderIsWell(): Promise<void> {
  const before = bystander.changes().length
  await server.db.query('insert into notes (owner_id) values ($1)', [olivia.id])
  await eventually(() => expect(bystander.changes()).toHaveLength(before + 1))
}

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})
/** Starts a server with these limits. Returns a function that connects, by default from a new address each time. */
async function place(limits: Partial<Limits>) {
  const alone = await startRealtimeAlone(server.db, limits)
  endings.push(alone.close)
  let addresses = 0
  const come = async (from?: string): Promise<BareSocket> => {
    addresses += 1
    const one = await openSocket(alone, alone.anonKey, from ?? `203.0.113.${addresses}`)
    endings.push(() => one.ws.terminate())
    return one
  }
  return Object.assign(come, alone)
}

const beats = async (one: BareSocket) => {
  one.send(null, 'beat', 'phoenix', 'heartbeat', {})
  await one.next({ ref: 'beat' })
}

describe('rubbish', () => {
  test.each([
    ['text that is not JSON', 'rubbish', 1007],
    ['deeply nested JSON', '['.repeat(100_000), 1007],
    ['bytes', Buffer.from([0, 1, 2, 3, 255, 254]), 1007],
    ['a frame larger than allowed', 'x'.repeat(LIMITS.frameBytes + 1), 1009],
  ])('%s closes the socket it came on, with one log line', async (_what, data, code) => {
    socket.ws.send(data)
    expect(await socket.closed).toBe(code)
    await bystanderIsWell()
    expect(server.logged).toHaveLength(1)
    expect(server.logged[0]).not.toContain('rubbish')
  })

  test('instead of a websocket handshake leaves the server up', async () => {
    const asked = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', '', '']
    const request = [`GET ${withKey} HTTP/1.1`, ...asked].join('\r\n')
    const port = Number(new URL(server.url).port)
    const raw = connect(port, '127.0.0.1')
    raw.write(request)
    const answer = await new Promise<string>((done) => raw.once('data', (data) => done(String(data))))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    const hangsUp = connect(port, '127.0.0.1')
    hangsUp.write(request, () => hangsUp.resetAndDestroy())
    await bystanderIsWell()
  })
})

test('a handshake is refused without a key, with a wrong one, a bad token, an unknown version, elsewhere', async () => {
  const refusal = (address: string, headers = {}) =>
    new Promise<[number, unknown]>((done, fail) => {
      const ws = new WebSocket(`${server.url.replace('http', 'ws')}${address}`, { headers })
      ws.once('unexpected-response', (_request, response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => done([response.statusCode ?? 0, JSON.parse(text).error]))
      })
      ws.once('open', () => fail(new Error('it opened')))
      ws.once('error', fail)
    })
  expect([
    await refusal(path),
    await refusal(`${path}?apikey=wrong`),
    await refusal(withKey, { authorization: `Bearer ${await olivia.token(-100)}` }),
    await refusal(`${withKey}&vsn=9.9.9`),
    await refusal(`/elsewhere?apikey=${server.anonKey}`),
  ]).toEqual([
    [401, 'No API key found in request'],
    [401, 'Invalid API key'],
    [403, 'JWT expired'],
    [403, 'Serializer version 9.9.9 is not supported'],
    [404, 'Not Found'],
  ])
  expect(server.logged).toHaveLength(5)
  await bystanderIsWell()
})

describe('a limit', () => {
  test('on channels and on bindings of one socket is told to the join', async () => {
    const refused = async (name: string) =>
      (await socket.tryJoin(name, { changes: [ON_NOTES] })).payload.response
    await socket.watch('full', undefined, ...Array(LIMITS.bindingsPerSocket).fill({ filter: 'number=eq.1' }))
    const tooManyBindings = 'ChannelRateLimitReached: Too many postgres_changes bindings'
    expect(await refused('realtime:more')).toEqual({ reason: tooManyBindings })
    for (let n = 1; n < LIMITS.channelsPerSocket; n += 1) await socket.join(`realtime:${n}`)
    expect(await refused('realtime:more')).toEqual({ reason: 'ChannelRateLimitReached: Too many channels' })
    socket.send('1', 'leave', 'realtime:full', 'phx_leave', {})
    await socket.next({ ref: 'leave' })
    await socket.watch('more')
  })

  test('on messages waiting closes a socket that floods', async () => {
    // Sends all frames in one write, as they would arrive in a flood.
    const wire = Reflect.get(socket.ws, '_socket') as Socket
    wire.cork()
    // The database casts every filter value, so each join takes a moment.
    const config = { postgres_changes: [{ ...ON_NOTES, filter: 'number=eq.1' }] }
    for (let n = 0; n < LIMITS.pendingFrames + 10; n += 1)
      socket.send('1', null, 'realtime:x', 'phx_join', { config })
    wire.uncork()
    expect(await socket.closed).toBe(1008)
    await bystanderIsWell()
  })

  test('on the rate of messages closes a socket, on that of joins refuses them', async () => {
    const never = { perSecond: 0 }
    const come = await place({ frames: { burst: 20, ...never }, joins: { burst: 2, ...never } })
    const hasty = await come()
    for (const name of ['realtime:1', 'realtime:2']) await hasty.join(name)
    const reason = 'ClientJoinRateLimitReached: Too many joins per second'
    expect((await hasty.tryJoin('realtime:3')).payload).toEqual({ status: 'error', response: { reason } })
    for (let n = 0; n < 18; n += 1) hasty.send(null, `${n}`, 'phoenix', 'heartbeat', {})
    expect(await hasty.closed).toBe(1008)
    expect(hasty.heard.filter(({ topic }) => topic === 'phoenix')).toHaveLength(17)
  })

  test.each([
    ['of one', { bufferedBytes: 200_000 }],
    ['of all together', { backlogBytes: 200_000 }],
  ])('on unread bytes %s drops the socket', async (_of, limit) => {
    const come = await place(limit)
    const [reader, deaf] = [await come(), await come()]
    for (const one of [reader, deaf]) await one.join('realtime:talk', { config: { private: true } })
    deaf.ws.pause()
    const body = JSON.stringify({ blob: 'x'.repeat(200_000) })
    const url = `${come.url}/realtime/v1/api/broadcast/talk/events/e?private=true`
    await eventually(async () => {
      await fetch(url, { method: 'POST', headers: { apikey: come.serviceKey }, body })
      expect(come.logged.join()).toContain('a socket that does not read was dropped')
    })
    await beats(reader)
  })

  test('on silence drops a socket that does not even beat', async () => {
    const [patient, hasty] = [{ silentMs: 60_000 }, { silentMs: 100 }]
    const kept = await (await place({ ...patient, sweepMs: 10 }))()
    const silent = await (await place({ ...hasty, sweepMs: 10 }))()
    expect(await silent.closed).toBe(1006)
    await beats(kept)
  })
})

describe('so many places', () => {
  const FULL = 'ConnectionRateLimitReached: Too many connected users'
  const joins = async (one: BareSocket, person: Person) => {
    await one.join('realtime:x', { token: await person.token() })
    return one
  }

  test.each([
    ['an address', '203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['a network of IPv6', '2001:db8::1', '2001:db8::2:7', '2001:db8:0:1::1'],
  ])('has %s, and another one its own', async (_what, address, same, other) => {
    const come = await place({ socketsPerAddress: 2 })
    const first = await come(address)
    await come(`10.0.0.1, ${same}`)
    await expect(come(address)).rejects.toThrow('429')
    await beats(await come(other))
    first.ws.close()
    await beats(await eventually(() => come(address)))
  })

  test('has a person, with however many tokens', async () => {
    const come = await place({ socketsPerPerson: 2 })
    const first = await joins(await come(), olivia)
    await joins(await come(), olivia)
    const third = await come()
    const asOlivia = { token: await olivia.token() }
    const { payload } = await third.tryJoin('realtime:x', asOlivia)
    expect(payload).toEqual({ status: 'error', response: { reason: FULL } })
    await joins(await come(), marc)
    // The limit also applies to a socket that joins as a stranger and then sends a token.
    await third.join('realtime:y')
    third.send('2', null, 'realtime:y', 'access_token', { access_token: await olivia.token() })
    await third.next({ event: 'phx_close', topic: 'realtime:y' })
    // A person who has left every channel is a stranger again.
    first.send('1', 'leave', 'realtime:x', 'phx_leave', {})
    await first.next({ ref: 'leave' })
    await third.join('realtime:z', asOlivia)
  })

  test('have strangers as a share, within which the one that waits longest makes room', async () => {
    const come = await place({ sockets: 4, strangersShare: 0.5 })
    const hers = await joins(await come(), olivia)
    const [first, second] = [await come(), await come()]
    await first.join('realtime:x')
    const third = await come()
    expect(await first.closed).toBe(1013)
    // The newest socket now belongs to a person, so it is not closed to make room for later strangers.
    await joins(third, marc)
    const [fourth, fifth] = [await come(), await come()]
    expect(await second.closed).toBe(1013)
    for (const one of [hers, third, fourth, fifth]) await beats(one)
  })

  test('have people in all, and nobody else comes', async () => {
    const come = await place({ sockets: 2 })
    const hers = await joins(await come(), olivia)
    await joins(await come(), marc)
    await expect(come()).rejects.toThrow('429')
    hers.ws.close()
    await joins(await eventually(() => come()), zoe)
  })
})

test('a policy that fails hides the row from those it fails for, and is logged', async () => {
  const token = await signClaims({ sub: 'not a uuid', role: 'authenticated' }, 3600)
  await socket.join('realtime:x', { changes: [ON_NOTES], token })
  await bystanderIsWell()
  await eventually(() => expect(server.logged.join()).toContain('a visibility check was refused'))
  expect(socket.changes()).toEqual([])
})

test('a right taken away since is respected, and everybody subscribes anew', async () => {
  await socket.watch('x', olivia)
  await server.db.query('revoke select (title) on public.notes from authenticated')
  await server.db.query(`notify pgrst, 'reload schema'`)
  await socket.next({ event: 'phx_error', topic: 'realtime:x', ref: '1' })
  await socket.watch('x', olivia)
  await server.db.query(`insert into notes (owner_id, title) values ($1, 'hidden')`, [olivia.id])
  await socket.next({ event: 'postgres_changes' })
  expect(socket.changes()[0]?.record).not.toHaveProperty('title')
  await server.db.query('grant select (title) on public.notes to authenticated')
})

test('a server that stops says good-bye to its sockets', async () => {
  const stopping = await startRealtimeAlone(server.db)
  const guest = await openSocket(stopping)
  await guest.watch('x', olivia)
  await stopping.close()
  expect(await guest.closed).toBe(1001)
})
