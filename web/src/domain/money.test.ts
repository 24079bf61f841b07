import { describe, expect, it } from 'vitest'
import { currencyCode, formatMoney, roundCents } from './money.ts'

describe('money', () => {
  it.each([
    [19.99, 'EUR', '€19.99'],
    [5, null, '€5.00'],
    ['7.5', '', '€7.50'],
    [1234.5, '£', '£1,234.50'],
    [3, '$', '€3.00'],
    [3, '€', '€3.00'],
    [3, undefined, '€3.00'],
    [1234567.891, 'GBP', '£1,234,567.89'],
    [null, 'EUR', '€0.00'],
    [Number.NaN, 'EUR', '€0.00'],
    ['abc', 'EUR', '€0.00'],
    [undefined, 'usd', '$0.00'],
  ])('shows %s %s as %s', (amount, currency, shown) => {
    expect(formatMoney(amount, currency)).toBe(shown)
  })

  it.each([
    [1.005, 1.01],
    [2.675, 2.68],
    [-1.005, -1.01],
    [5.497, 5.5],
    [1e-7, 0],
    [-1e-7, 0],
    [9_999_999_999.995, 10_000_000_000],
    [Number.POSITIVE_INFINITY, 0],
  ])('rounds %s to %s', (amount, rounded) => {
    expect(roundCents(amount)).toBe(rounded)
  })

  it('reads an unknown currency as euro', () => {
    expect(currencyCode('coins')).toBe('EUR')
  })
})
