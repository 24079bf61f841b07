import { t } from '@lingui/core/macro'

/** How much is read at once; the database takes no more rows either (private.most_imported_rows). */
const LARGEST_FILE = 2_000_000

export type Unit = 'day' | 'week' | 'month' | 'year'

/** Something a person pays for again and again, as it is kept elsewhere. What becomes of it is decided by the database. */
export interface ImportedRow {
  name: string
  /** What the whole of it costs each time; null if it does not say. */
  price: number | null
  /** ISO 4217, or whatever stands there. */
  currency: string
  /** Null if it does not repeat. */
  unit: Unit | null
  every: number
  /** YYYY-MM-DD: a day on which it was or will be paid. */
  date: string | null
  /** Null if that is not said. */
  payer: string | null
  /** Who shares it, the payer included if they do. */
  people: string[]
  /** Addresses to invite. */
  invite: string[]
  places: number | null
  /** Why it is no subscription of today, if it is none. */
  kind: 'repayment' | 'ended' | null
  /** How many entries it stands for. */
  entries: number
}

/** Whatever a file says: the database refuses all rows for one that has what it cannot read. */
export function rowOf({
  unit = null,
  every = 1,
  ...given
}: Partial<ImportedRow> & { name: string }): ImportedRow {
  const [date, places] = [given.date ?? null, given.places ?? null]
  return {
    ...{ price: null, kind: null, entries: 1 },
    ...given,
    ...{ name: legible(given.name), currency: legible(given.currency ?? 'EUR') },
    payer: given.payer == null ? null : legible(given.payer),
    people: (given.people ?? []).map(legible),
    invite: (given.invite ?? []).map(legible),
    ...{ unit: isCount(every) ? unit : null, every: isCount(every) ? every : 1 },
    date: isDay(date) ? date : null,
    places: isCount(places) ? places : null,
  }
}

const isCount = (count: number | null) =>
  Number.isInteger(count) && Number(count) > 0 && Number(count) < 10_000
/** Without control characters and halves of letters. */
const legible = (text: string) => text.replace(/[\p{Cc}\p{Cs}]/gu, ' ')

/** Whether a text is a day of the calendar, as YYYY-MM-DD. */
export const isDay = (text: string | null) =>
  text !== null &&
  /^[12]\d{3}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

/** The file is not what it should be; the message is for the person. */
export class Unreadable extends Error {}

/** A text of a file that may come from an old spreadsheet or say in its first line how it is written. */
export function decode(bytes: Uint8Array): string {
  if (bytes.length > LARGEST_FILE) throw new Unreadable(t`The file is larger than ${LARGEST_FILE / 1e6} MB.`)
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 100))
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(head)?.[1]
  const utf16 = /^(\xff\xfe|\xfe\xff)/.exec(head)?.[1]
  if (utf16) return new TextDecoder(utf16 === '\xff\xfe' ? 'utf-16le' : 'utf-16be').decode(bytes)
  try {
    return new TextDecoder(declared ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** "1.234,50", "1,234.50", "€ 12,5": the last comma or point is the decimal one. Null if it is no number. */
export function numberIn(text: string): number | null {
  const [digits = ''] = /[-−]?\d[\d.,’' \u00a0]*/.exec(text.trim()) ?? []
  const whole = digits.replace('−', '-').replace(/[’' \u00a0]/g, '')
  const at = Math.max(whole.lastIndexOf(','), whole.lastIndexOf('.'))
  // "1,234" is a thousand: no price has three decimals.
  const isDecimal = at >= 0 && whole.length - at <= 3
  const plain = isDecimal
    ? `${whole.slice(0, at).replace(/[.,]/g, '')}.${whole.slice(at + 1)}`
    : whole.replace(/[.,]/g, '')
  return /\d/.test(plain) ? Number(plain) : null
}

/** Days as YYYY-MM-DD. Where day and month could be either, the other days of the file decide, or else the day comes first. */
export function daysIn(texts: readonly string[]): (string | null)[] {
  const parts = texts.map((text) => text.trim().split(/\D+/).slice(0, 3).map(Number))
  const monthFirst =
    parts.some(([first = 0, second = 0]) => first <= 12 && second > 12) &&
    !parts.some(([first = 0]) => first > 12 && first <= 31)
  return parts.map(([first = 0, second = 0, third = 0]) => {
    const [year, month, day] =
      first > 31 ? [first, second, third] : monthFirst ? [third, first, second] : [third, second, first]
    const full = year < 100 ? 2000 + year : year
    const date = new Date(Date.UTC(full, month - 1, day))
    const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && full > 1999 && full < 2200
    return isDay ? date.toISOString().slice(0, 10) : null
  })
}

/** The currency that a sign means, where it means one. */
export const currencyOf = (text: string): string =>
  ({ '€': 'EUR', $: 'USD', '£': 'GBP' })[text.trim()] ?? text.trim().toUpperCase()
