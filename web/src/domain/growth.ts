/** Returns the growth of a figure in percent, to one decimal; null if `before` is not above zero. */
import { language } from '#lib/language.ts'

export function growth(now: number, before: number): number | null {
  if (before <= 0) return null
  const percent = Math.round(((now - before) / before) * 1000) / 10
  return percent === 0 ? 0 : percent
}

const change = new Intl.NumberFormat(language, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
})

/** A formatted change: "+8.2%", "-2.5%", "0%". */
export function formatGrowth(percent: number): string {
  return change.format(percent / 100)
}
