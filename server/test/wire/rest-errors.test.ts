import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Library, openLibrary, type Person } from './library.ts'

let library: Library
beforeAll(async () => {
  library = await openLibrary()
})
afterAll(() => library.close())

const raise = (code: string, message = 'the message') =>
  library.ask('/rpc/lib_raise', { method: 'POST', body: { p_code: code, p_message: message } })

describe('what Postgres refuses keeps its code and words, and gets the status of its kind', () => {
  const statuses: [code: string, status: number][] = [
    ['08006', 503],
    ['0L000', 403],
    ['0P000', 403],
    ['21000', 500],
    ['22023', 400],
    ['22P02', 400],
    ['23502', 400],
    ['23503', 409],
    ['23505', 409],
    ['23514', 400],
    ['23P01', 400],
    ['25006', 405],
    ['25P02', 500],
    ['28000', 403],
    ['40001', 500],
    ['40P01', 500],
    ['42501', 403],
    ['42601', 400],
    ['42703', 400],
    ['42883', 404],
    ['42P01', 404],
    ['42P17', 500],
    ['53400', 500],
    ['53300', 503],
    ['54001', 500],
    ['55P03', 500],
    ['57014', 500],
    ['57P01', 503],
    ['58030', 500],
    ['F0000', 500],
    ['HV000', 500],
    ['P0001', 400],
    ['P0002', 500],
    ['XX000', 500],
    ['PT429', 429],
    ['PT418', 418],
    ['PT999', 500],
    ['ZZ123', 400],
  ]
  test.each(statuses)('%s is %i', async (code, status) => {
    const reply = await raise(code)
    expect(reply.json).toEqual({ code, details: 'the detail', hint: 'the hint', message: 'the message' })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('a role that does not exist is a question of who asks', async () => {
    expect((await raise('22023', 'role "x" does not exist')).status).toBe(401)
  })
})

describe('common mistakes are refused with all four keys', () => {
  const refusals: [path: string, status: number, code: string, message: string, details?: string][] = [
    ['/lib_nope', 404, 'PGRST205', "Could not find the table 'public.lib_nope' in the schema cache"],
    ['/lib_books?select=nope', 400, '42703', 'column lib_books.nope does not exist'],
    ['/lib_books?nope=eq.1', 400, '42703', 'column lib_books.nope does not exist'],
    ['/lib_books?order=nope', 400, '42703', 'column lib_books.nope does not exist'],
    ['/lib_books?author_id=eq.no-uuid', 400, '22P02', 'invalid input syntax for type uuid: "no-uuid"'],
    ['/lib_books?state=eq.nowhere', 400, '22P02', 'invalid input value for enum lib_state: "nowhere"'],
    ['/lib_books?select=id::nothing', 400, '42704', 'type "nothing" does not exist'],
    [
      '/lib_books?id=1',
      400,
      'PGRST100',
      '"failed to parse filter (1)" (line 1, column 1)',
      'unexpected "1" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/lib_books?id=foo.1',
      400,
      'PGRST100',
      '"failed to parse filter (foo.1)" (line 1, column 1)',
      'unexpected "f" expecting "not" or operator (eq, gt, ...)',
    ],
    // A regular expression costs its sender nothing and the database everything.
    [
      '/lib_books?title=match.A',
      400,
      'PGRST100',
      '"failed to parse filter (match.A)" (line 1, column 1)',
      'unexpected "m" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/lib_books?id=not.foo.1',
      400,
      'PGRST100',
      '"failed to parse filter (not.foo.1)" (line 1, column 5)',
      'unexpected "f" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/lib_books?id=is.maybe',
      400,
      'PGRST100',
      '"failed to parse filter (is.maybe)" (line 1, column 4)',
      'unexpected "m" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/lib_books?id=is.constructor',
      400,
      'PGRST100',
      '"failed to parse filter (is.constructor)" (line 1, column 4)',
      'unexpected "c" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/lib_books?id=constructor.1',
      400,
      'PGRST100',
      '"failed to parse filter (constructor.1)" (line 1, column 1)',
      'unexpected "c" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/lib_books?id=in.(1,2',
      400,
      'PGRST100',
      '"failed to parse filter (in.(1,2)" (line 1, column 8)',
      'unexpected end of input expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/lib_books?id=in.1',
      400,
      'PGRST100',
      '"failed to parse filter (in.1)" (line 1, column 4)',
      'unexpected "1" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/lib_books?select=id,',
      400,
      'PGRST100',
      '"failed to parse select parameter (id,)" (line 1, column 4)',
      'unexpected end of input expecting field name (* or [a..z0..9_$])',
    ],
    [
      '/lib_books?select=id,author_id(',
      400,
      'PGRST100',
      '"failed to parse select parameter (id,author_id()" (line 1, column 14)',
      'unexpected end of input expecting field name (* or [a..z0..9_$])',
    ],
    [
      '/lib_books?order=id.up',
      400,
      'PGRST100',
      '"failed to parse order (id.up)" (line 1, column 3)',
      'unexpected "." expecting "asc", "desc", "nullsfirst" or "nullslast"',
    ],
    [
      '/lib_books?or=(id.eq.1',
      400,
      'PGRST100',
      '"failed to parse logic tree ((id.eq.1)" (line 1, column 9)',
      'unexpected end of input expecting ")"',
    ],
    [
      '/lib_books?or=id.eq.1',
      400,
      'PGRST100',
      '"failed to parse logic tree (id.eq.1)" (line 1, column 1)',
      'unexpected "i" expecting "("',
    ],
    [
      '/lib_books?id=eq.%ff',
      400,
      'PGRST100',
      '"failed to decode the query string (eq.%ff)" (line 1, column 1)',
      'unexpected percent encoding that is not UTF-8',
    ],
    ['/lib_books?select=pages.sum()', 400, 'PGRST123', 'Use of aggregate functions is not allowed'],
    ['/lib_books?select=count()', 400, 'PGRST123', 'Use of aggregate functions is not allowed'],
    [
      '/lib_books?limit=-1',
      416,
      'PGRST103',
      'Requested range not satisfiable',
      'Limit should be greater than or equal to zero.',
    ],
    ['/lib_books/1', 404, 'PGRST125', 'Invalid path specified in request URL'],
    ['/', 404, 'PGRST126', 'Root endpoint metadata is disabled'],
  ]
  test.each(refusals)('%s: %i %s', async (path, status, code, message, details = undefined) => {
    const reply = await library.ask(path)
    expect(reply.status).toBe(status)
    expect(reply.json).toEqual({ code, details: details ?? null, hint: null, message })
  })

  test('an unknown verb, schema or form of answer', async () => {
    expect(await library.ask('/lib_books', { method: 'PUT', body: {} })).toMatchObject({
      status: 405,
      json: { code: 'PGRST117', message: 'Unsupported HTTP method: PUT' },
    })
    expect(await library.ask('/lib_books', { headers: { 'Accept-Profile': 'auth' } })).toMatchObject({
      status: 406,
      json: {
        code: 'PGRST106',
        details: null,
        hint: 'Only the following schemas are exposed: public',
        message: 'Invalid schema: auth',
      },
    })
    expect(await library.ask('/lib_books', { headers: { Accept: 'text/csv' } })).toMatchObject({
      status: 406,
      json: { code: 'PGRST107', message: 'None of these media types are available: text/csv' },
    })
  })

  test('preferences nobody knows, when the client is strict about them', async () => {
    const strict = await library.ask('/lib_books?limit=0', { headers: { Prefer: 'handling=strict, odd=1' } })
    expect(strict).toMatchObject({
      status: 400,
      json: { code: 'PGRST122', details: 'Invalid preferences: odd=1' },
    })
    const lenient = await library.ask('/lib_books?limit=0', {
      headers: { Prefer: 'handling=lenient, odd=1' },
    })
    expect(lenient.status).toBe(200)
  })
})

describe('who asks decides how a missing right is answered', () => {
  const rights: [who: Person, status: number, challenge: string | null][] = [
    ['anon', 401, 'Bearer'],
    ['olivia', 403, null],
  ]
  test.each(rights)('%s', async (as, status, challenge) => {
    const path = as === 'anon' ? '/lib_settings' : '/lib_letterbox'
    const reply = await library.ask(path, { as })
    expect(reply).toMatchObject({
      status,
      json: { code: '42501', details: null, message: `permission denied for table ${path.slice(1)}` },
    })
    expect(reply.headers.get('www-authenticate')).toBe(challenge)
  })
})

describe('keys and tokens', () => {
  const bare = (headers: Record<string, string>, query = '') =>
    fetch(`${library.url}/rest/v1/lib_genres?select=id&id=eq.1${query}`, { headers })

  test('a request without a key is refused', async () => {
    const reply = await bare({})
    expect(reply.status).toBe(401)
    expect(await reply.json()).toEqual({
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    })
  })

  test('a request with a wrong key is refused', async () => {
    const reply = await bare({ apikey: 'wrong' })
    expect(reply.status).toBe(401)
    expect(await reply.json()).toEqual({
      message: 'Invalid API key',
      hint: 'Double check your Supabase `anon` or `service_role` API key.',
    })
  })

  test('a key in the query is no filter', async () => {
    const reply = await bare({}, `&apikey=${library.anonKey}`)
    expect(await reply.json()).toEqual([{ id: 1 }])
  })

  test('a forged, broken or outlived token is refused, and says why', async () => {
    const outlived = await library.tokens.sign({ sub: 'x', role: 'authenticated' }, -120)
    const [head, body] = (await library.tokenOf('olivia')).split('.')
    const cases: [token: string, code: string][] = [
      [`${head}.${body}.AAAA`, 'PGRST301'],
      ['garbage', 'PGRST301'],
      [outlived, 'PGRST303'],
    ]
    for (const [token, code] of cases) {
      const reply = await bare({ apikey: library.anonKey, Authorization: `Bearer ${token}` })
      expect(reply.status).toBe(401)
      const json = (await reply.json()) as { message: string }
      expect(json).toEqual({ code, details: null, hint: null, message: expect.any(String) })
      expect(reply.headers.get('www-authenticate')).toBe(
        `Bearer error="invalid_token", error_description="${json.message}"`,
      )
      if (code === 'PGRST303') expect(json.message).toBe('JWT expired')
    }
  })
})

describe('nothing in a request is ever run as SQL', () => {
  const text = `'); drop table public.lib_genres; -- " \\ $1 {} * \u0000`
  const hostile = [text, text.replace('\u0000', ''), `"; select 1; --`, `a"b`, `x) or (1=1`, `$$`, `\\`]
  const places: ((value: string) => string)[] = [
    (value) => `select=${value}`,
    (value) => `select="${value.replace(/["\\]/g, '\\$&')}"`,
    (value) => `select=id,a:"${value.replace(/["\\]/g, '\\$&')}"`,
    (value) => `select="${value.replace(/["\\]/g, '\\$&')}":id`,
    (value) => `select=id::${value}`,
    (value) => `select=data->${value}`,
    (value) => `select=data->>"${value.replace(/["\\]/g, '\\$&')}"`,
    (value) => `select=a:author_id("${value.replace(/["\\]/g, '\\$&')}")`,
    (value) => `title=eq.${value}`,
    (value) => `title=like.${value}`,
    (value) => `title=in.("${value.replace(/["\\]/g, '\\$&')}")`,
    (value) => `title=fts(${value}).x`,
    (value) => `title=${value}.x`,
    (value) => `"${value.replace(/["\\]/g, '\\$&')}"=eq.1`,
    (value) => `or=(title.eq."${value.replace(/["\\]/g, '\\$&')}")`,
    (value) => `or=("${value.replace(/["\\]/g, '\\$&')}".eq.1)`,
    (value) => `order="${value.replace(/["\\]/g, '\\$&')}"`,
    (value) => `order=id.${value}`,
    (value) => `limit=${value}`,
    (value) => `on_conflict=${value}`,
  ]
  test('wherever it stands, it is data, an unknown name or a syntax error', async () => {
    for (const value of hostile) {
      for (const place of places) {
        const query = place(value)
        const [key = '', ...rest] = query.split('=')
        const path = `/lib_books?${encodeURIComponent(key)}=${encodeURIComponent(rest.join('='))}`
        const { status, json } = await library.ask(path)
        const { code } = (json as { code?: string } | null) ?? {}
        expect([200, 400], `${query}: ${JSON.stringify(json)}`).toContain(status)
        // 42601 would mean that a piece of the request was read as SQL.
        expect(code, query).not.toBe('42601')
      }
    }
    for (const value of hostile) {
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
  const { query } = library.db
  const batch = library.db.batch
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
  expect(query).toBe(library.db.query)
  expect((await library.ask('/lib_genres')).status).toBe(200)
})
