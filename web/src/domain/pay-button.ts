/** The text of buttons that commit a person to pay, and of the price beside them. */
import { t } from '@lingui/core/macro'
import { formatMoney } from './money.ts'
import type { Settlement } from './plan.ts'

/** How the duty to pay begins: immediately, when the owner approves, or with new terms that a member accepts. */
export type Duty = 'join' | 'ask' | 'accept'

/** The cost of a place in EUR, as the database quotes and charges it. */
export interface Cost {
  settlement: Settlement
  /** The next payment, which is for a month. */
  sum: number
  /** For a yearly plan: the price of the year, and its twelve payments, which may differ by a cent. */
  year: number | null
  instalments: readonly number[] | null
}

/** Says what a person agrees to pay, and to whom if it is not the site. Without a price there is nothing to pay. */
export function payButtonText(duty: Duty, { settlement, sum, year }: Cost, owner: string): string {
  const amount = formatMoney(sum)
  const price = year === null ? t`${amount} a month` : t`${amount} a month (${formatMoney(year)} a year)`
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
export function priceText({ sum, year, instalments }: Cost): string {
  const amount = formatMoney(sum)
  if (year === null || !instalments) return t`${amount} a month`
  const [least, most] = [Math.min(...instalments), Math.max(...instalments)]
  const each = least === most ? formatMoney(most) : t`${formatMoney(least)} or ${formatMoney(most)}`
  return t`${formatMoney(year)} a year, in 12 monthly payments of ${each}`
}
