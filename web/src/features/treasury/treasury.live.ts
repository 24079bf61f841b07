import { useLiveQueries } from '#lib/live.ts'
import { treasuryKeys } from './treasury.queries.ts'

/** Keeps balances, movements and figures current, though not more often than every 5 s: they are about everybody. */
export function useTreasuryLive(): void {
  useLiveQueries(
    'treasury',
    [{ table: 'user_wallets' }, { table: 'coin_transactions' }],
    [treasuryKeys.all],
    { throttleMs: 5000 },
  )
}
