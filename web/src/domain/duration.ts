import { plural, t } from '@lingui/core/macro'

/** Postgres counts a year of an interval as 365.25 days. */
const YEAR = 365.25 * 24

/** A length of time in the unit people think in, such as "48 hours", "30 days", "a year" or "3 years". */
export function duration(hours: number): string {
  if (hours > YEAR && hours % YEAR === 0) return plural(hours / YEAR, { one: '# year', other: '# years' })
  if (hours === 365 * 24 || hours === YEAR) return t`a year`
  return hours % 24 === 0 && hours > 72
    ? plural(hours / 24, { one: '# day', other: '# days' })
    : plural(hours, { one: '# hour', other: '# hours' })
}
