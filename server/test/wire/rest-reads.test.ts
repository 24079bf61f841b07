import { describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { eventually } from '../eventually.ts'
import { openLibrary } from './library.ts'

const library = await openLibrary()
const ADA = '00000000-0000-4000-8000-00000000000a'

const toRows = (ids: string) => [...ids.matchAll(/\d/g)].map(([id]) => ({ id: Number(id) }))

const READS = {
  'a read gives what it asks for': String.raw`
    a renamed column | /lib_books?select=name:title&id=eq.2 | [{"name":"Bears"}]
    a cast | /lib_books?select=id::text,price::int&id=eq.2 | [{"id":"2","price":5}]
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
    the rows of a view | /lib_cheap | [{"id":2,"title":"Bears"}]`,
  'related rows come with a row': `
    to one, null when there is none | /lib_books?select=id,lib_authors!lib_books_author_id_fkey(name)&order=id | [{"id":1,"lib_authors":{"name":"Ada"}},{"id":2,"lib_authors":{"name":"Ben"}},{"id":3,"lib_authors":null}]
    to one by the name of the column | /lib_books?select=by:author_id(name)&id=eq.1 | [{"by":{"name":"Ada"}}]
    to one by the name of the key | /lib_books?select=lib_books_author_id_fkey(name)&id=eq.1 | [{"lib_books_author_id_fkey":{"name":"Ada"}}]
    to one by a column as hint | /lib_books?select=by:lib_authors!editor_id(name)&id=eq.2 | [{"by":{"name":"Ada"}}]
    to one where their key is unique | /lib_books?select=id,lib_covers(colour)&order=id&limit=2 | [{"id":1,"lib_covers":{"colour":"green"}},{"id":2,"lib_covers":null}]
    to many, [] when there are none | /lib_books?select=id,lib_chapters(number,heading)&order=id&lib_chapters.order=number.desc | [{"id":1,"lib_chapters":[{"number":2,"heading":"Tree"},{"number":1,"heading":"Seed"}]},{"id":2,"lib_chapters":[{"number":1,"heading":"Den"}]},{"id":3,"lib_chapters":[]}]
    to many through a junction | /lib_books?select=id,lib_genres(name)&order=id&lib_genres.order=id | [{"id":1,"lib_genres":[{"name":"Fruit"}]},{"id":2,"lib_genres":[{"name":"Beast"}]},{"id":3,"lib_genres":[{"name":"Fruit"},{"name":"Beast"}]}]
    the same relation twice | /lib_books?select=a:author_id(name),e:editor_id(name)&id=eq.2 | [{"a":{"name":"Ben"},"e":{"name":"Ada"}}]
    hint and !inner together | /lib_books?select=x:lib_authors!editor_id!inner(name) | [{"x":{"name":"Ada"}}]
    all columns of it | /lib_books?select=lib_covers(*)&id=eq.1 | [{"lib_covers":{"book_id":1,"colour":"green"}}]
    all its columns spread | /lib_books?select=id,...lib_covers(*)&id=eq.1 | [{"id":1,"book_id":1,"colour":"green"}]
    relations of relations | /lib_chapters?select=heading,book:lib_books(title,author_id(name))&id=eq.1 | [{"heading":"Seed","book":{"title":"Apples","author_id":{"name":"Ada"}}}]
    the row a table points at in itself | /lib_chapters?select=heading,parent_id(heading)&id=eq.2 | [{"heading":"Tree","parent_id":{"heading":"Seed"}}]
    the rows that point at a row of the same table | /lib_chapters?select=heading,children:lib_chapters(heading)&id=in.(1,2)&order=id | [{"heading":"Seed","children":[{"heading":"Tree"}]},{"heading":"Tree","children":[]}]
    those rows by the column as hint | /lib_chapters?select=children:lib_chapters!parent_id(heading)&id=eq.1 | [{"children":[{"heading":"Tree"}]}]
    those rows by the key as hint | /lib_chapters?select=children:lib_chapters!lib_chapters_parent_id_fkey(heading)&id=eq.1 | [{"children":[{"heading":"Tree"}]}]
    the row pointed at and its children | /lib_chapters?select=parent_id(heading,children:lib_chapters!parent_id(id))&id=eq.2 | [{"parent_id":{"heading":"Seed","children":[{"id":2}]}}]
    one of two ways a table points at itself | /lib_crates?select=id,within:lib_crates!inside(id)&within.order=id&id=eq.1 | [{"id":1,"within":[{"id":2},{"id":3}]}]
    a filter on a column that related rows are named after | /lib_books?select=id,author_id(name)&author_id=eq.00000000-0000-4000-8000-00000000000b | [{"id":2,"author_id":{"name":"Ben"}}]
    a relation of which nothing is shown | /lib_chapters?select=id,lib_books(lib_covers())&id=eq.1 | [{"id":1}]
    nothing shown at two depths, and rows dropped by it | /lib_books?select=id,lib_chapters!inner(lib_books!inner(lib_covers())),lib_covers(lib_books())&lib_chapters.lib_books.id=eq.2 | [{"id":2}]
    a spread relation of which nothing is shown | /lib_chapters?select=id,...lib_books(lib_covers())&id=eq.1 | [{"id":1}]
    its columns spread over the row | /lib_covers?select=colour,...lib_books(title,by:author_id(name)) | [{"colour":"green","title":"Apples","by":{"name":"Ada"}}]
    a filter deep inside | /lib_chapters?select=id,lib_books!inner(title,a:author_id!inner(name))&lib_books.a.name=eq.Ben | [{"id":3,"lib_books":{"title":"Bears","a":{"name":"Ben"}}}]`,
  'the rows of views are related as those of the tables they show': `
    from a view | /lib_cheap?select=title,lib_authors!lib_books_author_id_fkey(name) | [{"title":"Bears","lib_authors":{"name":"Ben"}}]
    from a view of a view of a table that is not exposed itself | /lib_shelf?select=label,lib_chapters(heading)&order=label&limit=1 | [{"label":"Apples","lib_chapters":[{"heading":"Seed"},{"heading":"Tree"}]}]
    to a view | /lib_authors?select=name,lib_cheap(title)&order=name | [{"name":"Ada","lib_cheap":[]},{"name":"Ben","lib_cheap":[{"title":"Bears"}]}]
    between views, through a junction | /lib_genres?select=name,lib_shelf(label)&lib_shelf.label=eq.Bears&id=eq.2 | [{"name":"Beast","lib_shelf":[{"label":"Bears"}]}]`,
  'functions of a row compute related rows': `
    many | /lib_authors?select=name,lib_written(id)&order=name&limit=1 | [{"name":"Ada","lib_written":[{"id":1}]}]
    one, though it returns more | /lib_authors?select=lib_first(title)&name=eq.Ada | [{"lib_first":{"title":"Apples"}}]
    of related rows, filtered, and dropping parents | /lib_books?select=id,author_id!inner(lib_written!inner(title))&author_id.lib_written.id=eq.2 | [{"id":2,"author_id":{"lib_written":[{"title":"Bears"}]}}]
    of what a function returned | /rpc/lib_book?p_id=2&select=id,lib_cover_of(book_id) | {"id":2,"lib_cover_of":[]}`,
  'filters, order and limit reach related rows': `
    a filter trims related rows and keeps the parents | /lib_books?select=id,lib_chapters(heading)&lib_chapters.heading=eq.Den&order=id | [{"id":1,"lib_chapters":[]},{"id":2,"lib_chapters":[{"heading":"Den"}]},{"id":3,"lib_chapters":[]}]
    a filter finds a relation of another name in the answer | /lib_books?select=c:lib_chapters(heading)&lib_chapters.number=eq.2&id=eq.1 | [{"c":[{"heading":"Tree"}]}]
    a filter prefers the relation that has the name in the answer | /lib_books?select=c:lib_chapters(number),lib_chapters(number)&lib_chapters.number=eq.2&lib_chapters.order=number&c.order=number&id=eq.1 | [{"c":[{"number":1},{"number":2}],"lib_chapters":[{"number":2}]}]
    a filter on a to-one leaves null | /lib_books?select=id,a:author_id(name)&a.name=eq.Ben&order=id&limit=2 | [{"id":1,"a":null},{"id":2,"a":{"name":"Ben"}}]
    with !inner it drops parents | /lib_books?select=id,a:author_id!inner(name)&a.name=eq.Ben | [{"id":2,"a":{"name":"Ben"}}]
    with !inner it drops parents of many | /lib_books?select=id,lib_chapters!inner(heading)&lib_chapters.heading=eq.Den | [{"id":2,"lib_chapters":[{"heading":"Den"}]}]
    !inner through a junction | /lib_books?select=id,lib_genres!inner(name)&lib_genres.name=eq.Fruit&order=id | [{"id":1,"lib_genres":[{"name":"Fruit"}]},{"id":3,"lib_genres":[{"name":"Fruit"}]}]
    !left is what it is anyway | /lib_books?select=id,lib_covers!left(colour)&id=eq.2 | [{"id":2,"lib_covers":null}]
    a relation that is there | /lib_books?select=id,lib_covers(colour)&lib_covers=not.is.null | [{"id":1,"lib_covers":{"colour":"green"}}]
    a relation that is not there | /lib_books?select=id,lib_covers()&lib_covers=is.null&order=id | [{"id":2},{"id":3}]
    many that are there | /lib_books?select=id,lib_chapters()&lib_chapters=not.is.null&order=id | [{"id":1},{"id":2}]
    many that are not there | /lib_books?select=id,c:lib_chapters(id)&c=is.null | [{"id":3,"c":[]}]
    either of two relations | /lib_books?select=id,lib_covers(),a:author_id()&or=(lib_covers.not.is.null,a.is.null)&order=id | [{"id":1},{"id":3}]
    or inside a relation | /lib_books?select=id,lib_chapters(heading)&lib_chapters.or=(heading.eq.Seed,heading.eq.Den)&id=eq.1 | [{"id":1,"lib_chapters":[{"heading":"Seed"}]}]
    limit and offset of a relation | /lib_books?select=id,lib_chapters(number)&lib_chapters.order=number&lib_chapters.limit=1&lib_chapters.offset=1&id=eq.1 | [{"id":1,"lib_chapters":[{"number":2}]}]
    rows in the order of a relation | /lib_books?select=id,a:author_id(name)&order=a(name).desc.nullslast | [{"id":2,"a":{"name":"Ben"}},{"id":1,"a":{"name":"Ada"}},{"id":3,"a":null}]
    rows in the order of a column not shown | /lib_books?select=id,a:author_id(born)&order=a(name).desc.nullslast&limit=2 | [{"id":2,"a":{"born":null}},{"id":1,"a":{"born":"1815-12-10"}}]`,
  'a shape seen before gives the rows of its own values': `
    the first | /lib_books?select=title&id=eq.1&author_id=not.is.null&limit=1 | [{"title":"Apples"}]
    another one | /lib_books?select=title&id=eq.2&author_id=not.is.null&limit=1 | [{"title":"Bears"}]
    none | /lib_books?select=title&id=eq.3&author_id=not.is.null&limit=1 | []`,
}
describe.each(Object.entries(READS))('%s', (_what, table) => {
  test.each(cases(table))('%s: %s', async (_rule, path = '', body = '') => {
    const reply = await library.ask(path)
    expect(reply).toMatchObject({ status: 200, json: JSON.parse(body) })
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(reply.headers.get('content-location')).toBe(
      new URL(path, library.url).href.slice(library.url.length),
    )
  })
})

describe('a filter keeps the rows it describes', () => {
  const filters = cases(String.raw`
    2 | id=eq.2 ; id=gt.1&id=lt.3 ; id=not.in.(1,3) ; state=eq.out
    2 | title=like.*ear* ; title=like.%ear% ; title=fts.bears ; title=fts(english).bear ; title=wfts.bears ; tags=eq.{}
    1 3 | id=neq.2 ; id=not.eq.2 ; id=in.(1,3) ; state=in.(in,lost) ; title=in.(Apples,"Cats, (dogs) \"and\" more")
    2 3 | id=gte.2 ; title=not.ilike.APP* ; author_id=isdistinct.${ADA} ; tags=cd.{red}
    1 2 | id=lte.2 ; price=is.not_null ; price=not.is.null ; id=eq(any).{1,2} ; title=not.plfts(simple).cats
    1 | title=ilike.APP* ; title=like(all).{A*,*s} ; tags=ov.{"a,b",none} ; data=cs.{"size":{"w":3}} ; data->size->>w=eq.3
    3 | title=eq.Cats, (dogs) "and" more ; price=is.null ; price=is.NULL ; data->size->w=gt.5
    1 3 | tags=cs.{red} ; or=(id.eq.1,and(id.gt.2,price.is.null))
    none | title=eq. ; id=in.() ; title=in.("") ; id=eq.1&id=eq.2
    2 | and=(id.gte.2,not.or(id.eq.3,id.eq.4))
    3 | not.or=(id.eq.1,id.eq.2) ; or=(id.not.in.(1,2)) ; and=( and ( id.in.( 1, 2, 3 ) , id.gt.1 ) , not.or ( id.eq.2 , id.eq.9 ) )
    2 3 | or=(not.and(id.eq.1,or(id.eq.1))) ; or=(id.not.eq.1,title.eq.)
    1 2 3 | title=not.ilike(all).{a*,b*} ; or=(title.eq."Cats, (dogs) \"and\" more",id.in.(1,"2"))
    1 2 | or=(tags.cs.{red,"a,b"},title.like.B*)`)
  test.each(filters)('%s: %s', async (ids = '', all = '') => {
    for (const filter of all.split(' ; ')) {
      const [, key, value = ''] = /(.*?)=(.*)/.exec(filter) ?? []
      const query = filter.includes('&') ? filter : `${key}=${encodeURIComponent(value)}`
      const reply = await library.ask(`/lib_books?select=id&order=id&${query}`)
      expect(reply.json, filter).toEqual(toRows(ids))
    }
  })
})

describe('rows come in the order and the part asked for, and a count says how many there are in all', () => {
  const pages = cases(`
    order=id.desc | | 3 2 1 | 200 0-2/*
    order=price.desc | | 3 1 2 | 200 0-2/*
    order=price | | 2 1 3 | 200 0-2/*
    order=price.desc.nullslast | | 1 2 3 | 200 0-2/*
    order=price.nullsfirst,id | | 3 2 1 | 200 0-2/*
    order=data->size->>w.asc.nullsfirst | | 2 3 1 | 200 0-2/*
    order=lib_authors(name).desc.nullslast,id&select=id,lib_authors!lib_books_author_id_fkey() | | 2 1 3 | 200 0-2/*
    order=id&limit=2 | | 1 2 | 200 0-1/*
    order=id&limit=2&offset=2 | | 3 | 200 2-2/*
    order=id&offset=5 | | | 200 */*
    order=id&limit=0 | | | 200 */*
    order=id&limit=9 | Range: 1-1 | 2 | 200 1-1/*
    order=id | Prefer: count=exact | 1 2 3 | 200 0-2/3
    order=id&limit=2 | Prefer: count=exact | 1 2 | 206 0-1/3
    order=id&id=gt.1 | Prefer: count=exact | 2 3 | 200 0-1/2
    id=gt.9 | Prefer: count=exact | | 200 */0
    select=id,lib_covers!inner() | Prefer: count=exact | 1 | 200 0-0/1
    select=id,lib_chapters!inner()&lib_chapters.number=eq.2 | Prefer: count=exact | 1 | 200 0-0/1
    order=id&select=id,lib_covers()&lib_covers=is.null | Prefer: count=exact | 2 3 | 200 0-1/2
    offset=3 | Prefer: count=exact | | 206 */3`)
  test.each(pages)('%s %s', async (query = '', headers = '', ids = '', place = '') => {
    const path = `/lib_books?${query}${query.includes('select=') ? '' : '&select=id'}`
    const reply = await library.asWritten(`GET ${path}`, headers)
    expect(reply.json).toEqual(toRows(ids))
    const head = await library.asWritten(`HEAD ${path}`, headers)
    expect(head.text).toBe('')
    for (const { status, headers: said } of headers.startsWith('Prefer') ? [reply, head] : [reply]) {
      expect(`${status} ${said.get('content-range')}`).toBe(place)
      expect(said.get('preference-applied')).toBe(/^Prefer: (.*)/.exec(headers)?.[1] ?? null)
    }
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

test('a row comes as an object, and without its nulls, where the client accepts that', async () => {
  for (const [accept, path, text] of [
    ['application/vnd.pgrst.object+json', '/lib_genres?id=eq.1', '{"id":1,"name":"Fruit"}'],
    ['application/vnd.pgrst.array+json;nulls=stripped', '/lib_books?select=id,price&id=eq.3', '[{"id":3}]'],
  ]) {
    const reply = await library.asWritten(`GET ${path}`, `Accept: ${accept}`)
    expect([reply.text, reply.headers.get('content-type')]).toEqual([text, `${accept}; charset=utf-8`])
  }
})

test('no read gives more rows than the server allows', async () => {
  await library.db.query(`insert into public.lib_alone (id) select n from generate_series(2, 1500) n`)
  const reply = await library.ask('/lib_alone?select=id', { headers: { Prefer: 'count=exact' } })
  expect(reply.json).toHaveLength(1000)
  expect(reply.headers.get('content-range')).toBe('0-999/1500')
  await library.db.query('delete from public.lib_alone where id > 1')
})

test('reads run read-only, as the caller, with the request in reach of SQL', async () => {
  const { json } = await library.asWritten('GET /rpc/lib_request', 'User-Agent: wire-test')
  const caller = { role: 'authenticated', uid: '0aaaaaaa-0000-4000-8000-000000000001', read_only: 'on' }
  expect(json).toEqual({ method: 'GET', path: '/rpc/lib_request', agent: 'wire-test', ...caller })
})

test('a changed schema is known as soon as the database says so', async () => {
  expect((await library.ask('/lib_later')).status).toBe(404)
  await library.db.transaction((tx) =>
    tx.script(`create table public.lib_later (id int); grant select on public.lib_later to authenticated;
      notify pgrst, 'reload schema'`),
  )
  await eventually(async () => expect((await library.ask('/lib_later')).status).toBe(200))
})
