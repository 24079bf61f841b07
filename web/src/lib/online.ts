import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

const changes = ['online', 'offline'] as const

function watch(onChange: () => void): () => void {
  for (const change of changes) window.addEventListener(change, onChange)
  return () => {
    for (const change of changes) window.removeEventListener(change, onChange)
  }
}

export const isOnline = () => window.navigator.onLine

/** Has this device a connection? Live. */
export const useOnline = () => useSyncExternalStore(watch, isOnline, () => true)

/** Calls back whenever the connection is there again. */
export function useBackOnline(act: () => void): void {
  const latest = useEffectEvent(act)
  useEffect(() => watch(() => isOnline() && latest()), [])
}

/** Loads a part of the app; without a connection it waits for one instead of failing. */
export async function onceOnline<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (problem) {
    if (isOnline()) throw problem
    await new Promise((back) => window.addEventListener('online', back, { once: true }))
    return onceOnline(load)
  }
}
