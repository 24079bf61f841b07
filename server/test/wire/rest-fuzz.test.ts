// Any request that is nearly one is answered, by what was asked or by a refusal; and whatever texts it holds, they are
// values and quoted names of the statement it becomes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DatabaseError } from '#db/database.ts'
import { RestError } from '#rest/errors.ts'
import { readSchema } from '#rest/read-schema.ts'
import { readRequest } from '#rest/request.ts'
import { createStatements } from '#rest/statements.ts'
import { type Answered, askBare } from '../fuzz/ask.ts'
import { fuzz, LONG } from '../fuzz/fuzz.ts'
import { type AnyRequest, anyRequest, broken, queryOf } from '../fuzz/requests.ts'
import { openLibrary, type Person } from './library.ts'

const library = await openLibrary()
// Refused by HTTP itself: a head larger than Node reads.
const TOO_LARGE = 431
// PostgREST calls these a failure too: a row met twice by one upsert.
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
  // A piece of the request was read as SQL; the text of a search has a grammar of its own.
  if (!/tsquery/.test(refusal.message)) expect(refusal.code, text).not.toBe('42601')
}

// As Postgres reads SQL: a quoted name, a constant, an escape constant, a placeholder, a word, a number, one sign.
const TOKEN = /("(?:[^"]|"")*")|( E'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*')|\$\d+|[a-z_]\w*|\d+|\s+|\S/giy

/** The statement without what its names and constants say. */
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
    fuzz(400),
  )
  expect(compared).toBeGreaterThan(0)
})
