// Checks that every text is either parsed or refused; the wire tests are too slow to try enough texts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../../test/cases.ts'
import { RestError } from '../errors.ts'
import { parseTest, parseTree } from './condition.ts'
import { liftQuery } from './lift.ts'
import { arrayLiteral, parseList } from './operators.ts'
import { parseQuery } from './query.ts'
import { parseSelect } from './select.ts'

const PARSERS = {
  select: parseSelect,
  filter: (text: string) => parseTest(text, null),
  'logic tree': (text: string) => parseTree(`(${text})`, { and: true, not: false }),
}
type Parser = keyof typeof PARSERS

describe.each(Object.keys(PARSERS) as Parser[])('a %s', (parser) => {
  test('is understood or refused, whatever it holds', () => {
    const words = ['a', 'eq', 'in', 'is', 'not', 'or', 'and', 'fts', 'any']
    const signs = ['(', ')', ',', '.', ':', '::', '"', '\\', '{', '}', '->', '->>', '*', '...', '!', ' ']
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...words, ...signs), fc.string())), (pieces) => {
        try {
          PARSERS[parser](pieces.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(RestError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

const OPERATOR = '"not" or operator (eq, gt, ...)'
const NAME = 'field name (* or [a..z0..9_$])'
// The match operators are refused: a regular expression costs the sender nothing, and may cost the database any amount
// of time.
const unreadable = cases(`
  id=1 | filter (1) | 1 | "1" | ${OPERATOR}
  id=foo.1 | filter (foo.1) | 1 | "f" | ${OPERATOR}
  title=match.A | filter (match.A) | 1 | "m" | ${OPERATOR}
  id=not.foo.1 | filter (not.foo.1) | 5 | "f" | ${OPERATOR}
  id=not.not.eq.1 | filter (not.not.eq.1) | 5 | "n" | ${OPERATOR}
  id=is.maybe | filter (is.maybe) | 4 | "m" | ${OPERATOR}
  id=is.constructor | filter (is.constructor) | 4 | "c" | ${OPERATOR}
  id=constructor.1 | filter (constructor.1) | 1 | "c" | ${OPERATOR}
  tags=cs(any).{1} | filter (cs(any).{1}) | 1 | "c" | ${OPERATOR}
  title=fts(any).x | filter (fts(any).x) | 1 | "f" | ${OPERATOR}
  id=eq(english).1 | filter (eq(english).1) | 1 | "e" | ${OPERATOR}
  id=in.(1,2 | filter (in.(1,2) | 8 | end of input | ${OPERATOR}
  id=in.1 | filter (in.1) | 4 | "1" | ${OPERATOR}
  select=, | select parameter (,) | 1 | "," | ${NAME}
  select=id, | select parameter (id,) | 4 | end of input | ${NAME}
  select=id,author_id( | select parameter (id,author_id() | 14 | end of input | ${NAME}
  select=id:: | select parameter (id::) | 5 | end of input | a type
  select=data-> | select parameter (data->) | 7 | end of input | a JSON key or index
  select=id) | select parameter (id)) | 3 | ")" | end of input
  select=id;title | select parameter (id;title) | 3 | ";" | end of input
  select=id.title | select parameter (id.title) | 4 | "t" | an aggregate function
  select=lib_covers!left | select parameter (lib_covers!left) | 16 | end of input | "("
  select=...lib_covers | select parameter (...lib_covers) | 14 | end of input | "("
  order=id.up | order (id.up) | 3 | "." | "asc", "desc", "nullsfirst" or "nullslast"
  or=(id.eq.1 | logic tree ((id.eq.1) | 9 | end of input | ")"
  or=id.eq.1 | logic tree (id.eq.1) | 1 | "i" | "("`)
test.each(unreadable)(
  '%s is refused, and says where it went wrong',
  (query, what, column, unexpected, expecting) => {
    const none = { readArguments: false }
    expect(() => parseQuery(liftQuery(query ?? '', none).parts, none)).toThrow(
      expect.objectContaining({
        code: 'PGRST100',
        details: `unexpected ${unexpected} expecting ${expecting}`,
        message: `"failed to parse ${what}" (line 1, column ${column})`,
      }),
    )
  },
)

test.each<[Parser, string[]]>([
  ['select', ['"a', 'x:', '...', 'a b(', `${'a('.repeat(5_000)}b${')'.repeat(5_000)}`]],
  ['filter', ['', 'eq', 'is.', 'in.a,b', 'in.(a']],
])('a %s that cannot be meant is refused', (parser, texts) => {
  for (const text of texts) {
    expect(() => PARSERS[parser](text), text).toThrow(expect.objectContaining({ code: 'PGRST100' }))
  }
})

test.each([
  ['not.eq.a.b', { not: true, test: { kind: 'compare', operator: 'eq', operand: { text: 'a.b' } } }],
  ['not.is.true', { not: true, test: { kind: 'is', state: 'true' } }],
  ['is.unknown', { not: false, test: { kind: 'is', state: 'unknown' } }],
])('%s is read', (text, expected) => {
  expect(parseTest(text, null)).toMatchObject(expected)
})

test('a quoted list is read back as it was written', () => {
  const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (elements) => {
      expect(parseList(`(${elements.map(quote).join(',')})`)).toEqual(elements)
    }),
  )
})

test('an array literal never ends an element early', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (elements) => {
      const inner = arrayLiteral(elements).slice(1, -1)
      const read = [...inner.matchAll(/"((?:[^"\\]|\\.)*)"(?:,|$)/gs)].map(([, text = '']) =>
        text.replace(/\\(.)/gs, '$1'),
      )
      expect(read).toEqual(elements)
    }),
  )
})
