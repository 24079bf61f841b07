/** Labels of the marketplace's filters and plan counts. */

import { plural, t } from '@lingui/core/macro'
import { CATEGORY_CHOICES, type CategoryChoice, categoryLabel, toCategory } from '#domain/catalogue.ts'
import { listOf } from '#domain/lists.ts'
import { formatMoney } from '#domain/money.ts'
import { LEVEL_NAMES } from '#domain/standing.ts'
import { language } from '#lib/language.ts'
import type { ProviderCount } from './market.queries.ts'
import { type MarketSearch, marketSearchSchema } from './market-search.ts'

/** The choices for the highest monthly price, in EUR. */
const PRICE_LIMITS = [3, 5, 8, 12]

interface Filter {
  key: Exclude<keyof MarketSearch, 'q'>
  label: string
  /** The value of the selected choice; empty for none. */
  value: string
  choices: (readonly [value: string, label: string])[]
}

/** The filters and the sort order with their choices. `services`: names of providers that have shared plans. */
export function marketFilters(search: MarketSearch, services: readonly string[]): Filter[] {
  const { category, service, max, pay, level, instant, sort } = search
  // The address may contain a price that is not among the choices, or a provider without shared plans.
  const limits = [...new Set([...PRICE_LIMITS, ...(max ? [max] : [])])].sort((a, b) => a - b)
  const names = [...new Set([...services, ...(service ? [service] : [])])]
  const any = (choices: Filter['choices']): Filter['choices'] => [['', t`Any`], ...choices]
  return [
    {
      key: 'category',
      label: t`Category`,
      value: category === 'all' ? '' : (category ?? ''),
      choices: any(CATEGORY_CHOICES.filter((one) => one !== 'all').map((one) => [one, categoryLabel(one)])),
    },
    { key: 'service', label: t`Service`, value: service ?? '', choices: any(names.map((one) => [one, one])) },
    {
      key: 'max',
      label: t`Price per month`,
      value: max ? String(max) : '',
      choices: any(limits.map((limit) => [String(limit), t`Up to ${formatMoney(limit)}`])),
    },
    {
      key: 'pay',
      label: t`Payment`,
      value: pay ?? '',
      choices: any([
        ['site', t`Through Potluck`],
        ['direct', t`To the owner`],
      ]),
    },
    {
      key: 'level',
      label: t`Owner`,
      value: level ?? '',
      choices: any([
        ['proven', t`${LEVEL_NAMES.proven} or Trusted`],
        ['trusted', LEVEL_NAMES.trusted],
      ]),
    },
    {
      key: 'instant',
      label: t`Approval`,
      value: instant ? 'true' : '',
      choices: any([['true', t`Instant`]]),
    },
    {
      key: 'sort',
      label: t`Sort by`,
      value: sort ?? '',
      choices: [
        ['', t`Newest`],
        ['price', t`Cheapest`],
      ],
    },
  ]
}

/** The search with one choice set, or removed if `value` is empty. */
export const withChoice = (search: MarketSearch, key: Filter['key'], value: string): MarketSearch =>
  marketSearchSchema.parse({ ...search, [key]: key === 'instant' ? value === 'true' : value || undefined })

/** A search in words: "Netflix, up to €5.00". Empty for an empty search. */
export const alertText = (search: MarketSearch): string =>
  listOf(
    [
      search.q?.trim() ? `"${search.q.trim().toLowerCase()}"` : undefined,
      ...marketFilters(search, [])
        .filter(({ key, value }) => key !== 'sort' && value)
        .map(({ value, choices }) => choices.find(([choice]) => choice === value)?.[1]),
    ].filter((words) => words !== undefined),
  )

type Counts = Pick<ProviderCount, 'plans' | 'open'>

const within = (counts: readonly ProviderCount[], choice: CategoryChoice) =>
  counts.filter(({ category }) => choice === 'all' || toCategory(category) === choice)

const total = (counts: readonly Counts[]): Counts => ({
  plans: counts.reduce((sum, { plans }) => sum + plans, 0),
  open: counts.reduce((sum, { open }) => sum + open, 0),
})

/** The number of plans in a category, and of those with a free place. */
export const countIn = (counts: readonly ProviderCount[], choice: CategoryChoice) =>
  total(within(counts, choice))

/** The providers of a category by name, with their counts; a provider may have plans in several categories. */
export function providersWithPlans(counts: readonly ProviderCount[], choice: CategoryChoice) {
  const found = within(counts, choice)
  const names = [...new Set(found.map(({ provider }) => provider))].sort((a, b) =>
    a.localeCompare(b, language),
  )
  return names.map((name) => ({ name, ...total(found.filter(({ provider }) => provider === name)) }))
}

/** "3 plans, 2 available", or why there is nothing to join. */
export function availableText({ plans, open }: Counts): string {
  if (plans === 0) return t`None yet`
  if (open > 0)
    return plural(plans, { one: `# plan, ${open} available`, other: `# plans, ${open} available` })
  return plural(plans, { one: '# plan, full', other: '# plans, all full' })
}
