import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Shows a change before the backend has agreed to it. Gives the way back, for when it refuses. */
export async function showAtOnce<T>(
  cache: QueryClient,
  queryKey: QueryKey,
  change: (shown: T) => T,
): Promise<() => void> {
  // A load under way would bring the old state back a moment later.
  await cache.cancelQueries({ queryKey })
  const before = cache.getQueryData<T>(queryKey)
  if (before === undefined) return () => undefined
  cache.setQueryData<T>(queryKey, change(before))
  return () => cache.setQueryData<T>(queryKey, before)
}
