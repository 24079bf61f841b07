// Functions called through the Data API, and the pre-request function.
import { beforeAll, describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { eventually } from '../eventually.ts'
import { openLibrary } from './library.ts'

const library = await openLibrary()
const call = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  library.ask(`/rpc/${path}`, { method: 'POST', body, headers })

describe('a function answers with what it returns', () => {
  const calls = cases(`
    with a default argument | lib_add | {"a":1} | 2
    a text | lib_greet | {} | "Hello you"
    a null argument is null | lib_greet | {"p_name":null} | null
    a list as an array argument | lib_sum | {"p_numbers":[1,2,3]} | 6
    JSON as it is | lib_echo | {"p_value":{"a":[1,null,"x"]}} | {"a": [1, null, "x"]}
    JSON null | lib_echo | {"p_value":null} | null
    the whole body as its one unnamed argument | lib_whole | {"a":1} | {"a":1}
    a row of a table, as an object | lib_book?select=id,price | {"p_id":1} | {"id":1,"price":15.90}
    a null row, as an object of nulls | lib_book?select=id,title | {"p_id":99} | {"id":null,"title":null}
    rows | lib_books_of?select=id | {"p_author":"Ada"} | [{"id":1}]
    a row of a domain over a table | lib_choice?select=id,a:author_id(name) | {} | {"id":2,"a":{"name":"Ben"}}
    texts and bits of any length | lib_fixed | {"p_code":"abcdefg","p_bits":"10101","p_codes":["abc","abcdefg"]} | "abcdefg 10101 {abc,abcdefg}"
    no more arguments than columns= names | lib_greet?columns=p_name | {"p_name":"you","other":1} | "Hello you"
    the first object of a list | lib_add | [{"a":1,"b":2},{"a":5,"b":5}] | 3
    a table of its own, filtered | lib_stats?state=eq.out&select=bookCount | {} | [{"bookCount":1}]
    rows filtered, ordered and limited | lib_all_books?select=id&id=gt.1&order=id.desc&limit=1 | {} | [{"id":3}]
    rows with related rows | lib_all_books?select=id,a:author_id!inner(name)&a.name=eq.Ben | {} | [{"id":2,"a":{"name":"Ben"}}]`)
  test.each(calls)('%s: %s', async (_rule, path = '', body, text) => {
    const reply = await call(path, body)
    expect(reply.text.replace(/\s+/g, ' ')).toBe(text)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  const gets = cases(`
    lib_greet | "Hello you"
    lib_fixed?p_code=abcdefg&p_bits=10101&p_codes={abc,abcdefg} | "abcdefg 10101 {abc,abcdefg}"
    lib_greet?p_name=hello.world | "Hello hello.world"
    lib_sum?p_numbers={1,2} | 3
    lib_books_of?p_author=Ada&select=id&id=eq.2 | []`)
  test.each(gets)('to GET and HEAD as well: %s', async (path, text) => {
    expect(await library.ask(`/rpc/${path}`)).toMatchObject({ status: 200, text })
    expect(await library.ask(`/rpc/${path}`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  const OBJECT = 'Accept: application/vnd.pgrst.object+json'
  const special = cases(`
    nothing, when it returns void | lib_nothing | | {} | 204 0-0/* |
    without a body where there are no arguments | lib_greet | | | 200 0-0/* | "Hello you"
    the cookies of the request | lib_cookies | Cookie: a=1 | {} | 200 0-0/* | "{\\"a\\":\\"1\\"}"
    a page and a count of its rows | lib_all_books?select=id&limit=2 | Prefer: count=exact | {} | 206 0-1/3 | [{"id":1},{"id":2}]
    a page and a count of its values | lib_titles?limit=1 | Prefer: count=exact | {} | 206 0-0/2 | ["Apples"]
    one object where one is wanted | lib_books_of?select=id | ${OBJECT} | {"p_author":"Ada"} | 200 0-0/* | {"id":1}
    its value where an object is wanted | lib_add | ${OBJECT} | {"a":1} | 200 0-0/* | 2`)
  test.each(special)('%s: %s %s', async (_rule, path, headers, body, head, answer) => {
    const reply = await library.asWritten(`POST /rpc/${path}`, headers, body)
    expect(`${reply.status} ${reply.headers.get('content-range')}`).toBe(head)
    expect(reply.json).toEqual(answer && JSON.parse(answer))
    expect(reply.headers.has('content-type')).toBe(answer !== '')
  })
})

test('a volatile function called by POST writes', async () => {
  expect(await call('lib_write')).toMatchObject({ status: 200, json: 7 })
  const deleted = `delete from public.lib_settings where key = 'written' returning key`
  expect(await library.db.query(deleted)).toHaveLength(1)
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
    ['PGRST112', '[]', '199'],
    ['PGRST112', '[]', '600'],
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

describe('the function a project has run before each request', () => {
  const stopped = { headers: { 'x-stop': 'yes' } }
  const seen = () => library.db.query('delete from hidden.seen returning who, method, path')
  beforeAll(async () => {
    await library.db.transaction((tx) =>
      tx.script(`
        create schema hidden;
        grant usage on schema hidden to anon, authenticated, service_role;
        create table hidden.seen (who text, method text, path text);
        create function hidden."Look"() returns void language plpgsql security definer as $$
        begin
          if current_setting('transaction_read_only') = 'off' then
            insert into hidden.seen
            values (current_setting('role'), current_setting('request.method'), current_setting('request.path'));
          end if;
          if current_setting('request.headers')::json ->> 'x-stop' is not null then
            raise exception 'Not now' using errcode = 'PT429';
          end if;
        end $$;
        do $set$ begin
          execute format($$alter role authenticator in database %I set pgrst.db_pre_request = 'hidden."Look"'$$,
            current_database());
        end $set$;
        notify pgrst, 'reload config';`),
    )
    await eventually(async () => expect((await library.ask('/lib_genres', stopped)).status).toBe(429))
  })

  test('refuses what is read, written and called', async () => {
    for (const [path, options] of [
      ['/lib_genres', {}],
      ['/lib_authors', { method: 'POST', body: { name: 'Nobody' } }],
      ['/rpc/lib_add', { method: 'POST', body: { a: 1 } }],
    ] as const) {
      expect((await library.ask(path, options)).status).toBeLessThan(300)
      const refusal = await library.ask(path, { ...options, ...stopped })
      expect(refusal).toMatchObject({ status: 429, json: { code: 'PT429', message: 'Not now' } })
    }
    expect(await library.db.query(`select name from lib_authors where name = 'Nobody'`)).toHaveLength(1)
  })

  test('runs as the caller in the transaction of the request', async () => {
    await seen()
    await library.ask('/lib_authors?name=eq.Nobody', { as: 'service', method: 'DELETE' })
    expect(await seen()).toEqual([{ who: 'service_role', method: 'DELETE', path: '/lib_authors' }])
  })

  test('keeps what it wrote about a request that was refused, once', async () => {
    await seen()
    const denied = await library.asWritten('POST /lib_genres', '', '{"id":1,"name":"Again"}')
    expect(denied.status).toBe(403)
    expect(await seen()).toEqual([{ who: 'authenticated', method: 'POST', path: '/lib_genres' }])
    const headers = 'Accept: application/vnd.pgrst.object+json; Prefer: return=representation'
    const several = 'PATCH /lib_authors?id=not.is.null'
    expect((await library.asWritten(several, headers, '{"born":"1900-01-01"}')).status).toBe(406)
    expect(await seen()).toEqual([{ who: 'authenticated', method: 'PATCH', path: '/lib_authors' }])
  })
})
