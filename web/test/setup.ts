import './react.ts'
import { GoTrueClient } from '@supabase/supabase-js'
import { cleanup, configure } from '@testing-library/react'
import * as react from 'react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { leaveApp } from './app.tsx'

// A real server and database respond, which may be slow on a busy machine.
configure({
  asyncUtilTimeout: 60_000,
  defaultHidden: true,
  // A wait checks dozens of times before it succeeds; the default error would print the page each time.
  getElementError: (message) => new Error(message ?? 'Nothing was found'),
})

// Browser functions that Mantine and the router call and that jsdom lacks.
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
    onchange: null,
  }) as MediaQueryList
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.IntersectionObserver ??= class {
  root = null
  rootMargin = ''
  scrollMargin = ''
  thresholds = []
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return []
  }
}
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined
Element.prototype.checkVisibility = () => true
// jsdom loads no style sheets here, so the element's own style is all there is; floating and growing parts read it
// often.
const ownStyle = (element: Element) => (element as HTMLElement).style
for (const one of [window, document.defaultView]) Object.assign(one ?? {}, { getComputedStyle: ownStyle })

// The testing library looks for an element's label by id among all elements, each time it reads a label.
const querySelector = Element.prototype.querySelector
Element.prototype.querySelector = function (this: Element, selectors: string) {
  const id = /^\[id="([^"]+)"\]$/.exec(selectors)?.[1]
  if (id === undefined) return querySelector.call(this, selectors)
  const found = document.getElementById(id)
  return this.contains(found) ? found : null
}

// It also asks of each element on the page, each time it looks for a text, whether it is a script or a style.
const { matches } = Element.prototype
Object.assign(Element.prototype, {
  matches(this: Element, selectors: string) {
    return selectors === 'script, style'
      ? this.localName === 'script' || this.localName === 'style'
      : matches.call(this, selectors)
  },
})

// A growing text field waits for the fonts to load.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

// React would record where each of the first 10,000 elements per second was created, for a debugger that is not open.
const internals = Object.entries(react).find(([name]) => name.startsWith('__CLIENT_INTERNALS'))?.[1] as object
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Infinity,
  set: () => undefined,
  configurable: true,
})

let complaints: unknown[][] = []

beforeEach(() => {
  complaints = []
  // Each test stands for a new page; the client would take the previous test's client for a second one in the same
  // page, and warn.
  Object.assign(GoTrueClient, { nextInstanceID: {} })
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...said) => complaints.push(said))
})

afterEach(async () => {
  vi.useRealTimers()
  await leaveApp()
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  window.localStorage.clear()
  window.sessionStorage.clear()
  expect(complaints, 'unexpected console.error or console.warn').toEqual([])
})
