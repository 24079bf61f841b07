import { AppError, UNKNOWN } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { TREASURY_PACE, treasuryKeys } from './treasury.queries.ts'

/** All wallets together, in coins of 1 EUR each; `recent` covers 30 days. */
export const overviewQuery = query({
  key: [...treasuryKeys.all, 'overview'],
  pace: TREASURY_PACE,
  load: async (signal) => {
    const [row] = await rpc('wallet_overview', {}, signal)
    if (!row) throw new AppError(UNKNOWN, 'The figures did not come')
    return {
      wallets: row.wallets,
      circulation: row.circulation,
      earned: row.earned,
      withdrawn: row.withdrawn,
      netFlow: row.net_flow,
      /** In percent. */
      coinsVsWithdrawals: row.coins_vs_withdrawals,
      average: row.average,
      recent: {
        transactions: row.recent_transactions,
        earned: row.recent_earned,
        spent: row.recent_spent,
        withdrawn: row.recent_withdrawn,
        refunded: row.recent_refunded,
      },
    }
  },
})

/** How many coins moved which way on each of the last 30 days of UTC, the oldest first. */
export const coinsByDayQuery = query({
  key: [...treasuryKeys.all, 'days'],
  pace: TREASURY_PACE,
  load: (signal) => rpc('coins_by_day', {}, signal),
})

/** How many coins moved which way in 24 hours, in 7 days and ever. */
export const transactionStatisticsQuery = query({
  key: [...treasuryKeys.all, 'statistics'],
  pace: TREASURY_PACE,
  load: (signal) => rpc('transaction_statistics', {}, signal),
})
