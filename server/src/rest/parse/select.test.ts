import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RestError } from '../errors.ts'
import { parseSelect } from './select.ts'

const column = (name: string, more: object = {}) => ({
  kind: 'column',
  field: { column: name, path: [] },
  cast: undefined,
  alias: undefined,
  ...more,
})
const relation = (name: string, items: object[], more: object = {}) => ({
  kind: 'relation',
  name,
  alias: undefined,
  hint: undefined,
  inner: false,
  spread: false,
  items,
  ...more,
})

describe('a select is read as', () => {
  const cases: [text: string, items: object[]][] = [
    ['', []],
    ['*', [{ kind: 'all' }]],
    ['a,b', [column('a'), column('b')]],
    ['first name', [column('first name')]],
    ['a-b', [column('a-b')]],
    ['ünï', [column('ünï')]],
    ['"a,b(\\"c\\")"', [column('a,b("c")')]],
    ['x:a', [column('a', { alias: 'x' })]],
    ['a::text', [column('a', { cast: 'text' })]],
    ['x:a::int[]', [column('a', { alias: 'x', cast: 'int[]' })]],
    ['a::double precision,b', [column('a', { cast: 'double precision' }), column('b')]],
    [
      'x:a->b->>-1::int',
      [
        column('a', {
          alias: 'x',
          cast: 'int',
          field: {
            column: 'a',
            path: [
              { key: 'b', asText: false },
              { key: -1, asText: true },
            ],
          },
        }),
      ],
    ],
    [
      'a->"b c"->1x',
      [
        column('a', {
          field: {
            column: 'a',
            path: [
              { key: 'b c', asText: false },
              { key: '1x', asText: false },
            ],
          },
        }),
      ],
    ],
    ['r()', [relation('r', [])]],
    ['r(*)', [relation('r', [{ kind: 'all' }])]],
    [
      'a,r!inner(b,s!fk!left(c))',
      [
        column('a'),
        relation('r', [column('b'), relation('s', [column('c')], { hint: 'fk' })], { inner: true }),
      ],
    ],
    ['x:r!fk!inner(b)', [relation('r', [column('b')], { alias: 'x', hint: 'fk', inner: true })]],
    ['...r(b)', [relation('r', [column('b')], { spread: true })]],
  ]
  test.each(cases)('%s', (text, items) => {
    expect(parseSelect(text)).toEqual(items)
  })
})

describe('a select is refused', () => {
  test.each([
    ',',
    'a,',
    'a(',
    'a(b',
    'a)',
    'a::',
    'a->',
    '"a',
    'a b(',
    'x:',
    '...',
    '...a',
    'a;b',
    'a.b',
    'a!b',
  ])('%s', (text) => {
    expect(() => parseSelect(text)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
  })

  test('when it asks for aggregates, which are off', () => {
    for (const text of ['count()', 'a.sum()', 'n:a.max()', 'x:count()']) {
      expect(() => parseSelect(text)).toThrow(expect.objectContaining({ code: 'PGRST123' }))
    }
  })

  test('when it is deeper than anybody needs', () => {
    const deep = `${'a('.repeat(5_000)}b${')'.repeat(5_000)}`
    expect(() => parseSelect(deep)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
  })

  test('or understood, whatever it holds', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom('a', '(', ')', ',', ':', '::', '"', '\\', '->', '->>', '*', '...', '!', '.', ' '),
        fc.string(),
      ),
    )
    fc.assert(
      fc.property(pieces, (texts) => {
        try {
          parseSelect(texts.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(RestError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
