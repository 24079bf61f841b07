import { plural, t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { priceEach } from '#domain/catalogue.ts'
import type { ImportedRow } from '#domain/imports/row.ts'
import { formatMoney } from '#domain/money.ts'
import { planName } from '#domain/plan-name.ts'
import { type Fate, type Fated, OWN } from './imports.ts'

/** Returns why a row does not become a plan, or which answer it needs; null if it becomes one. */
export function whyNot(row: ImportedRow, { fate, params }: Fated): string | null {
  const { provider = row.name } = params
  const isOwn = params.plan === OWN
  const reasons: Record<Fate, string | null> = {
    ...{ new: null, own: null, done: null },
    choose: t`Which ${provider} plan is it?`,
    date: t`When does it renew next?`,
    alone: t`The file doesn’t say who shares it with you.`,
    name: t`“${params.refused ?? ''}” can’t be used as a name.`,
    people: plural((isOwn ? LIMITS.mostPeople : (params.places ?? 2)) - 1, {
      one: 'It has room for # person.',
      other: 'It has room for # people.',
    }),
    shared: isOwn ? t`You share it already.` : t`You share a ${provider} plan already.`,
    twice: isOwn
      ? t`Another row is the same plan.`
      : t`Another row is of ${provider}, and you can share one plan of each provider.`,
    theirs: t`${row.payer ?? ''} pays for it, so only they can share it.`,
    single: t`${provider} ${planName(params.name ?? '')} is for one person and can’t be shared.`,
    closed: t`${provider} is not available right now.`,
    currency: t`Its currency isn’t known here: ${row.currency}`,
    price: t`It has no price that can be paid in ${row.currency}.`,
    shares: t`It isn’t clear who pays how much.`,
    varies: t`Its price or its days differ from time to time.`,
    title: t`Its name is too long, or can’t be read.`,
    plans: t`You can share up to ${LIMITS.mostOwnPlans} plans that aren’t in the catalogue.`,
    guests: t`You can have up to ${LIMITS.mostGuests} people without an account.`,
    irregular: t`${everyWords(row)}: plans here renew every 1 to ${LIMITS.longestCycle} months.`,
    once: t`Paid once, or at no regular time.`,
    ended: t`It seems to be over.`,
    lifetime: t`Bought once, for life: nothing to split.`,
    repayment: t`Refunds and what people paid back are not taken over.`,
  }
  return reasons[fate]
}

function everyWords({ unit, every }: ImportedRow): string {
  switch (unit) {
    case 'day':
      return plural(every, { one: 'Every day', other: 'Every # days' })
    case 'week':
      return plural(every, { one: 'Every week', other: 'Every # weeks' })
    case 'year':
      return plural(every, { one: 'Every year', other: 'Every # years' })
    default:
      return plural(every, { one: 'Every month', other: 'Every # months' })
  }
}

/** What an own plan costs, and what is left for its owner: "£12.00 a month for 3 people, £4.00 of it yours to pay." */
export function ownPlanInWords({ params }: Fated): string {
  const { price = 0, currency, months = 1, places = 0, rest = 0 } = params
  const people = plural(places, { one: '# person', other: '# people' })
  const whole = priceEach(formatMoney(price, currency), months)
  return t`${whole} for ${people}, ${formatMoney(rest, currency)} of it yours to pay.`
}

/** The plan's places and prices: "4 places, €19.99 a month, €5.00 each". */
export function planInWords({ params: { places = 0, price = 0, most = 1, cycle } }: Fated): string {
  const seats = plural(places, { one: '# place', other: '# places' })
  const [whole, each] = [formatMoney(price), formatMoney(price / most)]
  return cycle === 'yearly'
    ? t`${seats}, yours included. ${whole} a year, shown as ${formatMoney(price / 12)} a month; ${each} a year each.`
    : t`${seats}, yours included. ${whole} a month, ${each} each.`
}

/** Returns a note about the price in the file, if it differs from the catalogue's. */
export function otherPrice(row: ImportedRow, { params: { price = 0, cycle } }: Fated): string | null {
  if (row.price === null) return null
  const months = row.unit === 'year' || row.every === 12 ? 12 : 1
  const theirs = price / (cycle === 'yearly' ? 12 : 1)
  if (Math.abs(row.price / months - theirs) < 0.01) return null
  return t`Where it comes from it costs ${formatMoney(row.price)}. Prices here are the catalogue’s.`
}
