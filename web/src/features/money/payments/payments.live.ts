import { useLive } from '#lib/live.ts'
import { paymentKeys } from './payments.queries.ts'
import { seatKeys } from './seats.queries.ts'

/** In ms: how soon one side sees what the other says. */
const SOON = 200

/** Keeps the payments and places on screen current: what a person pays and is paid. */
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
      // Notice to leave, its withdrawal and access that is given change no payment, but are notified.
      { table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' },
    ],
    { keys: [paymentKeys.all, seatKeys.all], soon: SOON },
  )
}
