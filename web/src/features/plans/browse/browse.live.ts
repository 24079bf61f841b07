import { useDebouncedCallback, useThrottledCallback } from '@mantine/hooks'
import type { Database } from '@potluck/supabase/types'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLive } from '#lib/live.ts'
import { isGrowing, type Pages } from '#lib/query.ts'
import { marketKeys, type Offer, offerQuery } from './market.queries.ts'

/** In ms: how long changes are collected before a reload, and the minimum time between two reloads. */
const SOON = 500
const PACE = 5000

/** Keeps the marketplace's plan counts and lists current while plans appear, fill up and end. */
export function useBrowseLive(): void {
  const cache = useQueryClient()
  const hasNew = useRef(false)
  const reload = useThrottledCallback(() => {
    void cache.invalidateQueries({ queryKey: marketKeys.counts })
    if (hasNew.current) lookAtTheTop(cache)
    hasNew.current = false
  }, PACE)
  const soon = useDebouncedCallback(reload, { delay: SOON, maxWait: 3 * SOON })
  useLive(
    'available-plans',
    [{ table: 'shared_subscriptions' }, { table: 'plan_departures', event: 'DELETE' }],
    {
      keys: [marketKeys.all],
      use: (change) => {
        if (change.table === 'plan_departures') {
          if (change.eventType === 'DELETE') followInLists(cache, change.old.subscription_id, null)
        } else if (change.eventType === 'INSERT') hasNew.current = true
        else if (change.eventType === 'DELETE') followInLists(cache, change.old.id, null)
        else followInLists(cache, change.new.id, change.new)
        soon()
        return 'put'
      },
      on: { forceSubscriptionsRefresh: 'now' },
    },
  )
}

/** Keeps a plan's page current. */
export function useOfferLive(planId: string): void {
  useLive(`offer-${planId}`, [{ table: 'shared_subscriptions', filter: `id=eq.${planId}` }], {
    keys: [offerQuery(planId).queryKey],
  })
}

type Available = Pages<Offer>
type PlanRow = Database['public']['Tables']['shared_subscriptions']['Row']

/**
 * For each field of a listed plan, the column of the plan's row that keeps it current; null if the field cannot change,
 * or changes without that row.
 */
const LIVE: {
  [Part in keyof Offer]:
    | {
        [Column in keyof PlanRow]: PlanRow[Column] extends Offer[Part] ? Column : never
      }[keyof PlanRow]
    | null
} = {
  ...{ id: null, provider: null, name: null, category: null, currency: null, cycle: null, createdAt: null },
  ...{ ownerId: null, ownerName: null, ownerAvatarUrl: null, ownerSince: null },
  ...{ ownerLevel: null, ownerRating: null, ownerReviewers: null },
  // These change when the owner proposes other terms.
  settlement: 'settlement',
  totalPrice: 'total_price',
  memberPrice: 'member_price',
  monthlyCost: 'monthly_cost',
  feeRate: null,
  currentMembers: 'current_members',
  ownerMaxMembers: 'owner_max_members',
  hasRoom: 'has_room',
  kept: 'kept_places',
  keptForYou: null,
  instantFrom: 'instant_from',
  nextPayment: 'next_payment',
}

/**
 * Reloads only lists with a single page: new plans appear at the top, and a longer list would have to reload all its
 * pages.
 */
function lookAtTheTop(cache: QueryClient): void {
  void cache.invalidateQueries({
    queryKey: marketKeys.lists,
    predicate: ({ state }) =>
      !isGrowing(state) && ((state.data as Available | undefined)?.pages.length ?? 0) <= 1,
  })
}

/** Reloads one plan to learn whether a place is reserved for the reader, which rows received live do not show. */
async function askWhoseItIs(cache: QueryClient, id: string): Promise<void> {
  const now = await cache.fetchQuery({ ...offerQuery(id), staleTime: 0 }).catch(() => null)
  if (!now) return
  const { kept, keptForYou } = now
  const mine = (plan: Offer): Offer => (plan.id === id ? { ...plan, kept, keptForYou } : plan)
  cache.setQueriesData<Available>(
    { queryKey: marketKeys.lists },
    (list) =>
      list && { ...list, pages: list.pages.map(({ rows, next }) => ({ rows: rows.map(mine), next })) },
  )
}

/**
 * Updates a plan in every loaded page, or removes it if it has ended. Reloading all pages after every change would be
 * too expensive.
 */
function followInLists(cache: QueryClient, id: string | undefined, now: PlanRow | null): void {
  const lists = { queryKey: marketKeys.lists }
  const row = now?.status === 'active' && !now.is_private ? now : null
  const follow = (plan: Offer): Offer[] => {
    if (plan.id !== id) return [plan]
    if (!row) return []
    if (row.kept_places + row.waiting > 0 || plan.keptForYou) void askWhoseItIs(cache, id)
    const live = Object.entries(LIVE).flatMap(([key, column]) => (column ? [[key, row[column]]] : []))
    return [{ ...plan, ...Object.fromEntries(live) }]
  }
  cache.setQueriesData<Available>(
    lists,
    // Leaves a list without the plan unchanged: setting its data would clear the failure to load its next page.
    (list) =>
      list?.pages.some(({ rows }) => rows.some((plan) => plan.id === id))
        ? { ...list, pages: list.pages.map(({ rows, next }) => ({ rows: rows.flatMap(follow), next })) }
        : undefined,
  )
}
