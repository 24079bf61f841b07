/** The marketplace search. It is stored in the URL's query parameters, so that people can share it and return to it. */
import * as z from 'zod/mini'
import { CATEGORY_CHOICES, type CategoryChoice } from '#domain/catalogue.ts'
import type { Settlement } from '#domain/plan.ts'
import type { Level } from '#domain/standing.ts'

/** The search parameters in the URL. An invalid one is dropped so that it does not break the screen. */
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
  /**
   * The id of a seat that the reader has lost. Shows only plans like that seat's, in whose waiting lists the reader is
   * first.
   */
  like?: string | undefined
  /** EUR a month, the fee included. */
  most?: number | undefined
  settlement?: Settlement | undefined
  /** The lowest standing of the owner. */
  level?: Level | undefined
  /** True for instant plans only. */
  instant?: boolean | undefined
  /** True to sort the cheapest plans first instead of the newest. */
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
