/** Maps what a plan has stored to an ISO currency: symbols are translated, nothing at all means euro. */
export function currencyCode(stored: string | null | undefined): string {
  const given = stored?.trim() ?? ''
  if (given === '' || given === '€' || given === '$') return 'EUR'
  if (given === '£') return 'GBP'
  return /^[a-z]{3}$/i.test(given) ? given.toUpperCase() : 'EUR'
}

/** An amount as people read it: English, two decimals, always with its currency. Not a number is zero. */
export function formatMoney(amount: unknown, currency?: string | null): string {
  return formatOf(currencyCode(currency)).format(roundCents(amount))
}

// Making one takes longer than writing a screen full of amounts.
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const made = formats.get(currency)
  if (made) return made
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, ...digits })
  formats.set(currency, format)
  return format
}

/** Rounds to whole cents, half away from zero; whatever is not a number becomes zero. */
export function roundCents(amount: unknown): number {
  const value = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0
  // Through its decimal text, where 1.005 is what it says; without an exponent, which very small numbers have in theirs.
  const cents = Math.round(Number(`${Math.abs(value).toFixed(10)}e2`))
  return cents === 0 ? 0 : (Math.sign(value) * cents) / 100
}
