// How money and growth are written.
// Proves ADMIN 08 09 14, LIMIT 23, VALID 17
import { expect, test } from 'vitest'
import { formatGrowth, growth } from './growth.ts'
import { currencyCode, formatMoney, roundCents } from './money.ts'

test.each([
  [19.99, 'EUR', '€19.99'],
  [5, null, '€5.00'],
  ['7.5', '', '€7.50'],
  [1234.5, '£', '£1,234.50'],
  [3, '$', '€3.00'],
  [3, '€', '€3.00'],
  [3, undefined, '€3.00'],
  [null, 'EUR', '€0.00'],
  ['abc', 'EUR', '€0.00'],
  [undefined, 'usd', '$0.00'],
  [1500, 'JPY', '¥1,500'],
  [1500.5, 'HUF', 'HUF 1,500.50'],
])('%s %s are shown as %s', (amount, currency, shown) => expect(formatMoney(amount, currency)).toBe(shown))

test('an unknown currency is read as euro', () => expect(currencyCode('coins')).toBe('EUR'))

test.each([
  [1.005, 1.01],
  [2.675, 2.68],
  [-1.005, -1.01],
  [1e-7, 0],
  [-1e-7, 0],
  [9_999_999_999.995, 10_000_000_000],
  [Number.POSITIVE_INFINITY, 0],
])('%s is rounded to %s', (amount, rounded) => expect(roundCents(amount)).toBe(rounded))

test.each([
  [78, 80, -2.5],
  [1123, 1000, 12.3],
  [3, 1, 200],
  [2, 3, -33.3],
  [0, 4, -100],
  [100_000, 100_001, 0],
  [5, 0, null],
  [0, 0, null],
])('%i after %i is a growth of %s percent', (is, was, percent) => expect(growth(is, was)).toBe(percent))

test('a growth is written with its sign', () =>
  expect([8.2, -2.5, 0, 1234.5].map(formatGrowth)).toEqual(['+8.2%', '-2.5%', '0%', '+1,234.5%']))
