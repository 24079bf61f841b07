import { plural, t } from '@lingui/core/macro'
import type { ImportedRow } from '#domain/imports/row.ts'
import { formatMoney } from '#domain/money.ts'
import { planName } from '#domain/plan-name.ts'
import type { Fate, Fated } from './imports.ts'

/** Returns why a row does not become a plan, or which answer it needs; null if it becomes one. */
export function whyNot(row: ImportedRow, { fate, params }: Fated): string | null {
  const provider = params.provider ?? row.name
  const reasons: Record<Fate, string | null> = {
    ...{ new: null, done: null },
    choose: t`Which ${provider} plan is it?`,
    date: t`When does it renew next?`,
    shared: t`You share a ${provider} plan already.`,
    twice: t`Another row is of ${provider}, and you can share one plan of each provider.`,
    theirs: t`${row.payer ?? ''} pays for it, so only they can share it.`,
    unknown: t`Not in our catalogue.`,
    single: t`${provider} ${planName(params.name ?? '')} is for one person and can’t be shared.`,
    closed: t`${provider} is not available right now.`,
    currency: t`In ${row.currency}: plans here are in euros.`,
    irregular: t`${everyWords(row)}: neither a monthly nor a yearly plan.`,
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
