// Nearly valid requests and frames get a response or an error, and the next client is still served. All texts in a Data
// API request become values and quoted names in its statement.
import fc, { type Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import { DatabaseError } from '#db/database.ts'
import { LIMITS } from '#realtime/limits.ts'
import { RestError } from '#rest/errors.ts'
import { readSchema } from '#rest/read-schema.ts'
import { readRequest } from '#rest/request.ts'
import { createStatements } from '#rest/statements.ts'
import { eventually } from '../eventually.ts'
import { newPerson, openSocket, testRealtime } from '../fixtures/realtime.ts'
import { type Answered, askBare } from '../fuzz/ask.ts'
import { fuzz, LONG, mix, nasty, nastyJson } from '../fuzz/fuzz.ts'
import { type AnyRequest, anyRequest, broken, queryOf } from '../fuzz/requests.ts'
import { openLibrary, type Person } from './library.ts'

const server = await testRealtime()
const library = await openLibrary(server)
// Node itself responds with this status if the head of a request is too large.
const TOO_LARGE = 431
// The error code of an upsert that contains the same row twice; PostgREST fails with it too.
const TWICE = '21000'

test('a request that is nearly one is answered, or refused in the form of PostgREST', LONG, async () => {
  const people = fc.constantFrom<Person>('olivia', 'olivia', 'anon', 'service')
  await fc.assert(
    fc.asyncProperty(anyRequest, broken, people, async (asked, breaks, person) => {
      const { method, target } = asked
      const address = `/rest/v1${target.path}?${breaks(queryOf(asked))}`
      const headers = {
        apikey: library.anonKey,
        authorization: `Bearer ${await library.tokenOf(person)}`,
        'content-type': 'application/json',
        ...asked.headers,
      }
      const body = asked.body?.(target.place)
      expectAnswer(method, await askBare(library.url, { method, address, headers, body }))
    }),
    fuzz(250),
  )
  expect((await library.ask('/lib_books?limit=1')).status).toBe(200)
})

function expectAnswer(method: string, { status, type, text }: Answered): void {
  if (status === TOO_LARGE || (status >= 200 && status < 300)) return
  if (method === 'HEAD') {
    expect(status).toBeLessThan(500)
    return
  }
  expect(type).toMatch(/^application\/json/)
  const refusal = JSON.parse(text)
  expect(Object.keys(refusal).sort(), text).toEqual(['code', 'details', 'hint', 'message'])
  expect(refusal, text).toMatchObject({ code: expect.any(String), message: expect.any(String) })
  if (refusal.code !== TWICE) expect(status, text).toBeLessThan(500)
  // A syntax error would mean that part of the request was read as SQL. Text search has a grammar of its own.
  if (!/tsquery/.test(refusal.message)) expect(refusal.code, text).not.toBe('42601')
}

// SQL tokens as Postgres reads them: quoted name, constant, escape constant, placeholder, word, number, symbol.
const TOKEN = /("(?:[^"]|"")*")|( E'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*')|\$\d+|[a-z_]\w*|\d+|\s+|\S/giy

/** Returns the statement without the contents of its names and constants. */
function shapeOf(sql: string): string {
  return [...sql.matchAll(TOKEN)]
    .map(([token, name, constant]) => (name ? 'name' : constant ? 'constant' : token))
    .join('')
}

