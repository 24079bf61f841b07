// Refusals of the Data API, each with PostgREST's status, code and message.
import { describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { openLibrary } from './library.ts'

const library = await openLibrary()

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
  const raise = (p_code: string, p_message: string) =>
    library.ask('/rpc/lib_raise', { method: 'POST', body: { p_code, p_message } })

  test.each(statuses)('%s: %s', async (status, codes = '') => {
    for (const code of codes.split(' ')) {
      const reply = await raise(code, 'the message')
      expect(reply.json).toEqual({ code, details: 'the detail', hint: 'the hint', message: 'the message' })
      expect(reply.status, code).toBe(Number(status))
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  test('a role that does not exist is a question of who asks', async () => {
    expect((await raise('22023', 'role "x" does not exist')).status).toBe(401)
  })
})

// Each case has a request, headers and body; then the status, code, message, details and hint.
const MISTAKES = {
  'of names and values': `
    GET /lib_log_old | | | 404 | PGRST205 | Could not find the table 'public.lib_log_old' in the schema cache
    GET /lib_nope | | | 404 | PGRST205 | Could not find the table 'public.lib_nope' in the schema cache
    GET /lib_books?select=nope | | | 400 | 42703 | column lib_books.nope does not exist
    GET /lib_books?select=first name | | | 400 | 42703 | column lib_books.first name does not exist
    GET /lib_books?select=a-b | | | 400 | 42703 | column lib_books.a-b does not exist
    GET /lib_books?select=ünï | | | 400 | 42703 | column lib_books.ünï does not exist
    GET /lib_books?or=(or.eq.1) | | | 400 | 42703 | column lib_books.or does not exist
    GET /lib_books?nope=eq.1 | | | 400 | 42703 | column lib_books.nope does not exist
    GET /lib_books?order=nope | | | 400 | 42703 | column lib_books.nope does not exist
    GET /lib_books?author_id=eq.no-uuid | | | 400 | 22P02 | invalid input syntax for type uuid: "no-uuid"
    GET /lib_books?state=eq.nowhere | | | 400 | 22P02 | invalid input value for enum lib_state: "nowhere"
    GET /lib_books?select=id::nothing | | | 400 | 42704 | type "nothing" does not exist
    GET /lib_books?id=eq.%ff | | | 400 | PGRST100 | "failed to decode the query string (eq.%ff)" (line 1, column 1) | unexpected percent encoding that is not UTF-8
    GET /lib_books?id=foo.1 | | | 400 | PGRST100 | "failed to parse filter (foo.1)" (line 1, column 1) | unexpected "f" expecting "not" or operator (eq, gt, ...)
    GET /lib_books?select=pages.sum() | | | 400 | PGRST123 | Use of aggregate functions is not allowed
    GET /lib_books?select=x:count() | | | 400 | PGRST123 | Use of aggregate functions is not allowed
    GET /lib_books/1 | | | 404 | PGRST125 | Invalid path specified in request URL
    GET / | | | 404 | PGRST126 | Root endpoint metadata is disabled`,
  'of the number of rows': `
    GET /lib_books?limit=-1 | | | 416 | PGRST103 | Requested range not satisfiable | Limit should be greater than or equal to zero.
    GET /lib_books | Range: 3-1 | | 416 | PGRST103 | Requested range not satisfiable | The lower boundary must be lower than or equal to the upper boundary in the Range header.
    GET /lib_books?offset=9 | Prefer: count=exact | | 416 | PGRST103 | Requested range not satisfiable | An offset of 9 was requested, but there are only 3 rows.
    GET /lib_genres?id=eq.9 | Accept: application/vnd.pgrst.object+json | | 406 | PGRST116 | Cannot coerce the result to a single JSON object | The result contains 0 rows
    GET /lib_genres | Accept: application/vnd.pgrst.object+json | | 406 | PGRST116 | Cannot coerce the result to a single JSON object | The result contains 2 rows
    POST /rpc/lib_books_of | Accept: application/vnd.pgrst.object+json | {"p_author":"Zoe"} | 406 | PGRST116 | Cannot coerce the result to a single JSON object | The result contains 0 rows
    PATCH /lib_settings | | {"value":"x"} | 400 | 21000 | UPDATE requires a WHERE clause
    DELETE /lib_settings | | | 400 | 21000 | DELETE requires a WHERE clause
    POST /rpc/lib_nothing | Prefer: handling=strict, max-affected=9 | {} | 400 | PGRST128 | Function must return SETOF or TABLE when max-affected preference is used with handling=strict
    POST /rpc/lib_greet | Prefer: handling=strict, max-affected=9 | {} | 400 | PGRST128 | Function must return SETOF or TABLE when max-affected preference is used with handling=strict`,
  'of methods and headers': `
    PUT /lib_books | | {} | 405 | PGRST117 | Unsupported HTTP method: PUT
    PATCH /rpc/lib_greet | | {} | 405 | PGRST101 | Cannot use the PATCH method on RPC
    DELETE /rpc/lib_greet | | | 405 | PGRST101 | Cannot use the DELETE method on RPC
    PUT /rpc/lib_greet | | {} | 405 | PGRST101 | Cannot use the PUT method on RPC
    GET /rpc/lib_write | | | 405 | 25006 | cannot execute INSERT in a read-only transaction
    POST /rpc/lib_stable_write | | {} | 405 | 25006 | cannot execute INSERT in a read-only transaction
    GET /lib_books | Accept-Profile: auth | | 406 | PGRST106 | Invalid schema: auth | | Only the following schemas are exposed: public
    GET /lib_books | Accept: text/csv | | 406 | PGRST107 | None of these media types are available: text/csv
    POST /lib_settings | Content-Type: text/csv | key | 415 | PGRST102 | Content-Type not acceptable: text/csv
    GET /lib_books | Prefer: handling=strict, odd=1, return=all | | 400 | PGRST122 | Invalid preferences given with handling=strict | Invalid preferences: odd=1, return=all`,
  'of bodies': `
    POST /lib_settings | | | 400 | PGRST102 | Empty or invalid json
    POST /lib_settings | | {"key": | 400 | PGRST102 | Empty or invalid json
    POST /lib_settings | | "x" | 400 | PGRST102 | Empty or invalid json
    POST /lib_settings | | [1] | 400 | PGRST102 | Empty or invalid json
    POST /lib_settings | | [{"key":"a"},{"key":"b","level":1}] | 400 | PGRST102 | All object keys must match
    POST /lib_settings | | {"key":"a","nope":1} | 400 | PGRST204 | Could not find the 'nope' column of 'lib_settings' in the schema cache
    POST /lib_settings?columns=key,nope | | [{"key":"a"}] | 400 | PGRST204 | Could not find the 'nope' column of 'lib_settings' in the schema cache`,
  'of relations': `
    GET /lib_books?select=lib_alone(id) | | | 400 | PGRST200 | Could not find a relationship between 'lib_books' and 'lib_alone' in the schema cache | Searched for a foreign key relationship between 'lib_books' and 'lib_alone' in the schema 'public', but no matches were found.
    GET /lib_books?select=lib_authors!nothing(id) | | | 400 | PGRST200 | Could not find a relationship between 'lib_books' and 'lib_authors' in the schema cache | Searched for a foreign key relationship between 'lib_books' and 'lib_authors' using the hint 'nothing' in the schema 'public', but no matches were found.
    GET /lib_books?select=lib_authors(id) | | | 300 | PGRST201 | Could not embed because more than one relationship was found for 'lib_books' and 'lib_authors' | [{"cardinality":"many-to-one","embedding":"lib_books with lib_authors","relationship":"lib_books_author_id_fkey using lib_books(author_id) and lib_authors(id)"},{"cardinality":"many-to-one","embedding":"lib_books with lib_authors","relationship":"lib_books_editor_id_fkey using lib_books(editor_id) and lib_authors(id)"}] | Try changing 'lib_authors' to one of the following: 'lib_authors!lib_books_author_id_fkey', 'lib_authors!lib_books_editor_id_fkey'. Find the desired relationship in the 'details' key.
    GET /lib_books?select=id&lib_covers.colour=eq.green | | | 400 | PGRST108 | 'lib_covers' is not an embedded resource in this request | | Verify that 'lib_covers' is included in the 'select' query parameter.
    GET /lib_books?select=a:lib_authors!author_id(name)&order=lib_authors(name) | | | 400 | PGRST108 | 'lib_authors' is not an embedded resource in this request | | Verify that 'lib_authors' is included in the 'select' query parameter.
    GET /lib_books?select=lib_chapters(id)&order=lib_chapters(number) | | | 400 | PGRST118 | A related order on 'lib_chapters' is not possible | 'lib_books' and 'lib_chapters' do not form a many-to-one or one-to-one relationship
    GET /lib_books?select=...lib_chapters(id) | | | 400 | PGRST119 | A spread operation on 'lib_chapters' is not possible | 'lib_books' and 'lib_chapters' do not form a many-to-one or one-to-one relationship
    GET /lib_books?select=lib_covers(colour)&lib_covers=eq.green | | | 400 | PGRST120 | Bad operator on the embedded resource | Only is null or not is null filters are allowed on embedded resources`,
  'of functions': `
    POST /rpc/lib_add | | {"zed":1,"a":1} | 404 | PGRST202 | Could not find the function public.lib_add(a, zed) in the schema cache | Searched for the function public.lib_add with parameters a, zed or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.
    POST /rpc/lib_add | | {} | 404 | PGRST202 | Could not find the function public.lib_add without parameters in the schema cache | Searched for the function public.lib_add without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.
    POST /rpc/lib_none | | {} | 404 | PGRST202 | Could not find the function public.lib_none without parameters in the schema cache | Searched for the function public.lib_none without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.
    POST /rpc/lib_over | | {"a":1} | 300 | PGRST203 | Could not choose the best candidate function between: public.lib_over(a => integer), public.lib_over(a => text) | | Try renaming the parameters or the function itself in the database so function overloading can be resolved`,
}
describe.each(Object.entries(MISTAKES))('a mistake %s is refused with all four keys', (_of, table) => {
  test.each(cases(table))('%s %s %s', async (request = '', headers, body, status, ...said) => {
    const reply = await library.asWritten(request, headers, body)
    const [code, message, details = '', hint = ''] = said
    expect(reply.json).toEqual({
      ...{ code, message, hint: hint || null },
      details: details.startsWith('[') ? JSON.parse(details) : details || null,
    })
    expect(reply.status).toBe(Number(status))
  })
})

test('a table that points at itself twice needs a hint', async () => {
  const reply = await library.ask('/lib_crates?select=id,lib_crates(id)')
  expect(reply).toMatchObject({ status: 300, json: { code: 'PGRST201' } })
})

test('an offset beyond the end is told how many rows there are', async () => {
  const reply = await library.asWritten('GET /lib_books?offset=9', 'Prefer: count=exact')
  expect(reply.headers.get('content-range')).toBe('*/3')
})

test('preferences nobody knows are passed over by a lenient client', async () => {
  const reply = await library.asWritten('GET /lib_books?limit=0', 'Prefer: handling=lenient, odd=1')
  expect(reply.status).toBe(200)
})

describe('what is too much is refused', () => {
  test('a body of more than a megabyte, said or unsaid', async () => {
    const big = JSON.stringify({ key: 'a', value: 'x'.repeat(1_100_000) })
    const refused = { status: 413, json: { code: 'PGRST102', hint: null } }
    expect(await library.ask('/lib_settings', { method: 'POST', body: big })).toMatchObject(refused)
    const unsaid = await fetch(`${library.url}/rest/v1/lib_settings`, {
      method: 'POST',
      headers: { apikey: library.anonKey, 'Content-Type': 'application/json' },
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(unsaid.status).toBe(413)
  })

  test.each([
    ['POST', '/lib_settings', 500, 'PGRST102', '{"value":'],
    ['POST', '/rpc/lib_echo', 500, 'PGRST102', '{"p_value":'],
    ['GET', '/lib_books?data=cs.', 501, 'PGRST100', ''],
    ['GET', '/lib_books?data=eq.', 501, 'PGRST100', ''],
    ['GET', '/rpc/lib_echo?p_value=', 501, 'PGRST100', ''],
  ])('%s %s with JSON that nests deeper than 500 levels', async (method, path, levels, code, around) => {
    const deep = '['.repeat(levels) + ']'.repeat(levels)
    const asked = around ? { method, body: `${around}${deep}}` } : { method }
    const reply = await library.ask(around ? path : path + deep, asked)
    const message = 'The json nests deeper than 500 levels'
    expect(reply).toMatchObject({ status: 400, json: { code, message } })
  })
})

test.each([
  ['anon', 'GET /lib_settings', 401, 'permission denied for table lib_settings', 'Bearer'],
  ['olivia', 'GET /lib_letterbox', 403, 'permission denied for table lib_letterbox', null],
  ['anon', 'POST /rpc/lib_write', 401, 'permission denied for function lib_write', 'Bearer'],
] as const)('%s, who may not %s, is answered %i', async (as, request, status, message, challenge) => {
  const [method = '', path = ''] = request.split(' ')
  const reply = await library.ask(path, { as, method })
  expect(reply).toMatchObject({ status, json: { code: '42501', details: null, message } })
  expect(reply.headers.get('www-authenticate')).toBe(challenge)
})

describe('keys and tokens', () => {
  const bare = (headers: Record<string, string>, query = '') =>
    fetch(`${library.url}/rest/v1/lib_genres?select=id&id=eq.1${query}`, { headers })

  test('a request without a key, or with a wrong one, is refused; a key in the query is no filter', async () => {
    const hint = 'Double check your Supabase `anon` or `service_role` API key.'
    const none = 'No `apikey` request header or url param was found.'
    const replies = [
      await bare({}),
      await bare({ apikey: 'wrong' }),
      await bare({}, `&apikey=${library.anonKey}`),
    ]
    expect(await Promise.all(replies.map(async (reply) => [reply.status, await reply.json()]))).toEqual([
      [401, { message: 'No API key found in request', hint: none }],
      [401, { message: 'Invalid API key', hint }],
      [200, [{ id: 1 }]],
    ])
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

test('a failure of ours is one log line, and tells the client nothing', async () => {
  const before = library.logged.length
  const { batch } = library.db
  library.db.batch = () => Promise.reject(new Error('secret insides'))
  const reply = await library.ask('/lib_genres')
  library.db.batch = batch
  const said = { code: 'PGRSTX00', details: null, hint: null, message: 'Internal server error' }
  expect(reply).toMatchObject({ status: 500, json: said })
  expect(library.logged.slice(before)).toEqual([expect.stringContaining('secret insides')])
  expect((await library.ask('/lib_genres')).status).toBe(200)
})
