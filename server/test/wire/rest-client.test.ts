// The Data API through supabase-js, as the web app uses it: what the client makes of the answers.
import { expect, test } from 'vitest'
import { newClient } from '../harness.ts'
import { IDS, openLibrary } from './library.ts'

const library = await openLibrary()
const olivia = newClient(library, library.anonKey, await library.tokenOf('olivia'))
const books = () => olivia.from('lib_books').select('id').order('id')
const genres = () => olivia.from('lib_genres').select()
const notes = () => olivia.from('lib_notes')
const once = { body: 'once', owner_id: IDS.olivia }
const byBody = { onConflict: 'owner_id,body' }
const limit = { p_code: 'PT429', p_message: 'Rate limit exceeded. Please wait 5 seconds.' }

test('the client understands what it is answered', async () => {
  const author = 'id, author:lib_authors!lib_books_author_id_fkey!inner(name)'
  const ofAda = olivia.from('lib_books').select(author, { count: 'exact' }).eq('author.name', 'Ada')
  // In order: what one writes, the next may find.
  expect([
    await ofAda.order('id', { ascending: false }).range(0, 9),
    await olivia.from('lib_books').select('*', { count: 'exact', head: true }),
    await genres().eq('id', 1).single(),
    await genres().eq('id', 9).single(),
    await genres().eq('id', 9).maybeSingle(),
    await genres().maybeSingle(),
    await books().or('id.eq.1,and(id.gt.2,price.is.null)').not('id', 'in', '(2,9)'),
    await books()
      .contains('data', { size: { w: 3 } })
      .likeAnyOf('title', ['A%', 'B%']),
    await books().textSearch('title', 'bears', { type: 'websearch', config: 'english' }),
    await books().in('title', ['Apples', 'Bears, or so']).match({ id: 1, state: 'in' }),
    await olivia.rpc('lib_sum', { p_numbers: [1, 2] }, { get: true }),
    await olivia.rpc('lib_nothing'),
    await olivia.rpc('lib_all_books', {}, { head: true, count: 'exact' }),
    await olivia.rpc('lib_raise', limit),
    await notes().upsert(once, byBody).select('shared').single(),
    await notes()
      .upsert(once, { ...byBody, ignoreDuplicates: true })
      .select(),
    await olivia
      .from('lib_settings')
      .upsert([{ key: 'p' }], { defaultToNull: false })
      .select('level'),
    await notes().insert(once),
    await notes().insert({ body: 'x'.repeat(21) }),
    await notes().delete().eq('body', 'once').select('body'),
  ]).toMatchObject([
    { error: null, count: 1, data: [{ id: 1, author: { name: 'Ada' } }] },
    { count: 3, data: null },
    { data: { id: 1, name: 'Fruit' } },
    { error: { code: 'PGRST116' } },
    { data: null, error: null },
    { error: { code: 'PGRST116' } },
    { data: [{ id: 1 }, { id: 3 }] },
    { data: [{ id: 1 }] },
    { data: [{ id: 2 }] },
    { data: [{ id: 1 }] },
    { data: 3 },
    { data: null, error: null, status: 204 },
    { count: 3 },
    { status: 429, error: { code: limit.p_code, message: limit.p_message } },
    { status: 201, data: { shared: false } },
    { data: [] },
    { data: [{ level: 7 }] },
    {
      status: 409,
      error: { code: '23505', details: null, message: expect.stringContaining('duplicate key') },
    },
    {
      status: 400,
      error: { code: '23514', details: null, message: expect.stringContaining('check constraint') },
    },
    { data: [{ body: 'once' }] },
  ])
})
