import { useLiveQueries } from '#lib/live.ts'
import { payoutKeys } from './payouts.queries.ts'

/** Keeps the withdrawals current: people ask, other admins decide. */
export function usePayoutsLive(): void {
  useLiveQueries('payouts', [{ table: 'withdrawal_requests' }], [payoutKeys.all])
}
