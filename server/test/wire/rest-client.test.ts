// The same through supabase-js, as the web app uses it.
import { createClient, type SupabaseClient, type WebSocketLikeConstructor } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { IDS, openLibrary, type Person } from './library.ts'

const library = await openLibrary()
const olivia = await clientOf('olivia')
const marc = await clientOf('marc')

async function clientOf(person: Person): Promise<SupabaseClient> {
  return createClient(library.url, library.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: person },
    realtime: { transport: WebSocket as unknown as WebSocketLikeConstructor },
    global: { headers: { Authorization: `Bearer ${await library.tokenOf(person)}` } },
  })
}

const books = () => olivia.from('lib_books').select('id').order('id')
const genres = () => olivia.from('lib_genres').select()
const notes = () => olivia.from('lib_notes')
const once = { body: 'once', owner_id: IDS.olivia }
const byBody = { onConflict: 'owner_id,body' }
const limit = { p_code: 'PT429', p_message: 'Rate limit exceeded. Please wait 5 seconds.' }

// In order: what one writes, the next may find.
test.each<[string, () => PromiseLike<unknown>, object]>([
  [
    'filters, related rows, order and range',
    () =>
      olivia
        .from('lib_books')
        .select('id, author:lib_authors!lib_books_author_id_fkey!inner(name)', { count: 'exact' })
        .eq('author.name', 'Ada')
        .order('id', { ascending: false })
        .range(0, 9),
    { error: null, count: 1, data: [{ id: 1, author: { name: 'Ada' } }] },
  ],
  [
    'a count without rows',
    () => olivia.from('lib_books').select('*', { count: 'exact', head: true }),
    { count: 3, data: null },
  ],
  ['one row', () => genres().eq('id', 1).single(), { data: { id: 1, name: 'Fruit' } }],
  ['one row of none', () => genres().eq('id', 9).single(), { error: { code: 'PGRST116' } }],
  ['at most one row of none', () => genres().eq('id', 9).maybeSingle(), { data: null, error: null }],
  ['at most one row of many', () => genres().maybeSingle(), { error: { code: 'PGRST116' } }],
  ['or', () => books().or('id.eq.1,and(id.gt.2,price.is.null)'), { data: [{ id: 1 }, { id: 3 }] }],
  ['not in', () => books().not('id', 'in', '(1,2)'), { data: [{ id: 3 }] }],
  ['a list that contains', () => books().contains('tags', ['red']), { data: [{ id: 1 }, { id: 3 }] }],
  ['JSON that contains', () => books().contains('data', { size: { w: 3 } }), { data: [{ id: 1 }] }],
  ['is null', () => books().is('price', null), { data: [{ id: 3 }] }],
  ['ilike', () => books().ilike('title', '%EARS%'), { data: [{ id: 2 }] }],
  [
    'any of several patterns',
    () => books().likeAnyOf('title', ['A%', 'B%']),
    { data: [{ id: 1 }, { id: 2 }] },
  ],
  [
    'text search',
    () => books().textSearch('title', 'bears', { type: 'websearch', config: 'english' }),
    { data: [{ id: 2 }] },
  ],
  ['in, with a comma', () => books().in('title', ['Apples', 'Bears, or so']), { data: [{ id: 1 }] }],
  ['match', () => books().match({ id: 1, state: 'in' }), { data: [{ id: 1 }] }],
  ['a function', () => olivia.rpc('lib_add', { a: 1, b: 2 }), { data: 3 }],
  ['a function by GET', () => olivia.rpc('lib_sum', { p_numbers: [1, 2] }, { get: true }), { data: 3 }],
  ['a function of nothing', () => olivia.rpc('lib_nothing'), { data: null, error: null, status: 204 }],
  [
    'the rows of a function',
    () => olivia.rpc('lib_all_books').select('id, lib_covers(colour)').gt('id', 1).order('id').limit(1),
    { data: [{ id: 2, lib_covers: null }] },
  ],
  ['their count', () => olivia.rpc('lib_all_books', {}, { head: true, count: 'exact' }), { count: 3 }],
  [
    'a limit that a function raises',
    () => olivia.rpc('lib_raise', limit),
    { status: 429, error: { code: limit.p_code, message: limit.p_message } },
  ],
  [
    'an upsert of something new',
    () => notes().upsert(once, byBody).select('shared').single(),
    { status: 201, data: { shared: false } },
  ],
  [
    'an upsert of the same',
    () =>
      notes()
        .upsert({ ...once, shared: true }, byBody)
        .select('shared'),
    { status: 200, data: [{ shared: true }] },
  ],
  [
    'an upsert that ignores duplicates',
    () =>
      notes()
        .upsert(once, { ...byBody, ignoreDuplicates: true })
        .select(),
    { data: [] },
  ],
  [
    'an upsert with defaults',
    () =>
      olivia
        .from('lib_settings')
        .upsert([{ key: 'p' }, { key: 'q', level: 2 }], { defaultToNull: false })
        .select('key, level'),
    {
      data: [
        { key: 'p', level: 7 },
        { key: 'q', level: 2 },
      ],
    },
  ],
])('the client asks for %s', async (_what, ask, answer) => {
  expect(await ask()).toMatchObject(answer)
})

describe('the client writes', () => {
  test('and Marc neither sees nor changes what is Olivia’s', async () => {
    const mine = await notes().insert({ body: 'mine' }).select().single()
    expect(mine.data).toMatchObject({ body: 'mine', owner_id: IDS.olivia, shared: false })
    expect((await marc.from('lib_notes').select()).data).toEqual([])
    const stolen = await marc.from('lib_notes').update({ body: 'stolen' }).eq('id', mine.data.id).select()
    expect(stolen).toMatchObject({ data: [], error: null, status: 200 })
    const forged = await marc.from('lib_notes').insert({ body: 'x', owner_id: IDS.olivia }).select()
    expect(forged.error?.code).toBe('42501')
  })

  test('and reads what the database refuses, and what it removed', async () => {
    const rows = [
      { body: 'a', shared: false },
      { body: 'b', shared: true },
    ]
    expect(await notes().insert(rows)).toMatchObject({ error: null, status: 201 })
    const twice = await notes().insert({ body: 'a' })
    expect(twice).toMatchObject({ status: 409, error: { code: '23505', details: null } })
    expect(twice.error?.message).toContain('duplicate key')
    const long = await notes().insert({ body: 'x'.repeat(21) })
    expect(long).toMatchObject({ status: 400, error: { code: '23514', details: null } })
    expect(long.error?.message).toContain('violates check constraint')
    expect((await notes().delete().in('body', ['a', 'b']).select('body')).data).toHaveLength(2)
  })
})
