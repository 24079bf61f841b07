import { query } from '#lib/query.ts'
import { loadFeeRate } from './load-fee-rate.ts'

/** The fee of a plan that is shared now. One that is there has its own, which comes with it. */
export const feeRateQuery = query({
  key: ['fee-rate'],
  seen: true,
  // Staff seldom changes it, and the database refuses to share a plan at another.
  staleTime: 5 * 60_000,
  load: loadFeeRate,
})
