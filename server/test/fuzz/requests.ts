// Generates nearly valid requests to the Data API. Sometimes a part is dropped, doubled or broken.
import fc, { type Arbitrary } from 'fast-check'
import { mix, nasty, nastyJson } from './fuzz.ts'
import { CALLS, PLACES, type Place, VALUES } from './library-map.ts'
import { type Around, EMPTY, oneOf, type Pair, pairs, pick, placeOf } from './queries.ts'

const among = (name: string, words: string): Arbitrary<Record<string, string>> =>
  fc
    .array(mix([20, oneOf(words)], [1, fc.stringMatching(/^[ -~]{0,9}$/)]), { minLength: 1, maxLength: 3 })
    .map((values) => ({ [name]: values.join(',') }))
const PREFERENCES = `return=representation return=minimal return=headers-only count=exact count=planned missing=default
  missing=null resolution=merge-duplicates resolution=ignore-duplicates handling=strict handling=lenient max-affected=5
  tx=rollback`
const other = mix<Record<string, string>>(
  [30, fc.constant({})],
  [3, among('range', '0-1 1-0 5-9 0- items=0-0 99999999999999999999-1 -1')],
  [3, among('accept', 'application/json */* application/vnd.pgrst.object+json text/csv')],
  [1, among('accept-profile', 'public auth')],
  [1, among('content-profile', 'public auth')],
  [1, among('content-type', 'application/json text/csv application/x-www-form-urlencoded')],
)
const headers = fc.tuple(among('prefer', PREFERENCES), other).map((both) => Object.assign({}, ...both))

type Row = (place: Place) => Record<string, unknown>
type MakeBody = ((place: Place) => string) | undefined
const entry = fc.tuple(fc.nat(40), fc.nat(5), fc.option(fc.tuple(nasty, nastyJson), { freq: 6 }))
const row: Arbitrary<Row> = fc.array(entry, { maxLength: 5 }).map((entries) => ({ columns }) => {
  const cells = entries.map(([number, which, other]) => {
    const [name, kind] = pick(columns, number) ?? ['id', 'int']
    return [other && which === 0 ? other[0] : name, other ? other[1] : pick(VALUES[kind] ?? ['x'], which)]
  })
  return Object.fromEntries(cells)
})
const written = <T>(part: Arbitrary<T>, write: (value: T, place: Place) => string): Arbitrary<MakeBody> =>
  part.map((value) => (place) => write(value, place))
const body = mix<MakeBody>(
  [8, written(row, (one, place) => JSON.stringify(one(place)))],
  [4, written(row, (one, place) => JSON.stringify([one(place), one(place)]))],
  [2, written(fc.array(row, { maxLength: 3 }), (all, place) => JSON.stringify(all.map((one) => one(place))))],
  [1, written(nastyJson, (json) => JSON.stringify(json))],
  [1, written(nasty, (text) => text)],
  [1, written(fc.integer({ min: 1, max: 20_000 }), (deep) => '['.repeat(deep))],
  [1, fc.constant(undefined)],
)

interface Target {
  path: string
  place: Place
}
const target = mix<Target>(
  [14, fc.constantFrom(...Object.keys(PLACES)).map((name) => ({ path: `/${name}`, place: placeOf(name) }))],
  [
    6,
    fc.constantFrom(...CALLS).map(({ name, gives, takes }) => ({
      path: `/rpc/${name}`,
      place: gives === '' ? { columns: takes, relations: [] } : placeOf(gives),
    })),
  ],
  [1, nasty.map((name) => ({ path: `/${encodeURIComponent(name)}`, place: EMPTY }))],
)

export interface AnyRequest {
  method: string
  target: Target
  pairs: Pair[]
  headers: Record<string, string>
  body: MakeBody
}

export const anyRequest: Arbitrary<AnyRequest> = fc.record({
  method: oneOf(
    'GET GET GET GET GET GET GET GET HEAD POST POST POST POST PATCH PATCH PATCH DELETE DELETE PUT',
  ),
  target,
  pairs: fc.array(pairs, { maxLength: 4 }),
  headers,
  body,
})

export const queryOf = ({ pairs, target }: AnyRequest, text: Around['text'] = (own) => own): string =>
  pairs.map((pair) => pair({ place: target.place, text }).map(encodeURIComponent).join('=')).join('&')

const breaks = fc
  .tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat(6),
    oneOf('% %zz %00 %ff %c3%28 %ed%a0%80 & = ( ) " %22 . + \\ ,'),
  )
  .map(([at, lost, put]) => (whole: string) => {
    const start = Math.floor(at * whole.length)
    return whole.slice(0, start) + put + whole.slice(start + lost)
  })
/** Drops, doubles or inserts a part of a text, but usually changes nothing. */
export const broken = mix<(whole: string) => string>([6, fc.constant((whole) => whole)], [1, breaks])
