/**
 * Reads amounts as people write them in any language: "1 234,56", "1.234,56", "1,234.56", "1’234.50", "€12", "12,– €".
 * Any kind of space that spreadsheets and keyboards produce is accepted.
 */

import { CURRENCY_WORDS, PER } from './imports/words.ts'

/** The decimal separator: the character before the cents. */
type DecimalSign = '.' | ','

const CURRENCY = String.raw`(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}|${CURRENCY_WORDS.join('|')})?`
/** An interval behind the amount, as in "19.99 / month". */
const INTERVAL = String.raw`(?:(?:\/|${PER.join('|')}) ?\p{L}+\.?)?`
/** A dash in place of the cents, as in "12,–". */
const NO_CENTS = '(?:(?<=[.,] ?)-+)?'
const AMOUNT = new RegExp(
  String.raw`^(-?) ?${CURRENCY} ?(-?) ?(\d[\d.,' ]*|[.,]\d+)${NO_CENTS} ?${CURRENCY} ?${INTERVAL}$`,
  'u',
)

interface Reading {
  amount: number
  group: string
  decimal: string
}

function readingsOf(text: string): Reading[] {
  const plain = text
    .replace(/\p{Cf}/gu, '')
    .replace(/[’‘ʼ′´`]/g, "'")
    .normalize('NFKC')
    .replace(/[−‐–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    // In French, the currency sign may stand in place of the decimal comma: "12 € 50".
    .replace(/^(\d+) ?€ ?(\d\d)$/, '$1,$2')
  const [, before = '', between = '', digits = ''] = AMOUNT.exec(plain) ?? []
  return ['', '.', ',', "'", ' '].flatMap((group) =>
    ['', '.', ',', "'"].flatMap((decimal) => {
      const amount = readAs(digits.trim(), group, decimal)
      return amount === null ? [] : [{ amount: before || between ? -amount : amount, group, decimal }]
    }),
  )
}

function readAs(digits: string, group: string, decimal: string): number | null {
  if (group !== '' && group === decimal) return null
  const whole = group === '' ? String.raw`\d*` : String.raw`[1-9]\d{0,2}(?:[${group}]\d{3})+`
  // An apostrophe followed by three digits separates thousands: "1'234". Followed by one or two, it is a decimal sign.
  const rest = decimal === '' ? '' : `[${decimal}](\\d${decimal === "'" ? '{1,2}' : '*'})`
  const found = new RegExp(`^(${whole})${rest}$`).exec(digits)
  if (!found || !/\d/.test(digits)) return null
  return Number(`${found[1]?.replace(/\D/g, '') || '0'}.${found[2] || '0'}`)
}

/** Returns the decimal sign that a reading implies; null if the reading fits both signs. */
const signIn = ({ group, decimal }: Reading): DecimalSign | null => {
  if (decimal === '.' || group === ',') return '.'
  return decimal === ',' || group === '.' ? ',' : null
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

/**
 * Returns every number that a text can mean: none, one or, for "10.825", two (10825 and 10.825) unless `sign` is known.
 */
export function amountsIn(text: string, sign: DecimalSign | null = null): number[] {
  const readings = readingsOf(text)
  const fitting = readings.filter((reading) => sign !== null && (signIn(reading) ?? sign) === sign)
  return unique((fitting.length > 0 ? fitting : readings).map(({ amount }) => amount)).sort((a, b) => b - a)
}

/** The number that a text means, or null if it has several readings or none. */
export function amountIn(text: string, sign: DecimalSign | null = null): number | null {
  const [amount = null, ...others] = amountsIn(text, sign)
  return others.length === 0 ? amount : null
}

/** The decimal sign of a column, from its unambiguous amounts; null if they show none or disagree. */
export function decimalSignOf(texts: readonly string[]): DecimalSign | null {
  const certain = texts.filter((text) => amountIn(text) !== null)
  const signs = unique(certain.flatMap((text) => readingsOf(text).map(signIn))).filter(
    (sign) => sign !== null,
  )
  return signs.length === 1 ? (signs[0] ?? null) : null
}
