import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { constant, name, StatementParameters, typeName } from './text.ts'

test('a quoted name is one identifier, whatever it holds', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter((text) => !text.includes('\0')),
      (text) => {
        const quoted = name(text)
        expect(quoted).toMatch(/^"(?:[^"]|"")*"$/)
        expect(quoted.slice(1, -1).replaceAll('""', '"')).toBe(text)
      },
    ),
    { numRuns: 1_000 },
  )
  for (const none of ['', 'a\0b'])
    expect(() => name(none)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
})

test('a quoted text is one constant, whatever it holds', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom("\\'", "'; --", '\\')), (text) => {
      const quoted = constant(text)
      expect(quoted).toMatch(/^(?: E)?'(?:[^']|'')*'$/)
      // In an escape string, a backslash escapes the next character, so each one must be doubled.
      if (text.includes('\\')) expect(quoted).toMatch(/^ E'(?:[^'\\]|''|\\\\)*'$/)
    }),
    { numRuns: 1_000 },
  )
})

describe('the type of a cast', () => {
  test.each([
    ['int', 'int'],
    ['INTEGER', 'integer'],
    ['double precision', 'double precision'],
    ['timestamp  with time zone', 'timestamp with time zone'],
    ['text[]', 'text[]'],
    ['my_enum', '"my_enum"'],
    ['my_enum[]', '"my_enum"[]'],
    ['int; drop', '"int; drop"'],
  ])('%s is %s', (asked, written) => {
    expect(typeName(asked)).toBe(written)
  })
})

test('the same value keeps its placeholder, another one gets its own', () => {
  const parameters = new StatementParameters()
  const value = { text: 'a' }
  expect([parameters.bind(value), parameters.bind({ text: 'a' }), parameters.bind(value)]).toEqual([
    '$1',
    '$2',
    '$1',
  ])
  expect(parameters.slot(0)).toBe('$3')
  expect(parameters.list).toEqual(['a', 'a', 0])
})
