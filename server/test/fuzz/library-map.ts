// The client's view of the fixture library: columns with their types, and relations with their targets.
import { cases } from '../cases.ts'

export interface Place {
  columns: [name: string, kind: string][]
  relations: [name: string, to: string][]
}

const pairsOf = (text = '') =>
  text
    .split(' ')
    .filter(Boolean)
    .map((pair) => pair.split('>') as [string, string])

const TABLES = cases(`
  lib_authors | id>uuid name>text born>date | lib_books!lib_books_author_id_fkey>lib_books
  lib_books | id>int author_id>uuid editor_id>uuid title>text price>numeric pages>int state>state tags>texts data>json cover>bytea added_at>time lent_for>interval weight>numeric | author_id>lib_authors editor_id>lib_authors lib_covers>lib_covers lib_chapters>lib_chapters lib_genres>lib_genres lib_book_genres>lib_book_genres lib_authors!lib_books_editor_id_fkey>lib_authors
  lib_covers | book_id>int colour>text | lib_books>lib_books
  lib_chapters | id>int book_id>int number>int heading>text parent_id>int | lib_books>lib_books parent_id>lib_chapters
  lib_genres | id>int name>text | lib_books>lib_books lib_book_genres>lib_book_genres
  lib_book_genres | book_id>int genre_id>int | lib_books>lib_books lib_genres>lib_genres
  lib_alone | id>int
  lib_crates | id>int colour>text size>pair marks>ints inside>int beside>int | inside>lib_crates beside>lib_crates
  lib_notes | id>int owner_id>uuid body>text shared>flag
  lib_settings | key>text value>text level>int id>int
  lib_letterbox | id>int letter>text
  lib_cheap | id>int title>text`)
export const PLACES: Record<string, Place> = Object.fromEntries(
  TABLES.map(([name, columns, to]) => [name, { columns: pairsOf(columns), relations: pairsOf(to) }]),
)

/** Functions, each with its arguments and, if it returns rows of a table, this table. */
export const CALLS =
  `lib_add::a>int b>int|lib_greet::p_name>text|lib_nothing::|lib_book:lib_books:p_id>int|lib_titles::
  lib_books_of:lib_books:p_author>text|lib_all_books:lib_books:|lib_stats::|lib_echo::p_value>json|lib_whole::
  lib_sum::p_numbers>ints|lib_is::p_id>uuid p_flag>flag|lib_over::a>int|lib_choice:lib_books:|lib_write::
  lib_fixed::p_code>text p_bits>bits p_codes>texts|lib_stable_write::|lib_request::`
    .split(/\||\n\s*/)
    .map((call) => call.split(':'))
    .map(([name = '', gives = '', takes]) => ({ name, gives, takes: pairsOf(takes) }))

/** Values of each type, as they are written in a query. */
export const VALUES: Record<string, string[]> = {
  int: ['1', '2', '3', '-7', '2147483647', '2147483648'],
  numeric: ['0', '5.00', '15.9', '1e21', 'NaN', '-0.001'],
  text: ['Apples', 'green', 'Cats, (dogs) "and" more', 'A*', '*e*', 'theme'],
  uuid: ['00000000-0000-4000-8000-00000000000a', '0aaaaaaa-0000-4000-8000-000000000001'],
  date: ['2026-11-20', '1815-12-10', 'infinity', 'tomorrow'],
  time: ['2026-11-20T22:53:10Z', 'now', '-infinity', '2026-11-20 22:53:10.612+00'],
  interval: ['1 day 02:00', 'P1Y', '-1 hour'],
  state: ['in', 'out', 'lost', 'found'],
  texts: ['{red}', '{}', '{"a,b",NULL}', '{{a},{b}}'],
  ints: ['{7,8}', '{}', '{1,NULL}'],
  json: ['{"size":{"w":3}}', '[1,"a",null]', 'null', '"x"'],
  bytea: ['\\xdead', '\\x', 'abc'],
  pair: ['(3,4)', '(,)'],
  flag: ['true', 'f', 'on'],
  bits: ['101', '1'],
}