test('whatever texts a request holds, its statement has the shape it has with plain ones', LONG, async () => {
  const schema = await readSchema(library.db, ['public'])
  const exposed = { schemas: ['public'], maxRows: 1_000 }
  const statementOf = async ({ method, target, headers }: AnyRequest, query: string) => {
    const [, kind] = target.path.split('/', 2)
    const name = decodeURIComponent(target.path.replace(/.*\//, ''))
    const body = /^(GET|HEAD|DELETE)$/.test(method) ? {} : { body: '{"id": 1}' }
    const asked = new Request(`http://potluck.example/?${query}`, { method, headers, ...body })
    try {
      const request = await readRequest(asked, { kind: kind === 'rpc' ? 'routine' : 'table', name }, exposed)
      return createStatements(1_000).for(request, schema).text
    } catch (error) {
      if (!(error instanceof RestError || error instanceof DatabaseError)) throw error
    }
  }
  let compared = 0
  await fc.assert(
    fc.asyncProperty(anyRequest, async (asked) => {
      const known = new Map<string, string>()
      const plain = (own: string) => {
        if (!known.has(own)) known.set(own, `zqxj${known.size}`)
        return known.get(own) ?? ''
      }
      const statement = await statementOf(asked, queryOf(asked))
      const expected = await statementOf(asked, queryOf(asked, plain))
      if (statement === undefined || expected === undefined) return
      compared += 1
      expect(shapeOf(statement)).toBe(shapeOf(expected))
      expect(shapeOf(statement)).not.toMatch(/zqxj|;|--|\/\*|\$[^\d]|'/)
    }),
    fuzz(800),
  )
  expect(compared).toBeGreaterThan(0)
})

const olivia = newPerson()
const token = await olivia.token()
const outlived = await olivia.token(-900)

const usually = <T>(usual: Arbitrary<T>, weight = 12) => mix<unknown>([weight, usual], [1, nastyJson])
const anyOf = (...usual: unknown[]) => usually(fc.constantFrom(...usual))
const record = (fields: Record<string, Arbitrary<unknown>>, ...requiredKeys: string[]) =>
  usually(fc.record(fields, { requiredKeys }))
const filter = fc.tuple(
  fc.oneof(fc.constantFrom('number', 'title', 'owner_id', 'nowhere'), nasty),
  fc.constantFrom('eq', 'neq', 'gt', 'in', 'like', 'is', 'odd'),
  fc.oneof(fc.constantFrom('1', '(1,2)', 'a', 'null', olivia.id), nasty),
)
const binding = fc.record(
  {
    event: anyOf('*', 'INSERT', 'UPDATE', 'DELETE', 'ODD'),
    schema: anyOf('public', '*', 'auth'),
    table: anyOf('notes', 'staff_only', '*', 'nowhere'),
    filter: usually(filter.map(([column, operator, value]) => `${column}=${operator}.${value}`)),
  },
  { requiredKeys: ['event', 'schema'] },
)
const bearer = anyOf(token, outlived, server.anonKey, `${token.slice(0, -4)}AAAA`, 'sb_x')
const config = record({
  broadcast: record({ ack: fc.boolean(), self: fc.boolean() }, 'ack', 'self'),
  presence: record({ key: nasty, enabled: fc.boolean() }, 'key', 'enabled'),
  postgres_changes: usually(fc.array(binding, { maxLength: 3 })),
  private: usually(fc.boolean()),
})
const join = record({ config, access_token: bearer }, 'config')
const said = fc.oneof(
  ...Object.entries({
    phx_join: join,
    access_token: record({ access_token: bearer }, 'access_token'),
    broadcast: record(
      { type: fc.constant('broadcast'), event: usually(nasty), payload: nastyJson },
      'type',
      'event',
    ),
    presence: record(
      { type: fc.constant('presence'), event: fc.constantFrom('track', 'untrack') },
      'type',
      'event',
    ),
    phx_leave: fc.constant({}),
    heartbeat: fc.constant({}),
  }).map(([event, payload]) => ({
    weight: event === 'phx_join' ? 2 : 1,
    arbitrary: fc.tuple(anyOf(event), payload as Arbitrary<unknown>),
  })),
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
const frame = mix<string | Buffer>(
  [14, text],
  [2, bytes],
  [1, fc.tuple(text, fc.nat(200)).map(([whole, at]) => whole.slice(0, at))],
  [1, fc.constantFrom('', '[]', 'null', '['.repeat(60_000), 'x'.repeat(LIMITS.frameBytes + 1))],
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
      // The socket may close for bad data, or because something was too large or too much, but not with an internal
      // error (1011) or a broken connection (1006).
      expect(['answered', 1007, 1008, 1009]).toContain(end)
      socket.ws.close()
      await eventually(() => expect(socket.ws.readyState).toBe(socket.ws.CLOSED))
    }),
    fuzz(60),
  )
  const next = await openSocket(server)
  await next.watch('next', olivia)
  await server.db.query('insert into notes (owner_id) values ($1)', [olivia.id])
  await eventually(() => expect(next.changes()).toHaveLength(1))
  next.ws.terminate()
  // In pino, level 50 is an error, which would mean an internal failure.
  expect(server.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})
