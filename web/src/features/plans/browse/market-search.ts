/** A search of the marketplace. It is kept in the address, so that it can be shared and returned to. */
import * as z from 'zod/mini'
import { CATEGORY_CHOICES, type CategoryChoice } from '#domain/catalogue.ts'
import type { Settlement } from '#domain/plan.ts'
import type { Level } from '#domain/standing.ts'

/** Search parameters of the address. An invalid one is dropped instead of breaking the screen. */
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

export interface MarketFilter {
  /** Part of a provider's or a plan's name; empty for everything. */
  search: string
  category: CategoryChoice
  provider?: string | undefined
  /** Only plans like the lost plan of this seat, in whose waiting lists the reader is first. */
  like?: string | undefined
  /** EUR a month, the fee included. */
  most?: number | undefined
  settlement?: Settlement | undefined
  /** The lowest standing of the owner. */
  level?: Level | undefined
  /** Only instant plans. */
  instant?: boolean | undefined
  /** Cheapest first instead of newest first. */
  cheapest: boolean
}

const SETTLEMENTS = { site: 'potluck', direct: 'direct' } as const

export const marketFilterOf = (chosen: MarketSearch): MarketFilter => ({
  search: chosen.q?.trim() ?? '',
  category: chosen.category ?? 'all',
  provider: chosen.service || undefined,
  most: chosen.max,
  settlement: chosen.pay && SETTLEMENTS[chosen.pay],
  level: chosen.level,
  instant: chosen.instant,
  cheapest: chosen.sort === 'price',
})
