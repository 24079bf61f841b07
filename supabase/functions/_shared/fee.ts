import { LIMITS } from './limits.ts'

const STEPS = Math.round(1 / LIMITS.feeRateStep)

/**
 * Returns the price of a place per cycle in EUR: the share, plus the fee if the place is paid through the site. Same as
 * private.place_price(). Both factors are integers (cents, and steps of the rate), so that half a cent rounds up.
 */
export const placePrice = (settlement: 'direct' | 'potluck', share: number, feeRate: number): number =>
  Math.round(
    (Math.round(share * 100) * Math.round((settlement === 'potluck' ? 1 + feeRate : 1) * STEPS)) / STEPS,
  ) / 100
