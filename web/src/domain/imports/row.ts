import { t } from '@lingui/core/macro'

/** The largest file, in bytes; the database also limits the number of rows (private.most_imported_rows). */
const LARGEST_FILE = 2_000_000

export type Unit = 'day' | 'week' | 'month' | 'year'

/** How the people of a row divide its price; unclear if the file does not say it. */
export type ImportedRule = 'equal' | 'amount' | 'percent' | 'unclear'

/** A recurring expense, read from another service's file. The database decides how to import it. */
export interface ImportedRow {
  name: string
  /** The full price per interval; null if the file does not say. */
  price: number | null
  /** ISO 4217 code, or the file's own text. */
  currency: string
  /** Null if the expense does not repeat. */
  unit: Unit | null
  every: number
  /** YYYY-MM-DD: a day on which the expense was or will be paid; the likeliest day if the file's is ambiguous. */
  date: string | null
  /** The possible days if the day is ambiguous, otherwise empty. */
  dates: string[]
  /** Null if unknown or ambiguous. */
  payer: string | null
  /** The people who share the expense; the payer is included only if they have a share too. */
  people: string[]
  rule: ImportedRule
  /** Each of the people's part, in their order: an amount or a percentage. Empty for the other rules. */
  parts: number[]
  /** The name of the group whose people are listed, the person's own among them; null if the list leaves them out. */
  group: string | null
  /** True if the interval is read from dates that differ, or the price from entries that differ. */
  unsteady: boolean
  website: string
  note: string
  invite: string[]
  places: number | null
  /** The reason why the row is not a current subscription; null if the row is one. */
  kind: 'repayment' | 'ended' | 'lifetime' | null
  /** The number of entries that this row combines. */
  entries: number
}

/** Makes a row that the database can read, since one unreadable value would make it refuse all rows. */
export function rowOf({
  unit = null,
  every = 1,
  ...given
}: Partial<ImportedRow> & { name: string }): ImportedRow {
  const [date, places] = [given.date ?? null, given.places ?? null]
  const dates = (given.dates ?? []).filter(isDay)
  return {
    ...{ price: null, kind: null, entries: 1, unsteady: false, rule: 'equal', parts: [] },
    ...given,
    ...{
      dates: dates.length > 1 ? dates : [],
      name: legible(given.name),
      currency: legible(given.currency ?? 'EUR'),
    },
    payer: given.payer == null ? null : legible(given.payer),
    people: (given.people ?? []).map(legible),
    invite: (given.invite ?? []).map(legible),
    group: given.group == null ? null : legible(given.group),
    ...{ website: legible(given.website ?? ''), note: legible(given.note ?? '') },
    ...{ unit: isCount(every) ? unit : null, every: isCount(every) ? every : 1 },
    date: isDay(date) ? date : null,
    places: isCount(places) ? places : null,
  }
}

const isCount = (count: number | null) =>
  Number.isInteger(count) && Number(count) > 0 && Number(count) < 10_000
/** Removes control characters and unpaired surrogates, and decodes HTML entities: "1&amp;1" is "1&1". */
const legible = (text: string) => withoutEntities(text).replace(/[\p{Cc}\p{Cs}]/gu, ' ')

const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z]\w*);/gi

function withoutEntities(text: string): string {
  const plain = text.replace(
    ENTITY,
    (entity) => new DOMParser().parseFromString(entity, 'text/html').documentElement.textContent,
  )
  // Some services escape a text again each time it is saved.
  return plain === text || !plain.includes('&') ? plain : withoutEntities(plain)
}

/** A unique label for each person: repeated names get a number. */
export function uniqueNames(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const place = names.slice(0, index).filter((other) => other === name).length
    return place === 0 ? name : `${name} (${place + 1})`
  })
}

/** Whether a text is a day of the calendar, as YYYY-MM-DD. */
export const isDay = (text: string | null) =>
  text !== null &&
  /^[12]\d{3}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

/** The file cannot be read; the message is shown to the person. */
export class Unreadable extends Error {}

/** Decodes a text file that may have an old encoding, or may name its encoding in the first line. */
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

/** The ISO code for a currency sign that is unambiguous; other texts are returned in capitals. */
export const currencyOf = (text: string): string =>
  ({ '€': 'EUR', $: 'USD', '£': 'GBP' })[text.trim()] ?? text.trim().toUpperCase()
