import { expect, it } from 'vitest'
import { cappedCount } from './CountBadge.tsx'

it.each([
  [0, '0'],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
  [12_345, '99+'],
])('a badge for %i shows %s', (count, shown) => {
  expect(cappedCount(count)).toBe(shown)
})
