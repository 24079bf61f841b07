/** The part of the catalogue that the landing page shows. */
import type { CataloguePlan, Category, Provider } from './catalogue.ts'
import { memberShare, paysMonthly } from './fees.ts'

/** The number of services of each kind in the carousel, 17 in all. */
const shown: readonly (readonly [Category, number])[] = [
  ['streaming', 4],
  ['productivity', 4],
  ['music', 3],
  ['gaming', 3],
  ['security', 3],
]

/** Some providers of each kind in a random order. `random` is like Math.random. */
export function popularServices(providers: readonly Provider[], random: () => number): Provider[] {
  const picked = shown.flatMap(([category, count]) =>
    shuffle(
      providers.filter((provider) => provider.category === category),
      random,
    ).slice(0, count),
  )
  return shuffle(picked, random)
}

export interface ExampleShare {
  provider: string
  plan: string
  people: number
  /** EUR a month for one person who pays for the plan alone. */
  alone: number
  /** EUR a month for one member, fee included. */
  shared: number
}

/** The number of example services of each kind. */
const OFFERED = 2

/**
 * Well-known plans for watching, listening and working at catalogue prices: the first of each kind, then the second.
 */
export function exampleShares(providers: readonly Provider[], feeRate: number): ExampleShare[] {
  const kinds = (['streaming', 'music', 'productivity'] as const).map((category) =>
    providers.flatMap((provider) =>
      provider.category === category ? (exampleShare(provider, feeRate) ?? []) : [],
    ),
  )
  return Array.from({ length: OFFERED }, (_, place) => kinds.flatMap((shares) => shares[place] ?? [])).flat()
}

/** The prices of a provider's family plan, alone and shared; undefined if it has none. */
export function exampleShare(provider: Provider, feeRate: number): ExampleShare | undefined {
  const plan = familyPlan(provider)
  return plan && toExample(provider.name, plan, feeRate)
}

/** The goal of the example household, in EUR a year. */
export const EXAMPLE_GOAL = 500

interface ExampleSavings {
  /** EUR a month. */
  monthly: number
  /** EUR a year. */
  yearly: number
  /** The number of other people who share the plans. */
  others: number
  /** The yearly saving in percent of the goal. */
  percent: number
}

/** One person's saving with these shared plans, fee included. */
export function addUpSavings(shares: readonly Omit<ExampleShare, 'provider' | 'plan'>[]): ExampleSavings {
  const cents = shares.reduce((sum, { alone, shared }) => sum + Math.round((alone - shared) * 100), 0)
  return {
    monthly: cents / 100,
    yearly: (cents * 12) / 100,
    others: shares.reduce((sum, { people }) => sum + people - 1, 0),
    percent: Math.round((cents * 12) / EXAMPLE_GOAL),
  }
}

interface Claims {
  /** The average saving of a place compared with paying alone, in percent, without a fee and rounded down. */
  percent: number
  /** One person's saving with the two plans of `pair`, in EUR a year. */
  yearly: number
  /** Names of the first two plans. */
  pair: readonly string[]
}

/** The figures that the landing page claims. */
export function claimsFrom(shares: readonly ExampleShare[]): Claims {
  const saved = ({ alone, people }: ExampleShare) => alone - alone / people
  const two = shares.slice(0, 2)
  return {
    percent: Math.floor(shares.reduce((sum, { people }) => sum + (1 - 1 / people) * 100, 0) / shares.length),
    yearly: two.reduce((sum, share) => sum + saved(share) * 12, 0),
    pair: two.map(({ provider, plan }) => `${provider} ${plan}`),
  }
}

/** The provider's first plan for 4 to 8 people: a household or a group of friends. */
function familyPlan({ plans }: Provider): CataloguePlan | undefined {
  return plans.find(({ maxMembers }) => maxMembers >= 4 && maxMembers <= 8)
}

function toExample(
  provider: string,
  { name, price, cycle, maxMembers }: CataloguePlan,
  feeRate: number,
): ExampleShare {
  return {
    provider,
    plan: name,
    people: maxMembers,
    alone: Math.round((cycle === 'yearly' ? price / 12 : price) * 100) / 100,
    shared: paysMonthly({
      memberPrice: memberShare(price, maxMembers),
      ...{ cycle, feeRate, settlement: 'potluck' },
    }),
  }
}

function shuffle<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
