import { useLiveQueries } from '#lib/live.ts'
import { walletKeys } from './wallet.queries.ts'

/** Keeps a person's balance current. */
export function useCoinBalanceLive(userId: string): void {
  useLiveQueries(
    `coin-balance-${userId}`,
    [{ table: 'user_wallets', filter: `user_id=eq.${userId}` }],
    [walletKeys.balanceOf(userId)],
  )
}
