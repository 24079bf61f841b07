import { expect, it } from 'vitest'
import { initials } from './initials.ts'

it.each([
  ['Olivia Owner', 'OO'],
  ['Marc', 'M'],
  ['ana.maria.lopez@example.com', 'AL'],
  ['  zoe   stranger  ', 'ZS'],
  ['Émile Zola', 'ÉZ'],
  ['A. B. C. D. Long-Name', 'AN'],
  ['', '?'],
])('shortens "%s" to %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
