import { t } from '@lingui/core/macro'
import { roundCents } from '#domain/money.ts'
import type { TypedAmount } from '#ui/AmountInput.tsx'

/** The limits of an adjustment, in coins. */
interface Bounds {
  balance: number
  /** Coins not reserved by open withdrawals; undefined until loaded. */
  available?: number | undefined
  /** The maximum of one adjustment; undefined until loaded. */
  ceiling?: number | undefined
}

/** The typed amount in coins; null for zero or text that is not clearly an amount. */
export const adjustmentOf = (typed: TypedAmount): number | null => roundCents(typed) || null

/** The balance after an adjustment, in coins, only for display: the database computes the stored balance. */
export function balanceAfter(balance: number, typed: TypedAmount): number {
  return (Math.round(balance * 100) + Math.round((adjustmentOf(typed) ?? 0) * 100)) / 100
}

/** The reason the database would give for refusing this adjustment; null if the database would accept it. */
export function adjustmentRefusal(
  typed: TypedAmount,
  { balance, available, ceiling }: Bounds,
): string | null {
  const amount = adjustmentOf(typed) ?? 0
  if (ceiling !== undefined && Math.abs(amount) > ceiling)
    return t`One adjustment can move at most ${ceiling.toFixed(2)} coins`
  if (balanceAfter(balance, typed) < 0) return t`The balance cannot go below zero`
  if (available !== undefined && -amount > available)
    return t`Only ${available.toFixed(2)} coins are available. The rest is waiting to be paid out.`
  return null
}
