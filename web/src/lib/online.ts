import { type ComponentType, lazy, useEffect, useEffectEvent, useSyncExternalStore } from 'react'

const changes = ['online', 'offline'] as const

function watch(onChange: () => void): () => void {
  for (const change of changes) window.addEventListener(change, onChange)
  return () => {
    for (const change of changes) window.removeEventListener(change, onChange)
  }
}

export const isOnline = () => window.navigator.onLine

/** Whether this device has a connection, live. */
export const useOnline = () => useSyncExternalStore(watch, isOnline, () => true)

/** Calls back whenever the connection returns. */
export function useBackOnline(act: () => void): void {
  const latest = useEffectEvent(act)
  useEffect(() => watch(() => isOnline() && latest()), [])
}

/** Loads a part of the app. Waits for a connection if there is none, instead of failing. */
export async function onceOnline<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (problem) {
    if (isOnline()) throw problem
    await new Promise((back) => window.addEventListener('online', back, { once: true }))
    return onceOnline(load)
  }
}

/** A component whose code loads when it is first shown, {@link onceOnline}. */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await onceOnline(load) }))
