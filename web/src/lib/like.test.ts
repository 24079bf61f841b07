import { expect, it } from 'vitest'
import { containing } from './like.ts'

it.each([
  ['Netflix', '%Netflix%'],
  ['100%', String.raw`%100\%%`],
  ['a_b', String.raw`%a\_b%`],
  ['\\', String.raw`%\\%`],
  ['a*b', '%a_b%'],
])('%s is looked for as %s', (text, pattern) => {
  expect(containing(text)).toBe(pattern)
})
