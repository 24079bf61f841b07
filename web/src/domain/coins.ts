import { plural, t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { language } from '#lib/language.ts'
import { toCents } from './money.ts'

/** Coins, calculated for display; only the database moves them. 1 coin is 1 EUR. */

/** The smallest withdrawal, in coins. */
export const MINIMUM_WITHDRAWAL = LIMITS.leastWithdrawal

/** Shares of the available coins, in percent, that a person can fill in with one tap. */
export const QUICK_PERCENTS = [25, 50, 75, 100] as const

type WithdrawalStatus = 'pending' | 'processing' | 'completed' | 'rejected'

interface Withdrawal {
  /** In coins. */
  amount: number
  status: WithdrawalStatus
}

/** Coins still available: the balance minus open withdrawals, never below zero. */
export function availableCoins(balance: number, withdrawals: readonly Withdrawal[]): number {
  const reserved = withdrawals
    .filter(({ status }) => status === 'pending' || status === 'processing')
    .reduce((cents, { amount }) => cents + toCents(amount), 0)
  return Math.max(0, toCents(balance) - reserved) / 100
}

/**
 * Returns the part of a sum in EUR that coins pay. As in the database, the rest is never too small for a card payment.
 */
export function paidFromCoins(sum: number, available: number): number {
  const cents = Math.min(toCents(sum), toCents(available))
  const rest = toCents(sum) - cents
  return (
    (rest > 0 && rest < toCents(LIMITS.leastCardCharge)
      ? Math.max(0, toCents(sum - LIMITS.leastCardCharge))
      : cents) / 100
  )
}

/** A share of the available coins, in whole coins; 100% is everything, to the cent. */
export function quickAmount(available: number, percent: number): number {
  return percent === 100 ? available : Math.floor((toCents(available) * percent) / 10_000)
}

/** Returns the reason why an amount cannot be withdrawn, in the database's words; null if it can be. */
export function withdrawalRefusal(amount: number, available: number): string | null {
  if (!Number.isFinite(amount) || amount <= 0 || Number(amount.toFixed(2)) !== amount)
    return t`Please enter a valid amount`
  if (amount < MINIMUM_WITHDRAWAL) return t`Minimum withdrawal amount is ${MINIMUM_WITHDRAWAL} coins`
  if (amount > available) return t`Maximum withdrawal amount is ${available.toFixed(2)} coins`
  return null
}

/** The mascot's mood at a balance: excited above 20 coins, sparkling above 50. */
export function walletMood(balance: number): 'calm' | 'excited' | 'sparkling' {
  if (balance > 50) return 'sparkling'
  return balance > 20 ? 'excited' : 'calm'
}

const figures = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** An amount of coins as people read it, for instance "1,250.00 coins". */
export function coinsInWords(amount: number): string {
  const figure = figures.format(amount)
  return plural(amount, { one: `${figure} coin`, other: `${figure} coins` })
}
