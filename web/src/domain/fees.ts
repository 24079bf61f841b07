/**
 * Amounts shown to people before they decide. The database charges and credits them; this module only explains them.
 */
import { t } from '@lingui/core/macro'
import { digitsOf } from '@potluck/supabase/currency'
import { placePrice } from '@potluck/supabase/fee'
import { LIMITS } from '@potluck/supabase/limits'
import { language } from '#lib/language.ts'
import { formatMoney, toCents } from './money.ts'
import type { Plan, Settlement } from './plan.ts'

/**
 * The percentage of a member's share that estimates on screen count as the owner's income. The real credit is the whole
 * share. (R1)
 */
export const OWNER_ESTIMATE_PERCENT = 90

/** The real credit, shown next to the estimates. */
export const COINS_NOTE = t`You earn 1 coin for every euro of their share.`

/** How the money of an estimate reaches the owner. */
export const earningsNote = (settlement: Settlement): string =>
  settlement === 'direct' ? t`Your members pay you directly.` : COINS_NOTE

/** The smallest step of the fee in percentage points, and its number of decimals. */
export const FEE_STEP = LIMITS.feeRateStep * 100
export const FEE_DECIMALS = String(FEE_STEP).split('.')[1]?.length ?? 0

/** A member's share of a plan's price in EUR, without the fee. */
export function memberShare(totalPrice: number, maxMembers: number): number {
  return maxMembers < 1 ? 0 : fromCents(toCents(totalPrice) / maxMembers)
}

/** What each member of an own plan pays: rounded down, so that the owner bears the odd cents. */
export function equalShare(price: number, people: number, currency: string): number {
  const units = 10 ** digitsOf(currency)
  return Math.floor(Math.round(price * units) / people) / units
}

type Priced = Pick<Plan, 'memberPrice' | 'settlement' | 'feeRate'>

/**
 * The price for a member of a plan per cycle, in EUR. (R1, R22) The rate is the plan's own, or the site's for a plan that
 * is not shared yet.
 */
export const memberPays = ({ memberPrice, settlement, feeRate }: Priced): number =>
  placePrice(settlement, memberPrice, feeRate)

const inPercent = new Intl.NumberFormat(language, { maximumFractionDigits: FEE_DECIMALS })

/** A rate in percent: 0.125 is "12.5", or "12,5". */
export const percentOf = (feeRate: number): string => inPercent.format(feeRate * 100)

/** An amount per cycle as an amount per month. */
export const monthly = (perCycle: number, cycle: Plan['cycle']): number =>
  cycle === 'monthly' ? perCycle : fromCents(toCents(perCycle) / (cycle === 'yearly' ? 12 : cycle))

/** The price for a member per month, in EUR. */
export const paysMonthly = (plan: Priced & Pick<Plan, 'cycle'>): number =>
  monthly(memberPays(plan), plan.cycle)

/** A note about the fee within a member's price. (R22) */
export function feeNote({ settlement, feeRate }: Omit<Priced, 'memberPrice'>): string {
  if (settlement === 'direct') return t`Paid to the owner, no fee`
  return feeRate === 0 ? t`No convenience fee` : t`${percentOf(feeRate)}% convenience fee included`
}

/**
 * Returns the reason why members of a plan with this share cannot pay through the site, or null. For a yearly plan, the
 * smallest of its twelve instalments decides.
 */
export function potluckRefusal(
  memberPrice: number,
  { cycle, feeRate }: Pick<Plan, 'cycle' | 'feeRate'>,
): string | null {
  const cents = toCents(placePrice('potluck', memberPrice, feeRate))
  const least = cycle === 'yearly' ? Math.floor(cents / 12) : cents
  if (least >= toCents(LIMITS.leastSum)) return null
  return t`A member would pay ${formatMoney(fromCents(least))} a month. Cards need at least ${formatMoney(LIMITS.leastSum)}, so members pay you directly.`
}

/** The owner's income from this many members per cycle, in EUR. */
export const ownerGets = (memberPrice: number, members: number): number =>
  fromCents(toCents(memberPrice) * members)

export interface OwnerEstimate {
  /** Income from all open slots per cycle once they are taken, in EUR. */
  earnings: number
  /** The owner's remaining cost per cycle, in EUR; never below zero. */
  effectivePrice: number
}

/** Returns an owner's earnings and remaining cost once every open slot is taken, estimated as R1 says. */
export function ownerEstimate(totalPrice: number, maxMembers: number, openSlots: number): OwnerEstimate {
  const kept = (toCents(memberShare(totalPrice, maxMembers)) * OWNER_ESTIMATE_PERCENT) / 100
  const earnings = fromCents(kept * openSlots)
  return { earnings, effectivePrice: Math.max(0, fromCents(toCents(totalPrice) - toCents(earnings))) }
}

/**
 * A plan's monthly price divided among its people once every place is taken, in EUR and without a fee: `share` for each
 * of the `places`, and `rest` for the owner.
 */
export function splitOf(plan: Pick<Plan, 'totalPrice' | 'memberPrice' | 'cycle' | 'ownerMaxMembers'>) {
  const whole = monthly(plan.totalPrice, plan.cycle)
  const share = monthly(plan.memberPrice, plan.cycle)
  const places = plan.ownerMaxMembers - 1
  return { whole, share, places, rest: Math.max(0, fromCents(toCents(whole) - places * toCents(share))) }
}

// Half a cent rounds up, exactly as numeric(12,2) does in the database.
const fromCents = (cents: number): number => Math.round(cents) / 100
