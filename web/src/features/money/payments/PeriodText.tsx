import { fullDay } from '#domain/dates.ts'
import type { Payment } from '#domain/payments.ts'

/** The days a payment is for, both included; nothing while they are not known. */
export function periodText({ startsAt, endsAt }: Pick<Payment, 'startsAt' | 'endsAt'>): string {
  if (!startsAt || !endsAt) return ''
  // It ends at midnight, which belongs to the next one.
  return `${fullDay(startsAt)} to ${fullDay(new Date(Date.parse(endsAt) - 1).toISOString())}`
}

/** {@link periodText} in a sentence. */
export function PeriodText({ payment, before = '' }: { payment: Payment; before?: string }) {
  const text = periodText(payment)
  return text && `${before}${text}`
}
