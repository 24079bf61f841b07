// Fixtures of the browser tests: a server with demo data, and pages that must log no errors. Deep tests change the
// data, so each of their files has its own server; the other tests only read, and share one server.
import { test as base, expect, type Page, type Response, type ViewportSize } from '@playwright/test'
import { complaintsOf, sessionOf } from './people.ts'
import { type Potluck, startPotluck } from './potluck.ts'
import { WIDTHS } from './screenshots.ts'

interface Visit {
  /** The email address to sign in with; a person with an unknown address gets an account. */
  as?: string
  viewport?: ViewportSize
  /**
   * True if the service worker may cache the app, as it does for real people; a new browser then downloads all of it.
   */
  keeping?: boolean
  /** The browser's preferred language; English by default. */
  locale?: string
}

/** The operator of the demo data. */
export const OPERATOR = 'Olivia & Sons'

interface Fixtures {
  potluck: Potluck
  /** A page in its own browser. Console errors fail the test at the end. */
  open: (visit?: Visit) => Promise<{ page: Page; complaints: string[] }>
}

export const test = base.extend<Fixtures, { serverFor: (whom: string) => Promise<Potluck> }>({
  serverFor: [
    async ({ browserName: _ }, use) => {
      let running: { whom: string; server: Potluck } | undefined
      await use(async (whom) => {
        if (running?.whom === whom) return running.server
        await running?.server.close()
        // Rate limits are off, since the tests mail several links to the same email address within a minute.
        const server = await startPotluck({ DEMO: 'on', RATE_LIMITS: 'off' })
        running = { whom, server }
        return server
      })
      await running?.server.close()
    },
    { scope: 'worker' },
  ],
  potluck: async ({ serverFor }, use, { file }) =>
    use(await serverFor(file.endsWith('.deep.test.ts') ? file : 'shared')),
  open: async ({ browser, potluck }, use) => {
    const opened: { close: () => Promise<void>; complaints: string[] }[] = []
    await use(async ({ as: email, viewport = WIDTHS.desktop, keeping = false, locale = 'en-US' } = {}) => {
      const context = await browser.newContext({
        baseURL: potluck.url,
        reducedMotion: 'reduce',
        serviceWorkers: keeping ? 'allow' : 'block',
        viewport,
        locale,
        ...(email && { storageState: await signedIn(potluck, email) }),
      })
      const complaints = complaintsOf(context)
      opened.push({ complaints, close: () => context.close() })
      return { page: untilThere(await context.newPage()), complaints }
    })
    for (const { complaints } of opened) expect(complaints).toEqual([])
    await Promise.all(opened.map(({ close }) => close()))
  },
})

/**
 * Makes `goto` and `reload` wait until the app has replaced the prerendered page, except with `waitUntil: 'commit'`.
 */
function untilThere(page: Page): Page {
  for (const way of ['goto', 'reload'] as const) {
    const load = page[way].bind(page) as (...given: unknown[]) => Promise<Response | null>
    page[way] = async (...given: unknown[]) => {
      const answer = await load(...given)
      const how = given.at(-1)
      const early =
        typeof how === 'object' && how !== null && 'waitUntil' in how && how.waitUntil === 'commit'
      if (!early) await expect(page.locator('[data-first-sight]')).toHaveCount(0)
      return answer
    }
  }
  return page
}

/** The browser storage of a signed-in person. */
export async function signedIn(potluck: Potluck, email: string) {
  const value = JSON.stringify(await sessionOf(potluck, email))
  return {
    cookies: [],
    origins: [{ origin: potluck.url, localStorage: [{ name: 'sb-127-auth-token', value }] }],
  }
}
