import { describe, expect, it } from 'vitest'
import { adjustmentOf, balanceAfter } from './adjustment.ts'

describe('an adjustment', () => {
  it.each([
    [5, 5],
    ['5.25', 5.25],
    [-0.01, -0.01],
    ['', null],
    ['  ', null],
    ['-', null],
    ['abc', null],
    [0, null],
    ['0.00', null],
    ['0.004', null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])('of %s is %s', (typed, amount) => {
    expect(adjustmentOf(typed)).toBe(amount)
  })

  it.each([
    [10, 5.5, 15.5],
    [0.1, 0.2, 0.3],
    [10, '-2.3', 7.7],
    [10, -12, -2],
    [10, '-', 10],
  ])('of a wallet of %s by %s leaves %s', (balance, typed, after) => {
    expect(balanceAfter(balance, typed)).toBe(after)
  })
})
