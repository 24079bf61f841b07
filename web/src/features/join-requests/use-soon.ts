import { useEffect, useEffectEvent, useRef } from 'react'
import { createRefresher, type Refresher } from '#lib/refresher.ts'

/** In ms: a change reaches the screen this much later, together with what follows it. */
const SOON = 500

/** Gives the way to ask for `work` 500 ms later, once for all who ask meanwhile, and not before `from` (ms since 1970). */
export function useSoon(work: () => void, from: () => number = () => 0): () => void {
  const latestWork = useEffectEvent(work)
  const latestFrom = useEffectEvent(from)
  const refresher = useRef<Refresher>(null)
  useEffect(() => {
    const own = createRefresher(
      () => latestWork(),
      () => latestFrom(),
      { debounceMs: SOON, throttleMs: 0 },
    )
    refresher.current = own
    return own.stop
  }, [])
  return () => refresher.current?.ask()
}
