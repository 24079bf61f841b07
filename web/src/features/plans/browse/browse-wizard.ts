/** The steps of the browse wizard. The address holds every choice, so back, forward and reload keep the person's place. */
import * as z from 'zod/mini'
import { CATEGORY_CHOICES, type CategoryChoice, categoryLabel, toCategory } from '#domain/catalogue.ts'
import { counted } from '#domain/plural.ts'
import type { ProviderCount } from './browse.queries.ts'

/** A choice that makes no sense is dropped instead of breaking the screen. */
export const browseSearchSchema = z.object({
  category: z.catch(z.optional(z.enum(CATEGORY_CHOICES)), undefined),
  /** A provider's name, or "all" for every provider of the category. */
  provider: z.catch(z.optional(z.coerce.string()), undefined),
  /** Part of a provider's or a plan's name; leads straight to the plans. */
  q: z.catch(z.optional(z.coerce.string()), undefined),
  /** Only plans that let people in at once. */
  instant: z.catch(z.optional(z.literal(true)), undefined),
})

export type BrowseSearch = z.infer<typeof browseSearchSchema>

/** Stands for every provider in the address; no provider has this name. */
export const EVERY_PROVIDER = 'all'

export type BrowseStep =
  | { at: 'category' }
  | { at: 'provider'; category: CategoryChoice }
  | {
      at: 'plans'
      category: CategoryChoice
      provider: string | undefined
      search: string
      instant: boolean
    }

export function browseStep({ category, provider, q, instant }: BrowseSearch): BrowseStep {
  const search = q?.trim() ?? ''
  const wanted = provider === EVERY_PROVIDER ? undefined : provider
  if (search || provider)
    return { at: 'plans', category: category ?? 'all', provider: wanted, search, instant: instant === true }
  return category ? { at: 'provider', category } : { at: 'category' }
}

/** The label of the previous step and the choices it starts from, without the later ones; null on the first step. */
export function browseBack({
  category,
  provider,
  q,
}: BrowseSearch): { label: string; search: BrowseSearch } | null {
  if (category && provider) return { label: 'Providers', search: { category } }
  if (category || provider || q) return { label: 'Categories', search: {} }
  return null
}

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

/** The number, heading and hint of a step. */
export function browseTitle(step: BrowseStep): { step: number; heading: string; hint: string } {
  switch (step.at) {
    case 'category':
      return { step: 1, heading: 'Choose a category', hint: 'What would you like to join?' }
    case 'provider':
      return {
        step: 2,
        heading: 'Choose a provider',
        hint:
          step.category === 'all'
            ? 'Everything people share right now.'
            : `What people share in ${categoryLabel(step.category)} right now.`,
      }
    case 'plans': {
      const what =
        step.provider ??
        (step.category === 'all' ? 'All plans' : `All plans for ${categoryLabel(step.category)}`)
      return {
        step: 3,
        heading: step.search ? `Plans matching "${step.search}"` : 'Available plans',
        hint: `${what}, newest first, full ones last.`,
      }
    }
  }
}
