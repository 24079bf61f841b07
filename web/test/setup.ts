import { GoTrueClient } from '@supabase/supabase-js'
import { cleanup, configure } from '@testing-library/react'
import * as react from 'react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { leaveApp } from './app.tsx'

// A real server and a real database answer behind these screens, on whatever machine this is.
configure({
  asyncUtilTimeout: 60_000,
  defaultHidden: true,
  // What is waited for is missed dozens of times before it comes: no picture of the page is drawn each time.
  getElementError: (message) => new Error(message ?? 'Nothing was found'),
})

// What Mantine and the router ask of a browser and jsdom does not have.
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
// No style sheet is read here, so an element's own style is all the look it has; whatever floats or grows asks for it often.
const ownStyle = (element: Element) => (element as HTMLElement).style
for (const one of [window, document.defaultView]) Object.assign(one ?? {}, { getComputedStyle: ownStyle })

// What labels an element is looked for by its id in every element there is, each time a label is.
const querySelector = Element.prototype.querySelector
Element.prototype.querySelector = function (this: Element, selectors: string) {
  const id = /^\[id="([^"]+)"\]$/.exec(selectors)?.[1]
  if (id === undefined) return querySelector.call(this, selectors)
  const found = document.getElementById(id)
  return this.contains(found) ? found : null
}

// A text field that grows waits for the fonts.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

// For a debugger that nobody has opened, React notes where each of a second's first 10,000 elements was made.
const internals = Object.entries(react).find(([name]) => name.startsWith('__CLIENT_INTERNALS'))?.[1] as object
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Infinity,
  set: () => undefined,
  configurable: true,
})

let complaints: unknown[][] = []

beforeEach(() => {
  complaints = []
  // Each test is a page of its own; the client counts the one before as a second one in the same page and warns.
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
