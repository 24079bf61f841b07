/** What somebody looks for among all plans. The address holds it, so that it can be shared and gone back to. */
import * as z from 'zod/mini'
import { CATEGORY_CHOICES, type CategoryChoice } from '#domain/catalogue.ts'
import type { Settlement } from '#domain/plan.ts'
import type { Level } from '#domain/standing.ts'

/** What a month may cost at most, in EUR, as it is offered to choose from. */
export const PRICE_LIMITS = [3, 5, 8, 12] as const

/** A choice that makes no sense is dropped instead of breaking the screen. */
export const marketSearchSchema = z.object({
  q: z.catch(z.optional(z.coerce.string()), undefined),
  category: z.catch(z.optional(z.enum(CATEGORY_CHOICES)), undefined),
  service: z.catch(z.optional(z.coerce.string()), undefined),
  /** EUR a month. */
  max: z.catch(z.optional(z.coerce.number().check(z.positive())), undefined),
  pay: z.catch(z.optional(z.enum(['site', 'direct'])), undefined),
  /** What its owner's standing is at least. */
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
  /** EUR a month, the fee included. */
  most?: number | undefined
  settlement?: Settlement | undefined
  /** The least level of the owner's standing. */
  level?: Level | undefined
  /** Those alone that let people in as soon as they ask. */
  instant?: boolean | undefined
  /** Those that cost least first, instead of the newest. */
  cheapest: boolean
}

const SETTLEMENTS = { site: 'potluck', direct: 'direct' } as const

export const marketWish = ({
  q,
  category,
  service,
  max,
  pay,
  level,
  instant,
  sort,
}: MarketSearch): MarketWish => ({
  search: q?.trim() ?? '',
  category: category ?? 'all',
  provider: service || undefined,
  most: max,
  settlement: pay && SETTLEMENTS[pay],
  level,
  instant,
  cheapest: sort === 'price',
})

/** How many choices narrow the list, the search and the order aside. */
export const narrowings = ({ category, service, max, pay, level, instant }: MarketSearch): number =>
  [category === 'all' ? undefined : category, service, max, pay, level, instant].filter(
    (choice) => choice !== undefined,
  ).length
