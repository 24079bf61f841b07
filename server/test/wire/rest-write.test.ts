import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AskOptions, IDS, type Library, openLibrary, type Reply } from './library.ts'

let library: Library
beforeAll(async () => {
  library = await openLibrary()
})
afterAll(() => library.close())
beforeEach(async () => {
  await library.db.query('delete from public.lib_settings')
  await library.db.query(`insert into public.lib_settings (key, value, level) values ('theme', 'dark', 1)`)
  await library.db.query('delete from public.lib_notes')
})

const write =
  (method: string) =>
  (path: string, body?: unknown, prefer = '', options: AskOptions = {}): Promise<Reply> =>
    library.ask(path, {
      method,
      body,
      ...options,
      headers: { ...(prefer && { Prefer: prefer }), ...options.headers },
    })
const post = write('POST')
const patch = write('PATCH')
const remove = write('DELETE')
const REPRESENTATION = 'return=representation'
const object = { headers: { Accept: 'application/vnd.pgrst.object+json' } }

const settings = () => library.db.query('select key, value, level from public.lib_settings order by key')

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

  test('gives the row back when it is wanted, with the columns that are', async () => {
    const reply = await post('/lib_settings?select=key,value', { key: 'a' }, REPRESENTATION)
    expect(reply).toMatchObject({ status: 201, json: [{ key: 'a', value: 'unset' }] })
    expect(reply.headers.get('preference-applied')).toBe('return=representation')
    const single = await post('/lib_settings?select=key', { key: 'b' }, REPRESENTATION, object)
    expect(single).toMatchObject({ status: 201, json: { key: 'b' } })
  })

  test('adds several rows, counts them, and leaves out what columns= does not name', async () => {
    const rows = [
      { key: 'a', value: 'x', odd: 1 },
      { key: 'b', level: 3 },
    ]
    const reply = await post(
      '/lib_settings?columns="key","value"&select=key,value,level',
      rows,
      `count=exact, ${REPRESENTATION}`,
    )
    expect(reply).toMatchObject({
      status: 201,
      json: [
        { key: 'a', value: 'x', level: 7 },
        { key: 'b', value: null, level: 7 },
      ],
    })
    expect(reply.headers.get('content-range')).toBe('*/2')
    expect(reply.headers.get('preference-applied')).toBe('return=representation, count=exact')
  })

  test('fills what a row lacks with its default when asked to', async () => {
    const rows = [{ key: 'a', value: null }, { key: 'b', level: 3 }, { key: 'c' }]
    const reply = await post(
      '/lib_settings?columns=key,value,level&select=key,value,level',
      rows,
      `missing=default,${REPRESENTATION}`,
    )
    expect(reply.json).toEqual([
      { key: 'a', value: null, level: 7 },
      { key: 'b', value: 'unset', level: 3 },
      { key: 'c', value: 'unset', level: 7 },
    ])
  })

  test('of an empty object adds a row of defaults, of an empty list nothing', async () => {
    const note = await post('/lib_letterbox', {})
    expect(note.status).toBe(201)
    const none = await post('/lib_settings?select=key', [], REPRESENTATION)
    expect(none).toMatchObject({ status: 201, json: [] })
    expect(await library.db.query('select letter from public.lib_letterbox')).toEqual([{ letter: null }])
    expect(await settings()).toHaveLength(1)
  })

  test('brings related rows along', async () => {
    const reply = await post(
      '/lib_chapters?select=heading,lib_books(title)',
      { book_id: 2, number: 5, heading: 'Cave' },
      REPRESENTATION,
    )
    expect(reply.json).toEqual([{ heading: 'Cave', lib_books: { title: 'Bears' } }])
  })

  test('may give only the address of the new row', async () => {
    const reply = await post('/lib_settings', { key: 'a b' }, 'return=headers-only')
    expect(reply).toMatchObject({ status: 201, text: '' })
    expect(reply.headers.get('location')).toBe('/lib_settings?key=eq.a%20b')
  })

  test('keeps every type as it was sent', async () => {
    const sent = {
      id: 50,
      title: 'Types',
      price: 1.5,
      pages: '9007199254740993',
      tags: ['a', 'b,"c"'],
      data: { deep: [1, null] },
      cover: '\\xbeef',
      lent_for: '02:00:00',
      weight: 1e21,
      state: 'lost',
      added_at: '2026-01-02T03:04:05+00:00',
    }
    const reply = await post(`/lib_books?select=${Object.keys(sent)}`, sent, REPRESENTATION)
    expect(reply.text).toContain('"pages":9007199254740993')
    expect(reply.text).toContain('"price":1.50')
    expect(reply.json).toEqual([{ ...sent, pages: Number(sent.pages) }])
    await library.db.query('delete from public.lib_books where id = 50')
  })

  test('into a table the caller may not read succeeds as long as nothing is wanted back', async () => {
    expect((await post('/lib_letterbox', { letter: 'Dear' })).status).toBe(201)
    expect(await post('/lib_letterbox', { letter: 'Dear' }, REPRESENTATION)).toMatchObject({
      status: 403,
      json: { code: '42501' },
    })
  })

  test('of a row the caller may not see is refused only when it is wanted back', async () => {
    const foreign = { owner_id: IDS.marc, body: 'for Marc' }
    expect((await post('/lib_notes', foreign)).status).toBe(201)
    const seen = await post('/lib_notes', { ...foreign, body: 'again' }, REPRESENTATION)
    expect(seen).toMatchObject({ status: 403, json: { code: '42501' } })
    expect(await library.db.query('select body from public.lib_notes')).toEqual([{ body: 'for Marc' }])
  })
})

