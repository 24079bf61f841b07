/** The text of buttons that commit a person to pay, and of the price beside them. */
import { t } from '@lingui/core/macro'
import { priceEach } from './catalogue.ts'
import { formatMoney } from './money.ts'
import type { Settlement } from './plan.ts'

/** How the duty to pay begins: immediately, when the owner approves, or with new terms that a member accepts. */
export type Duty = 'join' | 'ask' | 'accept'

/** The cost of a place, as the database quotes and charges it. */
export interface Cost {
  settlement: Settlement
  currency: string
  /** The price of a month or, of an own plan, of `cycleMonths`. */
  sum: number
  cycleMonths: number | null
  /** The next payment, if it is for a part of a cycle. */
  first: number | null
  /** For a yearly plan: the price of the year, and its twelve payments, which may differ by a cent. */
  year: number | null
  instalments: readonly number[] | null
}

/** Says what a person agrees to pay, and to whom if it is not the site. Without a price there is nothing to pay. */
export function payButtonText(
  duty: Duty,
  { settlement, currency, sum, year, cycleMonths }: Cost,
  owner: string,
): string {
  const amount = formatMoney(sum, currency)
  const each = priceEach(amount, cycleMonths ?? 1)
  const price = year === null ? each : t`${each} (${formatMoney(year)} a year)`
  if (sum === 0) return { join: t`Join`, ask: t`Ask to join`, accept: t`Accept` }[duty]
  if (settlement === 'direct')
    return {
      join: t`Join and pay ${owner} ${price}`,
      ask: t`Ask to join; pay ${owner} ${price}`,
      accept: t`Accept and pay ${owner} ${price}`,
    }[duty]
  return {
    join: t`Join and pay ${price}`,
    ask: t`Ask to join; pay ${year === null ? amount : price} when approved`,
    accept: t`Accept and pay ${price}`,
  }[duty]
}

/** The price in one sentence, with all payments of a yearly plan. */
export function priceText({ currency, sum, year, instalments, cycleMonths, first }: Cost): string {
  const price = priceEach(formatMoney(sum, currency), cycleMonths ?? 1)
  if (first !== null && first !== sum)
    return t`${price}; ${formatMoney(first, currency)} until the next payment day`
  if (year === null || !instalments) return price
  const [least, most] = [Math.min(...instalments), Math.max(...instalments)]
  const each = least === most ? formatMoney(most) : t`${formatMoney(least)} or ${formatMoney(most)}`
  return t`${formatMoney(year)} a year, in 12 monthly payments of ${each}`
}
