/** Reads days as people write them in any language of the site, and returns YYYY-MM-DD. */
import { ENGLISH, language, languages } from '#lib/language.ts'
import { BEFORE_MONTH, BEFORE_YEAR, DAY_ENDINGS } from './imports/words.ts'
import { dayOf } from './renewal.ts'

/** Adds regions whose month names differ: Britain (Sept) and Austria (Jänner). */
const LOCALES = [...languages, 'en-GB', 'de-AT']
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()

let months: Map<string, number> | undefined

/** The numbers of months, from 1, by full and short name. Built on first use, since building the map takes a moment. */
function monthNames(): Map<string, number> {
  months ??= new Map([
    ...LOCALES.flatMap((locale) =>
      (['long', 'short'] as const).flatMap((month) => {
        const format = new Intl.DateTimeFormat(locale, { month })
        return Array.from({ length: 12 }, (_, index): [string, number] => [
          folded(format.format(new Date(2000, index, 15))).replace('.', ''),
          index + 1,
        ])
      }),
    ),
    ['mrz', 3],
  ])
  return months
}

export const isMonth = (word: string) => monthNames().has(folded(word).replace('.', ''))

function monthCalled(word: string): number | null {
  const exact = monthNames().get(word)
  if (exact || word.length < 3) return exact ?? null
  const [month = null, ...others] = new Set(
    [...monthNames()].flatMap(([name, at]) => (name.startsWith(word) ? at : [])),
  )
  return others.length === 0 ? month : null
}

/** The order of day, month and year in figures. */
type DayOrder = 'dmy' | 'mdy' | 'ymd'
const ORDERS: readonly DayOrder[] = ['dmy', 'mdy', 'ymd']

/** Whether a day without a year means the next such day after `today` or, with `isPast`, the last one before it. */
interface Near {
  today?: string
  isPast?: boolean
}

const FIGURES = /^(\d{1,4})([-/.]) ?(\d{1,2})(?:\2 ?(\d{4}|\d{1,2}))?\.?(?:[ t,]+\d{1,2}:\d.*)?$/
const [ENDING, MONTHS, YEARS] = [DAY_ENDINGS, BEFORE_MONTH, BEFORE_YEAR].map((words) => words.join('|'))
const DAY_BEFORE_MONTH = new RegExp(
  String.raw`^(?:\p{L}+\.?,? )?(\d{1,2})(?:${ENDING})?[. -]* ?(?:(?:${MONTHS}) )?(\p{L}{3,})\.?[, -]*(?:(?:${YEARS}) )?(\d{4}|\d{2})?$`,
  'u',
)
const DAY_AFTER_MONTH = new RegExp(
  String.raw`^(?:\p{L}+\.?,? )?(\p{L}{3,})\.? (\d{1,2})(?:(?:${ENDING}),?|, ?)? ?(\d{4})?$`,
  'u',
)

/**
 * Returns the day that a text means in the given `order`; null if the text is not a day, or is ambiguous ("Dec 26" may
 * be a month of 2026).
 */
export function dayIn(text: string, order: DayOrder = 'dmy', near: Near = {}): string | null {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  const [, year4, month2, day2] = /^(\d{4})(\d\d)(\d\d)$/.exec(plain) ?? []
  if (year4) return dayOfParts(day2, month2, year4, near)
  const [, first = '', sign = '', second = '', third] = FIGURES.exec(plain) ?? []
  if (first.length === 4) return third && third.length < 3 ? dayOfParts(third, second, first, near) : null
  if (first.length > 2 || third?.length === 1) return null
  if (first && order === 'dmy') return dayOfParts(first, second, third, near)
  if (first && order === 'ymd')
    return sign === '-' && third?.length === 2 ? dayOfParts(third, second, first, near) : null
  // With dots, the day comes first in every language. "12/26" may be a month and a year, as on cards.
  if (first)
    return sign !== '.' && (third || Number(second) < 13) ? dayOfParts(second, first, third, near) : null
  const said = folded(plain)
  const [, day = '', name = '', year] = DAY_BEFORE_MONTH.exec(said) ?? []
  if (day) return dayOfParts(day, monthCalled(name), year, near)
  const [whole = '', month = '', date = '', full] = DAY_AFTER_MONTH.exec(said) ?? []
  return month && (full || /\d[a-z]/.test(whole)) ? dayOfParts(date, monthCalled(month), full, near) : null
}

function dayOfParts(
  day: string | undefined,
  month: string | number | null | undefined,
  year: string | undefined,
  { today = dayOf(new Date()), isPast = false }: Near,
): string | null {
  const on = (inYear: number) => {
    const date = new Date(Date.UTC(inYear, Number(month) - 1, Number(day)))
    const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
    return isReal && inYear > 1999 && inYear < 2200 ? date.toISOString().slice(0, 10) : null
  }
  if (!day || !month) return null
  if (year) return on(year.length === 2 ? 2000 + Number(year) : Number(year))
  const now = Number(today.slice(0, 4))
  const days = [now - 1, now, now + 1].map(on).filter((one) => one !== null)
  return (isPast ? days.reverse().find((one) => one <= today) : days.find((one) => one >= today)) ?? null
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

/**
 * The orders that a column may use, likeliest first: those in which all of its days can be read; if there are none, all
 * three orders.
 */
function ordersIn(texts: readonly string[], isDayFirst = false): DayOrder[] {
  const days = texts.filter((text) => ORDERS.some((order) => dayIn(text, order)))
  const fitting = ORDERS.filter((order) => days.every((text) => dayIn(text, order)))
  if (isDayFirst && fitting.includes('dmy')) return ['dmy']
  return fitting.length > 0 ? fitting : [...ORDERS]
}

/** A column's days, read in each order that the column may use; the likeliest order comes first. */
export const readingsOfDays = (texts: readonly string[], isDayFirst = false, near: Near = {}) =>
  ordersIn(texts, isDayFirst).map((order) =>
    texts.map(
      (text) => [order, ...ORDERS].map((one) => dayIn(text, one, near)).find((day) => day !== null) ?? null,
    ),
  )

/** Possible days for each text of a column: none, one, or several if day and month could be swapped in every text. */
export function daysIn(texts: readonly string[], isDayFirst = false, near: Near = {}): string[][] {
  const readings = readingsOfDays(texts, isDayFirst, near)
  return texts.map((_text, at) => unique(readings.flatMap((days) => days[at] ?? [])))
}

/**
 * Returns the day that a typed text means; null if the text is ambiguous or not a day. The month may come first only in
 * English.
 */
export function typedDay(text: string): string | null {
  const [[day = null, ...others] = []] = daysIn([text], language !== ENGLISH)
  return others.length === 0 ? day : null
}
