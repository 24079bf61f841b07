import { useLive } from '#lib/live.ts'
import { paymentKeys } from './payments.queries.ts'
import { seatKeys } from './seats.queries.ts'

/** In ms: the delay before the other side's step is loaded. */
const SOON = 200

/** Keeps a person's payments and places on screen current. */
export function usePaymentsLive(userId: string): void {
  useLive(
    `payments-${userId}`,
    [
      { table: 'member_payments', filter: `member_id=eq.${userId}` },
      { table: 'member_payments', filter: `owner_id=eq.${userId}` },
      { table: 'payment_claims', filter: `member_id=eq.${userId}` },
      { table: 'payment_claims', filter: `owner_id=eq.${userId}` },
      { table: 'fee_invoices', filter: `buyer_id=eq.${userId}` },
      { table: 'seat_problems', filter: `member_id=eq.${userId}` },
      { table: 'seat_problems', filter: `owner_id=eq.${userId}` },
      // Leaving, cancelling a departure and giving access change no payment, but each sends a notification.
      { table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' },
    ],
    { keys: [paymentKeys.all, seatKeys.all], soon: SOON },
  )
}
