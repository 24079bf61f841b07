// Broadcasts reach whom the project's policies on realtime.messages let hear them, from whom they let speak.
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { LIMITS } from '#realtime/limits.ts'
import { type BareSocket, newPerson, openSocket, testRealtime, testSocket } from '../fixtures/realtime.ts'

const olivia = newPerson()
const marc = newPerson()
const server = await testRealtime()
const socket = testSocket(server)
const broadcast = { self: false, ack: false }
const told = (one: BareSocket) =>
  one.heard.filter(({ event }) => event === 'broadcast').map(({ payload }) => payload)

const others: BareSocket[] = []
afterEach(() => {
  for (const { ws } of others.splice(0)) ws.terminate()
})
/** Another socket on the private channel, as the person or as a stranger. */
async function listener(topic = 'realtime:talk', token?: string): Promise<BareSocket> {
  const other = await openSocket(server)
  others.push(other)
  await other.join(topic, { config: { private: true }, ...(token !== undefined && { token }) })
  return other
}
const joinAsOlivia = async (topic: string, config: object = {}) =>
  socket.join(topic, { config: { private: true, broadcast, ...config }, token: await olivia.token() })
const send = (payload: object, ref = 'b', topic = 'realtime:talk') =>
  socket.send('1', ref, topic, 'broadcast', { type: 'broadcast', ...payload })
const binary = Buffer.concat([
  Buffer.from([3, 1, 1, 13, 5, 0, 1]),
  Buffer.from('1brealtime:talkshout{"text":"hi"}'),
])

describe('on a private channel', () => {
  test('text or binary reaches the others on the topic, in text', async () => {
    const other = await listener()
    const elsewhere = await listener('realtime:talk-2')
    await joinAsOlivia('realtime:talk')
    socket.ws.send(binary)
    send({ event: 'second', payload: { n: 2 } })
    const first = await other.next({ event: 'broadcast' })
    expect(first.text).toBe(
      '[null,null,"realtime:talk","broadcast",{"type":"broadcast","event":"shout","payload":{"text":"hi"}}]',
    )
    await other.next({ event: 'broadcast' }, ({ payload }) => payload.event === 'second')
    expect(told(socket)).toEqual([])
    expect(told(elsewhere)).toEqual([])
  })

  test('it comes back to its sender, and is confirmed, where the join asked for it', async () => {
    await joinAsOlivia('realtime:talk', { broadcast: { self: true, ack: true } })
    socket.ws.send(binary)
    await socket.next({ event: 'broadcast' })
    expect((await socket.next({ ref: 'b', event: 'phx_reply' })).payload.status).toBe('ok')
  })

  test('who may only hear is told so, and heard by nobody', async () => {
    const other = await listener()
    await socket.join('realtime:talk', { config: { private: true } })
    send({ event: 'quiet' })
    const reason = 'Unauthorized: You do not have permissions to write to this Channel topic: talk'
    expect((await socket.next({ ref: 'b' })).payload).toEqual({ status: 'error', response: { reason } })
    // A token later decides anew, either way.
    socket.send('1', null, 'realtime:talk', 'access_token', { access_token: await olivia.token() })
    send({ event: 'loud' })
    await other.next({ event: 'broadcast' })
    expect(told(other)).toMatchObject([{ event: 'loud' }])
    const [{ count } = {}] = await server.db.query('select count(*) from realtime.messages')
    expect(count).toBe(0)
  })

  test('who may no longer hear is put out with the next token', async () => {
    await server.db.query(`create policy "Olivia hears" on realtime.messages for select to authenticated
      using (realtime.topic() = 'hers' and (select auth.uid()) = '${olivia.id}')`)
    await joinAsOlivia('realtime:hers')
    socket.send('1', null, 'realtime:hers', 'access_token', { access_token: await marc.token() })
    const message = 'You do not have permissions to read from this Channel topic: hers'
    await socket.next({ event: 'system' }, ({ payload }) => payload.message === message)
    await socket.next({ event: 'phx_close' })
  })

  test('a policy that fails opens nothing', async () => {
    await server.db.query(`create policy "Broken" on realtime.messages for select to authenticated
      using (realtime.topic() = 'broken' and 1 / length(left(topic, 0)) = 1)`)
    const config = { private: true }
    const { payload } = await socket.tryJoin('realtime:broken', { config, token: await olivia.token() })
    expect(payload.status).toBe('error')
    await joinAsOlivia('realtime:talk')
  })
})

