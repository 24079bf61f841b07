import { Text } from '@mantine/core'
import type { Payment } from '#domain/payments.ts'
import { paymentTexts } from './payments.messages.ts'

/** Stands where an owner can ask for a payment, until they may again. `now` in ms. */
export function ReminderSent({ payment: { nudgedAt }, now }: { payment: Payment; now: number }) {
  return (
    <Text span size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      {nudgedAt && paymentTexts.reminded(nudgedAt, now)}
    </Text>
  )
}
