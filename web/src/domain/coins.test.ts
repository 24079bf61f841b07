// Proves WALLET 04 11 12, VALID 21 22
import { expect, test } from 'vitest'
import {
  availableCoins,
  coinsInWords,
  paidFromCoins,
  QUICK_PERCENTS,
  quickAmount,
  walletMood,
  withdrawalRefusal,
} from './coins.ts'

test('coins are available unless a pending or processing withdrawal has asked for them', () => {
  const asked = (amount: number, status: 'pending' | 'processing' | 'completed' | 'rejected') => ({
    amount,
    status,
  })
  expect(availableCoins(100, [asked(20, 'pending'), asked(30.1, 'processing')])).toBe(49.9)
  expect(availableCoins(100, [asked(20, 'completed'), asked(30, 'rejected')])).toBe(100)
  expect(availableCoins(19.99, [asked(20, 'processing')])).toBe(0)
})

test.each([
  [5.5, 0, 0],
  [5.5, 5, 5],
  [5.5, 5.49, 5],
  [5.5, 5.5, 5.5],
  [5.5, 90, 5.5],
])('of %d, coins pay, where there are %d, %d', (sum, available, paid) =>
  expect(paidFromCoins(sum, available)).toBe(paid),
)

test.each([
  [100, [25, 50, 75, 100]],
  [99.99, [24, 49, 74, 99.99]],
  [0.99, [0, 0, 0, 0.99]],
  [116, [29, 58, 87, 116]],
])('of %d coins a quarter, a half and three can be asked for in whole coins, and all: %j', (coins, amounts) =>
  expect(QUICK_PERCENTS.map((percent) => quickAmount(coins, percent))).toEqual(amounts),
)

test.each([
  [Number.NaN, 'Please enter a valid amount'],
  [Number.POSITIVE_INFINITY, 'Please enter a valid amount'],
  [0, 'Please enter a valid amount'],
  [-20, 'Please enter a valid amount'],
  [20.001, 'Please enter a valid amount'],
  [0.01, 'Minimum withdrawal amount is 20 coins'],
  [19.99, 'Minimum withdrawal amount is 20 coins'],
  [20, null],
  [45.5, null],
  [45.51, 'Maximum withdrawal amount is 45.50 coins'],
])('a withdrawal of %s out of 45.50 is refused with: %s', (amount, refusal) =>
  expect(withdrawalRefusal(amount, 45.5)).toBe(refusal),
)

test.each([
  [20, 'calm'],
  [20.01, 'excited'],
  [50, 'excited'],
  [50.01, 'sparkling'],
])('%s coins make the pot %s', (coins, mood) => expect(walletMood(coins)).toBe(mood))

test('coins are written with two decimals', () =>
  expect([0, 1, 1250.5].map(coinsInWords)).toEqual(['0.00 coins', '1.00 coin', '1,250.50 coins']))
