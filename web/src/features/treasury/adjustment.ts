import { roundCents } from '#domain/money.ts'

/** What has been typed as an amount, in coins; null for what is zero or no number. */
export function adjustmentOf(typed: string | number): number | null {
  const amount = typeof typed === 'string' && typed.trim() === '' ? Number.NaN : Number(typed)
  return Number.isFinite(amount) && roundCents(amount) !== 0 ? roundCents(amount) : null
}

/** The balance after an adjustment, in coins; the database counts for itself. */
export function balanceAfter(balance: number, typed: string | number): number {
  return (Math.round(balance * 100) + Math.round((adjustmentOf(typed) ?? 0) * 100)) / 100
}
