import { createClient, type SupabaseClient, type WebSocketLikeConstructor } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { IDS, type Library, openLibrary, type Person } from './library.ts'

let library: Library
let olivia: SupabaseClient
let marc: SupabaseClient
beforeAll(async () => {
  library = await openLibrary()
  olivia = await clientOf('olivia')
  marc = await clientOf('marc')
})
afterAll(() => library.close())

async function clientOf(person: Person): Promise<SupabaseClient> {
  return createClient(library.url, library.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: person },
    realtime: { transport: WebSocket as unknown as WebSocketLikeConstructor },
    global: { headers: { Authorization: `Bearer ${await library.tokenOf(person)}` } },
  })
}

test('the client reads with filters, related rows, order and range', async () => {
  const { data, error, count } = await olivia
    .from('lib_books')
    .select('id, title, author:lib_authors!lib_books_author_id_fkey!inner(name)', { count: 'exact' })
    .eq('author.name', 'Ada')
    .order('id', { ascending: false })
    .range(0, 9)
  expect(error).toBeNull()
  expect(count).toBe(1)
  expect(data).toEqual([{ id: 1, title: 'Apples', author: { name: 'Ada' } }])
})

test('the client counts without reading', async () => {
  const { count, data } = await olivia.from('lib_books').select('*', { count: 'exact', head: true })
  expect({ count, data }).toEqual({ count: 3, data: null })
})

test('the client wants one row, or at most one', async () => {
  const single = await olivia.from('lib_genres').select().eq('id', 1).single()
  expect(single.data).toEqual({ id: 1, name: 'Fruit' })
  const none = await olivia.from('lib_genres').select().eq('id', 9).single()
  expect(none.error).toMatchObject({ code: 'PGRST116', details: 'The result contains 0 rows' })
  const maybe = await olivia.from('lib_genres').select().eq('id', 9).maybeSingle()
  expect(maybe).toMatchObject({ data: null, error: null })
  const many = await olivia.from('lib_genres').select().maybeSingle()
  expect(many.error?.code).toBe('PGRST116')
})

test('the client writes, and Marc neither sees nor changes what is Olivia’s', async () => {
  const mine = await olivia.from('lib_notes').insert({ body: 'mine' }).select().single()
  expect(mine.data).toMatchObject({ body: 'mine', owner_id: IDS.olivia, shared: false })
  expect((await marc.from('lib_notes').select()).data).toEqual([])
  const stolen = await marc.from('lib_notes').update({ body: 'stolen' }).eq('id', mine.data.id).select()
  expect(stolen).toMatchObject({ data: [], error: null, status: 200 })
  const forged = await marc.from('lib_notes').insert({ body: 'x', owner_id: IDS.olivia }).select()
  expect(forged.error?.code).toBe('42501')
  const again = await olivia.from('lib_notes').insert([
    { body: 'a', shared: false },
    { body: 'b', shared: true },
  ])
  expect(again).toMatchObject({ error: null, status: 201 })
  const twice = await olivia.from('lib_notes').insert({ body: 'mine' })
  expect(twice).toMatchObject({ status: 409, error: { code: '23505', details: null } })
  expect(twice.error?.message).toContain('duplicate key')
  const long = await olivia.from('lib_notes').insert({ body: 'x'.repeat(21) })
  expect(long).toMatchObject({ status: 400, error: { code: '23514', details: null } })
  expect(long.error?.message).toContain('violates check constraint')
  const gone = await olivia.from('lib_notes').delete().in('body', ['a', 'b', 'mine']).select('body')
  expect(gone.data).toHaveLength(3)
})

test('the client upserts, by key or by other columns', async () => {
  const row = { body: 'once', owner_id: IDS.olivia }
  const conflict = { onConflict: 'owner_id,body' }
  const first = await olivia.from('lib_notes').upsert(row, conflict).select('shared').single()
  expect(first).toMatchObject({ status: 201, data: { shared: false } })
  const second = await olivia
    .from('lib_notes')
    .upsert({ ...row, shared: true }, conflict)
    .select('shared')
  expect(second).toMatchObject({ status: 200, data: [{ shared: true }] })
  const ignored = await olivia
    .from('lib_notes')
    .upsert(row, { ...conflict, ignoreDuplicates: true })
    .select()
  expect(ignored.data).toEqual([])
  const defaults = await olivia
    .from('lib_settings')
    .upsert([{ key: 'p' }, { key: 'q', level: 2 }], { defaultToNull: false })
    .select('key, level')
  expect(defaults.data).toEqual([
    { key: 'p', level: 7 },
    { key: 'q', level: 2 },
  ])
})

test('the client calls functions', async () => {
  expect((await olivia.rpc('lib_add', { a: 1, b: 2 })).data).toBe(3)
  expect((await olivia.rpc('lib_add', { a: 1, b: 2 }, { get: true })).data).toBe(3)
  expect((await olivia.rpc('lib_sum', { p_numbers: [1, 2] }, { get: true })).data).toBe(3)
  expect(await olivia.rpc('lib_nothing')).toMatchObject({ data: null, error: null, status: 204 })
  const rows = await olivia
    .rpc('lib_all_books')
    .select('id, lib_covers(colour)')
    .gt('id', 1)
    .order('id')
    .limit(1)
  expect(rows.data).toEqual([{ id: 2, lib_covers: null }])
  const counted = await olivia.rpc('lib_all_books', {}, { head: true, count: 'exact' })
  expect(counted.count).toBe(3)
  const limited = await olivia.rpc('lib_raise', {
    p_code: 'PT429',
    p_message: 'Rate limit exceeded. Please wait 5 seconds.',
  })
  expect(limited).toMatchObject({
    status: 429,
    error: { code: 'PT429', message: 'Rate limit exceeded. Please wait 5 seconds.' },
  })
})

test('the client filters with or, not, contains, is and text search', async () => {
  const books = () => olivia.from('lib_books').select('id').order('id')
  const ids = async (query: ReturnType<typeof books>) => (await query).data?.map(({ id }) => id)
  expect(await ids(books().or('id.eq.1,and(id.gt.2,price.is.null)'))).toEqual([1, 3])
  expect(await ids(books().not('id', 'in', '(1,2)'))).toEqual([3])
  expect(await ids(books().contains('tags', ['red']))).toEqual([1, 3])
  expect(await ids(books().contains('data', { size: { w: 3 } }))).toEqual([1])
  expect(await ids(books().is('price', null))).toEqual([3])
  expect(await ids(books().ilike('title', '%EARS%'))).toEqual([2])
  expect(await ids(books().likeAnyOf('title', ['A%', 'B%']))).toEqual([1, 2])
  expect(await ids(books().textSearch('title', 'bears', { type: 'websearch', config: 'english' }))).toEqual([
    2,
  ])
  expect(await ids(books().in('title', ['Apples', 'Bears, or so']))).toEqual([1])
  expect(await ids(books().match({ id: 1, state: 'in' }))).toEqual([1])
})
