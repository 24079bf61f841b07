// Proves ADMIN 46, VALID 29
import { describe, expect, it } from 'vitest'
import type { TypedAmount } from '#ui/AmountInput.tsx'
import { adjustmentOf, adjustmentRefusal, balanceAfter } from './adjustment.ts'

describe('an adjustment', () => {
  it.each<[TypedAmount, number | null]>([
    [5, 5],
    [5.25, 5.25],
    [-0.01, -0.01],
    ['', null],
    [0, null],
    [Number.NaN, null],
  ])('of %s is %s', (typed, amount) => {
    expect(adjustmentOf(typed)).toBe(amount)
  })

  it.each([
    [10, 5.5, 15.5],
    [0.1, 0.2, 0.3],
    [10, -2.3, 7.7],
    [10, -12, -2],
    [10, Number.NaN, 10],
  ])('of a wallet of %s by %s leaves %s', (balance, typed, after) => {
    expect(balanceAfter(balance, typed)).toBe(after)
  })

  it.each([
    [-20, null],
    [-20.01, 'Only 20.00 coins are available. The rest is waiting to be paid out.'],
    [-50.01, 'The balance cannot go below zero'],
    [100, null],
    [100.01, 'One adjustment can move at most 100.00 coins'],
    [-100.01, 'One adjustment can move at most 100.00 coins'],
    [Number.NaN, null],
  ])('of a wallet of 50 coins, 20 of them available, by %s is refused with %s', (typed, refusal) => {
    expect(adjustmentRefusal(typed, { balance: 50, available: 20, ceiling: 100 })).toBe(refusal)
  })

  it('is judged by the balance alone until the rest is known', () => {
    expect(adjustmentRefusal(-50, { balance: 50 })).toBeNull()
    expect(adjustmentRefusal(-51, { balance: 50 })).toBe('The balance cannot go below zero')
  })
})
