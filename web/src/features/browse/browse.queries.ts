import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CategoryChoice } from '#domain/catalogue.ts'
import type { Plan } from '#domain/plan.ts'
import { withDeadline } from '#lib/deadline.ts'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'

const PAGE_SIZE = 20

/** What a person looks for. */
export interface BrowseWish {
  category: CategoryChoice
  /** A provider's name; absent for all of them. */
  provider?: string | undefined
  /** Part of a provider's or a plan's name; empty for everything. */
  search: string
}

/** A plan as the browse list shows it. */
export interface AvailablePlan extends Omit<Plan, 'totalPrice' | 'providerMaxMembers'> {
  ownerAvatarUrl: string | null
}

/** How many plans of a provider are shared, and how many of them have a place left. */
export interface ProviderCount {
  category: string
  provider: string
  plans: number
  open: number
}

export const browseKeys = {
  all: ['browse'],
  counts: ['browse', 'counts'],
  lists: ['browse', 'plans'],
  kept: ['browse', 'kept'],
  keptOf: (planIds: string[]) => ['browse', 'kept', ...planIds],
  plans: (wish: BrowseWish) => ['browse', 'plans', wish],
} as const

/** The shared plans by category and provider; providers nobody shares are absent. */
export const planCountsQuery = queryOptions({
  queryKey: browseKeys.counts,
  queryFn: ({ signal }) =>
    withDeadline(signal, async (until): Promise<ProviderCount[]> => {
      const rows = unwrap(await supabase().rpc('count_available_plans').abortSignal(until))
      return rows.map((row) => ({ ...row, plans: Number(row.plans), open: Number(row.open) }))
    }),
})

type KeptPlaces = Partial<Record<string, number>>

/**
 * How many places of these plans are kept for other people who are invited, by plan id; plans that keep none are absent.
 *
 */
export const keptPlacesQuery = (planIds: string[]) =>
  queryOptions({
    queryKey: browseKeys.keptOf(planIds),
    queryFn: ({ signal }) =>
      withDeadline(signal, async (until): Promise<KeptPlaces> => {
        const wanted = { p_subscription_ids: planIds }
        const rows = unwrap(await supabase().rpc('count_kept_places', wanted).abortSignal(until))
        return Object.fromEntries(rows.map((row) => [row.subscription_id, row.kept]))
      }),
  })

type Cursor = Pick<AvailablePlan, 'createdAt' | 'id'>

interface AvailablePage {
  plans: AvailablePlan[]
  /** Where the next page starts; absent on the last one. */
  next: Cursor | undefined
}

export type AvailablePages = InfiniteData<AvailablePage, Cursor | null>

/** Shared plans, newest first, a page after the other. */
export const availablePlansQuery = (wish: BrowseWish) =>
  infiniteQueryOptions({
    queryKey: browseKeys.plans(wish),
    initialPageParam: null as Cursor | null,
    queryFn: ({ signal, pageParam }) => withDeadline(signal, (until) => loadPage(wish, pageParam, until)),
    getNextPageParam: ({ next }: AvailablePage) => next,
    placeholderData: (previous: AvailablePages | undefined) => previous,
  })

// A page starts after the last plan of the one before, so plans that come or go meanwhile neither repeat nor hide others.
async function loadPage(wish: BrowseWish, after: Cursor | null, until: AbortSignal): Promise<AvailablePage> {
  const rows = unwrap(
    await (wish.search === '' ? listed(wish, after) : matching(wish, after)).abortSignal(until),
  )
  const plans = rows.map(toAvailablePlan)
  return { plans, next: plans.length < PAGE_SIZE ? undefined : plans.at(-1) }
}

function listed({ category, provider }: BrowseWish, after: Cursor | null) {
  let wanted = supabase().from('shared_subscriptions').select(COLUMNS).eq('status', 'active')
  if (category !== 'all') wanted = wanted.eq('category', category)
  if (provider !== undefined) wanted = wanted.eq('provider', provider)
  if (after)
    wanted = wanted
      // The time by itself leads straight to the place in the index.
      .lte('created_at', after.createdAt)
      .or(`created_at.lt."${after.createdAt}",id.lt."${after.id}"`)
  return wanted.order('created_at', { ascending: false }).order('id', { ascending: false }).limit(PAGE_SIZE)
}

function matching({ category, provider, search }: BrowseWish, after: Cursor | null) {
  return supabase()
    .rpc('search_plans', {
      p_search: search,
      p_category: category === 'all' ? null : category,
      p_provider: provider ?? null,
      p_limit: PAGE_SIZE,
      ...(after && { p_before: after.createdAt, p_before_id: after.id }),
    })
    .select(COLUMNS)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
}

const COLUMNS =
  'id, name, provider, category, description, owner_id, owner, currency, member_price, billing_cycle, current_members, owner_max_members, next_payment, created_at, profile:user_profiles!shared_subscriptions_owner_id_fkey(display_name, avatar_url)'

interface AvailableRow {
  id: string
  name: string
  provider: string
  category: string
  description: string
  owner_id: string
  owner: string
  currency: string
  member_price: number
  billing_cycle: string
  current_members: number
  owner_max_members: number
  next_payment: string | null
  created_at: string
  profile: { display_name: string | null; avatar_url: string | null } | null
}

function toAvailablePlan({ profile, ...row }: AvailableRow): AvailablePlan {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    category: row.category,
    description: row.description,
    ownerId: row.owner_id,
    ownerName: profile?.display_name || row.owner,
    ownerAvatarUrl: profile?.avatar_url ?? null,
    currency: row.currency,
    memberPrice: Number(row.member_price),
    cycle: row.billing_cycle === 'yearly' ? 'yearly' : 'monthly',
    currentMembers: row.current_members,
    ownerMaxMembers: row.owner_max_members,
    nextPayment: row.next_payment,
    createdAt: row.created_at,
  }
}
