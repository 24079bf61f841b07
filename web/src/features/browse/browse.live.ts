import { useThrottledCallback } from '@mantine/hooks'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useBrowserEvent } from '#lib/events.ts'
import { type Change, useLive } from '#lib/live.ts'
import { isGrowing, type Pages } from '#lib/query.ts'
import { type AvailablePlan, browseKeys } from './browse.queries.ts'

/** In ms: how often the counts are asked for again at most. */
const COUNTS_PACE = 1000

/** Keeps counts and lists current while plans appear, fill up and go. */
export function useBrowseLive(): void {
  const cache = useQueryClient()
  const count = useThrottledCallback(() => {
    void cache.invalidateQueries({ queryKey: browseKeys.counts })
    // An invited person who joins takes the place that was kept.
    void cache.invalidateQueries({ queryKey: browseKeys.kept })
  }, COUNTS_PACE)
  const { now } = useLive('available-plans', [{ table: 'shared_subscriptions' }], {
    keys: [browseKeys.all],
    use: (change) => {
      count()
      followInLists(cache, change)
      return true
    },
  })
  useBrowserEvent('forceSubscriptionsRefresh', now)
}

type Available = Pages<AvailablePlan>

/**
 * Brings a change into the lists as they are loaded, as far down as they go: loading all their pages again for every
 * change anywhere would be too much. A new plan is only looked for at the top, by whoever is there.
 */
function followInLists(cache: QueryClient, change: Change<'shared_subscriptions'>): void {
  const lists = { queryKey: browseKeys.lists }
  if (change.eventType === 'INSERT') {
    void cache.invalidateQueries({
      ...lists,
      predicate: ({ state }) =>
        !isGrowing(state) && ((state.data as Available | undefined)?.pages.length ?? 0) <= 1,
    })
    return
  }
  const row = change.eventType === 'UPDATE' && change.new.status === 'active' ? change.new : null
  const id = change.eventType === 'UPDATE' ? change.new.id : change.old.id
  const follow = (plan: AvailablePlan): AvailablePlan[] => {
    if (plan.id !== id) return [plan]
    if (!row) return []
    // Places and renewal are all that changes about a plan.
    const { current_members: currentMembers, owner_max_members: ownerMaxMembers } = row
    return [{ ...plan, currentMembers, ownerMaxMembers, nextPayment: row.next_payment }]
  }
  cache.setQueriesData<Available>(
    lists,
    // A list without the plan is left alone: setting it anew would take back that its next page has failed to load.
    (list) =>
      list?.pages.some(({ rows }) => rows.some((plan) => plan.id === id))
        ? { ...list, pages: list.pages.map(({ rows, next }) => ({ rows: rows.flatMap(follow), next })) }
        : undefined,
  )
}
