import { LIMITS } from './limits.ts'

/** Returns the number of decimals of a currency. Same as private.currency_digits(); browsers know it wrongly for some. */
export const digitsOf = (currency: string): 0 | 2 =>
  LIMITS.wholeCurrencies.some((whole) => whole === currency) ? 0 : 2
