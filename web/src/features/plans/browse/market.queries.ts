import type { components } from '@potluck/supabase/openapi'
import { keepPreviousData } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { cycleOf } from '#domain/plan.ts'
import { LEVELS } from '#domain/standing.ts'
import { sellerSchema } from '#features/account/sellers/sellers.queries.ts'
import type { RowOf } from '#lib/camel.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import type { MarketFilter } from './market-search.ts'

/** The number of plans per page. */
export const PAGE_SIZE = 12

/**
 * A plan's card as specified by the API (openapi.json). The `satisfies` below does not compile if a key is missing or
 * has another type.
 */
type Card = components['schemas']['market_plans'][number]

export const offerSchema = z.object({
  ...{ id: z.string(), provider: z.string(), name: z.string(), category: z.string(), currency: z.string() },
  ...{ totalPrice: z.number(), memberPrice: z.number() },
  cycle: z.enum(['monthly', 'yearly', 'months']),
  /** The number of months that one payment covers, of an own plan. */
  cycleMonths: z.nullable(z.number()),
  settlement: z.enum(['direct', 'potluck']),
  feeRate: z.number(),
  /** EUR a month, the fee included; a yearly price is spread over its months. */
  monthlyCost: z.number(),
  ...{ currentMembers: z.number(), ownerMaxMembers: z.number() },
  /** True if the plan has a free place that is not reserved for another person. */
  hasRoom: z.boolean(),
  /** The number of places reserved for other people, who are invited or first in the waiting list. */
  kept: z.number(),
  /** True if a place is reserved for the reader. */
  keptForYou: z.boolean(),
  /** The lowest standing that gets a place immediately; null if the owner answers each request. */
  instantFrom: z.nullable(z.enum(LEVELS)),
  ...{ nextPayment: z.nullable(z.string()), createdAt: z.string() },
  ...{ ownerId: z.string(), ownerName: z.string(), ownerAvatarUrl: z.nullable(z.string()) },
  ownerSince: z.string(),
  ownerLevel: z.enum(LEVELS),
  /** From 1 to 5, averaged over `ownerReviewers`; null without reviews. */
  ownerRating: z.nullable(z.number()),
  ownerReviewers: z.number(),
}) satisfies z.ZodMiniType<Card>

/** A plan as shown to everybody, signed in or not. It contains only the owner's first name. */
export type Offer = ReturnType<typeof withCycle<z.infer<typeof offerSchema>>>

/** A card with its cycle as the screens say it. */
export const withCycle = <Card extends Pick<z.infer<typeof offerSchema>, 'cycle' | 'cycleMonths'>>({
  cycle,
  cycleMonths,
  ...card
}: Card) => ({ ...card, cycle: cycleOf(cycle, cycleMonths) })

const pricesSchema = z.array(z.object({ since: z.string(), cost: z.number() }))

const offerPageSchema = z.object({
  ...offerSchema.shape,
  /** False while staff have disabled the plan's provider. */
  offered: z.boolean(),
  /** EUR a month. `instalments` are the amounts of the twelve months of a yearly plan. */
  quote: z.object({
    share: z.number(),
    fee: z.number(),
    sum: z.number(),
    cycleMonths: z.nullable(z.number()),
    first: z.nullable(z.number()),
    year: z.nullable(z.number()),
    instalments: z.nullable(z.array(z.number())),
    seller: z.nullable(sellerSchema),
  }),
  /** Past prices in EUR a month, each with its start: `place` for a place with the fee, `alone` for the whole plan. */
  prices: z.object({ place: pricesSchema, alone: pricesSchema }),
})

export type OfferPage = ReturnType<typeof withCycle<z.infer<typeof offerPageSchema>>>

/** The number of a provider's shared plans, and of those with a free place. */
export type ProviderCount = RowOf<'count_available_plans'>

export const marketKeys = {
  all: ['market'],
  counts: ['market', 'counts'],
  lists: ['market', 'plans'],
  plans: (filter: MarketFilter) => ['market', 'plans', filter],
  plan: (planId: string) => ['market', 'plan', planId],
  instant: (planId: string, coinsFirst: boolean) => ['market', 'instant', planId, coinsFirst],
  like: (provider: string | undefined, not: string) => ['market', 'like', provider ?? '', not],
} as const

/** The numbers of shared plans by category and provider; providers without shared plans are absent. */
export const planCountsQuery = query({
  key: marketKeys.counts,
  load: (signal): Promise<ProviderCount[]> => rpc('count_available_plans', {}, signal),
})

const instantSchema = z.object({
  /** The person's own standing. */
  level: z.enum(LEVELS),
  /** Why the person does not get a place immediately; null if they do. */
  refusal: z.nullable(z.enum(['approval', 'level', 'open-payment', 'unpaid', 'card'])),
})
export type InstantAnswer = z.infer<typeof instantSchema>

/**
 * The outcome of requesting this plan now. The database decides it, so it is loaded again each time the dialog opens.
 */
export const instantQuery = (planId: string, coinsFirst: boolean) =>
  query({
    key: marketKeys.instant(planId, coinsFirst),
    staleTime: 0,
    load: async (signal): Promise<InstantAnswer> =>
      instantSchema.parse(
        await rpc('check_instant', { p_subscription_id: planId, p_coins_first: coinsFirst }, signal),
      ),
  })

interface Page {
  p_limit: number
  p_full?: boolean
  p_after_room?: boolean
  p_before?: string
  p_before_id?: string
  p_above?: number | null
}

const ask = async (filter: MarketFilter, page: Page, signal: AbortSignal): Promise<Offer[]> => {
  const cards = z.array(offerSchema).parse(
    await rpc(
      'market_plans',
      {
        p_search: filter.search || null,
        p_category: filter.category === 'all' ? null : filter.category,
        p_provider: filter.provider ?? null,
        p_like: filter.like ?? null,
        p_most: filter.most ?? null,
        p_settlement: filter.settlement ?? null,
        p_level: filter.level ?? null,
        p_instant: filter.instant ?? false,
        p_cheapest: filter.cheapest,
        ...page,
      },
      signal,
    ),
  )
  return cards.map(withCycle)
}

/** The matching plans in pages: plans with a free place first, then full ones. */
export const marketQuery = (filter: MarketFilter) =>
  pagedQuery({
    key: marketKeys.plans(filter),
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: ({ after }, signal): Promise<Offer[]> =>
      ask(
        filter,
        {
          p_limit: PAGE_SIZE,
          p_full: true,
          ...(after && {
            p_after_room: after.hasRoom,
            p_before: after.createdAt,
            p_before_id: after.id,
            p_above: filter.cheapest ? after.monthlyCost : null,
          }),
        },
        signal,
      ),
  })

/** One plan, or null if it does not exist or the reader may not see it. */
export const offerQuery = (planId: string) =>
  query({
    key: marketKeys.plan(planId),
    load: async (signal): Promise<OfferPage | null> => {
      const page = z.nullable(offerPageSchema).parse(await rpc('market_plan', { p_id: planId }, signal))
      return page && withCycle(page)
    },
  })

/** The number of plans that fit side by side. */
const SIMILAR = 3

/** Other plans of the same provider, or the newest of all while the provider is unknown. */
export const similarPlansQuery = (provider: string | undefined, planId: string) =>
  query({
    key: marketKeys.like(provider, planId),
    load: async (signal): Promise<Offer[]> => {
      const filter = { search: '', category: 'all', provider, cheapest: false } as const
      const found = await ask(filter, { p_limit: SIMILAR + 1 }, signal)
      return found.filter(({ id }) => id !== planId).slice(0, SIMILAR)
    },
  })
