// Requests to the Data API that are nearly as they should be; now and then a piece of one is lost, doubled or broken.
import fc, { type Arbitrary } from 'fast-check'
import { nasty, nastyJson } from './fuzz.ts'
import { CALLS, PLACES, type Place, VALUES } from './library-map.ts'
import { type Around, EMPTY, oneOf, type Pair, pairs, pick, placeOf } from './queries.ts'

const among = (name: string, words: string): Arbitrary<Record<string, string>> =>
  fc
    .array(fc.oneof({ weight: 20, arbitrary: oneOf(words) }, fc.stringMatching(/^[ -~]{0,9}$/)), {
      minLength: 1,
      maxLength: 3,
    })
    .map((values) => ({ [name]: values.join(',') }))
const headers = fc
  .tuple(
    among(
      'prefer',
      `return=representation return=minimal return=headers-only count=exact count=planned missing=default missing=null
       resolution=merge-duplicates resolution=ignore-duplicates handling=strict handling=lenient max-affected=5 tx=rollback`,
    ),
    fc.oneof(
      { weight: 30, arbitrary: fc.constant({}) },
      { weight: 3, arbitrary: among('range', '0-1 1-0 5-9 0- items=0-0 99999999999999999999-1 -1') },
      {
        weight: 3,
        arbitrary: among('accept', 'application/json */* application/vnd.pgrst.object+json text/csv'),
      },
      among('accept-profile', 'public auth'),
      among('content-profile', 'public auth'),
      among('content-type', 'application/json text/csv application/x-www-form-urlencoded'),
    ),
  )
  .map(([prefer, other]) => ({ ...prefer, ...other }))

type Body = ((place: Place) => string) | undefined
const entry = fc.tuple(fc.nat(40), fc.nat(5), fc.option(fc.tuple(nasty, nastyJson), { freq: 6 }))
const row = fc.array(entry, { maxLength: 5 }).map(
  (entries) =>
    ({ columns }: Place): Record<string, unknown> =>
      Object.fromEntries(
        entries.map(([number, which, other]) => {
          const [name, kind] = pick(columns, number) ?? ['id', 'int']
          return [
            other && which === 0 ? other[0] : name,
            other ? other[1] : pick(VALUES[kind] ?? ['x'], which),
          ]
        }),
      ),
)
const body: Arbitrary<Body> = fc.oneof(
  {
    weight: 8,
    arbitrary: row.map(
      (one): Body =>
        (place) =>
          JSON.stringify(one(place)),
    ),
  },
  {
    weight: 4,
    arbitrary: row.map(
      (one): Body =>
        (place) =>
          JSON.stringify([one(place), one(place)]),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.array(row, { maxLength: 3 }).map(
      (rows): Body =>
        (place) =>
          JSON.stringify(rows.map((one) => one(place))),
    ),
  },
  {
    weight: 1,
    arbitrary: nastyJson.map(
      (json): Body =>
        () =>
          JSON.stringify(json),
    ),
  },
  {
    weight: 1,
    arbitrary: nasty.map(
      (json): Body =>
        () =>
          json,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 20_000 }).map(
      (deep): Body =>
        () =>
          '['.repeat(deep),
    ),
  },
  { weight: 1, arbitrary: fc.constant(undefined) },
)

interface Target {
  path: string
  place: Place
}
const target: Arbitrary<Target> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc
      .constantFrom(...Object.keys(PLACES))
      .map((name) => ({ path: `/${name}`, place: placeOf(name) })),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(...CALLS).map(([name, takes, gives]) => ({
      path: `/rpc/${name}`,
      place: {
        ...placeOf(gives),
        ...(gives === '' && { columns: takes.split(' ').map((one) => one.split(':') as [string, string]) }),
      },
    })),
  },
  { weight: 1, arbitrary: nasty.map((name) => ({ path: `/${encodeURIComponent(name)}`, place: EMPTY })) },
)

export interface AnyRequest {
  method: string
  target: Target
  pairs: Pair[]
  headers: Record<string, string>
  body: Body
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

/** Something is lost, doubled, or put in between; mostly nothing. */
export const broken: Arbitrary<(whole: string) => string> = fc.oneof(
  { weight: 6, arbitrary: fc.constant((whole: string) => whole) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(6),
        oneOf('% %zz %00 %ff %c3%28 %ed%a0%80 & = ( ) " %22 . + \\ ,'),
      )
      .map(([at, lost, put]) => (whole: string) => {
        const start = Math.floor(at * whole.length)
        return whole.slice(0, start) + put + whole.slice(start + lost)
      }),
  },
)
