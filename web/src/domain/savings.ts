/** What sharing saves compared with paying alone, in EUR a month unless said otherwise. */
import { t } from '@lingui/core/macro'
import { memberShare, paysMonthly, withFee } from './fees.ts'
import { formatMoney, roundCents } from './money.ts'
import type { Plan } from './plan.ts'

/** The total on screen is an estimate over this many months. */
export const ESTIMATE_MONTHS = 6

export interface Saving {
  /** What the plan costs without sharing. */
  alone: number
  /** What a member pays, including any fee. */
  shared: number
  saved: number
}

type Priced = Pick<Plan, 'totalPrice' | 'memberPrice' | 'cycle' | 'settlement' | 'feeRate'>

/** What a member of one plan saves; a yearly plan is counted per month. */
export function savingOf(plan: Priced): Saving {
  const alone = roundCents(plan.cycle === 'yearly' ? plan.totalPrice / 12 : plan.totalPrice)
  return between(alone, paysMonthly(plan))
}

/** What a member of all these plans saves. */
export function savingOfAll(plans: readonly Priced[]): Saving {
  const savings = plans.map(savingOf)
  return between(sum(savings.map(({ alone }) => alone)), sum(savings.map(({ shared }) => shared)))
}

/** The monthly saving over {@link ESTIMATE_MONTHS} months, in EUR. */
export function totalSaved(monthly: number): number {
  return roundCents(monthly * ESTIMATE_MONTHS)
}

/** What the database adds up of the payments of this year, in EUR: of a member, and to an owner. */
export interface SavedThisYear {
  joined: number
  shared: number
}

/** How that comes about, in words. */
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

/** The calculator's two example plans. */
export const CALCULATOR_EXAMPLES: readonly CalculatorExample[] = [
  { basePrice: 15.99, maxMembers: 6 },
  { basePrice: 12.99, maxMembers: 4 },
]

/** Nobody shares alone. */
export const FEWEST_MEMBERS = 2

/** What each person saves on a plan with this price, shared by this many at this fee. */
export function savingAmong(basePrice: number, members: number, feeRate: number): Saving {
  return between(basePrice, withFee(memberShare(basePrice, members), feeRate))
}

export interface Milestone {
  /** EUR of the total saved. */
  amount: number
  title: string
}

/** From the first to the last. */
export const MILESTONES: readonly Milestone[] = [
  { amount: 50, title: t`First Steps` },
  { amount: 100, title: t`Getting Started` },
  { amount: 250, title: t`Savings Pro` },
  { amount: 500, title: t`Master Saver` },
  { amount: 1000, title: t`Savings Legend` },
]

/** The milestones reached by a total in EUR. */
export function milestonesReached(total: number): Milestone[] {
  return MILESTONES.filter(({ amount }) => total >= amount)
}

function between(alone: number, shared: number): Saving {
  return { alone, shared, saved: sum([alone, -shared]) }
}

// In whole cents, so that no amount is off by a binary fraction.
function sum(amounts: readonly number[]): number {
  return amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100
}
