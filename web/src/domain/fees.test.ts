import { describe, expect, it } from 'vitest'
import { FEE_PERCENT, memberShare, monthlyWithFee, ownerEstimate, withFee } from './fees.ts'

describe('a member', () => {
  it.each([
    [19.99, 4, 5.0],
    [17.99, 2, 9.0],
    [1680, 300, 5.6],
    [9.99, 0, 0],
  ])('shares %d EUR among %d people at %d EUR', (total, people, share) => {
    expect(memberShare(total, people)).toBe(share)
  })

  it.each([
    [5.0, 5.5],
    [3.33, 3.66],
    // 4.95 and its fee make 5.445: half a cent rounds up, as in the database.
    [4.95, 5.45],
    [0, 0],
  ])('pays a share of %d EUR plus the fee: %d EUR', (share, pays) => {
    expect(withFee(share)).toBe(pays)
  })

  it('pays a fee of 10 percent', () => {
    expect(FEE_PERCENT).toBe(10)
  })

  it('pays a twelfth of a yearly amount per month', () => {
    expect(monthlyWithFee(20, 'yearly')).toBe(1.83)
    expect(monthlyWithFee(20, 'monthly')).toBe(22)
  })
})

describe('an owner', () => {
  it('sees 90 percent of each share as the estimate, and the price that leaves', () => {
    expect(ownerEstimate(19.99, 4, 2)).toEqual({ earnings: 9, effectivePrice: 10.99 })
    expect(ownerEstimate(19.99, 4, 3)).toEqual({ earnings: 13.5, effectivePrice: 6.49 })
  })

  it('never sees a price below zero', () => {
    expect(ownerEstimate(10, 2, 5).effectivePrice).toBe(0)
  })
})
