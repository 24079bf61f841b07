import { useQueryClient } from '@tanstack/react-query'
import { useBrowserEvent } from '#lib/events.ts'
import { useLiveQueries } from '#lib/live.ts'
import { browseKeys } from './browse.queries.ts'

/** Keeps counts and lists current while plans appear, fill up and go. */
export function useBrowseLive(): void {
  const cache = useQueryClient()
  useLiveQueries('available-plans', [{ table: 'shared_subscriptions' }], [browseKeys.all])
  useBrowserEvent(
    'forceSubscriptionsRefresh',
    () => void cache.invalidateQueries({ queryKey: browseKeys.all }),
  )
}
