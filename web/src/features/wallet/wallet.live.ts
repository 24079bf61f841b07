import { useLiveQueries } from '#lib/live.ts'
import { walletKeys } from './wallet.queries.ts'

/** Keeps a person's balance current. */
export function useCoinBalanceLive(userId: string): void {
  useLiveQueries(
    `coin-balance-${userId}`,
    [{ table: 'user_wallets', filter: `user_id=eq.${userId}` }],
    [walletKeys.coinsOf(userId)],
  )
}

/** Keeps a person's balance, movements and withdrawals current. */
export function useWalletLive(userId: string): void {
  const filter = `user_id=eq.${userId}`
  useLiveQueries(
    `wallet-${userId}`,
    [
      { table: 'user_wallets', filter },
      { table: 'coin_transactions', filter },
      { table: 'withdrawal_requests', filter },
    ],
    [walletKeys.of(userId)],
  )
}
