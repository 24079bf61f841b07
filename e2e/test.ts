// What the browser tests start from: a server with demo data for each file, whose tests come one after the other and so find
// the same each time, and pages that must not complain.
import { test as base, expect, type Page, type ViewportSize } from '@playwright/test'
import { complaintsOf, sessionOf } from './people.ts'
import { type Potluck, startPotluck } from './potluck.ts'
import { WIDTHS } from './screenshots.ts'

interface Visit {
  /** Signed in as whoever has this address; an unknown one gets an account. */
  as?: string
  viewport?: ViewportSize
  /** Whether the app may keep itself for later, as it does for whoever has it open: each new browser loads all of it for that. */
  keeping?: boolean
}

interface Fixtures {
  potluck: Potluck
  /** A page in a browser of its own. What its console complains of, once the test is over, fails the test. */
  open: (visit?: Visit) => Promise<{ page: Page; complaints: string[] }>
}

export const test = base.extend<Fixtures, { serverOf: (file: string) => Promise<Potluck> }>({
  serverOf: [
    async ({ browserName: _ }, use) => {
      const servers = new Map<string, Potluck>()
      const close = async () => {
        for (const server of servers.values()) await server.close()
        servers.clear()
      }
      await use(async (file) => {
        const running = servers.get(file)
        if (running) return running
        await close()
        // The same address is mailed several links within a minute.
        const server = await startPotluck({ DEMO: 'on', RATE_LIMITS: 'off' })
        servers.set(file, server)
        return server
      })
      await close()
    },
    { scope: 'worker' },
  ],
  potluck: async ({ serverOf }, use, { file }) => use(await serverOf(file)),
  open: async ({ browser, potluck }, use) => {
    const opened: { close: () => Promise<void>; complaints: string[] }[] = []
    await use(async ({ as: email, viewport = WIDTHS.desktop, keeping = false } = {}) => {
      const context = await browser.newContext({
        baseURL: potluck.url,
        reducedMotion: 'reduce',
        serviceWorkers: keeping ? 'allow' : 'block',
        viewport,
        ...(email && { storageState: await signedIn(potluck, email) }),
      })
      const complaints = complaintsOf(context)
      opened.push({ complaints, close: () => context.close() })
      return { page: await context.newPage(), complaints }
    })
    for (const { complaints } of opened) expect(complaints).toEqual([])
    await Promise.all(opened.map(({ close }) => close()))
  },
})

/** What a browser has kept that is signed in. */
async function signedIn(potluck: Potluck, email: string) {
  const value = JSON.stringify(await sessionOf(potluck, email))
  return {
    cookies: [],
    origins: [{ origin: potluck.url, localStorage: [{ name: 'sb-127-auth-token', value }] }],
  }
}
