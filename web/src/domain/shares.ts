/** How the members of an own plan divide its price. Same as private.shares_of() in the database. */
import { digitsOf } from '@potluck/supabase/currency'
import type { Plan, ShareRule } from './plan.ts'

/** What a plan's owner gives a member: an amount or a percentage, and the place whose member pays it as well. */
type Part = { part: number; carriedBy: string | null }

export interface Division {
  rule: ShareRule
  price: number
  parts: Record<string, Part>
}

/** Returns each member's share by place, rounded down to the currency's unit, and the owner's rest, which can be below 0. */
export function dividePrice(
  { currency, providerMaxMembers: people }: Pick<Plan, 'currency' | 'providerMaxMembers'>,
  { rule, price, parts }: Division,
): { shares: Record<string, number>; rest: number } {
  const units = 10 ** digitsOf(currency)
  const whole = Math.round(price * units)
  const own = ({ part }: Part) =>
    rule === 'equal'
      ? Math.floor(whole / people)
      : rule === 'amount'
        ? Math.round(part * units)
        : Math.floor((whole * Math.round(part * 100)) / 10_000)
  const seats = Object.entries(parts)
  const shares = seats.map(([id, one]): [string, number] => [
    id,
    one.carriedBy !== null
      ? 0
      : seats.reduce((sum, [, other]) => sum + (other.carriedBy === id ? own(other) : 0), own(one)),
  ])
  const rest = shares.reduce((left, [, share]) => left - share, whole)
  return { shares: Object.fromEntries(shares.map(([id, share]) => [id, share / units])), rest: rest / units }
}
