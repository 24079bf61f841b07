import { describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { openLibrary, type Person } from './library.ts'

const library = await openLibrary()

const raise = (code: string, message = 'the message') =>
  library.ask('/rpc/lib_raise', { method: 'POST', body: { p_code: code, p_message: message } })

describe('what Postgres refuses keeps its code and words, and gets the status of its kind', () => {
  const statuses = cases(`
    400 | 22023 22P02 23502 23514 23P01 42601 42703 P0001 ZZ123
    403 | 0L000 0P000 28000 42501
    404 | 42883 42P01
    405 | 25006
    409 | 23503 23505
    418 | PT418
    429 | PT429
    500 | 21000 25P02 40001 40P01 42P17 53400 54001 55P03 57014 58030 F0000 HV000 P0002 XX000 PT999
    503 | 08006 53300 57P01`)
  test.each(statuses)('%s: %s', async (status, codes = '') => {
    for (const code of codes.split(' ')) {
      const reply = await raise(code)
      expect(reply.json).toEqual({ code, details: 'the detail', hint: 'the hint', message: 'the message' })
      expect(reply.status, code).toBe(Number(status))
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  test('a role that does not exist is a question of who asks', async () => {
    expect((await raise('22023', 'role "x" does not exist')).status).toBe(401)
  })
})

describe('common mistakes are refused with all four keys', () => {
  const refusals = cases(`
    /lib_nope | 404 | PGRST205 | Could not find the table 'public.lib_nope' in the schema cache
    /lib_books?select=nope | 400 | 42703 | column lib_books.nope does not exist
    /lib_books?select=first name | 400 | 42703 | column lib_books.first name does not exist
    /lib_books?select=a-b | 400 | 42703 | column lib_books.a-b does not exist
    /lib_books?select=ünï | 400 | 42703 | column lib_books.ünï does not exist
    /lib_books?or=(or.eq.1) | 400 | 42703 | column lib_books.or does not exist
    /lib_books?nope=eq.1 | 400 | 42703 | column lib_books.nope does not exist
    /lib_books?order=nope | 400 | 42703 | column lib_books.nope does not exist
    /lib_books?author_id=eq.no-uuid | 400 | 22P02 | invalid input syntax for type uuid: "no-uuid"
    /lib_books?state=eq.nowhere | 400 | 22P02 | invalid input value for enum lib_state: "nowhere"
    /lib_books?select=id::nothing | 400 | 42704 | type "nothing" does not exist
    /lib_books?id=eq.%ff | 400 | PGRST100 | "failed to decode the query string (eq.%ff)" (line 1, column 1) | unexpected percent encoding that is not UTF-8
    /lib_books?select=pages.sum() | 400 | PGRST123 | Use of aggregate functions is not allowed
    /lib_books?select=n:pages.max() | 400 | PGRST123 | Use of aggregate functions is not allowed
    /lib_books?select=count() | 400 | PGRST123 | Use of aggregate functions is not allowed
    /lib_books?select=x:count() | 400 | PGRST123 | Use of aggregate functions is not allowed
    /lib_books?limit=-1 | 416 | PGRST103 | Requested range not satisfiable | Limit should be greater than or equal to zero.
    /lib_books/1 | 404 | PGRST125 | Invalid path specified in request URL
    / | 404 | PGRST126 | Root endpoint metadata is disabled`)
  test.each(refusals)('%s: %s %s', async (path = '', status, code, message, details) => {
    const reply = await library.ask(path)
    expect(reply.status).toBe(Number(status))
    expect(reply.json).toEqual({ code, details: details ?? null, hint: null, message })
  })

  const OPERATOR = '"not" or operator (eq, gt, ...)'
  const NAME = 'field name (* or [a..z0..9_$])'
  // A regular expression (match) costs its sender nothing and the database everything.
  const unreadable = cases(`
    id=1 | filter (1) | 1 | "1" | ${OPERATOR}
    id=foo.1 | filter (foo.1) | 1 | "f" | ${OPERATOR}
    title=match.A | filter (match.A) | 1 | "m" | ${OPERATOR}
    id=not.foo.1 | filter (not.foo.1) | 5 | "f" | ${OPERATOR}
    id=not.not.eq.1 | filter (not.not.eq.1) | 5 | "n" | ${OPERATOR}
    id=is.maybe | filter (is.maybe) | 4 | "m" | ${OPERATOR}
    id=is.constructor | filter (is.constructor) | 4 | "c" | ${OPERATOR}
    id=constructor.1 | filter (constructor.1) | 1 | "c" | ${OPERATOR}
    tags=cs(any).{1} | filter (cs(any).{1}) | 1 | "c" | ${OPERATOR}
    title=fts(any).x | filter (fts(any).x) | 1 | "f" | ${OPERATOR}
    id=eq(english).1 | filter (eq(english).1) | 1 | "e" | ${OPERATOR}
    id=in.(1,2 | filter (in.(1,2) | 8 | end of input | ${OPERATOR}
    id=in.1 | filter (in.1) | 4 | "1" | ${OPERATOR}
    select=, | select parameter (,) | 1 | "," | ${NAME}
    select=id, | select parameter (id,) | 4 | end of input | ${NAME}
    select=id,author_id( | select parameter (id,author_id() | 14 | end of input | ${NAME}
    select=id:: | select parameter (id::) | 5 | end of input | a type
    select=data-> | select parameter (data->) | 7 | end of input | a JSON key or index
    select=id) | select parameter (id)) | 3 | ")" | end of input
    select=id;title | select parameter (id;title) | 3 | ";" | end of input
    select=id.title | select parameter (id.title) | 4 | "t" | an aggregate function
    select=lib_covers!left | select parameter (lib_covers!left) | 16 | end of input | "("
    select=...lib_covers | select parameter (...lib_covers) | 14 | end of input | "("
    order=id.up | order (id.up) | 3 | "." | "asc", "desc", "nullsfirst" or "nullslast"
    or=(id.eq.1 | logic tree ((id.eq.1) | 9 | end of input | ")"
    or=id.eq.1 | logic tree (id.eq.1) | 1 | "i" | "("`)
  test.each(unreadable)('%s', async (query, what, column, unexpected, expecting) => {
    const reply = await library.ask(`/lib_books?${query}`)
    expect(reply.json).toEqual({
      code: 'PGRST100',
      details: `unexpected ${unexpected} expecting ${expecting}`,
      hint: null,
      message: `"failed to parse ${what}" (line 1, column ${column})`,
    })
    expect(reply.status).toBe(400)
  })

  const SCHEMAS = 'Only the following schemas are exposed: public'
  test.each([
    ['PUT', {}, 405, 'PGRST117', 'Unsupported HTTP method: PUT', null, null],
    ['GET', { 'Accept-Profile': 'auth' }, 406, 'PGRST106', 'Invalid schema: auth', null, SCHEMAS],
    [
      'GET',
      { Accept: 'text/csv' },
      406,
      'PGRST107',
      'None of these media types are available: text/csv',
      null,
      null,
    ],
    [
      'GET',
      { Prefer: 'handling=strict, odd=1, return=all' },
      400,
      'PGRST122',
      'Invalid preferences given with handling=strict',
      'Invalid preferences: odd=1, return=all',
      null,
    ],
  ])('%s with %j: %i %s', async (method, headers, status, code, message, details, hint) => {
    const reply = await library.ask('/lib_books', { method, headers, ...(method === 'PUT' && { body: {} }) })
    expect(reply).toMatchObject({ status, json: { code, details, hint, message } })
  })

  test('preferences nobody knows are passed over by a lenient client', async () => {
    const headers = { Prefer: 'handling=lenient, odd=1' }
    expect((await library.ask('/lib_books?limit=0', { headers })).status).toBe(200)
  })
})

test.each<[Person, string, number, string | null]>([
  ['anon', 'lib_settings', 401, 'Bearer'],
  ['olivia', 'lib_letterbox', 403, null],
])('%s, who may not read %s, is answered %i', async (as, table, status, challenge) => {
  const reply = await library.ask(`/${table}`, { as })
  expect(reply).toMatchObject({
    status,
    json: { code: '42501', details: null, message: `permission denied for table ${table}` },
  })
  expect(reply.headers.get('www-authenticate')).toBe(challenge)
})

describe('keys and tokens', () => {
  const bare = (headers: Record<string, string>, query = '') =>
    fetch(`${library.url}/rest/v1/lib_genres?select=id&id=eq.1${query}`, { headers })

  test.each([
    [{}, 'No API key found in request', 'No `apikey` request header or url param was found.'],
    [{ apikey: 'wrong' }, 'Invalid API key', 'Double check your Supabase `anon` or `service_role` API key.'],
  ])('a request with the key %j is refused', async (headers, message, hint) => {
    const reply = await bare(headers as Record<string, string>)
    expect(reply.status).toBe(401)
    expect(await reply.json()).toEqual({ message, hint })
  })

  test('a key in the query is no filter', async () => {
    const reply = await bare({}, `&apikey=${library.anonKey}`)
    expect(await reply.json()).toEqual([{ id: 1 }])
  })

  test('a forged, broken or outlived token is refused, and says why', async () => {
    const outlived = await library.tokens.sign({ sub: 'x', role: 'authenticated' }, -120)
    const [head, body] = (await library.tokenOf('olivia')).split('.')
    for (const [token, code, message] of [
      [`${head}.${body}.AAAA`, 'PGRST301', 'JWT could not be verified'],
      ['garbage', 'PGRST301', 'JWT could not be verified'],
      [outlived, 'PGRST303', 'JWT expired'],
    ]) {
      const reply = await bare({ apikey: library.anonKey, Authorization: `Bearer ${token}` })
      expect(reply.status).toBe(401)
      expect(await reply.json()).toEqual({ code, details: null, hint: null, message })
      expect(reply.headers.get('www-authenticate')).toBe(
        `Bearer error="invalid_token", error_description="${message}"`,
      )
    }
  })
})

describe('nothing in a request is ever run as SQL', () => {
  const text = `'); drop table public.lib_genres; -- " \\ $1 {} * \u0000`
  const hostile = [text, text.replace('\u0000', ''), `"; select 1; --`, `a"b`, `x) or (1=1`, `$$`, `\\`]
  // V is the value as it is, Q the value in quotes.
  const places = [
    ...[
      'select=V',
      'select=Q',
      'select=id,a:Q',
      'select=Q:id',
      'select=id::V',
      'select=data->V',
      'select=data->>Q',
    ],
    ...['select=a:author_id(Q)', 'title=eq.V', 'title=like.V', 'title=in.(Q)', 'title=fts(V).x', 'title=V.x'],
    ...['Q=eq.1', 'or=(title.eq.Q)', 'or=(Q.eq.1)', 'order=Q', 'order=id.V', 'limit=V', 'on_conflict=V'],
  ]
  test('wherever it stands, it is data, an unknown name or a syntax error', async () => {
    for (const value of hostile) {
      const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`
      for (const place of places) {
        const [key = '', wanted = ''] = place
          .split('=')
          .map((part) => part.replace(/[VQ]/, (letter) => (letter === 'V' ? value : quoted)))
        const { status, json } = await library.ask(
          `/lib_books?${encodeURIComponent(key)}=${encodeURIComponent(wanted)}`,
        )
        expect([200, 400], `${place}: ${JSON.stringify(json)}`).toContain(status)
        // 42601 would mean that a piece of the request was read as SQL.
        expect((json as { code?: string } | null)?.code, place).not.toBe('42601')
      }
      const body = { key: `k${value.replaceAll('\u0000', '')}`, value }
      expect((await library.ask('/lib_settings', { method: 'POST', body })).status).toBeLessThan(500)
      const odd = await library.ask('/lib_settings', { method: 'POST', body: { [value]: 1 } })
      expect(odd).toMatchObject({ status: 400, json: { code: 'PGRST204' } })
      expect((await library.ask(`/rpc/${encodeURIComponent(value)}`)).status).toBe(404)
      expect((await library.ask(`/${encodeURIComponent(value)}`)).status).toBe(404)
    }
    expect((await library.ask('/lib_genres')).json).toHaveLength(2)
  })
})

test('a failure of ours is one log line, and tells the client nothing', async () => {
  const before = library.logged.length
  const { batch } = library.db
  library.db.batch = () => Promise.reject(new Error('secret insides'))
  const reply = await library.ask('/lib_genres')
  library.db.batch = batch
  expect(reply.status).toBe(500)
  expect(reply.json).toEqual({
    code: 'PGRSTX00',
    details: null,
    hint: null,
    message: 'Internal server error',
  })
  expect(library.logged.slice(before)).toHaveLength(1)
  expect(library.logged.at(-1)).toContain('secret insides')
  expect((await library.ask('/lib_genres')).status).toBe(200)
})
