import { paymentKeys } from '#features/money/payments/payments.queries.ts'
import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { useLive } from '#lib/live.ts'
import type { User } from '#lib/session.ts'
import { homeKeys } from './home.queries.ts'

/** In ms: the delay until a new task appears, or one that was done elsewhere disappears. */
const SOON = 200

/** Keeps a person's home page current. */
export function useHomeLive({ id, email }: User): void {
  useLive(
    `home-${id}`,
    [
      { table: 'subscription_requests', filter: `owner_id=eq.${id}` },
      { table: 'subscription_requests', filter: `user_id=eq.${id}` },
      { table: 'member_payments', filter: `member_id=eq.${id}` },
      { table: 'member_payments', filter: `owner_id=eq.${id}` },
      { table: 'payment_claims', filter: `member_id=eq.${id}` },
      { table: 'payment_claims', filter: `owner_id=eq.${id}` },
      { table: 'seat_problems', filter: `member_id=eq.${id}` },
      { table: 'seat_problems', filter: `owner_id=eq.${id}` },
      { table: 'waiting_list', filter: `user_id=eq.${id}` },
      { table: 'subscription_invitations', filter: `email=eq.${email.toLowerCase()}` },
      { table: 'shared_subscriptions', filter: `owner_id=eq.${id}` },
      // The other changes, such as given access or new terms, are noticed by the notification they send to the person.
      { table: 'user_notifications', filter: `user_id=eq.${id}`, event: 'INSERT' },
    ],
    { keys: [homeKeys.all, paymentKeys.ownOpen(id), seatKeys.own(id)], soon: SOON },
  )
}
