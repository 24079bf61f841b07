import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RestError } from '../errors.ts'
import { parseTest, parseTree } from './condition.ts'
import { arrayLiteral, parseList } from './operators.ts'

const compare = (operator: string, text: string, quantifier?: string) => ({
  kind: 'compare',
  operator,
  quantifier,
  operand: { text },
})

describe('a filter is read as', () => {
  const cases: [text: string, not: boolean, test: object][] = [
    ['eq.5', false, compare('eq', '5')],
    ['eq.', false, compare('eq', '')],
    ['not.eq.a.b', true, compare('eq', 'a.b')],
    ['like.a*', false, compare('like', 'a%')],
    ['in.(a,"b,c")', false, compare('in', '{"a","b,c"}')],
    ['in.()', false, compare('in', '{}')],
    ['in.("")', false, compare('in', '{""}')],
    ['eq(any).{1,2}', false, compare('eq', '{1,2}', 'any')],
    ['not.ilike(all).{a*}', true, compare('ilike', '{a%}', 'all')],
    ['is.NULL', false, { kind: 'is', state: 'null' }],
    ['not.is.true', true, { kind: 'is', state: 'true' }],
    ['is.not_null', false, { kind: 'is', state: 'not null' }],
    [
      'fts(english).cat',
      false,
      { kind: 'search', operator: 'fts', language: 'english', operand: { text: 'cat' } },
    ],
    ['wfts.cat', false, { kind: 'search', operator: 'wfts', language: undefined, operand: { text: 'cat' } }],
  ]
  test.each(cases)('%s', (text, not, expected) => {
    expect(parseTest(text, null)).toEqual({ not, test: expected })
  })

  test.each([
    '',
    'eq',
    '5',
    'foo.1',
    'not.not.eq.1',
    'is.',
    'is.toString',
    'cs(any).{1}',
    'fts(any).x',
    'eq(english).x',
    '__proto__.1',
    'in.(',
    'in.a,b',
    'in.(a',
  ])('and %j is refused', (text) => {
    expect(() => parseTest(text, null)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
  })
})

describe('a tree is read as', () => {
  const filter = (column: string, test: object, not = false) => ({
    kind: 'filter',
    field: { column, path: [] },
    not,
    test,
  })
  const cases: [text: string, of: object[]][] = [
    ['(a.eq.1,b.lt.2)', [filter('a', compare('eq', '1')), filter('b', compare('lt', '2'))]],
    ['(a.not.eq.1)', [filter('a', compare('eq', '1'), true)]],
    ['(a.eq."1,)\\"",b.eq.)', [filter('a', compare('eq', '1,)"')), filter('b', compare('eq', ''))]],
    [
      '(a.in.(1,"2,)"),b.is.null)',
      [filter('a', compare('in', '{"1","2,)"}')), filter('b', { kind: 'is', state: 'null' })],
    ],
    ['(a.cs.{1,2})', [filter('a', compare('cs', '{1,2}'))]],
    [
      '(not.and(a.eq.1,or(b.eq.2)))',
      [
        {
          kind: 'group',
          and: true,
          not: true,
          of: [
            filter('a', compare('eq', '1')),
            { kind: 'group', and: false, not: false, of: [filter('b', compare('eq', '2'))] },
          ],
        },
      ],
    ],
    ['(or.eq.1)', [filter('or', compare('eq', '1'))]],
  ]
  test.each(cases)('%s', (text, of) => {
    expect(parseTree(text, { and: false, not: false })).toEqual({ kind: 'group', and: false, not: false, of })
  })

  test('or refused, whatever it holds', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom('a', '(', ')', ',', '.', 'eq', 'in', 'not', 'or', 'and', '"', '\\', '{', '}', '->'),
        fc.string(),
      ),
    )
    fc.assert(
      fc.property(pieces, (texts) => {
        try {
          parseTree(`(${texts.join('')})`, { and: true, not: false })
        } catch (error) {
          expect(error).toBeInstanceOf(RestError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
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
