/** Labels of the marketplace's filters, and plan counts. */

import { t } from '@lingui/core/macro'
import { type CategoryChoice, categoryLabel, toCategory } from '#domain/catalogue.ts'
import { listOf } from '#domain/lists.ts'
import { formatMoney } from '#domain/money.ts'
import { LEVEL_NAMES } from '#domain/standing.ts'
import { language } from '#lib/language.ts'
import type { ProviderCount } from './market.queries.ts'
import { type MarketSearch, marketSearchSchema } from './market-search.ts'

/** The choices for the highest monthly price, in EUR. */
const PRICE_LIMITS = [3, 5, 8, 12]

interface Filter {
  key: 'max' | 'pay' | 'level' | 'instant' | 'sort'
  label: string
  /** The value of the selected choice; empty for none. */
  value: string
  /** The label of each choice is clear without the filter's label. */
  choices: (readonly [value: string, label: string])[]
}

/**
 * The filters and the sort order with their choices. Category and service are not filters but steps (`MarketSteps`).
 */
export function marketFilters({ max, pay, level, instant, sort }: MarketSearch): Filter[] {
  // The URL may contain a price that is not among the choices.
  const limits = [...new Set([...PRICE_LIMITS, ...(max ? [max] : [])])].sort((a, b) => a - b)
  return [
    {
      key: 'max',
      label: t`Price per month`,
      value: max ? String(max) : '',
      choices: [
        ['', t`Any price`],
        ...limits.map((limit) => [String(limit), t`Up to ${formatMoney(limit)}`] as const),
      ],
    },
    {
      key: 'pay',
      label: t`Payment`,
      value: pay ?? '',
      choices: [
        ['', t`Any payment`],
        ['site', t`Through Potluck`],
        ['direct', t`To the owner`],
      ],
    },
    {
      key: 'level',
      label: t`Owner`,
      value: level ?? '',
      choices: [
        ['', t`Any owner`],
        ['proven', t`${LEVEL_NAMES.proven} or Trusted`],
        ['trusted', LEVEL_NAMES.trusted],
      ],
    },
    {
      key: 'instant',
      label: t`Approval`,
      value: instant ? 'true' : '',
      choices: [
        ['', t`Any approval`],
        ['true', t`Instant`],
      ],
    },
    {
      key: 'sort',
      label: t`Sort by`,
      value: sort ?? '',
      choices: [
        ['', t`Newest first`],
        ['price', t`Cheapest first`],
      ],
    },
  ]
}

/** Returns the search with one choice set, or removed if `value` is empty. */
export const withChoice = (search: MarketSearch, key: Filter['key'], value: string): MarketSearch =>
  marketSearchSchema.parse({ ...search, [key]: key === 'instant' ? value === 'true' : value || undefined })

/** The search in words, without its sort order: "Netflix, Up to €5.00". Empty if the search has no filter. */
export const alertText = (search: MarketSearch): string =>
  listOf(
    [
      search.q?.trim() ? `"${search.q.trim().toLowerCase()}"` : undefined,
      search.category && search.category !== 'all' ? categoryLabel(search.category) : undefined,
      search.service || undefined,
      ...marketFilters(search)
        .filter(({ key, value }) => key !== 'sort' && value)
        .map(({ value, choices }) => choices.find(([choice]) => choice === value)?.[1]),
    ].filter((words) => words !== undefined),
  )

const within = (counts: readonly ProviderCount[], choice: CategoryChoice) =>
  counts.filter(({ category }) => choice === 'all' || toCategory(category) === choice)

/** The number of plans in a category. */
export const plansIn = (counts: readonly ProviderCount[], choice: CategoryChoice): number =>
  within(counts, choice).reduce((sum, { plans }) => sum + plans, 0)

/** Returns a category's providers by name, with their plan counts; a provider may have plans in several categories. */
export function providersWithPlans(counts: readonly ProviderCount[], choice: CategoryChoice) {
  const found = within(counts, choice)
  const names = [...new Set(found.map(({ provider }) => provider))].sort((a, b) =>
    a.localeCompare(b, language),
  )
  return names.map((name) => ({
    name,
    plans: plansIn(
      found.filter(({ provider }) => provider === name),
      'all',
    ),
  }))
}
