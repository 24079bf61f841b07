// What the wire tests cannot try out one by one: texts of every kind are understood or refused, and nothing else.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RestError } from '../errors.ts'
import { parseTest, parseTree } from './condition.ts'
import { arrayLiteral, parseList } from './operators.ts'
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

test.each<[Parser, string[]]>([
  ['select', ['"a', 'x:', '...', 'a(b', 'a b(', `${'a('.repeat(5_000)}b${')'.repeat(5_000)}`]],
  ['filter', ['', 'eq', 'is.', 'is.toString', '__proto__.1', 'in.(', 'in.a,b', 'in.(a']],
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
