import { t } from '@lingui/core/macro'
import { memberPays } from '#domain/fees.ts'
import { formatMoney } from '#domain/money.ts'
import type { Plan } from '#domain/plan.ts'
import type { Proposal } from './terms.queries.ts'

type Terms = Pick<Plan, 'settlement' | 'memberPrice'>

/** The cost of a place on these terms, such as "€5.00 a month, paid directly". */
export function termsText(
  { settlement, memberPrice }: Terms,
  { cycle, feeRate }: Pick<Plan, 'cycle' | 'feeRate'>,
): string {
  const sum = formatMoney(memberPays({ settlement, memberPrice, feeRate }))
  if (cycle === 'yearly')
    return settlement === 'potluck'
      ? t`${sum} a year through Potluck, fee included`
      : t`${sum} a year, paid directly, no fee`
  return settlement === 'potluck'
    ? t`${sum} a month through Potluck, fee included`
    : t`${sum} a month, paid directly, no fee`
}

export const sameTerms = (a: Terms, b: Terms): boolean =>
  a.settlement === b.settlement && a.memberPrice === b.memberPrice

/** The proposal that a member has not answered. It lapses once the owner has changed the plan's terms again. */
export const openProposal = (
  proposals: readonly Proposal[] | undefined,
  plan: Terms,
  seat: { id: string } | undefined,
): Proposal | undefined =>
  proposals?.find((one) => one.seatId === seat?.id && one.accepted === null && sameTerms(one, plan))
