import { t } from '@lingui/core/macro'
import { priceEach } from '#domain/catalogue.ts'
import { memberPays } from '#domain/fees.ts'
import { listOf } from '#domain/lists.ts'
import { formatMoney } from '#domain/money.ts'
import { isOwnPlan, type Plan } from '#domain/plan.ts'
import type { Proposal } from './terms.queries.ts'

type Terms = Pick<Plan, 'settlement' | 'memberPrice'>

/** The cost of a place on these terms, such as "€5.00 a month, paid directly". */
export function termsText(
  { settlement, memberPrice }: Terms,
  { cycle, feeRate, currency }: Pick<Plan, 'cycle' | 'feeRate' | 'currency'>,
): string {
  const price = priceEach(formatMoney(memberPays({ settlement, memberPrice, feeRate }), currency), cycle)
  return settlement === 'potluck'
    ? t`${price} through Potluck, fee included`
    : t`${price}, paid directly, no fee`
}

/** Says for whom a member would pay too on proposed terms; empty if for nobody. */
export const carriesText = (names: readonly string[]): string =>
  names.length > 0 ? t`You then also pay for ${{ names: listOf(names, 'conjunction') }}.` : ''

export const sameTerms = (a: Terms, b: Terms): boolean =>
  a.settlement === b.settlement && a.memberPrice === b.memberPrice

/** The proposal that a member has not answered. It lapses once the owner has changed the plan's terms again. */
export const openProposal = (
  proposals: readonly Proposal[] | undefined,
  plan: Terms & Pick<Plan, 'cycle'>,
  seat: { id: string } | undefined,
): Proposal | undefined =>
  proposals?.find(
    // In an own plan, each member may be asked for another share.
    (one) => one.seatId === seat?.id && one.accepted === null && (isOwnPlan(plan) || sameTerms(one, plan)),
  )
