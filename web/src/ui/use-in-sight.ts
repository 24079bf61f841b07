import { useElementScrollRestoration } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'

const ofWindow = { getElement: () => window }

/**
 * Returns what to render of a long list: at first the items that fit on a phone's screen, and then all of them, in a
 * render that a press can interrupt.
 */
export function useInSight<Item>(items: readonly Item[], inSight: number): readonly Item[] {
  // After going back, the first render contains all items, since the router restores the scroll position right after
  // that render.
  const isReturning = useElementScrollRestoration(ofWindow) !== undefined
  const [first] = useState(() => (isReturning ? items : items.slice(0, inSight)))
  return useDeferredValue(items, first)
}