describe('upsert', () => {
  const MERGE = 'resolution=merge-duplicates'
  test('changes the row that is there (200) and adds the one that is not (201)', async () => {
    const changed = await post('/lib_settings', { key: 'theme', value: 'light' }, MERGE)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('preference-applied')).toBe('resolution=merge-duplicates')
    const both = await post(
      '/lib_settings?select=key,value,level',
      [
        { key: 'theme', value: 'x' },
        { key: 'new', value: 'y' },
      ],
      `${MERGE},${REPRESENTATION}`,
    )
    expect(both).toMatchObject({
      status: 201,
      json: [
        { key: 'theme', value: 'x', level: 1 },
        { key: 'new', value: 'y', level: 7 },
      ],
    })
  })

  test('leaves the row that is there when duplicates are to be ignored', async () => {
    const reply = await post(
      '/lib_settings?select=key',
      [
        { key: 'theme', value: 'x' },
        { key: 'new', value: 'y' },
      ],
      `resolution=ignore-duplicates,${REPRESENTATION}`,
    )
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
    await library.db.query(
      `insert into public.lib_notes (id, owner_id, body) overriding system value values (5000, $1, 'theirs')`,
      [IDS.marc],
    )
    const reply = await post('/lib_notes', { id: 5000, body: 'mine' }, MERGE)
    expect(reply).toMatchObject({ status: 403, json: { code: '42501' } })
  })
})

describe('update', () => {
  test('changes the rows that fit and says how many', async () => {
    const reply = await patch('/lib_settings?key=eq.theme', { value: 'light' })
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.get('content-range')).toBe('0-0/*')
    const none = await patch('/lib_settings?key=eq.nope', { value: 'light' })
    expect(none.status).toBe(204)
    expect(none.headers.get('content-range')).toBe('*/*')
    expect(await settings()).toMatchObject([{ value: 'light' }])
  })

  test('gives the rows back when they are wanted', async () => {
    const reply = await patch(
      '/lib_settings?key=eq.theme&select=value',
      { value: 'light' },
      `${REPRESENTATION},count=exact`,
    )
    expect(reply).toMatchObject({ status: 200, json: [{ value: 'light' }] })
    expect(reply.headers.get('content-range')).toBe('0-0/1')
    const book = await patch(
      '/lib_books?id=eq.2&select=id,a:author_id(name)&order=id&limit=1',
      { pages: 21 },
      REPRESENTATION,
    )
    expect(book.json).toEqual([{ id: 2, a: { name: 'Ben' } }])
  })

  test('with nothing to set touches nothing', async () => {
    const reply = await patch('/lib_settings?key=eq.theme', {}, REPRESENTATION)
    expect(reply).toMatchObject({ status: 200, json: [] })
    expect(reply.headers.get('content-range')).toBe('*/*')
  })

  test('does not reach rows the caller may not see, and that is no error', async () => {
    await library.db.query(`insert into public.lib_notes (owner_id, body) values ($1, 'theirs')`, [IDS.marc])
    const reply = await patch('/lib_notes?body=eq.theirs', { body: 'mine' })
    expect(reply.status).toBe(204)
    expect(reply.headers.get('content-range')).toBe('*/*')
    expect(await library.db.query('select body from public.lib_notes')).toEqual([{ body: 'theirs' }])
  })

  test('is taken back when not exactly one row was changed and one was wanted', async () => {
    const many = await patch('/lib_books?id=gt.1', { pages: 1 }, REPRESENTATION, object)
    expect(many).toMatchObject({
      status: 406,
      json: { code: 'PGRST116', details: 'The result contains 2 rows' },
    })
    expect(await library.db.query('select id from public.lib_books where pages = 1')).toEqual([])
    const none = await patch('/lib_books?id=eq.99', { pages: 1 }, REPRESENTATION, object)
    expect(none).toMatchObject({ status: 406, json: { details: 'The result contains 0 rows' } })
  })

  test('is taken back when it reaches more rows than allowed', async () => {
    const reply = await patch('/lib_books?id=gt.1', { pages: 1 }, 'handling=strict, max-affected=1')
    expect(reply).toMatchObject({
      status: 400,
      json: { code: 'PGRST124', details: 'The query affects 2 rows' },
    })
    expect(await library.db.query('select id from public.lib_books where pages = 1')).toEqual([])
    const few = await patch('/lib_books?id=eq.2', { pages: 20 }, 'handling=strict, max-affected=1')
    expect(few.status).toBe(204)
    expect(few.headers.get('preference-applied')).toBe('handling=strict, max-affected=1')
  })
})

