import { t } from '@lingui/core/macro'
import { camel, type RowOf } from '#lib/camel.ts'
import { AppError, UNKNOWN } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { TREASURY_PACE, treasuryKeys } from './treasury.queries.ts'

/**
 * Totals of all wallets in coins (1 coin is 1 EUR); `coinsVsWithdrawals` is in percent, `recent…` covers the last 30
 * days.
 */
export const overviewQuery = query({
  key: [...treasuryKeys.all, 'overview'],
  pace: TREASURY_PACE,
  load: async (signal) => {
    const [row] = await rpc('wallet_overview', {}, signal)
    if (!row) throw new AppError(UNKNOWN, t`The figures did not come`)
    return camel<RowOf<'wallet_overview'>>(row)
  },
})

/** Coins moved by direction on each of the last 30 days in the reader's time zone, oldest first. */
export const coinsByDayQuery = query({
  key: [...treasuryKeys.all, 'days'],
  pace: TREASURY_PACE,
  load: (signal) => rpc('coins_by_day', {}, signal),
})

/** Coins moved by direction: one entry for each range of the transactions' filter. */
export const transactionStatisticsQuery = query({
  key: [...treasuryKeys.all, 'statistics'],
  pace: TREASURY_PACE,
  load: (signal): Promise<RowOf<'transaction_statistics'>[]> => rpc('transaction_statistics', {}, signal),
})
