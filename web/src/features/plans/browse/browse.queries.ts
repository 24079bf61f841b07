import { keepPreviousData } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { CategoryChoice } from '#domain/catalogue.ts'
import type { Plan } from '#domain/plan.ts'
import { isFull } from '#domain/slots.ts'
import { LEVELS } from '#domain/standing.ts'
import type { RowOf } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { pagedQuery, query } from '#lib/query.ts'
import { read, rpc, supabase } from '#lib/supabase.ts'

const PAGE_SIZE = 20

/** What a person is looking for. */
export interface BrowseWish {
  category: CategoryChoice
  /** A provider's name; absent for all providers. */
  provider?: string | undefined
  /** Part of a provider's or a plan's name; empty for everything. */
  search: string
  /** One plan of the catalogue, shared by anybody but this owner. */
  like?: { cataloguePlanId: string; notOf: string }
  /** Only plans that let people in at once. */
  instant?: boolean
}

/** A plan as it appears when browsing. */
export type AvailablePlan = Omit<
  Plan,
  'status' | 'description' | 'providerMaxMembers' | 'waiting' | 'isPrivate'
>

/** How many plans of a provider are shared, and how many of them have a place left. */
export type ProviderCount = RowOf<'count_available_plans'>

export const browseKeys = {
  all: ['browse'],
  counts: ['browse', 'counts'],
  lists: ['browse', 'plans'],
  kept: ['browse', 'kept'],
  keptOf: (planIds: string[]) => ['browse', 'kept', ...planIds],
  instant: (planId: string, coinsFirst: boolean) => ['browse', 'instant', planId, coinsFirst],
  plans: (wish: BrowseWish) => ['browse', 'plans', wish],
} as const

/** The numbers of shared plans by category and provider; providers without any are absent. */
export const planCountsQuery = query({
  key: browseKeys.counts,
  load: (signal): Promise<ProviderCount[]> => rpc('count_available_plans', {}, signal),
})

/** How many places of these plans are kept for other, invited people, by plan id; plans without any are absent. */
export const keptPlacesQuery = (planIds: string[]) =>
  query({
    key: browseKeys.keptOf(planIds),
    placeholderData: keepPreviousData,
    load: async (signal): Promise<Partial<Record<string, number>>> => {
      const rows = await rpc('count_kept_places', { p_subscription_ids: planIds }, signal)
      return Object.fromEntries(rows.map((row) => [row.subscription_id, row.kept]))
    },
  })

const instantSchema = z.object({
  /** The person's own standing. */
  level: z.enum(LEVELS),
  /** Why they do not get in as soon as they ask; null when they do. */
  refusal: z.nullable(z.enum(['approval', 'level', 'open-payment', 'unpaid', 'card'])),
})
export type Instant = z.infer<typeof instantSchema>

/** What happens if the person asks for this plan now; the database decides, so every look at the dialog asks anew. */
export const instantQuery = (planId: string, coinsFirst: boolean) =>
  query({
    key: browseKeys.instant(planId, coinsFirst),
    staleTime: 0,
    load: async (signal): Promise<Instant> =>
      instantSchema.parse(
        await rpc('check_instant', { p_subscription_id: planId, p_coins_first: coinsFirst }, signal),
      ),
  })

/** Shared plans, page by page: those with a place, newest first, then the full ones. */
export const availablePlansQuery = (wish: BrowseWish) =>
  pagedQuery({
    key: browseKeys.plans(wish),
    size: PAGE_SIZE,
    placeholderData: keepPreviousData,
    load: async ({ after }, signal): Promise<AvailablePlan[]> => {
      const amongFull = after !== null && isFull(after)
      const open = amongFull ? [] : await find({ wish, full: false, after, most: PAGE_SIZE }, signal)
      const most = PAGE_SIZE - open.length
      if (most === 0) return open
      return [...open, ...(await find({ wish, full: true, after: amongFull ? after : null, most }, signal))]
    },
  })

interface Part {
  wish: BrowseWish
  full: boolean
  /** The last plan of the page before. */
  after: Pick<AvailablePlan, 'createdAt' | 'id'> | null
  most: number
}

async function find(part: Part, signal: AbortSignal): Promise<AvailablePlan[]> {
  const page = part.wish.search === '' ? listed(part) : matching(part)
  return unwrap(await page.abortSignal(signal)).map(({ owner, profile, ...plan }) => ({
    ...plan,
    ownerName: profile?.display_name || owner,
    ownerAvatarUrl: profile?.avatar_url ?? null,
  }))
}

function listed({ wish: { category, provider, like, instant }, full, after, most }: Part) {
  let wanted = read('shared_subscriptions')
    .select(COLUMNS)
    .eq('status', 'active')
    .eq('is_private', false)
    .eq('is_full', full)
  if (category !== 'all') wanted = wanted.eq('category', category)
  if (provider !== undefined) wanted = wanted.eq('provider', provider)
  if (like) wanted = wanted.eq('catalogue_plan_id', like.cataloguePlanId).neq('owner_id', like.notOf)
  if (instant) wanted = wanted.not('instant_from', 'is', null)
  if (after)
    wanted = wanted
      // A condition of its own, so that the index leads straight to this time.
      .lte('created_at', after.createdAt)
      .or(`created_at.lt."${after.createdAt}",id.lt."${after.id}"`)
  return wanted.order('created_at', { ascending: false }).order('id', { ascending: false }).limit(most)
}

function matching({ wish: { category, provider, search, instant = false }, full, after, most }: Part) {
  return supabase()
    .rpc('search_plans', {
      p_search: search,
      p_category: category === 'all' ? null : category,
      p_provider: provider ?? null,
      p_limit: most,
      p_full: full,
      p_instant: instant,
      ...(after && { p_before: after.createdAt, p_before_id: after.id }),
    })
    .select(COLUMNS)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
}

const COLUMNS =
  'id, name, provider, category, ownerId:owner_id, owner, currency, totalPrice:total_price, memberPrice:member_price, cycle:billing_cycle, settlement, feeRate:fee_rate, currentMembers:current_members, ownerMaxMembers:owner_max_members, nextPayment:next_payment, instantFrom:instant_from, createdAt:created_at, profile:user_profiles!shared_subscriptions_owner_id_fkey(display_name, avatar_url)'
