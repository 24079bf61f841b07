// Any frames that are nearly ones are answered, or their socket closed with a reason; whoever comes next is served.
import fc, { type Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import { LIMITS } from '#realtime/limits.ts'
import { eventually } from '../eventually.ts'
import { newPerson, openSocket, testRealtime } from '../fixtures/realtime.ts'
import { fuzz, LONG, nasty, nastyJson } from '../fuzz/fuzz.ts'

const server = await testRealtime()
const olivia = newPerson()
const token = await olivia.token()
const outlived = await olivia.token(-900)

const usually = <T>(usual: Arbitrary<T>, weight = 12): Arbitrary<unknown> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: nastyJson })
const filter = fc.tuple(
  fc.oneof(fc.constantFrom('number', 'title', 'owner_id', 'nowhere'), nasty),
  fc.constantFrom('eq', 'neq', 'gt', 'in', 'like', 'is', 'odd'),
  fc.oneof(fc.constantFrom('1', '(1,2)', 'a', 'null', olivia.id), nasty),
)
const binding = fc.record(
  {
    event: usually(fc.constantFrom('*', 'INSERT', 'UPDATE', 'DELETE', 'ODD')),
    schema: usually(fc.constantFrom('public', '*', 'auth')),
    table: usually(fc.constantFrom('notes', 'staff_only', '*', 'nowhere')),
    filter: usually(filter.map(([column, operator, value]) => `${column}=${operator}.${value}`)),
  },
  { requiredKeys: ['event', 'schema'] },
)
const bearer = usually(fc.constantFrom(token, outlived, server.anonKey, `${token.slice(0, -4)}AAAA`, 'sb_x'))
const join = fc.record(
  {
    config: usually(
      fc.record(
        {
          broadcast: usually(fc.record({ ack: fc.boolean(), self: fc.boolean() })),
          presence: usually(fc.record({ key: nasty, enabled: fc.boolean() })),
          postgres_changes: usually(fc.array(binding, { maxLength: 3 })),
          private: usually(fc.boolean()),
        },
        { requiredKeys: [] },
      ),
    ),
    access_token: bearer,
  },
  { requiredKeys: ['config'] },
)
const said = fc.oneof(
  ...[
    ['phx_join', usually(join)],
    ['phx_join', usually(join)],
    ['access_token', usually(fc.record({ access_token: bearer }))],
    [
      'broadcast',
      usually(fc.record({ type: fc.constant('broadcast'), event: usually(nasty), payload: nastyJson })),
    ],
    [
      'presence',
      usually(fc.record({ type: fc.constant('presence'), event: fc.constantFrom('track', 'untrack') })),
    ],
    ['phx_leave', fc.constant({})],
    ['heartbeat', fc.constant({})],
  ].map(([event, payload]) => fc.tuple(usually(fc.constant(event)), payload as Arbitrary<unknown>)),
)
const ref = usually(fc.constantFrom('1', '2', null), 20)
const topic = usually(
  fc.constantFrom('realtime:a', 'realtime:a', 'realtime:b', 'phoenix', 'realtime:', 'a'),
  20,
)
const text = fc
  .tuple(ref, ref, topic, said)
  .map(([join, own, to, [event, payload]]) => JSON.stringify([join, own, to, event, payload]))
const lengths = fc.tuple(fc.constantFrom(3, 3, 3, 4, 0), fc.array(fc.nat(6), { minLength: 4, maxLength: 4 }))
const bytes = fc
  .tuple(lengths, fc.constantFrom(1, 1, 0, 9), fc.constantFrom('1', '9realtime:aev', ''), usually(nastyJson))
  .map(([[kind, sizes], encoding, parts, json]) =>
    Buffer.concat([Buffer.from([kind, ...sizes, encoding]), Buffer.from(parts + JSON.stringify(json))]),
  )
const frame = fc.oneof(
  { weight: 14, arbitrary: text },
  { weight: 2, arbitrary: bytes },
  { weight: 1, arbitrary: fc.tuple(text, fc.nat(200)).map(([whole, at]) => whole.slice(0, at)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '[]', 'null', '['.repeat(60_000), 'x'.repeat(LIMITS.frameBytes + 1)),
  },
)

test('frames that are nearly right are answered or end their socket with a reason', LONG, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 8 }), async (frames) => {
      const socket = await openSocket(server)
      for (const one of frames) socket.ws.send(one)
      socket.send(null, 'still here', 'phoenix', 'heartbeat', {})
      const answered = eventually(() => {
        expect(socket.heard.map(({ ref }) => ref)).toContain('still here')
        return 'answered'
      })
      answered.catch(() => undefined)
      const end = await Promise.race([answered, socket.closed])
      // Bad data, too large, too much; never an error of ours (1011) or a line that just breaks (1006).
      expect(['answered', 1007, 1008, 1009]).toContain(end)
      socket.ws.close()
      await eventually(() => expect(socket.ws.readyState).toBe(socket.ws.CLOSED))
    }),
    fuzz(60),
  )
  const next = await openSocket(server)
  await next.join('realtime:next', { changes: [{ event: '*', schema: 'public', table: 'notes' }], token })
  await server.db.query('insert into notes (owner_id) values ($1)', [olivia.id])
  await eventually(() => expect(next.changes()).toHaveLength(1))
  next.ws.terminate()
  // 50 is what pino calls an error: something of ours that failed.
  expect(server.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})
