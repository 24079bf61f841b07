/** A search among all plans. The address holds it, so that it can be shared and returned to. */
import * as z from 'zod/mini'
import { CATEGORY_CHOICES, type CategoryChoice, categoryLabel, toCategory } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import type { Settlement } from '#domain/plan.ts'
import { counted } from '#domain/plural.ts'
import { LEVEL_NAMES, type Level } from '#domain/standing.ts'
import type { ProviderCount } from './market.queries.ts'

/** The choices for the highest monthly price, in EUR. */
const PRICE_LIMITS = [3, 5, 8, 12]

/** A choice that makes no sense is dropped instead of breaking the screen. */
export const marketSearchSchema = z.object({
  q: z.catch(z.optional(z.coerce.string()), undefined),
  category: z.catch(z.optional(z.enum(CATEGORY_CHOICES)), undefined),
  service: z.catch(z.optional(z.coerce.string()), undefined),
  /** EUR a month. */
  max: z.catch(z.optional(z.coerce.number().check(z.positive())), undefined),
  pay: z.catch(z.optional(z.enum(['site', 'direct'])), undefined),
  /** The lowest standing of the owner. */
  level: z.catch(z.optional(z.enum(['proven', 'trusted'])), undefined),
  instant: z.catch(z.optional(z.literal(true)), undefined),
  sort: z.catch(z.optional(z.enum(['price'])), undefined),
})
export type MarketSearch = z.infer<typeof marketSearchSchema>

export interface MarketWish {
  /** Part of a provider's or a plan's name; empty for everything. */
  search: string
  category: CategoryChoice
  provider?: string | undefined
  /** A plan's exact name. */
  plan?: string | undefined
  /** EUR a month, the fee included. */
  most?: number | undefined
  settlement?: Settlement | undefined
  /** The lowest standing of the owner. */
  level?: Level | undefined
  /** Only plans that let people in as soon as they ask. */
  instant?: boolean | undefined
  /** Cheapest first instead of newest first. */
  cheapest: boolean
}

const SETTLEMENTS = { site: 'potluck', direct: 'direct' } as const

export const marketWish = (chosen: MarketSearch): MarketWish => ({
  search: chosen.q?.trim() ?? '',
  category: chosen.category ?? 'all',
  provider: chosen.service || undefined,
  most: chosen.max,
  settlement: chosen.pay && SETTLEMENTS[chosen.pay],
  level: chosen.level,
  instant: chosen.instant,
  cheapest: chosen.sort === 'price',
})

interface Filter {
  key: Exclude<keyof MarketSearch, 'q'>
  label: string
  /** The chosen one of the choices; empty for none. */
  value: string
  choices: (readonly [value: string, label: string])[]
}

/** What narrows and orders the list, with the choices; `services` are the names of those that are shared. */
export function marketFilters(search: MarketSearch, services: readonly string[]): Filter[] {
  const { category, service, max, pay, level, instant, sort } = search
  // The address may name a price that is not offered, or a service that nobody shares any more.
  const limits = [...new Set([...PRICE_LIMITS, ...(max ? [max] : [])])].sort((a, b) => a - b)
  const names = [...new Set([...services, ...(service ? [service] : [])])]
  const any = (choices: Filter['choices']): Filter['choices'] => [['', 'Any'], ...choices]
  return [
    {
      key: 'category',
      label: 'Category',
      value: category === 'all' ? '' : (category ?? ''),
      choices: any(CATEGORY_CHOICES.filter((one) => one !== 'all').map((one) => [one, categoryLabel(one)])),
    },
    { key: 'service', label: 'Service', value: service ?? '', choices: any(names.map((one) => [one, one])) },
    {
      key: 'max',
      label: 'Price a month',
      value: max ? String(max) : '',
      choices: any(limits.map((limit) => [String(limit), `Up to ${formatMoney(limit)}`])),
    },
    {
      key: 'pay',
      label: 'Payment',
      value: pay ?? '',
      choices: any([
        ['site', 'Through Potluck'],
        ['direct', 'To the owner'],
      ]),
    },
    {
      key: 'level',
      label: 'Owner',
      value: level ?? '',
      choices: any([
        ['proven', `${LEVEL_NAMES.proven} or better`],
        ['trusted', LEVEL_NAMES.trusted],
      ]),
    },
    {
      key: 'instant',
      label: 'Getting in',
      value: instant ? 'true' : '',
      choices: any([['true', 'Instant']]),
    },
    {
      key: 'sort',
      label: 'Order',
      value: sort ?? '',
      choices: [
        ['', 'Newest'],
        ['price', 'Cheapest'],
      ],
    },
  ]
}

/** The search with one more choice, or with one taken back. */
export const withChoice = (search: MarketSearch, key: Filter['key'], value: string): MarketSearch =>
  marketSearchSchema.parse({ ...search, [key]: key === 'instant' ? value === 'true' : value || undefined })

/** A search in words: "Netflix, up to €5.00". Empty for a search for everything. */
export const alertText = (search: MarketSearch): string =>
  [
    search.q?.trim() && `"${search.q.trim().toLowerCase()}"`,
    ...marketFilters(search, [])
      .filter(({ key, value }) => key !== 'sort' && value)
      .map(({ value, choices }) => choices.find(([choice]) => choice === value)?.[1]),
  ]
    .filter(Boolean)
    .join(', ')

type Counts = Pick<ProviderCount, 'plans' | 'open'>

const within = (counts: readonly ProviderCount[], choice: CategoryChoice) =>
  counts.filter(({ category }) => choice === 'all' || toCategory(category) === choice)

const total = (counts: readonly Counts[]): Counts => ({
  plans: counts.reduce((sum, { plans }) => sum + plans, 0),
  open: counts.reduce((sum, { open }) => sum + open, 0),
})

/** How many plans a category has, and how many of them still have a place. */
export const countIn = (counts: readonly ProviderCount[], choice: CategoryChoice) =>
  total(within(counts, choice))

/** The providers of a category by name, with their counts; a provider may have plans in several categories. */
export function providersWithPlans(counts: readonly ProviderCount[], choice: CategoryChoice) {
  const found = within(counts, choice)
  const names = [...new Set(found.map(({ provider }) => provider))].sort((a, b) => a.localeCompare(b, 'en'))
  return names.map((name) => ({ name, ...total(found.filter(({ provider }) => provider === name)) }))
}

/** "3 plans, 2 available", or why there is nothing to join. */
export function availableText({ plans, open }: Counts): string {
  if (plans === 0) return 'None yet'
  const available = open > 0 ? `${open} available` : plans === 1 ? 'full' : 'all full'
  return `${counted(plans, 'plan')}, ${available}`
}
