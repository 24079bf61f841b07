import { plural, t } from '@lingui/core/macro'

/** A length of time in the unit people think in, such as "48 hours", "30 days" or "a year". */
export function duration(hours: number): string {
  if (hours === 365 * 24) return t`a year`
  return hours % 24 === 0 && hours > 72
    ? plural(hours / 24, { one: '# day', other: '# days' })
    : plural(hours, { one: '# hour', other: '# hours' })
}
