import { useThrottledCallback } from '@mantine/hooks'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useBrowserEvent } from '#lib/events.ts'
import { type Change, useLive } from '#lib/live.ts'
import { type AvailablePages, type AvailablePlan, browseKeys } from './browse.queries.ts'

/** In ms: how often the counts are asked for again at most. */
const COUNTS_PACE = 1000

/** Keeps counts and lists current while plans appear, fill up and go. */
export function useBrowseLive(): void {
  const cache = useQueryClient()
  const reload = () => void cache.invalidateQueries({ queryKey: browseKeys.all })
  const count = useThrottledCallback(() => {
    void cache.invalidateQueries({ queryKey: browseKeys.counts })
    // An invited person who joins takes the place that was kept.
    void cache.invalidateQueries({ queryKey: browseKeys.kept })
  }, COUNTS_PACE)
  useLive('available-plans', [{ table: 'shared_subscriptions' }], {
    onChange: (change) => {
      count()
      followInLists(cache, change)
    },
    onJoined: reload,
  })
  useBrowserEvent('forceSubscriptionsRefresh', reload)
}

/**
 * Brings a change into the lists as they are loaded, as far down as they go: loading all their pages again for every
 * change anywhere would be too much. A new plan is only looked for at the top, by whoever is there.
 */
function followInLists(cache: QueryClient, { eventType, new: row, old }: Change): void {
  const lists = { queryKey: browseKeys.lists }
  if (eventType === 'INSERT') {
    void cache.invalidateQueries({
      ...lists,
      predicate: ({ state }) => ((state.data as AvailablePages | undefined)?.pages.length ?? 0) <= 1,
    })
    return
  }
  const gone = eventType === 'DELETE' || row.status !== 'active'
  const id = eventType === 'DELETE' ? old.id : row.id
  cache.setQueriesData<AvailablePages>(lists, (list) => list && changePlan(list, id, gone ? null : row))
}

/** The list with the plan as the row has it, or without it for null. */
function changePlan(list: AvailablePages, id: unknown, row: Record<string, unknown> | null): AvailablePages {
  const change = (plan: AvailablePlan) => (plan.id !== id ? [plan] : row ? [withRow(plan, row)] : [])
  return { ...list, pages: list.pages.map((page) => ({ ...page, plans: page.plans.flatMap(change) })) }
}

/** Places and renewal are all that changes about a plan. */
function withRow(plan: AvailablePlan, row: Record<string, unknown>): AvailablePlan {
  return {
    ...plan,
    currentMembers: Number(row.current_members),
    ownerMaxMembers: Number(row.owner_max_members),
    nextPayment: row.next_payment === null ? null : String(row.next_payment),
  }
}
