import { t } from '@lingui/core/macro'
import { dateLocale } from '#lib/language.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const words = new Intl.RelativeTimeFormat(dateLocale, { numeric: 'auto' })
const longDay = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'long' })
const weekday = new Intl.DateTimeFormat(dateLocale, { weekday: 'long' })
const dayAndMonth = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'long' })
const shortDate = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium' })
const shortTime = new Intl.DateTimeFormat(dateLocale, { timeStyle: 'short' })

/**
 * A moment in words, relative to `now`: "5 minutes ago", "yesterday", "in 12 days". A bare date counts in calendar
 * days.
 */
export function dateInWords(date: string, now: Date): string {
  const days = calendarDays(date, now)
  if (isBareDate(date)) return inDays(days)
  const span = new Date(date).getTime() - now.getTime()
  const size = Math.abs(span)
  if (size < minute) return t`just now`
  if (size < hour) return words.format(Math.trunc(span / minute), 'minute')
  if (size < day) return words.format(Math.trunc(span / hour), 'hour')
  return inDays(days)
}

/** The date written out, for instance "20 November 2026", with the time if there is one. */
export function fullDate(date: string): string {
  const day = fullDay(date)
  if (isBareDate(date)) return day
  const time = timeOfDay(date)
  return t`${day}, ${time}`
}

/** The time of a moment, for instance "14:05". */
export const timeOfDay = (moment: string): string => shortTime.format(toDate(moment))

/** The day of a date or moment written out, for instance "20 November 2026". */
export const fullDay = (date: string): string => longDay.format(toDate(date))

/** The day of a moment, in the words used for near days: "tomorrow", "Thursday", "20 December". */
export function dayInWords(moment: string, now: Date): string {
  const days = calendarDays(moment, now)
  if (Math.abs(days) < 2) return words.format(days, 'day')
  return days > 1 && days < 7 ? weekday.format(toDate(moment)) : dayOfYear(moment, now)
}

/** The day of a moment as a date, with the year if it is half a year or more away: "20 December", "1 October 2027". */
export const dayOfYear = (moment: string, now: Date): string =>
  (Math.abs(calendarDays(moment, now)) < 183 ? dayAndMonth : longDay).format(toDate(moment))

/** True if the moment is on the calendar day of `now`. */
export const isToday = (moment: string, now: Date): boolean => calendarDays(moment, now) === 0

/** The day in a table, for instance "20 Nov 2026". */
export const shortDay = (date: string): string => shortDate.format(toDate(date))

function inDays(days: number): string {
  if (Math.abs(days) < 45) return words.format(days, 'day')
  if (Math.abs(days) < 365) return words.format(Math.round(days / 30.4), 'month')
  return words.format(Math.round(days / 365), 'year')
}

function calendarDays(date: string, now: Date): number {
  return Math.round((startOfDay(toDate(date)).getTime() - startOfDay(now).getTime()) / day)
}

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate())
const isBareDate = (date: string) => /^\d{4}-\d{2}-\d{2}$/.test(date)
/** Parses a date without a time as a day in the reader's time zone; `new Date` would take it as midnight in UTC. */
const toDate = (date: string) => new Date(isBareDate(date) ? `${date}T00:00` : date)
