// Generates Data API queries: every rule of the grammar, with every kind of text in every position.
import fc, { type Arbitrary } from 'fast-check'
import { mix, nasty } from './fuzz.ts'
import { PLACES, type Place, VALUES } from './library-map.ts'

/** The table that a part of a request refers to, and a function that writes the part's texts. */
export interface Around {
  place: Place
  /** Writes a text in a position where it can only be a value or a quoted name. */
  text: (own: string) => string
}
type Piece = (around: Around) => string

export const EMPTY: Place = { columns: [], relations: [] }
export const placeOf = (name: string) => PLACES[name] ?? EMPTY

export const pick = <T>(from: readonly T[], number: number): T | undefined => from[number % from.length]
export const oneOf = (words: string) => fc.constantFrom(...words.trim().split(/\s+/))
const it = (word: string) => fc.constant<Piece>(() => word)
const fixed = (words: string): Arbitrary<Piece> => oneOf(words).map((word) => () => word)
const glued = (...parts: Arbitrary<Piece>[]): Arbitrary<Piece> =>
  fc.tuple(...parts).map((pieces) => (around) => pieces.map((piece) => piece(around)).join(''))
const mostly = (usual: Arbitrary<Piece>, other: Arbitrary<Piece>, weight = 15) =>
  mix([weight, usual], [1, other])
const maybe = (part: Arbitrary<Piece>, weight = 6) => mostly(it(''), part, weight)
const half = (part: Arbitrary<Piece>) => fc.oneof(it(''), part)
const list = (part: Arbitrary<Piece>): Arbitrary<Piece> =>
  fc
    .array(part, { minLength: 1, maxLength: 3 })
    .map((pieces) => (around) => pieces.map((piece) => piece(around)).join(','))

const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
// A text without quotes may itself be part of the grammar.
const bare: Arbitrary<Piece> = nasty.map((own) => () => own)
const quoted: Arbitrary<Piece> = nasty.map((own) => (around) => quote(around.text(own)))

const column = mostly(
  fc.nat(40).map(
    (number): Piece =>
      ({ place }) =>
        pick(place.columns, number)?.[0] ?? 'id',
  ),
  quoted,
  30,
)
const step = glued(fixed('-> ->>'), mostly(fixed('a size w names 0 -1'), quoted, 2))
const field = glued(column, maybe(glued(step, maybe(step))))
const COMPARISONS =
  'eq neq gt gte lt lte isdistinct like ilike eq(any) gt(all) like(any) cs cd ov sl sr nxr nxl adj fts plfts(english) phfts wfts(simple)'
const negation = maybe(it('not.'))

/** Generates a column and a test that usually fits its type. */
const condition = (between: string) =>
  fc
    .tuple(fc.nat(40), fc.nat(5), oneOf(COMPARISONS), negation, fc.option(nasty, { freq: 3 }), fc.nat(9))
    .map(
      ([number, which, operator, not, other, form]): ((around: Around) => [string, string]) =>
        (around) => {
          const [name, kind] = pick(around.place.columns, number) ?? ['id', 'int']
          const usual = pick(VALUES[kind] ?? ['x'], which) ?? ''
          const value = other === null ? usual : around.text(other)
          const asIs = between === '' ? value : (other ?? usual)
          const test = [
            `in.(${quote(value)},${quote(usual)})`,
            `is.${pick(['null', 'not_null', 'true', 'unknown', 'odd'], which)}`,
            `eq.${asIs}`,
            `eq.${quote(value)}`,
          ][form]
          return [name, between + not(around) + (test ?? `${operator}.${asIs}`)]
        },
    )
const inTree = condition('.').map(
  (pair): Piece =>
    (around) =>
      pair(around).join(''),
)

const CASTS = `text int numeric jsonb json date timestamptz uuid text[] bytea regclass oid lib_state interval money xml
  void record name bit tsvector cstring`

const { items, tree } = fc.letrec<{ items: Piece; tree: Piece }>((tie) => {
  const related = fc
    .tuple(
      fc.nat(9),
      tie('items'),
      maybe(fixed('!inner !left !nowhere'), 2),
      maybe(it('...')),
      maybe(glued(quoted, it(':'))),
    )
    .map(
      ([number, inner, hint, spread, alias]): Piece =>
        (around) => {
          const [name, to] = pick(around.place.relations, number) ?? ['lib_nowhere', 'lib_nowhere']
          const items = inner({ ...around, place: placeOf(to) })
          return `${spread(around) || alias(around)}${name}${hint(around)}(${items})`
        },
    )
  const plain = glued(
    maybe(glued(quoted, it(':'))),
    field,
    maybe(glued(it('::'), fixed(CASTS))),
    maybe(it('.sum()'), 40),
  )
  return {
    items: list(fc.oneof({ maxDepth: 3 }, plain, it('*'), related)),
    tree: glued(
      it('('),
      list(fc.oneof({ maxDepth: 3 }, inTree, glued(negation, fixed('and or'), tie('tree')))),
      it(')'),
    ),
  }
})

const order = glued(field, half(fixed('.asc .desc')), maybe(fixed('.nullsfirst .nullslast .up')))
const number = mostly(fixed('0 1 2 5 9999999999'), bare)

export type Pair = (around: Around) => [key: string, value: string]
const pair = (key: Arbitrary<Piece>, value: Arbitrary<Piece>): Arbitrary<Pair> =>
  fc.tuple(key, value).map(([before, after]) => (around) => [before(around), after(around)])
export const pairs: Arbitrary<Pair> = mix(
  [8, condition('')],
  [8, pair(it('select'), items)],
  [5, pair(glued(negation, fixed('and or')), tree)],
  [5, pair(it('order'), list(order))],
  [3, pair(fixed('limit offset'), number)],
  [1, pair(fixed('columns on_conflict'), list(column))],
  [
    1,
    pair(fixed('lib_books.limit author_id.order nowhere.title lib_covers.or'), mostly(fixed('1 id'), bare)),
  ],
  [1, pair(bare, bare)],
)
