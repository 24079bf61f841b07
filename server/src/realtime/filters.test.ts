import { expect, test } from 'vitest'
import { InvalidFilter, parseFilter } from './filters.ts'

test.each([
  ['id=eq.5', [{ column: 'id', operator: 'eq', values: ['5'] }]],
  ['at=gte.2026-11-20T10:00:00.5Z', [{ column: 'at', operator: 'gte', values: ['2026-11-20T10:00:00.5Z'] }]],
  ['title=neq.', [{ column: 'title', operator: 'neq', values: [''] }]],
  ['title=eq.a=eq.b', [{ column: 'title', operator: 'eq', values: ['a=eq.b'] }]],
  ['title=eq."a,b"', [{ column: 'title', operator: 'eq', values: ['a,b'] }]],
  ['title=eq."say \\"hi\\""', [{ column: 'title', operator: 'eq', values: ['say "hi"'] }]],
  ['id=in.(1,2)', [{ column: 'id', operator: 'in', values: ['1', '2'] }]],
  ['t=in.("a,b",c)', [{ column: 't', operator: 'in', values: ['a,b', 'c'] }]],
  [
    'id=gt.1,id=lt.9',
    [
      { column: 'id', operator: 'gt', values: ['1'] },
      { column: 'id', operator: 'lt', values: ['9'] },
    ],
  ],
])('reads %s', (text, conditions) => {
  expect(parseFilter(text)).toEqual(conditions)
})

test.each([
  'id',
  'id=5',
  'id=like.5',
  'id=constructor.5',
  '=eq.5',
  'id=in.1,2',
  'id=in.()',
  'id=eq.1,',
  `id=in.(${Array.from({ length: 101 }, (_, n) => n).join(',')})`,
])('refuses %s', (text) => {
  expect(() => parseFilter(text)).toThrow(InvalidFilter)
})
