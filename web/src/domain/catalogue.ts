/** The catalogue: categories, providers and their plans. */

import { plural, t } from '@lingui/core/macro'
import type { BillingCycle, Cycle } from './plan.ts'

export const CATEGORIES = ['streaming', 'music', 'gaming', 'productivity', 'security', 'other'] as const
export type Category = (typeof CATEGORIES)[number]

/** The choices in step 1 of a wizard: "all", then every category. */
export const CATEGORY_CHOICES = ['all', ...CATEGORIES] as const
export type CategoryChoice = (typeof CATEGORY_CHOICES)[number]

interface PlanFeature {
  name: string
  included: boolean
}

export interface CataloguePlan {
  id: string
  name: string
  /** Price in EUR of the whole plan for one cycle. */
  price: number
  cycle: BillingCycle
  /** The number of people whom the price covers, the owner included. */
  maxMembers: number
  /** Years paid in advance, if the provider sells several years in one purchase. */
  durationYears: number | null
  description: string
  features: PlanFeature[]
}

/**
 * The best way to share a provider's plans: by the provider's own invitation, as a paid extra member, or with one
 * login.
 */
export type SharedBy = 'invitation' | 'extra-member' | 'login'

/** The people with whom a provider's terms allow sharing; null if they do not say. */
export type SharedWith = 'anyone' | 'people-you-know' | 'household' | null

/** A provider's rules about sharing, as read on its own pages. */
export interface SharingRules {
  with: SharedWith
  /** Null if the pages do not say. */
  how: SharedBy | null
  /** The rules about households and regions, in our words. */
  terms: string
  /** Where the rules were read; `asOf` is the date that the source gives, or else the day it was read. */
  source: string
  asOf: string
  /** How a place is checked: by a home address, by where devices are, or by codes sent by mail. */
  checks: ('address' | 'location' | 'code')[]
  /** For how many months who has left cannot join another group; null if the pages do not say. */
  lockInMonths: number | null
  /** Within how many days after a warning a place must be proved; null if the pages do not say. */
  noticeDays: number | null
}

export interface Provider {
  id: string
  name: string
  category: Category
  website: string
  /** Null if not researched yet. */
  sharing: SharingRules | null
  plans: CataloguePlan[]
}

/** Returns the features of a plan that concern extra members, in the words of the price list; most plans have none. */
export const extraMembers = ({ features }: Pick<CataloguePlan, 'features'>): string[] =>
  features.filter(({ name, included }) => included && /extra member/i.test(name)).map(({ name }) => name)

const LABELS: Record<CategoryChoice, string> = {
  all: t`All`,
  streaming: t`Streaming`,
  music: t`Music`,
  gaming: t`Gaming`,
  productivity: t`Productivity`,
  security: t`Security`,
  other: t`Other`,
}

export function categoryLabel(choice: CategoryChoice): string {
  return LABELS[choice]
}

/** A stored category text as a Category; anything unknown counts as "other". */
export function toCategory(text: string): Category {
  return CATEGORIES.find((category) => category === text) ?? 'other'
}

/** A plan for one person cannot be split. */
export function canBeShared(plan: Pick<CataloguePlan, 'maxMembers'>): boolean {
  return plan.maxMembers >= 2
}

export function providersIn(providers: readonly Provider[], choice: CategoryChoice): Provider[] {
  return providers.filter((provider) => choice === 'all' || provider.category === choice)
}

/** Returns the providers that a person may still share, since an owner may share only one plan per provider. */
export function notYetShared(providers: readonly Provider[], sharedNames: ReadonlySet<string>): Provider[] {
  return providers.filter((provider) => !sharedNames.has(provider.name))
}

/** The badge of a billing cycle on a plan card. */
export function cycleBadge(cycle: BillingCycle): string {
  return cycle === 'yearly' ? t`Annual` : t`Monthly`
}

const isYear = (cycle: Cycle) => cycle === 'yearly' || cycle === 12
const isMonth = (cycle: Cycle) => cycle === 'monthly' || cycle === 1

/** The unit after a price, in small type: "/ month". */
export function slashCycle(cycle: Cycle): string {
  if (isYear(cycle)) return t`/ year`
  return isMonth(cycle) ? t`/ month` : t`/ ${{ months: cycle }} months`
}

/** The unit after a price: "per month". */
export function perCycle(cycle: BillingCycle): string {
  return cycle === 'yearly' ? t`per year` : t`per month`
}

/** A price and how often it is paid: "€5.00 a month", "€12.00 every 3 months". */
export function priceEach(price: string, cycle: Cycle): string {
  if (isYear(cycle)) return t`${price} a year`
  return isMonth(cycle) ? t`${price} a month` : t`${price} every ${{ months: cycle }} months`
}

/** The line on a provider's tile that counts its plans that can be shared. */
export function shareableText({ plans }: Provider): string {
  const shareable = plans.filter(canBeShared).length
  if (shareable === 0) return t`For one person`
  return t`${plural(shareable, { one: '# plan', other: '# plans' })} to share`
}
