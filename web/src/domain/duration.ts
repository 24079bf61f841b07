import { counted } from './plural.ts'

/** A length of time in the unit people think in, such as "48 hours", "30 days" or "a year". */
export function duration(hours: number): string {
  if (hours === 365 * 24) return 'a year'
  return hours % 24 === 0 && hours > 72 ? counted(hours / 24, 'day') : counted(hours, 'hour')
}
