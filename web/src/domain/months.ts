/** Months as YYYY-MM, in the reader's own calendar. */

import { dateLocale, language } from '#lib/language.ts'

const inWords = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric' })
const startOf = (month: string) => new Date(`${month}-01T00:00`)

export const monthOf = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`

/** The month `by` months later, or earlier if `by` is negative. */
export function shiftMonth(month: string, by: number): string {
  const start = startOf(month)
  start.setMonth(start.getMonth() + by)
  return monthOf(start)
}

/** The start of a month and of the next one (exclusive). */
export const boundsOf = (month: string) => ({ from: startOf(month), until: startOf(shiftMonth(month, 1)) })

const weekday = new Intl.DateTimeFormat(dateLocale, { weekday: 'short' })
const shortMonth = new Intl.DateTimeFormat(dateLocale, { month: 'short' })
const at = (day: string) => new Date(`${day.slice(0, 10)}T00:00`)

/** Labels of months and days for Mantine's calendars, which are English by default; `day` is YYYY-MM-DD. */
export const datesInWords = {
  monthLabelFormat: (day: string) => capitalised(inWords.format(at(day))),
  monthsListFormat: (day: string) => shortMonth.format(at(day)),
  weekdayFormat: (day: string) => weekday.format(at(day)),
}

function capitalised(month: string): string {
  return month.charAt(0).toLocaleUpperCase(language) + month.slice(1)
}

/** A month as a heading, with a capital in every language. */
export const monthAsHeading = (month: string): string => capitalised(monthInWords(month))

/** A month within a sentence, for instance "November 2026" or "novembre 2026". */
export const monthInWords = (month: string): string => inWords.format(startOf(month))
