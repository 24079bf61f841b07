import { Text } from '@mantine/core'
import type { Payment } from '#domain/payments.ts'
import { paymentTexts } from './payments.messages.ts'

/** Replaces the button to remind a member of a payment until the owner may remind them again. `now` in ms. */
export function ReminderSent({ payment: { nudgedAt }, now }: { payment: Payment; now: number }) {
  return (
    <Text span size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      {nudgedAt && paymentTexts.reminded(nudgedAt, now)}
    </Text>
  )
}
