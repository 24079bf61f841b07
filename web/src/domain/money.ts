import { digitsOf } from '@potluck/supabase/currency'
import { language } from '#lib/language.ts'

/** The ISO code for a plan's stored currency: signs are translated, and an empty one means EUR. */
export function currencyCode(stored: string | null | undefined): string {
  const given = stored?.trim() ?? ''
  if (given === '' || given === '€' || given === '$') return 'EUR'
  if (given === '£') return 'GBP'
  return /^[a-z]{3}$/i.test(given) ? given.toUpperCase() : 'EUR'
}

/** An amount in the language of the page, with its currency and the decimals of that. NaN is shown as zero. */
export function formatMoney(amount: unknown, currency?: string | null): string {
  return formatOf(currencyCode(currency)).format(roundCents(amount))
}

// Creating a formatter takes longer than formatting a screen full of amounts.
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const made = formats.get(currency)
  if (made) return made
  const digits = digitsOf(currency)
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, ...fixed })
  formats.set(currency, format)
  return format
}

/** Rounds to whole cents, half away from zero; NaN becomes zero. */
export function roundCents(amount: unknown): number {
  const value = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0
  // Rounds the decimal text, in which 1.005 is exact. toFixed avoids exponents for very small numbers.
  const cents = Math.round(Number(`${Math.abs(value).toFixed(10)}e2`))
  return cents === 0 ? 0 : (Math.sign(value) * cents) / 100
}

/** Converts an amount in EUR to whole cents, so that sums are exact. */
export const toCents = (euro: number): number => Math.round(euro * 100)
