import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { read } from '#lib/supabase.ts'

export const walletKeys = { balanceOf: (userId: string) => ['wallet', 'balance', userId] } as const

/** The coins a person has (1 coin is 1 euro); 0 for somebody without a wallet. */
export const coinBalanceQuery = (userId: string) =>
  queryOptions({
    queryKey: walletKeys.balanceOf(userId),
    queryFn: async ({ signal }) => {
      const wanted = read('user_wallets').select('coin_balance').eq('user_id', userId)
      return Number(unwrap(await wanted.abortSignal(signal).maybeSingle())?.coin_balance ?? 0)
    },
  })
