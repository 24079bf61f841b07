import { describe, expect, it } from 'vitest'
import {
  CALCULATOR_EXAMPLES,
  FEWEST_MEMBERS,
  MILESTONES,
  milestonesReached,
  savingAmong,
  savingOf,
  savingOfAll,
  totalSaved,
} from './savings.ts'

const netflix = {
  totalPrice: 19.99,
  memberPrice: 5,
  cycle: 'monthly',
  settlement: 'potluck',
  feeRate: 0.1,
} as const
const microsoft = {
  totalPrice: 129,
  memberPrice: 21.5,
  cycle: 'yearly',
  settlement: 'potluck',
  feeRate: 0.1,
} as const
const disney = {
  totalPrice: 139.99,
  memberPrice: 35,
  cycle: 'yearly',
  settlement: 'potluck',
  feeRate: 0.1,
} as const

describe('a member of a plan', () => {
  it.each([
    ['a monthly plan', netflix, { alone: 19.99, shared: 5.5, saved: 14.49 }],
    // 129 / 12 is 10.75; 21.50 and the fee are 23.65, of which a twelfth is 1.97.
    ['a yearly plan, counted per month', microsoft, { alone: 10.75, shared: 1.97, saved: 8.78 }],
    ['a yearly plan that months do not divide', disney, { alone: 11.67, shared: 3.21, saved: 8.46 }],
    [
      'a plan nobody can share cheaper',
      { totalPrice: 10, memberPrice: 10, cycle: 'monthly', settlement: 'potluck', feeRate: 0.1 },
      { alone: 10, shared: 11, saved: -1 },
    ],
  ] as const)('saves the full monthly price less their share with the fee: %s', (_name, plan, saving) => {
    expect(savingOf(plan)).toEqual(saving)
  })

  it('saves on all their plans together, to the cent', () => {
    expect(savingOfAll([netflix, microsoft, disney])).toEqual({ alone: 42.41, shared: 10.68, saved: 31.73 })
    expect(savingOfAll([])).toEqual({ alone: 0, shared: 0, saved: 0 })
  })

  it.each([
    [14.49, 86.94],
    [31.73, 190.38],
    [0, 0],
  ])('is told that %d EUR a month make %d EUR in all, 6 times as much', (monthly, total) => {
    expect(totalSaved(monthly)).toBe(total)
  })
})

describe('the calculator', () => {
  it('has two examples, each from 2 members on', () => {
    expect(CALCULATOR_EXAMPLES).toEqual([
      { basePrice: 15.99, maxMembers: 6 },
      { basePrice: 12.99, maxMembers: 4 },
    ])
    expect(FEWEST_MEMBERS).toBe(2)
  })

  it.each([
    [15.99, 2, 8.8, 7.19],
    [15.99, 6, 2.94, 13.05],
    [12.99, 2, 7.15, 5.84],
    [12.99, 4, 3.58, 9.41],
  ])('splits %d EUR among %d: each pays %d EUR and saves %d EUR', (base, members, shared, saved) => {
    expect(savingAmong(base, members, 0.1)).toEqual({ alone: base, shared, saved })
  })
})

describe('a milestone', () => {
  it('is one of five', () => {
    expect(MILESTONES.map(({ amount, title }) => [amount, title])).toEqual([
      [50, 'First Steps'],
      [100, 'Getting Started'],
      [250, 'Savings Pro'],
      [500, 'Master Saver'],
      [1000, 'Savings Legend'],
    ])
  })

  it.each([
    [0, 0],
    [49.99, 0],
    [50, 1],
    [99.99, 1],
    [100, 2],
    [250, 3],
    [500, 4],
    [999.99, 4],
    [1000, 5],
    [5000, 5],
  ])('is reached with its very amount: %d EUR reach %d of them', (total, count) => {
    expect(milestonesReached(total)).toEqual(MILESTONES.slice(0, count))
  })
})
