/** Savings through sharing, compared with paying alone; in EUR a month unless said otherwise. */
import { t } from '@lingui/core/macro'
import { placePrice } from '@potluck/supabase/fee'
import { memberShare, monthly, paysMonthly } from './fees.ts'
import { formatMoney, roundCents } from './money.ts'
import type { Plan } from './plan.ts'

/** The number of months that the estimated total covers. */
const ESTIMATE_MONTHS = 6

export interface Saving {
  /** The price without sharing. */
  alone: number
  /** The price for a member, including any fee. */
  shared: number
  saved: number
}

type Priced = Pick<Plan, 'totalPrice' | 'memberPrice' | 'cycle' | 'settlement' | 'feeRate'>

/** The saving of a member of one plan; yearly prices are divided by twelve. */
export function savingOf(plan: Priced): Saving {
  return between(monthly(plan.totalPrice, plan.cycle), paysMonthly(plan))
}

/** The saving of a member of all these plans. */
export function savingOfAll(plans: readonly Priced[]): Saving {
  const savings = plans.map(savingOf)
  return between(sum(savings.map(({ alone }) => alone)), sum(savings.map(({ shared }) => shared)))
}

/** The monthly saving over {@link ESTIMATE_MONTHS} months, in EUR. */
export function totalSaved(monthly: number): number {
  return roundCents(monthly * ESTIMATE_MONTHS)
}

/** Sums of this year's payments, in EUR: savings as a member (`joined`), and income as an owner (`shared`). */
export interface SavedThisYear {
  joined: number
  shared: number
}

/** The two sums in words; empty if both are zero. */
export function savedWords(saved: SavedThisYear): string {
  const [joined, shared] = [formatMoney(saved.joined), formatMoney(saved.shared)]
  if (saved.joined <= 0) return saved.shared > 0 ? t`${shared} paid by your members` : ''
  return saved.shared > 0
    ? t`${joined} saved on plans you joined, and ${shared} paid by your members`
    : t`${joined} saved on plans you joined`
}

export interface CalculatorExample {
  /** EUR a month. */
  basePrice: number
  maxMembers: number
}

export const CALCULATOR_EXAMPLES: readonly CalculatorExample[] = [
  { basePrice: 15.99, maxMembers: 6 },
  { basePrice: 12.99, maxMembers: 4 },
]

/** Sharing needs two people. */
export const FEWEST_MEMBERS = 2

/** The saving of each person on a plan with this price, shared by `members` people. */
export function savingAmong(basePrice: number, members: number, feeRate: number): Saving {
  return between(basePrice, placePrice('potluck', memberShare(basePrice, members), feeRate))
}

export interface Milestone {
  /** The total saved at which the milestone is reached, in EUR. */
  amount: number
  title: string
}

/** In ascending order. */
export const MILESTONES: readonly Milestone[] = [
  { amount: 50, title: t`First Steps` },
  { amount: 100, title: t`Getting Started` },
  { amount: 250, title: t`Savings Pro` },
  { amount: 500, title: t`Master Saver` },
  { amount: 1000, title: t`Savings Legend` },
]

export function milestonesReached(total: number): Milestone[] {
  return MILESTONES.filter(({ amount }) => total >= amount)
}

function between(alone: number, shared: number): Saving {
  return { alone, shared, saved: sum([alone, -shared]) }
}

// Adds whole cents, so that no sum is off by a binary fraction.
function sum(amounts: readonly number[]): number {
  return amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100
}
