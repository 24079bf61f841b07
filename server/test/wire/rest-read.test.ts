import { describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { openLibrary } from './library.ts'

const library = await openLibrary()
const ADA = '00000000-0000-4000-8000-00000000000a'

describe('a read gives what it asks for', () => {
  const reads = cases(String.raw`
    named columns | /lib_books?select=id,title&id=eq.2 | [{"id":2,"title":"Bears"}]
    a renamed column | /lib_books?select=name:title&id=eq.2 | [{"name":"Bears"}]
    a cast | /lib_books?select=id::text,price::int&id=eq.2 | [{"id":"2","price":5}]
    a cast of a renamed column | /lib_books?select=x:id::double precision&id=eq.2 | [{"x":2}]
    a cast to a list | /lib_books?select=tags::text[]&id=eq.3 | [{"tags":["red"]}]
    a cast to a type of the schema | /lib_books?select=state::lib_state&id=eq.2 | [{"state":"out"}]
    a place in JSON | /lib_books?select=data->size->>w,data->names->0&id=eq.1 | [{"w":"3","names":"x"}]
    a place counted from the end | /lib_books?select=last:data->names->>-1&id=eq.1 | [{"last":"y"}]
    a place in a list | /lib_crates?select=a:marks->0,b:marks->>1&id=eq.1 | [{"a":7,"b":"8"}]
    a place in a composite | /lib_crates?select=size->w,h:size->>h&size->w=gt.1&order=size->h.desc | [{"w":5,"h":"6"},{"w":3,"h":"4"}]
    a place by a quoted key | /lib_books?select=data->"size"->>w&id=eq.1 | [{"w":"3"}]
    a key that begins like a number | /lib_books?select=data->1x&id=eq.1 | [{"1x":null}]
    a computed column | /lib_books?select=lib_label&id=eq.2 | [{"lib_label":"Bears!"}]
    a column with an odd name | /lib_alone?select="odd \"name\", (really)" | [{"odd \"name\", (really)":"here"}]
    everything | /lib_genres?id=eq.1 | [{"id":1,"name":"Fruit"}]
    everything, and a column again | /lib_genres?select=*,again:name&id=eq.1 | [{"id":1,"name":"Fruit","again":"Fruit"}]
    the rows of a view | /lib_cheap | [{"id":2,"title":"Bears"}]
    nothing | /lib_genres?id=eq.9 | []
    nulls as they are | /lib_books?select=id,price&id=eq.3 | [{"id":3,"price":null}]`)
  test.each(reads)('%s: %s', async (_rule, path = '', body = '') => {
    const reply = await library.ask(path)
    expect(reply).toMatchObject({ status: 200, json: JSON.parse(body) })
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })
})

describe('a filter keeps the rows it describes', () => {
  const filters = cases(String.raw`
    id=eq.2 | 2
    id=neq.2 | 1 3
    id=not.eq.2 | 1 3
    id=gt.1&id=lt.3 | 2
    id=gte.2 | 2 3
    id=lte.2 | 1 2
    title=eq. |
    title=like.*ear* | 2
    title=like.%25ear%25 | 2
    title=ilike.APP* | 1
    title=not.ilike.APP* | 2 3
    title=not.ilike(all).{a*,b*} | 1 2 3
    id=in.(1,3) | 1 3
    id=in.() |
    title=in.("") |
    id=not.in.(1,3) | 2
    title=in.(Apples,"Cats, (dogs) \"and\" more") | 1 3
    title=eq.Cats, (dogs) "and" more | 3
    price=is.null | 3
    price=is.not_null | 1 2
    price=not.is.null | 1 2
    price=is.NULL | 3
    author_id=isdistinct.${ADA} | 2 3
    tags=cs.{red} | 1 3
    tags=cd.{red} | 2 3
    tags=ov.{"a,b",none} | 1
    tags=eq.{} | 2
    data=cs.{"size":{"w":3}} | 1
    data->size->>w=eq.3 | 1
    data->size->w=gt.5 | 3
    state=eq.out | 2
    state=in.(in,lost) | 1 3
    id=eq(any).{1,2} | 1 2
    title=like(all).{A*,*s} | 1
    title=fts.bears | 2
    title=fts(english).bear | 2
    title=wfts.bears | 2
    title=not.plfts(simple).cats | 1 2
    or=(id.eq.1,and(id.gt.2,price.is.null)) | 1 3
    not.or=(id.eq.1,id.eq.2) | 3
    and=(id.gte.2,not.or(id.eq.3,id.eq.4)) | 2
    or=(not.and(id.eq.1,or(id.eq.1))) | 2 3
    or=(title.eq."Cats, (dogs) \"and\" more",id.in.(1,"2")) | 1 2 3
    or=(tags.cs.{red,"a,b"},title.like.B*) | 1 2
    or=(id.not.in.(1,2)) | 3
    or=(id.not.eq.1,title.eq.) | 2 3
    and=( and ( id.in.( 1, 2, 3 ) , id.gt.1 ) , not.or ( id.eq.2 , id.eq.9 ) ) | 3
    id=eq.1&id=eq.2 |`)
  test.each(filters)('%s: %s', async (filter = '', ids = '') => {
    const [key = '', ...rest] = filter.split('=')
    const value = rest.join('=')
    const query = value.includes('&')
      ? `${key}=${value}`
      : `${key}=${encodeURIComponent(decodeURIComponent(value))}`
    const reply = await library.ask(`/lib_books?select=id&order=id&${query}`)
    expect(reply.json).toEqual([...ids.matchAll(/\d/g)].map(([id]) => ({ id: Number(id) })))
  })
})

describe('rows come in the order and the part asked for', () => {
  const BY_AUTHOR =
    'order=lib_authors(name).desc.nullslast,id&select=id,lib_authors!lib_books_author_id_fkey()'
  test.each([
    ['order=id.desc', [3, 2, 1], '0-2/*'],
    ['order=id&offset=-4', [1, 2, 3], '0-2/*'],
    ['order=price', [2, 1, 3], '0-2/*'],
    ['order=price.desc', [3, 1, 2], '0-2/*'],
    ['order=price.desc.nullslast', [1, 2, 3], '0-2/*'],
    ['order=price.nullsfirst,id', [3, 2, 1], '0-2/*'],
    ['order=data->size->>w.asc.nullsfirst', [2, 3, 1], '0-2/*'],
    [BY_AUTHOR, [2, 1, 3], '0-2/*'],
    ['order=id&limit=2', [1, 2], '0-1/*'],
    ['order=id&limit=2&offset=2', [3], '2-2/*'],
    ['order=id&offset=5', [], '*/*'],
    ['order=id&limit=0', [], '*/*'],
    ['order=id&limit=many', [1, 2, 3], '0-2/*'],
  ])('%s', async (query, ids, range) => {
    const select = query.includes('select=') ? '' : '&select=id'
    const reply = await library.ask(`/lib_books?${query}${select}`)
    expect(reply).toMatchObject({ status: 200, json: ids.map((id) => ({ id })) })
    expect(reply.headers.get('content-range')).toBe(range)
  })

  test.each([
    ['', '1-1', 200, [{ id: 2 }]],
    ['', '1-', 200, [{ id: 2 }, { id: 3 }]],
    ['&limit=1', '0-1', 200, [{ id: 1 }]],
    ['', '3-1', 416, { code: 'PGRST103', hint: null }],
  ])('%s with the header Range: %s is %i', async (query, Range, status, json) => {
    const reply = await library.ask(`/lib_books?select=id&order=id${query}`, { headers: { Range } })
    expect(reply).toMatchObject({ status, json })
  })
})

describe('a count says how many there are in all', () => {
  test.each([
    ['select=id', 200, '0-2/3'],
    ['select=id&limit=2', 206, '0-1/3'],
    ['select=id&id=gt.1', 200, '0-1/2'],
    ['select=id&id=gt.9', 200, '*/0'],
    ['select=id,lib_covers!inner(colour)', 200, '0-0/1'],
    ['select=id,lib_chapters!inner(heading)&lib_chapters.number=eq.2', 200, '0-0/1'],
    ['select=id,lib_covers(colour)&lib_covers=is.null', 200, '0-1/2'],
    ['select=id&offset=3', 206, '*/3'],
  ])('%s', async (query, status, range) => {
    for (const method of ['GET', 'HEAD']) {
      const reply = await library.ask(`/lib_books?${query}`, { method, headers: { Prefer: 'count=exact' } })
      expect(reply.status).toBe(status)
      expect(reply.headers.get('content-range')).toBe(range)
      expect(reply.headers.get('preference-applied')).toBe('count=exact')
      expect(reply.text === '').toBe(method === 'HEAD')
    }
  })

  test('an offset beyond the end is refused', async () => {
    const reply = await library.ask('/lib_books?offset=9', { headers: { Prefer: 'count=exact' } })
    const details = 'An offset of 9 was requested, but there are only 3 rows.'
    const message = 'Requested range not satisfiable'
    expect(reply).toMatchObject({ status: 416, json: { code: 'PGRST103', details, hint: null, message } })
    expect(reply.headers.get('content-range')).toBe('*/3')
  })
})

test('values are written as Postgres writes JSON, top level and embedded alike', async () => {
  const columns = 'added_at,price,pages,cover,lent_for,weight,tags,data,lib_authors!author_id(born)'
  const expected =
    '"added_at":"2026-11-20T22:53:10.612+00:00","price":15.90,"pages":9007199254740993,"cover":"\\\\xdead",' +
    '"lent_for":"1 day 02:00:00","weight":1e+21,"tags":["red","a,b"],' +
    '"data":{"size": {"w": 3}, "names": ["x", "y"]},"lib_authors":{"born":"1815-12-10"}'
  const top = await library.ask(`/lib_books?id=eq.1&select=${columns}`)
  expect(top.text).toBe(`[{${expected}}]`)
  const embedded = await library.ask(`/lib_covers?select=lib_books(${columns})`)
  expect(embedded.text).toBe(`[{"lib_books":{${expected}}}]`)
})

test('one row comes as an object when the client wants one, and anything else is refused', async () => {
  const headers = { Accept: 'application/vnd.pgrst.object+json' }
  const one = await library.ask('/lib_genres?id=eq.1', { headers })
  expect(one).toMatchObject({ status: 200, json: { id: 1, name: 'Fruit' } })
  expect(one.headers.get('content-type')).toBe('application/vnd.pgrst.object+json; charset=utf-8')
  for (const [query, count] of Object.entries({ 'id=eq.9': 0, 'id=gt.0': 2 })) {
    const other = await library.ask(`/lib_genres?${query}`, { headers })
    expect(other.status).toBe(406)
    const message = 'Cannot coerce the result to a single JSON object'
    const details = `The result contains ${count} rows`
    expect(other.json).toEqual({ code: 'PGRST116', details, hint: null, message })
  }
})

test('nulls are left out when the client accepts that', async () => {
  const reply = await library.ask('/lib_books?select=id,price&id=eq.3', {
    headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
  })
  expect(reply.text).toBe('[{"id":3}]')
})

test('a read says where it can be had again', async () => {
  const reply = await library.ask('/lib_genres?select=id&id=eq.1')
  expect(reply.headers.get('content-location')).toBe('/lib_genres?select=id&id=eq.1')
})

test('no read gives more rows than the server allows', async () => {
  await library.db.query(`insert into public.lib_alone (id) select n from generate_series(2, 1500) n`)
  const reply = await library.ask('/lib_alone?select=id', { headers: { Prefer: 'count=exact' } })
  expect(reply.json).toHaveLength(1000)
  expect(reply.headers.get('content-range')).toBe('0-999/1500')
  await library.db.query('delete from public.lib_alone where id > 1')
})

test('reads run read-only, as the caller, with the request in reach of SQL', async () => {
  const { json } = await library.ask('/rpc/lib_request', { headers: { 'User-Agent': 'wire-test' } })
  expect(json).toMatchObject({
    method: 'GET',
    path: '/rpc/lib_request',
    agent: 'wire-test',
    role: 'authenticated',
    uid: '0aaaaaaa-0000-4000-8000-000000000001',
    read_only: 'on',
  })
})

test.each([
  ['select=title&id=eq.1&author_id=not.is.null&limit=1', [{ title: 'Apples' }]],
  ['select=title&id=eq.2&author_id=not.is.null&limit=1', [{ title: 'Bears' }]],
  ['select=title&id=eq.1&author_id=not.is.null&limit=1', [{ title: 'Apples' }]],
  [`select=id&author_id=in.(${ADA})`, [{ id: 1 }]],
  ['select=id&author_id=in.()', []],
])('a shape seen before gives the rows of its own values: %s', async (query, rows) => {
  expect((await library.ask(`/lib_books?${query}`)).json).toEqual(rows)
})

test('a changed schema is known as soon as the database says so', async () => {
  expect((await library.ask('/lib_later')).status).toBe(404)
  await library.db.transaction((tx) =>
    tx.script(`create table public.lib_later (id int); grant select on public.lib_later to authenticated;
      notify pgrst, 'reload schema'`),
  )
  await expect.poll(async () => (await library.ask('/lib_later')).status).toBe(200)
})
