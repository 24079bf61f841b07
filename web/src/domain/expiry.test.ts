import { expect, test } from 'vitest'
import { expiryText, hoursLeft, urgency } from './expiry.ts'

const requestedAt = '2026-11-20T10:00:00+00:00'
const after = (hours: number) => Date.parse(requestedAt) + hours * 3_600_000

test.each([
  [0, 48],
  [0.5, 48],
  [1, 47],
  [47.5, 1],
  [48, 0],
  [50, -2],
])('%d hours after asking, %i hours are left', (passed, left) => {
  expect(hoursLeft(requestedAt, after(passed))).toBe(left)
})

test.each([
  [48, 'calm'],
  [13, 'calm'],
  [12, 'soon'],
  [7, 'soon'],
  [6, 'urgent'],
  [1, 'urgent'],
])('%i hours left is %s', (hours, expected) => {
  expect(urgency(hours)).toBe(expected)
})

test.each([
  [48, '48h remaining'],
  [13, '13h remaining'],
  [12, 'Expiring soon: 12h left'],
  [7, 'Expiring soon: 7h left'],
  [6, 'Expiring in 6h'],
])('at %i hours one reads: %s', (hours, text) => {
  expect(expiryText(hours)).toBe(text)
})
