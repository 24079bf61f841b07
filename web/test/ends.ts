import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Tells the lists that their end has come into sight, as a browser does when people scroll there. */
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
