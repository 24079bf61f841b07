/** Money arithmetic people see before they decide. The database charges and credits; this only explains. */
import type { BillingCycle } from './plan.ts'

/** The platform's fee on a member's share, in percent. */
export const FEE_PERCENT = 10

/** What an owner keeps of a share in the two estimates on screen, in percent; never an amount credited. (R1) */
const OWNER_ESTIMATE_PERCENT = 90

/** What the two estimates are. */
export const ESTIMATE_NOTE = 'a careful estimate, one place in ten empty'

/** What an owner is credited, said where the estimates are. */
export const COINS_NOTE = 'You earn 1 coin for every euro of their share.'

/** A member's share of a plan's price in EUR, without the fee. */
export function memberShare(totalPrice: number, maxMembers: number): number {
  return maxMembers < 1 ? 0 : fromCents(toCents(totalPrice) / maxMembers)
}

/** What a member pays per cycle: the share and the fee, in EUR. (R1) */
export function withFee(memberPrice: number): number {
  return fromCents((toCents(memberPrice) * (100 + FEE_PERCENT)) / 100)
}

/** What a member pays per month: a year's amount is spread over its months. */
export function monthlyWithFee(memberPrice: number, cycle: BillingCycle): number {
  const perCycle = withFee(memberPrice)
  return cycle === 'yearly' ? fromCents(toCents(perCycle) / 12) : perCycle
}

export interface OwnerEstimate {
  /** What all open slots together bring per cycle once taken, in EUR. */
  earnings: number
  /** What the plan then costs the owner per cycle, in EUR; never below zero. */
  effectivePrice: number
}

/** The owner's side of a plan with every open slot taken. An estimate, see R1. */
export function ownerEstimate(totalPrice: number, maxMembers: number, openSlots: number): OwnerEstimate {
  const kept = (toCents(memberShare(totalPrice, maxMembers)) * OWNER_ESTIMATE_PERCENT) / 100
  const earnings = fromCents(kept * openSlots)
  return { earnings, effectivePrice: Math.max(0, fromCents(toCents(totalPrice) - toCents(earnings))) }
}

// Cents are whole numbers, so a half cent rounds up here exactly as numeric(12,2) does in the database.
function toCents(euro: number): number {
  return Math.round(euro * 100)
}

function fromCents(cents: number): number {
  return Math.round(cents) / 100
}
