import { fullDay } from '#domain/dates.ts'
import type { Payment } from '#domain/payments.ts'

/** The days a payment is for, first and last included; empty while they are not known. */
export function periodText({ startsAt, endsAt }: Pick<Payment, 'startsAt' | 'endsAt'>): string {
  if (!startsAt || !endsAt) return ''
  // The period ends at midnight, which is already the next day.
  return `${fullDay(startsAt)} to ${fullDay(new Date(Date.parse(endsAt) - 1).toISOString())}`
}
