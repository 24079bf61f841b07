import { useQuery } from '@tanstack/react-query'
import { availableCoins } from '#domain/coins.ts'
import { type Wallet, walletQuery, withdrawalsQuery } from './wallet.queries.ts'

interface Coins {
  wallet: Wallet
  /** Coins not reserved by open withdrawals. */
  available: number
}

/** A person's wallet and available coins, once both wallet and withdrawals are loaded. */
export function useCoins(userId: string) {
  const wallet = useQuery(walletQuery(userId))
  const withdrawals = useQuery(withdrawalsQuery(userId))
  const coins: Coins | undefined =
    wallet.data && withdrawals.data
      ? { wallet: wallet.data, available: availableCoins(wallet.data.coinBalance, withdrawals.data) }
      : undefined
  return {
    coins,
    problem: coins ? null : (wallet.error ?? withdrawals.error),
    retry: () => {
      if (!wallet.data) void wallet.refetch()
      if (!withdrawals.data) void withdrawals.refetch()
    },
  }
}
