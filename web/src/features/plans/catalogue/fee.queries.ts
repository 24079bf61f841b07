import { query } from '#lib/query.ts'
import { loadFeeRate } from './load-fee-rate.ts'

/** The fee rate for plans shared from now on. An existing plan keeps its own, which is loaded with it. */
export const feeRateQuery = query({
  key: ['fee-rate'],
  seen: true,
  // The rate rarely changes, and the database refuses a plan shared at an outdated rate.
  staleTime: 5 * 60_000,
  load: loadFeeRate,
})
