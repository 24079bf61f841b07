import { useQueryClient } from '@tanstack/react-query'
import { putInto } from '#lib/cache.ts'
import { camel } from '#lib/camel.ts'
import { useLive } from '#lib/live.ts'
import { type CoinTransaction, type Wallet, type Withdrawal, walletKeys } from './wallet.queries.ts'

/** Keeps a person's balance current. */
export function useCoinBalanceLive(userId: string): void {
  const cache = useQueryClient()
  const coins = walletKeys.coinsOf(userId)
  useLive(`coin-balance-${userId}`, [{ table: 'user_wallets', filter: `user_id=eq.${userId}` }], {
    keys: [coins],
    use: ({ new: row }) => {
      if (!('user_id' in row)) return false
      cache.setQueryData(coins, camel<Wallet>(row))
      return 'put'
    },
  })
}

/** Keeps a person's balance, movements and withdrawals current. */
export function useWalletLive(userId: string): void {
  const cache = useQueryClient()
  const filter = `user_id=eq.${userId}`
  useLive(
    `wallet-${userId}`,
    [
      { table: 'user_wallets', filter },
      { table: 'coin_transactions', filter },
      { table: 'withdrawal_requests', filter },
    ],
    {
      keys: [walletKeys.of(userId)],
      use: (change) => {
        if (change.eventType === 'DELETE') return false
        if (change.table === 'user_wallets')
          cache.setQueryData(walletKeys.coinsOf(userId), camel<Wallet>(change.new))
        else if (change.table === 'coin_transactions')
          putInto(
            cache,
            walletKeys.transactionsOf(userId),
            camel<CoinTransaction>(change.new),
            (one, other) => one.createdAt > other.createdAt,
          )
        else
          putInto(
            cache,
            walletKeys.withdrawalsOf(userId),
            camel<Withdrawal>(change.new),
            (one, other) => one.requestedAt > other.requestedAt,
          )
        return 'put'
      },
    },
  )
}
