import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Library, openLibrary } from './library.ts'

let library: Library
beforeAll(async () => {
  library = await openLibrary()
})
afterAll(() => library.close())

const call = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  library.ask(`/rpc/${path}`, { method: 'POST', body, headers })

describe('a function answers with what it returns', () => {
  const scenarios: [rule: string, path: string, body: unknown, text: string][] = [
    ['a number', 'lib_add', { a: 1, b: 2 }, '3'],
    ['with a default argument', 'lib_add', { a: 1 }, '2'],
    ['a text', 'lib_greet', {}, '"Hello you"'],
    ['a null argument is null', 'lib_greet', { p_name: null }, 'null'],
    ['null', 'lib_null_text', {}, 'null'],
    ['a boolean', 'lib_is', { p_id: '00000000-0000-4000-8000-00000000000a', p_flag: true }, 'true'],
    ['a list as an array argument', 'lib_sum', { p_numbers: [1, 2, 3] }, '6'],
    ['JSON as it is', 'lib_echo', { p_value: { a: [1, null, 'x'] } }, '{"a": [1, null, "x"]}'],
    ['JSON null', 'lib_echo', { p_value: null }, 'null'],
    ['the whole body as its one unnamed argument', 'lib_whole', { a: 1 }, '{"a":1}'],
    ['a list as that argument', 'lib_whole', [1, 2], '[1,2]'],
    ['values', 'lib_titles', {}, '["Apples", "Bears"]'],
    ['a row of a table, as an object', 'lib_book?select=id,price', { p_id: 1 }, '{"id":1,"price":15.90}'],
    [
      'a null row, as an object of nulls',
      'lib_book?select=id,title',
      { p_id: 99 },
      '{"id":null,"title":null}',
    ],
    ['rows', 'lib_books_of?select=id', { p_author: 'Ada' }, '[{"id":1}]'],
    ['no rows', 'lib_books_of', { p_author: 'Zoe' }, '[]'],
    [
      'a table of its own',
      'lib_stats',
      {},
      '[{"state":"in","bookCount":1}, \n {"state":"lost","bookCount":1}, \n {"state":"out","bookCount":1}]',
    ],
    [
      'rows filtered, ordered and limited',
      'lib_all_books?select=id&id=gt.1&order=id.desc&limit=1',
      {},
      '[{"id":3}]',
    ],
    [
      'rows with related rows',
      'lib_all_books?select=id,a:author_id!inner(name)&a.name=eq.Ben',
      {},
      '[{"id":2,"a":{"name":"Ben"}}]',
    ],
    ['a table of its own, filtered', 'lib_stats?state=eq.out&select=bookCount', {}, '[{"bookCount":1}]'],
  ]
  test.each(scenarios)('%s: %s', async (_rule, path, body, text) => {
    const reply = await call(path, body)
    expect(reply.text.replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '))
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('nothing, when it returns void', async () => {
    const reply = await call('lib_nothing')
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.get('content-type')).toBeNull()
  })

  test('a body is not needed where there are no arguments', async () => {
    expect(await library.ask('/rpc/lib_greet', { method: 'POST' })).toMatchObject({
      status: 200,
      json: 'Hello you',
    })
  })

  test('a count of its rows', async () => {
    const reply = await call('lib_all_books?select=id&limit=2', {}, { Prefer: 'count=exact' })
    expect(reply.status).toBe(206)
    expect(reply.headers.get('content-range')).toBe('0-1/3')
    const titles = await call('lib_titles?limit=1', {}, { Prefer: 'count=exact' })
    expect(titles).toMatchObject({ status: 206, json: ['Apples'] })
    expect(titles.headers.get('content-range')).toBe('0-0/2')
  })

  test('one row as an object, or a refusal', async () => {
    const object = { Accept: 'application/vnd.pgrst.object+json' }
    expect((await call('lib_books_of?select=id', { p_author: 'Ada' }, object)).json).toEqual({ id: 1 })
    expect(await call('lib_books_of', { p_author: 'Zoe' }, object)).toMatchObject({
      status: 406,
      json: { code: 'PGRST116' },
    })
    expect((await call('lib_add', { a: 1 }, object)).json).toBe(2)
  })
})

describe('GET and HEAD call a function as well', () => {
  const scenarios: [path: string, text: string][] = [
    ['lib_add?a=1&b=2', '3'],
    ['lib_greet', '"Hello you"'],
    ['lib_greet?p_name=hello.world', '"Hello hello.world"'],
    ['lib_sum?p_numbers={1,2}', '3'],
    ['lib_books_of?p_author=Ada&select=id&id=eq.1', '[{"id":1}]'],
    ['lib_books_of?p_author=Ada&select=id&id=eq.2', '[]'],
  ]
  test.each(scenarios)('%s', async (path, text) => {
    const reply = await library.ask(`/rpc/${path}`)
    expect(reply).toMatchObject({ status: 200, text })
    const head = await library.ask(`/rpc/${path}`, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '' })
  })
})

describe('only a volatile function called by POST may write', () => {
  test('POST to a volatile function writes', async () => {
    expect(await call('lib_write')).toMatchObject({ status: 200, json: 7 })
    expect(
      await library.db.query(`delete from public.lib_settings where key = 'written' returning key`),
    ).toHaveLength(1)
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
  const refusals: [rule: string, path: string, body: unknown, status: number, error: object][] = [
    [
      'an argument it does not have',
      'lib_add',
      { zed: 1, a: 1 },
      404,
      {
        code: 'PGRST202',
        details:
          'Searched for the function public.lib_add with parameters a, zed or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
        hint: null,
        message: 'Could not find the function public.lib_add(a, zed) in the schema cache',
      },
    ],
    [
      'an argument it needs',
      'lib_add',
      {},
      404,
      {
        code: 'PGRST202',
        details:
          'Searched for the function public.lib_add without parameters, but no matches were found in the schema cache.',
        hint: null,
        message: 'Could not find the function public.lib_add without parameters in the schema cache',
      },
    ],
    [
      'two it may be',
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
  ]
  test.each(refusals)('%s', async (_rule, path, body, status, error) => {
    const reply = await call(path, body)
    expect(reply.json).toEqual(error)
    expect(reply.status).toBe(status)
  })

  test('one that is not there, and one the caller may not run', async () => {
    expect(await call('lib_none')).toMatchObject({ status: 404, json: { code: 'PGRST202' } })
    const anon = await library.ask('/rpc/lib_write', { method: 'POST', body: {}, as: 'anon' })
    expect(anon).toMatchObject({ status: 401, json: { code: '42501' } })
  })

  test('other verbs', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT']) {
      const reply = await library.ask('/rpc/lib_greet', { method, ...(method !== 'DELETE' && { body: {} }) })
      expect(reply).toMatchObject({
        status: 405,
        json: {
          code: 'PGRST101',
          details: null,
          hint: null,
          message: `Cannot use the ${method} method on RPC`,
        },
      })
    }
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

  test('by raising PGRST', async () => {
    const raise = (detail: string) => call('lib_raise_custom', { p_detail: detail })
    const custom = await raise('{"status": 402, "headers": {"X-Price": "3"}}')
    expect(custom.status).toBe(402)
    expect(custom.json).toEqual({ code: 'custom', details: 'd', hint: 'h', message: 'Payment needed' })
    expect(custom.headers.get('x-price')).toBe('3')
    expect(await raise('nothing')).toMatchObject({ status: 500, json: { code: 'PGRST121' } })
    expect(await raise('{"status": 402, "headers": {"bad name": "3"}}')).toMatchObject({ status: 500 })
  })
})
