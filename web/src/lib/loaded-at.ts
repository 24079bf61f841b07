import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Returns when the oldest data on screen was loaded, in ms (0 if there is none), and follows changes. */
export function useLoadedAt(): number {
  const queries = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (onChange) => queries.subscribe(onChange),
    () => {
      const shown = queries.findAll({ type: 'active' }).filter(({ meta }) => meta?.seen)
      const times = shown.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0)
      return times.length > 0 ? Math.min(...times) : 0
    },
    () => 0,
  )
}
