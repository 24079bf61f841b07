import { expect, it } from 'vitest'
import { formatGrowth, growth } from './growth.ts'

it('compares a figure with what it was, in percent to one decimal', () => {
  expect(growth(78, 80)).toBe(-2.5)
  expect(growth(1123, 1000)).toBe(12.3)
  expect(growth(3, 1)).toBe(200)
  expect(growth(2, 3)).toBe(-33.3)
  expect(growth(0, 4)).toBe(-100)
  expect(growth(100_000, 100_001)).toBe(0)
})

it('has no percentage where there was nothing before', () => {
  expect(growth(5, 0)).toBeNull()
  expect(growth(0, 0)).toBeNull()
})

it('writes a change with its sign', () => {
  expect([8.2, -2.5, 0, 1234.5].map(formatGrowth)).toEqual(['+8.2%', '-2.5%', '0%', '+1,234.5%'])
})
