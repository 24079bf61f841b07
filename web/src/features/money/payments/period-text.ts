import { t } from '@lingui/core/macro'
import { fullDay, shortDay } from '#domain/dates.ts'
import type { Payment } from '#domain/payments.ts'

type Period = Pick<Payment, 'startsAt' | 'endsAt'>

/** The text for the period of a payment, first and last day included; empty if not known yet. */
export const periodText = (period: Period): string =>
  inWords(period, fullDay, (from, to) => t`${from} to ${to}`)

/** The period in short form, for tables. */
export const shortPeriod = (period: Period): string =>
  inWords(period, shortDay, (from, to) => `${from} – ${to}`)

function inWords(
  { startsAt, endsAt }: Period,
  day: (date: string) => string,
  both: (from: string, to: string) => string,
): string {
  if (!startsAt || !endsAt) return ''
  // The period ends at midnight, which is already the next day.
  return both(day(startsAt), day(new Date(Date.parse(endsAt) - 1).toISOString()))
}
