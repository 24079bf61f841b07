import { useLive } from '#lib/live.ts'
import { paymentKeys } from './payments.queries.ts'
import { seatKeys } from './seats.queries.ts'

/** In ms: how soon the other side sees what one of them says. */
const SOON = 200

/** Keeps everything about payments and places on screen current: what a person pays and is paid. */
export function usePaymentsLive(userId: string): void {
  useLive(
    `payments-${userId}`,
    [
      { table: 'member_payments', filter: `member_id=eq.${userId}` },
      { table: 'member_payments', filter: `owner_id=eq.${userId}` },
      { table: 'seat_problems', filter: `member_id=eq.${userId}` },
      { table: 'seat_problems', filter: `owner_id=eq.${userId}` },
      // A place that ends later, or goes on after all, is told but pays nothing; nor does access that is given.
      { table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' },
    ],
    { keys: [paymentKeys.all, seatKeys.all], soon: SOON },
  )
}
