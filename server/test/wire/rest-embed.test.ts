import { describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { openLibrary } from './library.ts'

const library = await openLibrary()

describe('related rows come with a row', () => {
  const reads = cases(`
    to one, null when there is none | id,lib_authors!lib_books_author_id_fkey(name)&order=id | [{"id":1,"lib_authors":{"name":"Ada"}},{"id":2,"lib_authors":{"name":"Ben"}},{"id":3,"lib_authors":null}]
    to one by the name of the column | by:author_id(name)&id=eq.1 | [{"by":{"name":"Ada"}}]
    to one by the name of the key | lib_books_author_id_fkey(name)&id=eq.1 | [{"lib_books_author_id_fkey":{"name":"Ada"}}]
    to one by a column as hint | by:lib_authors!editor_id(name)&id=eq.2 | [{"by":{"name":"Ada"}}]
    to one where their key is unique | id,lib_covers(colour)&order=id&limit=2 | [{"id":1,"lib_covers":{"colour":"green"}},{"id":2,"lib_covers":null}]
    to many, [] when there are none | id,lib_chapters(number,heading)&order=id&lib_chapters.order=number.desc | [{"id":1,"lib_chapters":[{"number":2,"heading":"Tree"},{"number":1,"heading":"Seed"}]},{"id":2,"lib_chapters":[{"number":1,"heading":"Den"}]},{"id":3,"lib_chapters":[]}]
    to many through a junction | id,lib_genres(name)&order=id&lib_genres.order=id | [{"id":1,"lib_genres":[{"name":"Fruit"}]},{"id":2,"lib_genres":[{"name":"Beast"}]},{"id":3,"lib_genres":[{"name":"Fruit"},{"name":"Beast"}]}]
    the same relation twice | a:author_id(name),e:editor_id(name)&id=eq.2 | [{"a":{"name":"Ben"},"e":{"name":"Ada"}}]
    hint and !inner together | x:lib_authors!editor_id!inner(name) | [{"x":{"name":"Ada"}}]
    all columns of it | lib_covers(*)&id=eq.1 | [{"lib_covers":{"book_id":1,"colour":"green"}}]
    all its columns spread | id,...lib_covers(*)&id=eq.1 | [{"id":1,"book_id":1,"colour":"green"}]`)
  test.each(reads)('%s: %s', async (_rule, select, body = '') => {
    expect(await library.ask(`/lib_books?select=${select}`)).toMatchObject({
      status: 200,
      json: JSON.parse(body),
    })
  })

  const others = cases(`
    relations of relations | /lib_chapters?select=heading,book:lib_books(title,author_id(name))&id=eq.1 | [{"heading":"Seed","book":{"title":"Apples","author_id":{"name":"Ada"}}}]
    the row a table points at in itself | /lib_chapters?select=heading,parent_id(heading)&id=eq.2 | [{"heading":"Tree","parent_id":{"heading":"Seed"}}]
    the rows that point at a row of the same table | /lib_chapters?select=heading,children:lib_chapters(heading)&id=in.(1,2)&order=id | [{"heading":"Seed","children":[{"heading":"Tree"}]},{"heading":"Tree","children":[]}]
    those rows by the column as hint | /lib_chapters?select=children:lib_chapters!parent_id(heading)&id=eq.1 | [{"children":[{"heading":"Tree"}]}]
    those rows by the key as hint | /lib_chapters?select=children:lib_chapters!lib_chapters_parent_id_fkey(heading)&id=eq.1 | [{"children":[{"heading":"Tree"}]}]
    the row pointed at and its children | /lib_chapters?select=parent_id(heading,children:lib_chapters!parent_id(id))&id=eq.2 | [{"parent_id":{"heading":"Seed","children":[{"id":2}]}}]
    one of two ways a table points at itself | /lib_crates?select=id,within:lib_crates!inside(id)&within.order=id&id=eq.1 | [{"id":1,"within":[{"id":2},{"id":3}]}]
    a filter on a column that related rows are named after | /lib_books?select=id,author_id(name)&author_id=eq.00000000-0000-4000-8000-00000000000b | [{"id":2,"author_id":{"name":"Ben"}}]
    a relation of which nothing is shown | /lib_chapters?select=id,lib_books(lib_covers())&id=eq.1 | [{"id":1,"lib_books":{}}]
    a spread relation of which nothing is shown | /lib_chapters?select=id,...lib_books(lib_covers())&id=eq.1 | [{"id":1}]
    its columns spread over the row | /lib_covers?select=colour,...lib_books(title,by:author_id(name)) | [{"colour":"green","title":"Apples","by":{"name":"Ada"}}]
    a filter deep inside | /lib_chapters?select=id,lib_books!inner(title,a:author_id!inner(name))&lib_books.a.name=eq.Ben | [{"id":3,"lib_books":{"title":"Bears","a":{"name":"Ben"}}}]`)
  test.each(others)('%s: %s', async (_rule, path = '', body = '') => {
    expect(await library.ask(path)).toMatchObject({ status: 200, json: JSON.parse(body) })
  })
})

describe('filters, order and limit reach related rows', () => {
  const reads = cases(`
    a filter trims related rows and keeps the parents | lib_chapters(heading)&lib_chapters.heading=eq.Den&order=id | [{"id":1,"lib_chapters":[]},{"id":2,"lib_chapters":[{"heading":"Den"}]},{"id":3,"lib_chapters":[]}]
    a filter on a to-one leaves null | a:author_id(name)&a.name=eq.Ben&order=id&limit=2 | [{"id":1,"a":null},{"id":2,"a":{"name":"Ben"}}]
    with !inner it drops parents | a:author_id!inner(name)&a.name=eq.Ben | [{"id":2,"a":{"name":"Ben"}}]
    with !inner it drops parents of many | lib_chapters!inner(heading)&lib_chapters.heading=eq.Den | [{"id":2,"lib_chapters":[{"heading":"Den"}]}]
    !inner through a junction | lib_genres!inner(name)&lib_genres.name=eq.Fruit&order=id | [{"id":1,"lib_genres":[{"name":"Fruit"}]},{"id":3,"lib_genres":[{"name":"Fruit"}]}]
    !left is what it is anyway | lib_covers!left(colour)&id=eq.2 | [{"id":2,"lib_covers":null}]
    a relation that is there | lib_covers(colour)&lib_covers=not.is.null | [{"id":1,"lib_covers":{"colour":"green"}}]
    a relation that is not there | lib_covers()&lib_covers=is.null&order=id | [{"id":2},{"id":3}]
    many that are there | lib_chapters()&lib_chapters=not.is.null&order=id | [{"id":1},{"id":2}]
    many that are not there | c:lib_chapters(id)&c=is.null | [{"id":3,"c":[]}]
    either of two relations | lib_covers(),a:author_id()&or=(lib_covers.not.is.null,a.is.null)&order=id | [{"id":1},{"id":3}]
    or inside a relation | lib_chapters(heading)&lib_chapters.or=(heading.eq.Seed,heading.eq.Den)&id=eq.1 | [{"id":1,"lib_chapters":[{"heading":"Seed"}]}]
    limit and offset of a relation | lib_chapters(number)&lib_chapters.order=number&lib_chapters.limit=1&lib_chapters.offset=1&id=eq.1 | [{"id":1,"lib_chapters":[{"number":2}]}]
    rows in the order of a relation | a:author_id(name)&order=a(name).desc.nullslast | [{"id":2,"a":{"name":"Ben"}},{"id":1,"a":{"name":"Ada"}},{"id":3,"a":null}]
    rows in the order of a column not shown | a:author_id(born)&order=a(name).desc.nullslast&limit=2 | [{"id":2,"a":{"born":null}},{"id":1,"a":{"born":"1815-12-10"}}]`)
  test.each(reads)('%s: %s', async (_rule, select, body = '') => {
    expect(await library.ask(`/lib_books?select=id,${select}`)).toMatchObject({
      status: 200,
      json: JSON.parse(body),
    })
  })
})

test('a table that points at itself twice needs a hint', async () => {
  const reply = await library.ask('/lib_crates?select=id,lib_crates(id)')
  expect(reply).toMatchObject({ status: 300, json: { code: 'PGRST201' } })
})

describe('a relation that cannot be meant is refused', () => {
  const NO_RELATION = (table: string, hint: string) => ({
    code: 'PGRST200',
    details: `Searched for a foreign key relationship between 'lib_books' and '${table}'${hint} in the schema 'public', but no matches were found.`,
    hint: null,
    message: `Could not find a relationship between 'lib_books' and '${table}' in the schema cache`,
  })
  const NOT_TO_ONE = "'lib_books' and 'lib_chapters' do not form a many-to-one or one-to-one relationship"
  const by = (column: string) => ({
    cardinality: 'many-to-one',
    embedding: 'lib_books with lib_authors',
    relationship: `lib_books_${column}_fkey using lib_books(${column}) and lib_authors(id)`,
  })
  test.each([
    ['lib_alone(id)', 400, NO_RELATION('lib_alone', '')],
    ['lib_authors!nothing(id)', 400, NO_RELATION('lib_authors', " using the hint 'nothing'")],
    [
      'lib_authors(id)',
      300,
      {
        code: 'PGRST201',
        details: [by('author_id'), by('editor_id')],
        hint: "Try changing 'lib_authors' to one of the following: 'lib_authors!lib_books_author_id_fkey', 'lib_authors!lib_books_editor_id_fkey'. Find the desired relationship in the 'details' key.",
        message:
          "Could not embed because more than one relationship was found for 'lib_books' and 'lib_authors'",
      },
    ],
    [
      'id&lib_covers.colour=eq.green',
      400,
      {
        code: 'PGRST108',
        details: null,
        hint: "Verify that 'lib_covers' is included in the 'select' query parameter.",
        message: "'lib_covers' is not an embedded resource in this request",
      },
    ],
    [
      'id,lib_chapters(id)&order=lib_chapters(number)',
      400,
      {
        code: 'PGRST118',
        details: NOT_TO_ONE,
        hint: null,
        message: "A related order on 'lib_chapters' is not possible",
      },
    ],
    [
      'id,lib_covers(colour)&lib_covers=eq.green',
      400,
      {
        code: 'PGRST120',
        details: 'Only is null or not is null filters are allowed on embedded resources',
        hint: null,
        message: 'Bad operator on the embedded resource',
      },
    ],
    [
      'id,...lib_chapters(id)',
      400,
      {
        code: 'PGRST119',
        details: NOT_TO_ONE,
        hint: null,
        message: "A spread operation on 'lib_chapters' is not possible",
      },
    ],
  ])('%s', async (select, status, body) => {
    const reply = await library.ask(`/lib_books?select=${select}`)
    expect(reply.json).toEqual(body)
    expect(reply.status).toBe(status)
  })
})
