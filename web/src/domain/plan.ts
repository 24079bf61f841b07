import type { Level } from './standing.ts'

export type BillingCycle = 'monthly' | 'yearly'

/** How often a provider bills or, of an own plan, how many months one payment covers. */
export type Cycle = BillingCycle | number

/** Returns the cycle of a stored plan; `months` is null unless it is an own plan. */
export const cycleOf = (billing: BillingCycle | 'months', months: number | null): Cycle =>
  billing === 'months' ? (months ?? 1) : billing

/** Equal shares of all places, an amount for each member, or a percentage of the price. */
export type ShareRule = 'equal' | 'amount' | 'percent'

/** True for a plan of a service that is not in the catalogue: its owner sets the price, and it stays private. */
export const isOwnPlan = ({ cycle }: { cycle: Cycle }): boolean => typeof cycle === 'number'

/** How members pay: directly to the owner, without a fee, or through the site, which holds the money. */
export type Settlement = 'direct' | 'potluck'

/** A shared plan. Prices are in `currency` per billing cycle, without the platform's fee; counts include the owner. */
export interface Plan {
  id: string
  name: string
  provider: string
  category: string
  status: 'active' | 'pending' | 'rejected'
  description: string
  ownerId: string
  ownerName: string
  ownerAvatarUrl: string | null
  currency: string
  totalPrice: number
  memberPrice: number
  cycle: Cycle
  /** The provider's website, and what the owner wants members to know; only of an own plan. */
  website: string | null
  note: string | null
  /** How the members of an own plan divide its price. */
  shareRule: ShareRule
  settlement: Settlement
  /** The platform's fee on top of a share paid through the site, such as 0.1. Fixed when the plan is shared. */
  feeRate: number
  currentMembers: number
  ownerMaxMembers: number
  providerMaxMembers: number
  /** How many people wait for a place. */
  waiting: number
  /** The plan can only be found by its link. */
  isPrivate: boolean
  /** The lowest level of standing that gets a place instantly; null if the owner answers each request. */
  instantFrom: Level | null
  /** ISO date, or null when nothing is scheduled. */
  nextPayment: string | null
  createdAt: string
}
