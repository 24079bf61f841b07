import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
import { treasuryKeys } from './treasury.queries.ts'

/** All wallets together, in coins of 1 EUR each; `recent` covers 30 days. */
export const overviewQuery = queryOptions({
  queryKey: [...treasuryKeys.all, 'overview'],
  queryFn: async ({ signal }) => {
    const row = unwrap(await supabase().rpc('wallet_overview').abortSignal(signal).single())
    return {
      wallets: Number(row.wallets),
      circulation: Number(row.circulation),
      earned: Number(row.earned),
      withdrawn: Number(row.withdrawn),
      netFlow: Number(row.net_flow),
      /** In percent. */
      coinsVsWithdrawals: Number(row.coins_vs_withdrawals),
      average: Number(row.average),
      recent: {
        transactions: Number(row.recent_transactions),
        earned: Number(row.recent_earned),
        spent: Number(row.recent_spent),
        withdrawn: Number(row.recent_withdrawn),
        refunded: Number(row.recent_refunded),
      },
    }
  },
})

/** How many coins moved which way in 24 hours, in 7 days and ever. */
export const transactionStatisticsQuery = queryOptions({
  queryKey: [...treasuryKeys.all, 'statistics'],
  queryFn: async ({ signal }) => {
    const rows = unwrap(await supabase().rpc('transaction_statistics').abortSignal(signal))
    return rows.map((row) => ({
      period: row.period,
      transactions: Number(row.transactions),
      earned: Number(row.earned),
      spent: Number(row.spent),
      withdrawn: Number(row.withdrawn),
      refunded: Number(row.refunded),
    }))
  },
})
