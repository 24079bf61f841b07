import { describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { openLibrary } from './library.ts'

const library = await openLibrary()

const call = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  library.ask(`/rpc/${path}`, { method: 'POST', body, headers })
const COUNT = { Prefer: 'count=exact' }
const OBJECT = { Accept: 'application/vnd.pgrst.object+json' }

describe('a function answers with what it returns', () => {
  const calls = cases(`
    a number | lib_add | {"a":1,"b":2} | 3
    with a default argument | lib_add | {"a":1} | 2
    a text | lib_greet | {} | "Hello you"
    a null argument is null | lib_greet | {"p_name":null} | null
    null | lib_null_text | {} | null
    a boolean | lib_is | {"p_id":"00000000-0000-4000-8000-00000000000a","p_flag":true} | true
    a list as an array argument | lib_sum | {"p_numbers":[1,2,3]} | 6
    JSON as it is | lib_echo | {"p_value":{"a":[1,null,"x"]}} | {"a": [1, null, "x"]}
    JSON null | lib_echo | {"p_value":null} | null
    the whole body as its one unnamed argument | lib_whole | {"a":1} | {"a":1}
    a list as that argument | lib_whole | [1,2] | [1,2]
    values | lib_titles | {} | ["Apples", "Bears"]
    a row of a table, as an object | lib_book?select=id,price | {"p_id":1} | {"id":1,"price":15.90}
    a null row, as an object of nulls | lib_book?select=id,title | {"p_id":99} | {"id":null,"title":null}
    rows | lib_books_of?select=id | {"p_author":"Ada"} | [{"id":1}]
    a row of a domain over a table | lib_choice?select=id,a:author_id(name) | {} | {"id":2,"a":{"name":"Ben"}}
    texts and bits of any length | lib_fixed | {"p_code":"abcdefg","p_bits":"10101","p_codes":["abc","abcdefg"]} | "abcdefg 10101 {abc,abcdefg}"
    no more arguments than columns= names | lib_greet?columns=p_name | {"p_name":"you","other":1} | "Hello you"
    the first object of a list | lib_add | [{"a":1,"b":2},{"a":5,"b":5}] | 3
    no rows | lib_books_of | {"p_author":"Zoe"} | []
    a table of its own | lib_stats | {} | [{"state":"in","bookCount":1}, {"state":"lost","bookCount":1}, {"state":"out","bookCount":1}]
    a table of its own, filtered | lib_stats?state=eq.out&select=bookCount | {} | [{"bookCount":1}]
    rows filtered, ordered and limited | lib_all_books?select=id&id=gt.1&order=id.desc&limit=1 | {} | [{"id":3}]
    rows with related rows | lib_all_books?select=id,a:author_id!inner(name)&a.name=eq.Ben | {} | [{"id":2,"a":{"name":"Ben"}}]`)
  test.each(calls)('%s: %s', async (_rule, path = '', body, text) => {
    const reply = await call(path, body)
    expect(reply.text.replace(/\s+/g, ' ')).toBe(text)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('nothing, when it returns void', async () => {
    const reply = await call('lib_nothing')
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.get('content-type')).toBeNull()
  })

  test('a body is not needed where there are no arguments', async () => {
    const reply = await library.ask('/rpc/lib_greet', { method: 'POST' })
    expect(reply).toMatchObject({ status: 200, json: 'Hello you' })
  })

  test.each([
    ['lib_all_books?select=id&limit=2', [{ id: 1 }, { id: 2 }], '0-1/3'],
    ['lib_titles?limit=1', ['Apples'], '0-0/2'],
  ])('%s and a count of its rows', async (path, json, range) => {
    const reply = await call(path, {}, COUNT)
    expect(reply).toMatchObject({ status: 206, json })
    expect(reply.headers.get('content-range')).toBe(range)
  })

  test.each([
    ['lib_books_of?select=id', { p_author: 'Ada' }, 200, { id: 1 }],
    ['lib_books_of', { p_author: 'Zoe' }, 406, { code: 'PGRST116' }],
    ['lib_add', { a: 1 }, 200, 2],
  ])('%s %j as one object is %i', async (path, body, status, json) => {
    expect(await call(path, body, OBJECT)).toMatchObject({ status, json })
  })
})

const gets = cases(`
  lib_add?a=1&b=2 | 3
  lib_greet | "Hello you"
  lib_fixed?p_code=abcdefg&p_bits=10101&p_codes={abc,abcdefg} | "abcdefg 10101 {abc,abcdefg}"
  lib_greet?p_name=hello.world | "Hello hello.world"
  lib_sum?p_numbers={1,2} | 3
  lib_books_of?p_author=Ada&select=id&id=eq.1 | [{"id":1}]
  lib_books_of?p_author=Ada&select=id&id=eq.2 | []`)
test.each(gets)('GET and HEAD call a function as well: %s', async (path, text) => {
  expect(await library.ask(`/rpc/${path}`)).toMatchObject({ status: 200, text })
  expect(await library.ask(`/rpc/${path}`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
})

test('a function may read the cookies of the request', async () => {
  const reply = await call('lib_cookies', {}, { Cookie: 'a=1; b="x y"' })
  expect(JSON.parse(reply.json as string)).toEqual({ a: '1', b: 'x y' })
})

test.each(['lib_nothing', 'lib_greet'])('%s touches nobody knows how many rows', async (path) => {
  const reply = await call(path, {}, { Prefer: 'handling=strict, max-affected=9' })
  expect(reply).toMatchObject({ status: 400, json: { code: 'PGRST128' } })
})

describe('only a volatile function called by POST may write', () => {
  test('POST to a volatile function writes', async () => {
    expect(await call('lib_write')).toMatchObject({ status: 200, json: 7 })
    const deleted = `delete from public.lib_settings where key = 'written' returning key`
    expect(await library.db.query(deleted)).toHaveLength(1)
  })

  test.each([
    ['GET', '/rpc/lib_write'],
    ['POST', '/rpc/lib_stable_write'],
  ])('%s %s is refused', async (method, path) => {
    const reply = await library.ask(path, { method, ...(method === 'POST' && { body: {} }) })
    expect(reply).toMatchObject({ status: 405, json: { code: '25006' } })
  })
})

describe('a function that cannot be meant is refused', () => {
  const unknown = (asked: string, searched: string) => ({
    code: 'PGRST202',
    details: `Searched for the function public.lib_add ${searched}, but no matches were found in the schema cache.`,
    hint: null,
    message: `Could not find the function public.lib_add${asked} in the schema cache`,
  })
  test.each([
    [
      'lib_add',
      { zed: 1, a: 1 },
      404,
      unknown('(a, zed)', 'with parameters a, zed or with a single unnamed json/jsonb parameter'),
    ],
    ['lib_add', {}, 404, unknown(' without parameters', 'without parameters')],
    [
      'lib_over',
      { a: 1 },
      300,
      {
        code: 'PGRST203',
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
        message:
          'Could not choose the best candidate function between: public.lib_over(a => integer), public.lib_over(a => text)',
      },
    ],
  ])('%s %j', async (path, body, status, error) => {
    const reply = await call(path, body)
    expect(reply.json).toEqual(error)
    expect(reply.status).toBe(status)
  })

  test('one that is not there, and one the caller may not run', async () => {
    expect(await call('lib_none')).toMatchObject({ status: 404, json: { code: 'PGRST202' } })
    const anon = await library.ask('/rpc/lib_write', { method: 'POST', body: {}, as: 'anon' })
    expect(anon).toMatchObject({ status: 401, json: { code: '42501' } })
  })

  test.each(['PATCH', 'DELETE', 'PUT'])('by %s', async (method) => {
    const reply = await library.ask('/rpc/lib_greet', { method, ...(method !== 'DELETE' && { body: {} }) })
    const message = `Cannot use the ${method} method on RPC`
    expect(reply).toMatchObject({
      status: 405,
      json: { code: 'PGRST101', details: null, hint: null, message },
    })
  })
})

describe('a function may shape its own reply', () => {
  const settings = () =>
    library.db.query(`delete from public.lib_settings where key = 'replied' returning key`)

  test('by its headers and status', async () => {
    const headers = '[{"X-Tide": "high"}, {"Cache-Control": "no-store"}]'
    const reply = await call('lib_reply', { p_headers: headers, p_status: '202' })
    expect(reply).toMatchObject({ status: 202, json: 'ok' })
    expect(reply.headers.get('x-tide')).toBe('high')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(await settings()).toHaveLength(1)
  })

  test.each([
    ['PGRST111', 'not json', '200'],
    ['PGRST111', '[{"a": "1", "b": "2"}]', '200'],
    ['PGRST111', '[{"bad name": "1"}]', '200'],
    ['PGRST112', '[]', 'fine'],
    ['PGRST112', '[]', '99'],
  ])('and is taken back with %s when it says %s, %s', async (code, headers, status) => {
    const reply = await call('lib_reply', { p_headers: headers, p_status: status })
    expect(reply).toMatchObject({ status: 500, json: { code } })
    expect(await settings()).toEqual([])
  })

  const CUSTOM = { code: 'custom', details: 'd', hint: 'h', message: 'Payment needed' }
  test.each([
    ['{"status": 402, "headers": {"X-Price": "3"}}', 402, CUSTOM, '3'],
    ['nothing', 500, { code: 'PGRST121' }, null],
    ['{"status": 402, "headers": {"bad name": "3"}}', 500, { code: 'PGRST121' }, null],
  ])('by raising PGRST with %s', async (detail, status, json, price) => {
    const reply = await call('lib_raise_custom', { p_detail: detail })
    expect(reply).toMatchObject({ status, json })
    expect(reply.headers.get('x-price')).toBe(price)
  })
})
