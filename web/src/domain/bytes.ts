import { language } from '#lib/language.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size in bytes, rounded in the unit in which it has at most three digits: "115 kB". */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[step],
    maximumSignificantDigits: 3,
  })
  return format.format(bytes / 1000 ** step)
}
