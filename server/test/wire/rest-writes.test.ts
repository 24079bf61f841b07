import { beforeEach, describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { newClient } from '../harness.ts'
import { IDS, openLibrary } from './library.ts'

const library = await openLibrary()
beforeEach(() =>
  library.db.transaction((tx) =>
    tx.script(`delete from public.lib_settings; delete from public.lib_notes; delete from public.lib_letterbox;
      delete from public.lib_crates where id = 9; delete from public.lib_chapters where id > 3;
      insert into public.lib_settings (key, value, level) values ('theme', 'dark', 1)`),
  ),
)

const settings = async () => {
  const rows = await library.db.query('select key, value, level from public.lib_settings order by key')
  return rows.map((row) => Object.values(row).join(':')).join(' ')
}
const theirNote = () =>
  library.db.query(
    `insert into public.lib_notes (id, owner_id, body) overriding system value values (5000, $1, 'theirs')`,
    [IDS.marc],
  )

// Each case has a name, request, Prefer and body; then status, range, applied preferences and response; then the
// settings.
const WRITES = {
  'an insert': `
    says nothing of the row | POST /lib_settings | | {"key":"a","level":3} | 201 */* | | a:unset:3 theme:dark:1
    gives back the columns that are wanted | POST /lib_settings?select=key,value | return=representation | {"key":"a"} | 201 */* return=representation | [{"key":"a","value":"unset"}] | a:unset:7 theme:dark:1
    adds no more than columns= names | POST /lib_settings?columns="key","value"&select=key,level | count=exact, return=representation | [{"key":"a","value":"x","odd":1},{"key":"b","level":3}] | 201 */2 return=representation, count=exact | [{"key":"a","level":7},{"key":"b","level":7}] | a:x:7 b::7 theme:dark:1
    has defaults where they are asked for | POST /lib_settings?columns=key,value,level&select=key | missing=default,return=representation | [{"key":"a","value":null},{"key":"b","level":3},{"key":"c"}] | 201 */* missing=default, return=representation | [{"key":"a"},{"key":"b"},{"key":"c"}] | a::7 b:unset:3 c:unset:7 theme:dark:1
    gives back in the order asked for | POST /lib_settings?select=key&order=key.desc | return=representation | [{"key":"a"},{"key":"b"}] | 201 */* return=representation | [{"key":"b"},{"key":"a"}] | a:unset:7 b:unset:7 theme:dark:1
    has the default of a domain | POST /lib_crates?columns=id,colour&select=id,colour | missing=default,return=representation | {"id":9} | 201 */* missing=default, return=representation | [{"id":9,"colour":"white"}] | theme:dark:1
    of an empty list adds nothing | POST /lib_settings?select=key | return=representation | [] | 201 */* return=representation | [] | theme:dark:1
    of an empty list says nothing | POST /lib_settings | | [] | 201 */* | | theme:dark:1
    gives back related rows as well | POST /lib_chapters?select=heading,lib_books(title) | return=representation | {"book_id":2,"number":5,"heading":"Cave"} | 201 */* return=representation | [{"heading":"Cave","lib_books":{"title":"Bears"}}] | theme:dark:1`,
  'an upsert': `
    changes the row that is there | POST /lib_settings | resolution=merge-duplicates | {"key":"theme","value":"light"} | 200 */* resolution=merge-duplicates | | theme:light:1
    of nothing changes nothing | POST /lib_settings | resolution=merge-duplicates | [] | 200 */* resolution=merge-duplicates | | theme:dark:1
    adds the row that is not there | POST /lib_settings?select=key | resolution=merge-duplicates,return=representation | [{"key":"theme","value":"x"},{"key":"new","value":"y"}] | 201 */* resolution=merge-duplicates, return=representation | [{"key":"theme"},{"key":"new"}] | new:y:7 theme:x:1
    may leave the row that is there | POST /lib_settings?select=key | resolution=ignore-duplicates,return=representation | [{"key":"theme","value":"x"},{"key":"new","value":"y"}] | 201 */* resolution=ignore-duplicates, return=representation | [{"key":"new"}] | new:y:7 theme:dark:1`,
  'an update': `
    says how many it changed | PATCH /lib_settings?key=eq.theme | | {"value":"light"} | 204 0-0/* | | theme:light:1
    of nothing is no error | PATCH /lib_settings?key=eq.nope | | {"value":"light"} | 204 */* | | theme:dark:1
    gives back and counts | PATCH /lib_settings?key=eq.theme&select=value | return=representation,count=exact | {"value":"light"} | 200 0-0/1 return=representation, count=exact | [{"value":"light"}] | theme:light:1
    to nothing changes nothing | PATCH /lib_settings?key=eq.theme | return=representation | {} | 200 */* return=representation | [] | theme:dark:1
    may set defaults | PATCH /lib_settings?key=eq.theme&columns=value&select=value | missing=default,return=representation | {} | 200 0-0/* missing=default, return=representation | [{"value":"unset"}] | theme:unset:1
    gives back in the order asked for | PATCH /lib_books?id=gt.1&select=id&order=id.desc | return=representation | {"lent_for":null} | 200 0-1/* return=representation | [{"id":3},{"id":2}] | theme:dark:1
    gives back related rows | PATCH /lib_books?id=eq.2&select=id,a:author_id(name)&order=id&limit=1 | return=representation | {"pages":20} | 200 0-0/* return=representation | [{"id":2,"a":{"name":"Ben"}}] | theme:dark:1
    of as many rows as allowed holds | PATCH /lib_books?id=eq.2 | handling=strict, max-affected=1 | {"pages":20} | 204 0-0/* handling=strict, max-affected=1 | | theme:dark:1`,
  'a delete': `
    removes the rows that fit | DELETE /lib_settings?key=eq.theme | | | 204 */* | |
    gives back and counts | DELETE /lib_settings?key=eq.theme&select=key | return=representation,count=exact | | 200 */1 return=representation, count=exact | [{"key":"theme"}] |
    of nothing is no error | DELETE /lib_settings?key=eq.nope | return=representation | | 200 */* return=representation | [] | theme:dark:1`,
}
describe.each(Object.entries(WRITES))('%s', (_what, table) => {
  test.each(cases(table))('%s: %s', async (_rule, request = '', prefer, body, head, answer, rows) => {
    const reply = await library.asWritten(request, prefer && `Prefer: ${prefer}`, body)
    const said = ['content-range', 'preference-applied'].map((name) => reply.headers.get(name) ?? '')
    expect([reply.status, ...said].join(' ').trim()).toBe(head)
    expect(reply.json).toEqual(answer && JSON.parse(answer))
    expect(reply.headers.has('content-type')).toBe(answer !== '')
    expect(await settings()).toBe(rows)
  })
})

test('what the database refuses only at the commit is refused, and leaves nothing', async () => {
  await library.db.transaction((tx) =>
    tx.script(`create function public.lib_refuse() returns trigger language plpgsql as $$
        begin raise exception 'Too late' using errcode = '23514'; end $$;
      create constraint trigger late after insert or update or delete on public.lib_settings
        deferrable initially deferred for each row execute function public.lib_refuse()`),
  )
  const refused = { status: 400, json: { code: '23514', message: 'Too late', details: null, hint: null } }
  for (const prefer of ['return=minimal', 'return=representation'])
    for (const [request, body] of [
      ['POST /lib_settings', '{"key":"a"}'],
      ['PATCH /lib_settings?key=eq.theme', '{"value":"light"}'],
      ['DELETE /lib_settings?key=eq.theme', ''],
    ] as const) {
      expect(await library.asWritten(request, `Prefer: ${prefer}`, body)).toMatchObject(refused)
      expect(await settings()).toBe('theme:dark:1')
    }
  await library.db.query('drop trigger late on public.lib_settings')
  expect((await library.asWritten('POST /lib_settings', '', '{"key":"a"}')).status).toBe(201)
})

test('deleted rows come back in the order asked for', async () => {
  await library.ask('/lib_settings', { method: 'POST', body: [{ key: 'a' }, { key: 'b' }] })
  const request = 'DELETE /lib_settings?level=gt.0&select=key&order=key.desc'
  const reply = await library.asWritten(request, 'Prefer: return=representation')
  expect(reply.json).toEqual([{ key: 'theme' }, { key: 'b' }, { key: 'a' }])
})

describe('an insert', () => {
  test('gives back an object where one is wanted', async () => {
    const headers = 'Accept: application/vnd.pgrst.object+json; Prefer: return=representation'
    const reply = await library.asWritten('POST /lib_settings?select=key', headers, '{"key":"b"}')
    expect(reply).toMatchObject({ status: 201, json: { key: 'b' } })
  })

  test('of an empty object adds a row of defaults', async () => {
    expect((await library.asWritten('POST /lib_letterbox', '', '{}')).status).toBe(201)
    expect(await library.db.query('select letter from public.lib_letterbox')).toEqual([{ letter: null }])
  })

  test('may give only the address of the new row', async () => {
    const reply = await library.asWritten(
      'POST /lib_settings',
      'Prefer: return=headers-only',
      '{"key":"a b"}',
    )
    expect(reply).toMatchObject({ status: 201, text: '' })
    expect(reply.headers.get('location')).toBe('/lib_settings?key=eq.a%20b')
  })

  test('keeps every type as it was sent', async () => {
    const sent = {
      ...{ id: 50, title: 'Types', price: 1.5, pages: '9007199254740993', tags: ['a', 'b,"c"'] },
      ...{ data: { deep: [1, null] }, cover: '\\xbeef', lent_for: '02:00:00', weight: 1e21, state: 'lost' },
      added_at: '2026-01-02T03:04:05+00:00',
    }
    const headers = { Prefer: 'return=representation' }
    const request = { method: 'POST', body: sent, headers }
    const reply = await library.ask(`/lib_books?select=${Object.keys(sent)}`, request)
    expect(reply.text).toContain('"pages":9007199254740993')
    expect(reply.text).toContain('"price":1.50')
    expect(reply.json).toEqual([{ ...sent, pages: Number(sent.pages) }])
    await library.db.query('delete from public.lib_books where id = 50')
  })

  test.each([
    ['lib_letterbox', { letter: 'Dear' }],
    ['lib_notes', { owner_id: IDS.marc, body: 'for Marc' }],
  ])('into %s, which the caller may not read, is refused only when it is wanted back', async (table, row) => {
    expect((await library.ask(`/${table}`, { method: 'POST', body: row })).status).toBe(201)
    const headers = { Prefer: 'return=representation' }
    const wanted = await library.ask(`/${table}`, { method: 'POST', body: { ...row, id: 6000 }, headers })
    expect(wanted).toMatchObject({ status: 403, json: { code: '42501' } })
    expect(await library.db.query(`select 1 from public.${table}`)).toHaveLength(1)
  })
})

describe('policies hold', () => {
  test('for an update, to which rows out of sight are not there', async () => {
    await theirNote()
    const reply = await library.asWritten('PATCH /lib_notes?body=eq.theirs', '', '{"body":"mine"}')
    expect([reply.status, reply.headers.get('content-range')]).toEqual([204, '*/*'])
    expect(await library.db.query('select body from public.lib_notes')).toEqual([{ body: 'theirs' }])
  })

  test('for an upsert, which finds its row by the columns on_conflict names', async () => {
    await theirNote()
    const upsert = (address: string, note: object) =>
      library.asWritten(`POST ${address}`, 'Prefer: resolution=merge-duplicates', JSON.stringify(note))
    const note = { owner_id: IDS.olivia, body: 'mine', shared: true }
    const replies = [
      await upsert('/lib_notes?on_conflict=owner_id,body', note),
      await upsert('/lib_notes?on_conflict=owner_id,body', note),
      await upsert('/lib_notes?on_conflict=shared', note),
      await upsert('/lib_notes', { id: 5000, body: 'mine' }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 400, 403])
    expect(replies.slice(2)).toMatchObject([{ json: { code: '42P10' } }, { json: { code: '42501' } }])
  })
})

test.each([
  ['id=gt.1', 'return=representation', 406, 'PGRST116', 'The result contains 2 rows'],
  ['id=eq.99', 'return=representation', 406, 'PGRST116', 'The result contains 0 rows'],
  ['id=gt.1', 'handling=strict, max-affected=1', 400, 'PGRST124', 'The query affects 2 rows'],
])(
  'an update of %s with %s is taken back when it does not reach as many rows as it should',
  async (rows, prefer, status, code, details) => {
    const accept = prefer.startsWith('return') ? 'Accept: application/vnd.pgrst.object+json; ' : ''
    const request = `PATCH /lib_books?${rows}`
    const reply = await library.asWritten(request, `${accept}Prefer: ${prefer}`, '{"pages":1}')
    expect(reply).toMatchObject({ status, json: { code, details } })
    expect(await library.db.query('select id from public.lib_books where pages = 1')).toEqual([])
  },
)

test('supabase-js makes of the answers what it promises', async () => {
  const olivia = newClient(library, library.anonKey, await library.tokenOf('olivia'))
  const genres = () => olivia.from('lib_genres').select()
  const notes = () => olivia.from('lib_notes')
  const note = { body: 'once', owner_id: IDS.olivia }
  const ignored = { onConflict: 'owner_id,body', ignoreDuplicates: true }
  // The order matters, because each step may read rows that an earlier step has written.
  expect([
    await olivia.from('lib_books').select('*', { count: 'exact', head: true }),
    await genres().eq('id', 1).single(),
    await genres().eq('id', 9).single(),
    await genres().eq('id', 9).maybeSingle(),
    await genres().maybeSingle(),
    await olivia.rpc('lib_sum', { p_numbers: [1, 2] }, { get: true }),
    await olivia.rpc('lib_raise', { p_code: 'PT429', p_message: 'Please wait 5 seconds.' }),
    await notes().insert(note).select('shared').single(),
    await notes().upsert(note, ignored).select(),
    await notes().insert(note),
    await notes().insert({ body: 'x'.repeat(21) }),
  ]).toMatchObject([
    { count: 3, data: null },
    { data: { id: 1, name: 'Fruit' } },
    { error: { code: 'PGRST116' } },
    { data: null, error: null },
    { error: { code: 'PGRST116' } },
    { data: 3 },
    { status: 429, error: { code: 'PT429', message: 'Please wait 5 seconds.' } },
    { status: 201, data: { shared: false } },
    { data: [], error: null },
    {
      status: 409,
      error: { code: '23505', details: null, message: expect.stringContaining('duplicate key') },
    },
    {
      status: 400,
      error: { code: '23514', details: null, message: expect.stringContaining('check constraint') },
    },
  ])
})
