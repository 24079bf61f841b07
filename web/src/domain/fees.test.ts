import { describe, expect, it } from 'vitest'
import {
  feeNote,
  memberPays,
  memberShare,
  ownerEstimate,
  paysMonthly,
  percentOf,
  potluckRefusal,
  withFee,
} from './fees.ts'

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
    [5.0, 0.1, 5.5],
    [3.33, 0.1, 3.66],
    // 4.95 and its fee make 5.445: half a cent rounds up, as in the database.
    [4.95, 0.1, 5.45],
    [5.0, 0.075, 5.38],
    [33.4, 0.125, 37.58],
    [5.0, 0, 5.0],
    [0, 0.2, 0],
  ])('pays a share of %d EUR plus a fee of %d: %d EUR', (share, feeRate, pays) => {
    expect(withFee(share, feeRate)).toBe(pays)
  })

  it.each([
    ['potluck', 0.1, '10% convenience fee included'],
    ['potluck', 0.055, '5.5% convenience fee included'],
    ['potluck', 0, 'No convenience fee'],
    ['direct', 0.1, 'Paid to the owner, no fee'],
  ] as const)('who pays by %s at a fee of %d reads: %s', (settlement, feeRate, note) => {
    expect(feeNote({ settlement, feeRate })).toBe(note)
  })

  it('reads every rate there can be as a percentage', () => {
    const rates = Array.from({ length: 41 }, (_, step) => step * 0.005)
    expect(rates.map(percentOf)).toEqual(rates.map((_rate, step) => String(step / 2)))
  })

  it('pays a twelfth of a yearly amount per month', () => {
    const plan = { memberPrice: 20, settlement: 'potluck', feeRate: 0.1 } as const
    expect(paysMonthly({ ...plan, cycle: 'yearly' })).toBe(1.83)
    expect(paysMonthly({ ...plan, cycle: 'monthly' })).toBe(22)
  })

  it('who pays the owner directly pays no fee', () => {
    const plan = { memberPrice: 20, settlement: 'direct', feeRate: 0.1 } as const
    expect(memberPays(plan)).toBe(20)
    expect(paysMonthly({ ...plan, cycle: 'yearly' })).toBe(1.67)
  })

  it.each([
    [0.91, 'monthly', null],
    [0.9, 'monthly', 'A month would cost a member €0.99, and a card cannot be charged less than €1.00.'],
    [10.91, 'yearly', null],
    [10.9, 'yearly', 'A month would cost a member €0.99, and a card cannot be charged less than €1.00.'],
  ] as const)(
    'pays a share of %d EUR, %s, through the site only from 1.00 a month on',
    (share, cycle, why) => {
      expect(potluckRefusal(share, { cycle, feeRate: 0.1 })).toBe(why)
    },
  )
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
