/** Renewal dates, as calendar days: "2026-11-21", no time and no zone. */
import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import type { Cycle } from './plan.ts'

/** The calendar day of a moment, in the person's time zone. */
export function dayOf(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

/** Returns the day one cycle (or the years paid in advance) after today; in a shorter month, at most its last day. */
export function defaultRenewalDate(cycle: Cycle, today: string, years: number | null = null): string {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const months = month - 1 + (typeof cycle === 'number' ? cycle : cycle === 'yearly' ? 12 * (years ?? 1) : 1)
  const lastDay = new Date(year, months + 1, 0).getDate()
  return dayOf(new Date(year, months, Math.min(day, lastDay)))
}

/** Returns the reason why a renewal date cannot be used; null if it can be. */
export function renewalDateProblem(date: string | null, today: string): string | null {
  const furthest = `${Number(today.slice(0, 4)) + LIMITS.furthestRenewalYears}${today.slice(4)}`
  if (!date || date > furthest) return t`Please enter next renewal date.`
  return date < today ? t`Renewal date cannot be in the past.` : null
}
