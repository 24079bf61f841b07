import { expect, test } from 'vitest'
import { cases } from '../../test/cases.ts'
import { InvalidFilter, parseFilter } from './filters.ts'

const filters = cases(String.raw`
  id=eq.5 | id eq 5
  at=gte.2026-11-20T10:00:00.5Z | at gte 2026-11-20T10:00:00.5Z
  title=neq. | title neq /
  title=eq.a=eq.b | title eq a=eq.b
  title=eq."a,b" | title eq a,b
  title=eq."say \"hi\"" | title eq say "hi"
  id=in.(1,2) | id in 1 / 2
  t=in.("a,b",c) | t in a,b / c
  id=gt.1,id=lt.9 | id gt 1 & id lt 9`)
test.each(filters)('reads %s', (text = '', conditions = '') => {
  const expected = conditions.split(' & ').map((condition) => {
    const [, column, operator, values = ''] = /^(\w+) (\w+) (.*)$/.exec(condition) ?? []
    return { column, operator, values: values === '/' ? [''] : values.split(' / ') }
  })
  expect(parseFilter(text)).toEqual(expected)
})

const wrong = ['id', 'id=5', 'id=like.5', 'id=constructor.5', '=eq.5', 'id=in.1,2', 'id=in.()', 'id=eq.1,']
test.each(wrong)('refuses %s', (text) => {
  expect(() => parseFilter(text)).toThrow(InvalidFilter)
})

test('refuses more than a hundred values', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n).join(',')
  expect(parseFilter(`id=in.(${numbers(100)})`)).toHaveLength(1)
  expect(() => parseFilter(`id=in.(${numbers(101)})`)).toThrow(InvalidFilter)
})
