/**
 * The places of a plan: their number, how full it is, and the value of an open place (R1, R8). Counts include the
 * owner.
 */
import { plural, t } from '@lingui/core/macro'
import { OWNER_ESTIMATE_PERCENT } from './fees.ts'

const SMALLEST_KNOWN_MAXIMUM = 4
const SMALLEST_ASSUMED_MAXIMUM = 5

export interface Places {
  currentMembers: number
  ownerMaxMembers: number
  /** Places kept for people other than the reader. */
  kept?: number
}

interface StoredMaxima {
  provider_max_members: number | null
  owner_max_members: number | null
  max_members: number | null
}

/** True if the owner's limit is reached; the provider's maximum does not matter. */
export function isFull({ currentMembers, ownerMaxMembers, kept = 0 }: Places): boolean {
  return currentMembers + kept >= ownerMaxMembers
}

/** The number of places that are neither taken nor kept. */
export const openPlaces = ({ currentMembers, ownerMaxMembers, kept = 0 }: Places): number =>
  Math.max(0, ownerMaxMembers - currentMembers - kept)

/** "2/4", or "4/4 (Full)". */
export function describePlaces(places: Places): string {
  const count = `${places.currentMembers}/${places.ownerMaxMembers}`
  return isFull(places) ? t`${count} (Full)` : count
}

/** "2 of 4 places open", or "Full, 4 people". */
export function describeOpenPlaces(places: Places): string {
  const { ownerMaxMembers } = places
  if (isFull(places)) return t`Full, ${plural(ownerMaxMembers, { one: '# person', other: '# people' })}`
  return t`${openPlaces(places)} of ${plural(ownerMaxMembers, { one: '# place', other: '# places' })} open`
}

/** The provider's maximum. Older plans have none stored, so the largest known number stands in, but at least 5. */
export function providerMaximum(stored: StoredMaxima): number {
  if (stored.provider_max_members) return stored.provider_max_members
  const known = Math.max(stored.max_members ?? 0, stored.owner_max_members ?? 0, SMALLEST_KNOWN_MAXIMUM)
  return Math.max(known, SMALLEST_ASSUMED_MAXIMUM)
}

/** Returns the reason why this number of slots cannot be chosen; null if it can be. */
export function slotsRefusal(slots: number, currentMembers: number, maximum: number): string | null {
  if (slots < currentMembers)
    return t`Cannot set less than ${plural(currentMembers, { one: '# member', other: '# members' })} (already joined).`
  if (slots > maximum)
    return t`Cannot exceed provider's maximum limit of ${plural(maximum, { one: '# member', other: '# members' })}.`
  return null
}

export interface SlotEstimate {
  perSlotCost: number
  earningsPerSlot: number
  potentialEarnings: number
}

/** Estimates per billing cycle, in the plan's currency, unrounded. */
export function estimateSlots(totalPrice: number, maximum: number, slots: number): SlotEstimate {
  const perSlotCost = maximum > 0 ? totalPrice / maximum : 0
  const earningsPerSlot = perSlotCost * (OWNER_ESTIMATE_PERCENT / 100)
  return { perSlotCost, earningsPerSlot, potentialEarnings: earningsPerSlot * Math.max(slots - 1, 0) }
}

export type CapacityTone = 'green' | 'blue' | 'amber' | 'red'

/** The colour of the capacity bar for a fill in percent. */
export function capacityTone(percent: number): CapacityTone {
  if (percent >= 90) return 'red'
  if (percent >= 75) return 'amber'
  if (percent >= 50) return 'blue'
  return 'green'
}

/** The fill in percent, 0 to 100. */
export function capacityPercent({ currentMembers, ownerMaxMembers }: Places): number {
  return ownerMaxMembers > 0 ? Math.min((currentMembers / ownerMaxMembers) * 100, 100) : 100
}
