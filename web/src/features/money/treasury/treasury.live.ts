import { useLive } from '#lib/live.ts'
import { treasuryKeys } from './treasury.queries.ts'

/** Keeps balances, transactions and figures current. */
export function useTreasuryLive(): void {
  useLive('treasury', [{ table: 'user_wallets' }, { table: 'coin_transactions' }], {
    keys: [treasuryKeys.all],
  })
}
