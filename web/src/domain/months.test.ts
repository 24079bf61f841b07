import { expect, it } from 'vitest'
import { boundsOf, monthInWords, monthOf, shiftMonth } from './months.ts'

it.each([
  ['2026-11', 1, '2026-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-03', -13, '2025-02'],
])('%s and %s months is %s', (month, by, then) => {
  expect(shiftMonth(month, by)).toBe(then)
})

it('begins and ends where the reader’s own months do', () => {
  const { from, until } = boundsOf('2028-02')
  expect([from, until]).toEqual([new Date(2028, 1, 1), new Date(2028, 2, 1)])
  expect(monthOf(from)).toBe('2028-02')
  expect(monthOf(new Date(until.getTime() - 1))).toBe('2028-02')
  expect(monthInWords('2028-02')).toBe('February 2028')
})
