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
  /** YYYY-MM-DD: a day on which it was or will be paid; the likeliest if it could be several. */
  date: string | null
  /** The days that it could be, if that is not certain. */
  dates: string[]
  /** Null if it is not said, or not certain. */
  payer: string | null
  /** Who shares it, the payer included if they do. */
  people: string[]
  /** Addresses to invite. */
  invite: string[]
  places: number | null
  /** Why it is no subscription of today, if it is none. */
  kind: 'repayment' | 'ended' | 'lifetime' | null
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
  const dates = (given.dates ?? []).filter(isDay)
  return {
    ...{ price: null, kind: null, entries: 1 },
    ...given,
    ...{
      dates: dates.length > 1 ? dates : [],
      name: legible(given.name),
      currency: legible(given.currency ?? 'EUR'),
    },
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
/** Without control characters and halves of letters, and with the letters that sites escape for their pages: "1&amp;1" is 1&1. */
const legible = (text: string) => withoutEntities(text).replace(/[\p{Cc}\p{Cs}]/gu, ' ')

const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z]\w*);/gi

function withoutEntities(text: string): string {
  const plain = text.replace(
    ENTITY,
    (entity) => new DOMParser().parseFromString(entity, 'text/html').documentElement.textContent,
  )
  // Some are escaped each time they are saved.
  return plain === text || !plain.includes('&') ? plain : withoutEntities(plain)
}

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

/** The currency that a sign means, where it means one. */
export const currencyOf = (text: string): string =>
  ({ '€': 'EUR', $: 'USD', '£': 'GBP' })[text.trim()] ?? text.trim().toUpperCase()
