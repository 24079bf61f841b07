import { beforeEach, describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { IDS, openLibrary, type Reply } from './library.ts'

const library = await openLibrary()
beforeEach(async () => {
  await library.db.transaction((tx) =>
    tx.script(`delete from public.lib_settings; delete from public.lib_notes;
      insert into public.lib_settings (key, value, level) values ('theme', 'dark', 1)`),
  )
})

const write =
  (method: string) =>
  (path: string, body?: unknown, Prefer = '', headers: Record<string, string> = {}): Promise<Reply> =>
    library.ask(path, { method, body, headers: { ...(Prefer && { Prefer }), ...headers } })
const post = write('POST')
const patch = write('PATCH')
const remove = write('DELETE')
const REPRESENTATION = 'return=representation'
const object = { Accept: 'application/vnd.pgrst.object+json' }

const settings = () => library.db.query('select key, value, level from public.lib_settings order by key')
const theirNote = (id = '5000') =>
  library.db.query(
    `insert into public.lib_notes (id, owner_id, body) overriding system value values ($1, $2, 'theirs')`,
    [id, IDS.marc],
  )

describe('insert', () => {
  test('adds one row and says nothing of it', async () => {
    const reply = await post('/lib_settings', { key: 'a', level: 3 })
    expect(reply).toMatchObject({ status: 201, text: '' })
    expect(reply.headers.get('content-range')).toBe('*/*')
    expect(reply.headers.get('content-type')).toBeNull()
    expect(await settings()).toEqual([
      { key: 'a', value: 'unset', level: 3 },
      { key: 'theme', value: 'dark', level: 1 },
    ])
  })

  const written = cases(`
    the columns that are wanted | lib_settings?select=key,value | ${REPRESENTATION} | {"key":"a"} | [{"key":"a","value":"unset"}]
    no more than columns= names | lib_settings?columns="key","value"&select=key,value,level | count=exact, ${REPRESENTATION} | [{"key":"a","value":"x","odd":1},{"key":"b","level":3}] | [{"key":"a","value":"x","level":7},{"key":"b","value":null,"level":7}]
    defaults where they are asked for | lib_settings?columns=key,value,level&select=key,value,level | missing=default,${REPRESENTATION} | [{"key":"a","value":null},{"key":"b","level":3},{"key":"c"}] | [{"key":"a","value":null,"level":7},{"key":"b","value":"unset","level":3},{"key":"c","value":"unset","level":7}]
    in the order asked for | lib_settings?select=key&order=key.desc | ${REPRESENTATION} | [{"key":"a"},{"key":"b"}] | [{"key":"b"},{"key":"a"}]
    the default of a domain | lib_crates?columns=id,colour&select=id,colour | missing=default,${REPRESENTATION} | {"id":9} | [{"id":9,"colour":"white"}]
    nothing of an empty list | lib_settings?select=key | ${REPRESENTATION} | [] | []
    related rows as well | lib_chapters?select=heading,lib_books(title) | ${REPRESENTATION} | {"book_id":2,"number":5,"heading":"Cave"} | [{"heading":"Cave","lib_books":{"title":"Bears"}}]`)
  test.each(written)('gives back %s', async (_what, path, prefer, body, back = '') => {
    const reply = await post(`/${path}`, body, prefer)
    expect(reply).toMatchObject({ status: 201, json: JSON.parse(back) })
    expect(reply.headers.get('preference-applied')).toContain(REPRESENTATION)
    if (prefer?.startsWith('count')) expect(reply.headers.get('content-range')).toBe('*/2')
  })

  test('gives back an object where one is wanted', async () => {
    const single = await post('/lib_settings?select=key', { key: 'b' }, REPRESENTATION, object)
    expect(single).toMatchObject({ status: 201, json: { key: 'b' } })
  })

  test('of an empty object adds a row of defaults, of an empty list nothing', async () => {
    expect((await post('/lib_letterbox', {})).status).toBe(201)
    expect((await post('/lib_settings', [])).status).toBe(201)
    expect(await library.db.query('select letter from public.lib_letterbox')).toEqual([{ letter: null }])
    expect(await settings()).toHaveLength(1)
  })

  test('may give only the address of the new row', async () => {
    const reply = await post('/lib_settings', { key: 'a b' }, 'return=headers-only')
    expect(reply).toMatchObject({ status: 201, text: '' })
    expect(reply.headers.get('location')).toBe('/lib_settings?key=eq.a%20b')
  })

  test('keeps every type as it was sent', async () => {
    const sent = {
      ...{ id: 50, title: 'Types', price: 1.5, pages: '9007199254740993', tags: ['a', 'b,"c"'] },
      ...{ data: { deep: [1, null] }, cover: '\\xbeef', lent_for: '02:00:00', weight: 1e21, state: 'lost' },
      added_at: '2026-01-02T03:04:05+00:00',
    }
    const reply = await post(`/lib_books?select=${Object.keys(sent)}`, sent, REPRESENTATION)
    expect(reply.text).toContain('"pages":9007199254740993')
    expect(reply.text).toContain('"price":1.50')
    expect(reply.json).toEqual([{ ...sent, pages: Number(sent.pages) }])
    await library.db.query('delete from public.lib_books where id = 50')
  })

  test.each([
    ['lib_letterbox', { letter: 'Dear' }],
    ['lib_notes', { owner_id: IDS.marc, body: 'for Marc' }],
  ])(
    'into %s, where the caller may not read it, is refused only when it is wanted back',
    async (table, row) => {
      const count = async () => (await library.db.query(`select 1 from public.${table}`)).length
      const before = await count()
      expect((await post(`/${table}`, row)).status).toBe(201)
      const wanted = await post(`/${table}`, { ...row, id: 6000 }, REPRESENTATION)
      expect(wanted).toMatchObject({ status: 403, json: { code: '42501' } })
      expect(await count()).toBe(before + 1)
    },
  )
})

describe('upsert', () => {
  const MERGE = 'resolution=merge-duplicates'
  const both = [
    { key: 'theme', value: 'x' },
    { key: 'new', value: 'y' },
  ]
  test('changes the row that is there (200) and adds the one that is not (201)', async () => {
    const changed = await post('/lib_settings', { key: 'theme', value: 'light' }, MERGE)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('preference-applied')).toBe(MERGE)
    expect((await post('/lib_settings', [], MERGE)).status).toBe(200)
    const added = await post('/lib_settings?select=key,value,level', both, `${MERGE},${REPRESENTATION}`)
    const [theme, fresh] = both
    expect(added).toMatchObject({
      status: 201,
      json: [
        { ...theme, level: 1 },
        { ...fresh, level: 7 },
      ],
    })
  })

  test('leaves the row that is there when duplicates are to be ignored', async () => {
    const prefer = `resolution=ignore-duplicates,${REPRESENTATION}`
    const reply = await post('/lib_settings?select=key', both, prefer)
    expect(reply).toMatchObject({ status: 201, json: [{ key: 'new' }] })
    expect(await settings()).toMatchObject([{ key: 'new' }, { key: 'theme', value: 'dark' }])
  })

  test('finds the row by the columns on_conflict names', async () => {
    const note = { owner_id: IDS.olivia, body: 'mine', shared: true }
    expect((await post('/lib_notes?on_conflict=owner_id,body', note, MERGE)).status).toBe(201)
    expect((await post('/lib_notes?on_conflict=owner_id,body', note, MERGE)).status).toBe(200)
    const odd = await post('/lib_notes?on_conflict=shared', note, MERGE)
    expect(odd).toMatchObject({ status: 400, json: { code: '42P10' } })
  })

  test('keeps to the policies of the row it finds', async () => {
    await theirNote()
    const reply = await post('/lib_notes', { id: 5000, body: 'mine' }, MERGE)
    expect(reply).toMatchObject({ status: 403, json: { code: '42501' } })
  })
})

