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

/** Returns {@link isOnline}, and follows changes. */
export const useOnline = () => useSyncExternalStore(watchOnline, isOnline, () => true)

/** Returns {@link hasConnection}, and follows changes. */
export const useConnection = () => useSyncExternalStore(watchOnline, hasConnection, () => true)

/** For this long after the connection has returned, in ms, a failure may still be due to the outage. */
const JUST_NOW = 5_000
let backAt = Number.NEGATIVE_INFINITY
globalThis.window?.addEventListener('online', () => {
  backAt = performance.now()
})

/** Calls back whenever the connection returns; with `makesUp`, also immediately if it has only just returned. */
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
