import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** True if data that was updated at this time is of an earlier visit, and has not been loaded again yet. */
export const isEarlier = (updatedAt: number): boolean => updatedAt > 0 && updatedAt < performance.timeOrigin

export const isRestored = ({ state }: Query): boolean => isEarlier(state.dataUpdatedAt)

const onScreen = (cache: QueryClient): Query[] => cache.getQueryCache().findAll({ type: 'active' })

/** Data of an earlier visit on screen. */
export const restoredOnScreen = (cache: QueryClient): Query[] => onScreen(cache).filter(isRestored)

/** Returns when the oldest data on screen that may be shown offline was loaded, in ms (0 if there is none). */
export const loadedAt = (cache: QueryClient): number =>
  oldest(onScreen(cache).filter(({ meta }) => meta?.seen))

function oldest(shown: Query[]): number {
  const times = shown.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0)
  return times.length > 0 ? Math.min(...times) : 0
}

/** {@link loadedAt}, which follows changes. */
export const useLoadedAt = () => useTime(loadedAt)

/** Returns when the oldest restored data on screen was loaded, in ms (0 if there is none), and follows changes. */
export const useRestoredAt = () => useTime((cache) => oldest(restoredOnScreen(cache)))

function useTime(timeIn: (cache: QueryClient) => number): number {
  const cache = useQueryClient()
  return useSyncExternalStore(
    (onChange) => cache.getQueryCache().subscribe(onChange),
    () => timeIn(cache),
    () => 0,
  )
}