describe('an update', () => {
  const updates = cases(`
    lib_settings?key=eq.theme | {"value":"light"} | | 204 | | 0-0/* | light
    lib_settings?key=eq.nope | {"value":"light"} | | 204 | | */* | dark
    lib_settings?key=eq.theme&select=value | {"value":"light"} | ${REPRESENTATION},count=exact | 200 | [{"value":"light"}] | 0-0/1 | light
    lib_settings?key=eq.theme | {} | ${REPRESENTATION} | 200 | [] | */* | dark
    lib_settings?key=eq.theme&columns=value&select=value | {} | missing=default,${REPRESENTATION} | 200 | [{"value":"unset"}] | 0-0/* | unset
    lib_books?id=gt.1&select=id&order=id.desc | {"lent_for":null} | ${REPRESENTATION} | 200 | [{"id":3}, {"id":2}] | 0-1/* | dark
    lib_books?id=eq.2&select=id,a:author_id(name)&order=id&limit=1 | {"pages":21} | ${REPRESENTATION} | 200 | [{"id":2,"a":{"name":"Ben"}}] | 0-0/* | dark`)
  test.each(updates)(
    'of %s to %s with "%s" changes the rows that fit',
    async (path, body, prefer, ...said) => {
      const reply = await patch(`/${path}`, body, prefer)
      const [row] = await settings()
      const text = reply.text.replace(/\s+/g, ' ')
      expect([String(reply.status), text, reply.headers.get('content-range'), row?.value]).toEqual(said)
    },
  )

  test('does not reach rows the caller may not see, and that is no error', async () => {
    await theirNote()
    const reply = await patch('/lib_notes?body=eq.theirs', { body: 'mine' })
    expect([reply.status, reply.headers.get('content-range')]).toEqual([204, '*/*'])
    expect(await library.db.query('select body from public.lib_notes')).toEqual([{ body: 'theirs' }])
  })

  const STRICT = 'handling=strict, max-affected=1'
  test.each([
    ['id=gt.1', REPRESENTATION, object, 406, 'PGRST116', 'The result contains 2 rows'],
    ['id=eq.99', REPRESENTATION, object, 406, 'PGRST116', 'The result contains 0 rows'],
    ['id=gt.1', STRICT, {}, 400, 'PGRST124', 'The query affects 2 rows'],
  ])(
    'of %s with %s is taken back when it does not reach as many rows as it should',
    async (rows, prefer, headers, status, code, details) => {
      const reply = await patch(`/lib_books?${rows}`, { pages: 1 }, prefer, headers as Record<string, string>)
      expect(reply).toMatchObject({ status, json: { code, details } })
      expect(await library.db.query('select id from public.lib_books where pages = 1')).toEqual([])
    },
  )

  test('of as many rows as allowed holds', async () => {
    const few = await patch('/lib_books?id=eq.2', { pages: 20 }, STRICT)
    expect(few.status).toBe(204)
    expect(few.headers.get('preference-applied')).toBe(STRICT)
  })
})

