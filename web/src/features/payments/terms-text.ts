import { memberPays } from '#domain/fees.ts'
import { formatMoney } from '#domain/money.ts'
import type { Plan } from '#domain/plan.ts'

type Terms = Pick<Plan, 'settlement' | 'memberPrice'>

/** What a place costs, in words: "€5.00 a month, paid directly". */
export function termsText(terms: Terms, cycle: Plan['cycle']): string {
  const sum = `${formatMoney(memberPays(terms))} a ${cycle === 'yearly' ? 'year' : 'month'}`
  return terms.settlement === 'potluck'
    ? `${sum} through Potluck, fee included`
    : `${sum}, paid directly and without a fee`
}

export const sameTerms = (a: Terms, b: Terms): boolean =>
  a.settlement === b.settlement && a.memberPrice === b.memberPrice
