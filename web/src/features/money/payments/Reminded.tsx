import { Text } from '@mantine/core'
import type { Payment } from '#domain/payments.ts'
import { paymentTexts } from './payments.messages.ts'

/** Replaces the reminder button until the owner may send another reminder. `now` in ms. */
export function Reminded({ payment: { nudgedAt }, now }: { payment: Payment; now: number }) {
  return (
    <Text span size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      {nudgedAt && paymentTexts.reminded(nudgedAt, now)}
    </Text>
  )
}
