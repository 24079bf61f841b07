// What a client of the fixture library knows: columns with their kinds, and relations with where they lead.
export interface Place {
  columns: [name: string, kind: string][]
  relations: [name: string, to: string][]
}

const place = (columns: string, relations = ''): Place => ({
  columns: pairsOf(columns),
  relations: pairsOf(relations),
})
const pairsOf = (text: string) =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((pair) => pair.split(':') as [string, string])

export const PLACES: Record<string, Place> = {
  lib_authors: place('id:uuid name:text born:date', 'lib_books!lib_books_author_id_fkey:lib_books'),
  lib_books: place(
    `id:int author_id:uuid editor_id:uuid title:text price:numeric pages:int state:state tags:texts data:json cover:bytea
     added_at:time lent_for:interval weight:numeric`,
    `author_id:lib_authors editor_id:lib_authors lib_covers:lib_covers lib_chapters:lib_chapters lib_genres:lib_genres
     lib_book_genres:lib_book_genres lib_authors!lib_books_editor_id_fkey:lib_authors`,
  ),
  lib_covers: place('book_id:int colour:text', 'lib_books:lib_books'),
  lib_chapters: place(
    'id:int book_id:int number:int heading:text parent_id:int',
    'lib_books:lib_books parent_id:lib_chapters',
  ),
  lib_genres: place('id:int name:text', 'lib_books:lib_books lib_book_genres:lib_book_genres'),
  lib_book_genres: place('book_id:int genre_id:int', 'lib_books:lib_books lib_genres:lib_genres'),
  lib_alone: place('id:int'),
  lib_crates: place(
    'id:int colour:text size:pair marks:ints inside:int beside:int',
    'inside:lib_crates beside:lib_crates',
  ),
  lib_notes: place('id:int owner_id:uuid body:text shared:flag'),
  lib_settings: place('key:text value:text level:int id:int'),
  lib_letterbox: place('id:int letter:text'),
  lib_cheap: place('id:int title:text'),
}

/** Functions with what they take, and the table whose rows they give. */
export const CALLS: [name: string, takes: string, gives: string][] = [
  ['lib_add', 'a:int b:int', ''],
  ['lib_greet', 'p_name:text', ''],
  ['lib_nothing', '', ''],
  ['lib_book', 'p_id:int', 'lib_books'],
  ['lib_books_of', 'p_author:text', 'lib_books'],
  ['lib_all_books', '', 'lib_books'],
  ['lib_titles', '', ''],
  ['lib_stats', '', ''],
  ['lib_echo', 'p_value:json', ''],
  ['lib_whole', '', ''],
  ['lib_sum', 'p_numbers:ints', ''],
  ['lib_is', 'p_id:uuid p_flag:flag', ''],
  ['lib_over', 'a:int', ''],
  ['lib_choice', '', 'lib_books'],
  ['lib_fixed', 'p_code:text p_bits:bits p_codes:texts', ''],
  ['lib_write', '', ''],
  ['lib_stable_write', '', ''],
  ['lib_request', '', ''],
]

/** Values of each kind, as the query has them. */
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