describe('delete', () => {
  test('removes the rows that fit', async () => {
    const reply = await remove('/lib_settings?key=eq.theme')
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.get('content-range')).toBe('*/*')
    expect(await settings()).toEqual([])
  })

  test('gives what it removed when that is wanted', async () => {
    const reply = await remove(
      '/lib_settings?key=eq.theme&select=key',
      undefined,
      `${REPRESENTATION},count=exact`,
    )
    expect(reply).toMatchObject({ status: 200, json: [{ key: 'theme' }] })
    expect(reply.headers.get('content-range')).toBe('*/1')
  })
})

test('an update or delete of everything is refused', async () => {
  const expected = (verb: string) => ({
    code: '21000',
    details: null,
    hint: null,
    message: `${verb} requires a WHERE clause`,
  })
  const updated = await patch('/lib_settings', { value: 'x' })
  expect(updated).toMatchObject({ status: 400, json: expected('UPDATE') })
  const removed = await remove('/lib_settings')
  expect(removed).toMatchObject({ status: 400, json: expected('DELETE') })
  expect(await settings()).toHaveLength(1)
})

describe('a body that cannot be meant is refused', () => {
  const refusals: [
    rule: string,
    path: string,
    body: string,
    status: number,
    code: string,
    message: string,
  ][] = [
    ['no JSON', '/lib_settings', '{"key":', 400, 'PGRST102', 'Empty or invalid json'],
    ['nothing', '/lib_settings', '', 400, 'PGRST102', 'Empty or invalid json'],
    ['no object', '/lib_settings', '"x"', 400, 'PGRST102', 'Empty or invalid json'],
    ['a list of other things', '/lib_settings', '[1]', 400, 'PGRST102', 'Empty or invalid json'],
    [
      'different keys',
      '/lib_settings',
      '[{"key":"a"},{"key":"b","level":1}]',
      400,
      'PGRST102',
      'All object keys must match',
    ],
    [
      'an unknown column',
      '/lib_settings',
      '{"key":"a","nope":1}',
      400,
      'PGRST204',
      "Could not find the 'nope' column of 'lib_settings' in the schema cache",
    ],
    [
      'an unknown column named in advance',
      '/lib_settings?columns=key,nope',
      '[{"key":"a"}]',
      400,
      'PGRST204',
      "Could not find the 'nope' column of 'lib_settings' in the schema cache",
    ],
  ]
  test.each(refusals)('%s', async (_rule, path, body, status, code, message) => {
    const reply = await post(path, body)
    expect(reply.status).toBe(status)
    expect(reply.json).toEqual({ code, details: null, hint: null, message })
  })

  test('a body of more than a megabyte, said or unsaid', async () => {
    const big = JSON.stringify({ key: 'a', value: 'x'.repeat(1_100_000) })
    expect(await post('/lib_settings', big)).toMatchObject({
      status: 413,
      json: { code: 'PGRST102', hint: null },
    })
    const response = await fetch(`${library.url}/rest/v1/lib_settings`, {
      method: 'POST',
      headers: {
        apikey: library.anonKey,
        Authorization: `Bearer ${await library.tokenOf('olivia')}`,
        'Content-Type': 'application/json',
      },
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
    expect(await settings()).toHaveLength(1)
  })

  test('a body that is no JSON by its own account', async () => {
    const reply = await post('/lib_settings', 'key,value', '', { headers: { 'Content-Type': 'text/csv' } })
    expect(reply).toMatchObject({ status: 415, json: { code: 'PGRST102' } })
  })
})
