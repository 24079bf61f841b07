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

/** Reloads only lists with a single page. New plans appear at the top, and longer lists would reload every page. */
function lookAtTheTop(cache: QueryClient): void {
  void cache.invalidateQueries({
    queryKey: marketKeys.lists,
    predicate: ({ state }) =>
      !isGrowing(state) && ((state.data as Available | undefined)?.pages.length ?? 0) <= 1,
  })
}

/** Reloads one plan to learn whether a place is kept for the reader, which live rows do not tell. */
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
    // Only these columns of a listed plan can change.
    const { current_members: currentMembers, owner_max_members: ownerMaxMembers } = row
    const { next_payment: nextPayment, instant_from: instantFrom } = row
    const { has_room: hasRoom, kept_places: kept } = row
    if (kept + row.waiting > 0 || plan.keptForYou) void askWhoseItIs(cache, id)
    return [{ ...plan, currentMembers, ownerMaxMembers, nextPayment, instantFrom, hasRoom, kept }]
  }
  cache.setQueriesData<Available>(
    lists,
    // A list without the plan is left alone: setting its data would clear the failure to load its next page.
    (list) =>
      list?.pages.some(({ rows }) => rows.some((plan) => plan.id === id))
        ? { ...list, pages: list.pages.map(({ rows, next }) => ({ rows: rows.flatMap(follow), next })) }
        : undefined,
  )
}