test('deleted rows come back in the order asked for', async () => {
  await post('/lib_settings', [{ key: 'a' }, { key: 'b' }])
  const reply = await remove('/lib_settings?level=gt.0&select=key&order=key.desc', undefined, REPRESENTATION)
  expect(reply.json).toEqual([{ key: 'theme' }, { key: 'b' }, { key: 'a' }])
})

test.each([
  ['lib_settings?key=eq.theme', '', 204, '', '*/*'],
  ['lib_settings?key=eq.theme&select=key', `${REPRESENTATION},count=exact`, 200, [{ key: 'theme' }], '*/1'],
])('a delete of %s with "%s" removes the rows that fit', async (path, prefer, status, json, range) => {
  const reply = await remove(`/${path}`, undefined, prefer)
  expect(reply).toMatchObject({ status, json })
  expect(reply.headers.get('content-range')).toBe(range)
  expect(await settings()).toEqual([])
})

test('an update or delete of everything is refused', async () => {
  for (const [verb, reply] of [
    ['UPDATE', await patch('/lib_settings', { value: 'x' })],
    ['DELETE', await remove('/lib_settings')],
  ] as const) {
    const message = `${verb} requires a WHERE clause`
    expect(reply).toMatchObject({ status: 400, json: { code: '21000', details: null, hint: null, message } })
  }
  expect(await settings()).toHaveLength(1)
})
