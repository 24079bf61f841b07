import { useLive } from '#lib/live.ts'
import { payoutKeys } from './payouts.queries.ts'

/** Keeps the withdrawals current as people request them and other admins decide. */
export function usePayoutsLive(): void {
  useLive('payouts', [{ table: 'withdrawal_requests' }], { keys: [payoutKeys.all] })
}