describe('a channel that no policy opens', () => {
  test('cannot be joined as a private one', async () => {
    const config = { private: true }
    const { payload } = await socket.tryJoin('realtime:x', { config, token: await olivia.token() })
    const reason = 'Unauthorized: You do not have permissions to read from this Channel topic: x'
    expect(payload.response).toEqual({ reason })
  })

  test('refuses broadcasts and presence as a public one, whatever its name', async () => {
    await listener()
    const other = await openSocket(server)
    others.push(other)
    await other.join('realtime:talk')
    await socket.join('realtime:talk', { config: { presence: { enabled: true, key: '' } } })
    socket.ws.send(binary)
    const refused = 'PrivateOnly: This project only allows private channels to broadcast'
    expect((await socket.next({ ref: 'b' })).payload).toEqual({
      status: 'error',
      response: { reason: refused },
    })
    socket.send('1', 'p', 'realtime:talk', 'presence', { type: 'presence', event: 'track', payload: {} })
    expect((await socket.next({ ref: 'p' })).payload).toEqual({
      status: 'error',
      response: { reason: 'presence is not offered here' },
    })
    expect(others.flatMap(told)).toEqual([])
  })
})

describe('over HTTP', () => {
  const url = `${server.url}/realtime/v1/api/broadcast`
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { apikey: server.anonKey, ...headers },
      body,
    })
    return { status: answer.status, text: await answer.text() }
  }
  const one = (message: object) =>
    JSON.stringify({ messages: [{ topic: 'talk', event: 'shout', payload: {}, private: true, ...message }] })
  const asOlivia = async () => ({ authorization: `Bearer ${await olivia.token()}` })

  test('it reaches the topic, from people and from the service', async () => {
    const other = await listener()
    expect(await post('', one({ payload: { n: 1 } }), await asOlivia())).toEqual({ status: 202, text: '' })
    const service = { apikey: server.serviceKey }
    expect((await post('/talk/events/again?private=true', '{"n":2}', service)).status).toBe(202)
    await other.next({ event: 'broadcast' }, ({ payload }) => payload.event === 'again')
    expect(told(other)).toEqual([
      { type: 'broadcast', event: 'shout', payload: { n: 1 } },
      { type: 'broadcast', event: 'again', payload: { n: 2 } },
    ])
  })

  test('it is refused where a policy does not allow it, with all that came along, and where it is wrong', async () => {
    const other = await listener()
    const hers = await asOlivia()
    const both = {
      messages: ['talk', 'x'].map((topic) => ({ topic, event: 'e', payload: {}, private: true })),
    }
    const large = 'x'.repeat(LIMITS.frameBytes)
    expect([
      await post('', one({ private: false }), hers),
      await post('/talk/events/again', '{}', hers),
      await post('', one({})),
      await post('', JSON.stringify(both), hers),
      await post('', one({ payload: { large } }), hers),
      await post('', '{"messages":[{"topic":5}]}', hers),
      await post('', '{', hers),
      await post('/talk/events/again?private=true', 'nothing', hers),
      await post('', one({}), { apikey: randomUUID() }),
      await post('', `"${'x'.repeat(1_100_000)}"`, hers),
    ]).toMatchObject([
      { status: 403, text: expect.stringContaining('PrivateOnly: ') },
      { status: 403, text: expect.stringContaining('PrivateOnly: ') },
      { status: 403, text: expect.stringContaining('Unauthorized: ') },
      { status: 403, text: expect.stringContaining('topic: x') },
      { status: 422, text: expect.stringContaining('Payload size exceeds tenant limit') },
      { status: 422 },
      { status: 422 },
      { status: 422 },
      { status: 401 },
      { status: 413 },
    ])
    expect(told(other)).toEqual([])
  })
})
