import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Changes cached data, if there is any. Keeps the time of its last load, and any pending reload. */
export function patch<T>(cache: QueryClient, queryKey: QueryKey, change: (shown: T) => T): void {
  const state = cache.getQueryState<T>(queryKey)
  if (state?.data === undefined) return
  cache.setQueryData<T>(queryKey, change(state.data), { updatedAt: state.dataUpdatedAt })
  if (state.isInvalidated) void cache.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  // A load in progress may have read before the change.
  if (state.fetchStatus === 'fetching') void cache.refetchQueries({ queryKey, exact: true })
}

/** Shows a change before the backend has accepted it. Returns a function that undoes it if the backend refuses. */
export async function showAtOnce<T>(
  cache: QueryClient,
  queryKey: QueryKey,
  change: (shown: T) => T,
): Promise<() => void> {
  // A load in progress would bring the old state back. It is cancelled, and its query marked as stale.
  if (cache.isFetching({ queryKey })) await cache.invalidateQueries({ queryKey, refetchType: 'none' })
  await cache.cancelQueries({ queryKey })
  const before = cache.getQueryData<T>(queryKey)
  patch(cache, queryKey, change)
  return () => patch<T>(cache, queryKey, (shown) => before ?? shown)
}

interface Entry {
  id: string
}

/**
 * Puts an entry into a loaded list: in place of the entry with the same id, else before the first entry for which
 * `before` is true. A live change may arrive after a load that includes it, so a new entry need not be the newest.
 */
export function putInto<T extends Entry>(
  cache: QueryClient,
  queryKey: QueryKey,
  entry: T,
  before: (entry: T, other: T) => boolean,
): void {
  patch<T[]>(cache, queryKey, (list) => {
    if (list.some(({ id }) => id === entry.id)) return list.map((one) => (one.id === entry.id ? entry : one))
    const place = list.findIndex((other) => before(entry, other))
    return place < 0 ? [...list, entry] : [...list.slice(0, place), entry, ...list.slice(place)]
  })
}

export function changeIn<T extends Entry>(
  cache: QueryClient,
  queryKey: QueryKey,
  id: string,
  change: (entry: T) => T,
): void {
  patch<T[]>(cache, queryKey, (list) => list.map((one) => (one.id === id ? change(one) : one)))
}

/** Removes the entry with this id from a loaded list. */
export function takeFrom(cache: QueryClient, queryKey: QueryKey, id: string | undefined): void {
  patch<Entry[]>(cache, queryKey, (list) => list.filter((entry) => entry.id !== id))
}
