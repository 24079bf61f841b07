import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { liftQuery } from './lift.ts'

const lift = (query: string, readArguments = false) => liftQuery(query, { readArguments })
const literals = (query: string, readArguments = false) => lift(query, readArguments).literals.slice(2)

describe('values leave the shape', () => {
  const cases: [query: string, values: string[]][] = [
    ['id=eq.5', ['5']],
    ['id=not.gte.5&name=like.a*', ['5', 'a%']],
    ['id=in.(1,2)', ['{"1","2"}']],
    ['a.b=eq.x%20y+z', ['x y z']],
    ['id=is.null', []],
    ['or=(id.eq.5)', []],
    ['select=eq.5&order=eq.5&r.order=eq.5', []],
    ['id=in.(1', []],
    ['id=eq(any).{1}', []],
  ]
  test.each(cases)('%s', (query, values) => {
    expect(literals(query)).toEqual(values)
  })

  test('and so do the arguments of a function', () => {
    expect(literals('p_id=5&p_mail=a.b@c&id=eq.7&select=x&order=id', true)).toEqual(['5', 'a.b@c', '7'])
  })

  test('limit, offset and the key are not part of it', () => {
    const { shape, limit, offset } = lift('limit=5&id=eq.1&offset=2&apikey=secret')
    expect({ shape, limit, offset }).toEqual({ shape: lift('id=eq.9').shape, limit: '5', offset: '2' })
  })
})

test('a query that is no UTF-8 is refused', () => {
  expect(() => lift('a=eq.%ff')).toThrow(expect.objectContaining({ code: 'PGRST100' }))
})

test('two queries have one shape only if they differ in nothing but values', () => {
  const text = fc.oneof(
    fc.constantFrom('eq.', 'not.', 'a', '1', '%0A', '=', '&', '.', '\n', 'in.(1)', 'is.null'),
    fc.string(),
  )
  const part = fc.record({
    key: fc.constantFrom('id', 'name', 'select', 'or', 'a.b'),
    value: fc.array(text).map((texts) => texts.join('')),
  })
  const query = fc
    .array(part, { maxLength: 4 })
    .map((parts) => parts.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&'))
  const withoutValues = (text: string) => lift(text).parts.map(({ key, value, slot }) => [key, value, slot])
  fc.assert(
    fc.property(query, query, (one, other) => {
      if (lift(one).shape === lift(other).shape) expect(withoutValues(one)).toEqual(withoutValues(other))
    }),
    { numRuns: 3_000 },
  )
})
