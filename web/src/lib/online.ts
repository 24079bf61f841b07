import { type ComponentType, lazy, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { hasConnection, isOnline, siteAnswers } from './site.ts'

const changes = ['online', 'offline'] as const

/** Calls back when {@link isOnline} may have changed. */
function watchOnline(onChange: () => void): () => void {
  for (const change of changes) window.addEventListener(change, onChange)
  return () => {
    for (const change of changes) window.removeEventListener(change, onChange)
  }
}

/** {@link isOnline}, live. */
export const useOnline = () => useSyncExternalStore(watchOnline, isOnline, () => true)

/** {@link hasConnection}, live. */
export const useConnection = () => useSyncExternalStore(watchOnline, hasConnection, () => true)

/** In ms: how long after the connection returned a failure may still be due to its loss. */
const JUST_NOW = 5_000
let backAt = Number.NEGATIVE_INFINITY
globalThis.window?.addEventListener('online', () => {
  backAt = performance.now()
})

/** Calls back whenever the connection returns; with `makesUp`, also at once if the connection has just returned. */
export function useBackOnline(act: () => void, { makesUp = false } = {}): void {
  const latest = useEffectEvent(act)
  useEffect(() => {
    if (makesUp && isOnline() && performance.now() - backAt < JUST_NOW) latest()
    return watchOnline(() => isOnline() && latest())
  }, [makesUp])
}

/** Loads a part of the app. If the device or the site is offline, waits for the connection instead of failing. */
export async function onceOnline<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (problem) {
    if (await siteAnswers(true)) throw problem
    await new Promise((back) => window.addEventListener('online', back, { once: true }))
    return onceOnline(load)
  }
}

/** A component whose code is loaded when it is first shown, with {@link onceOnline}. */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await onceOnline(load) }))
