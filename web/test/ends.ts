import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Tells long lists that their end is in view, as a browser does when a person scrolls there. */
export function watchEnds() {
  const watched = new Map<Element, IntersectionObserverCallback>()
  class Observer extends globalThis.IntersectionObserver {
    constructor(private readonly tell: IntersectionObserverCallback) {
      super(tell)
    }
    override observe(element: Element) {
      watched.set(element, this.tell)
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  return {
    reach: (element: Element) => {
      const seen = { target: element, isIntersecting: true } as IntersectionObserverEntry
      act(() => watched.get(element)?.([seen], {} as IntersectionObserver))
    },
  }
}
