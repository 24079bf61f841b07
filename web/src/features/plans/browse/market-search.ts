/** A search among all plans. The address holds it, so that it can be shared and returned to. */
import * as z from 'zod/mini'
import { CATEGORY_CHOICES, type CategoryChoice } from '#domain/catalogue.ts'
import type { Settlement } from '#domain/plan.ts'
import type { Level } from '#domain/standing.ts'

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
  /** Only plans like the one of this seat, whose end puts the reader first. */
  like?: string | undefined
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
