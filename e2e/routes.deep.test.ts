// Every path, once loaded, in every width and colour scheme. A path that is missing or redirects fails the test.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { ADDRESSES, ALIASES, addressOf } from './addresses.ts'
import { look } from './look.ts'
import type { Potluck } from './potluck.ts'
import { test } from './test.ts'

const NOWHERE = '/no/such/page'
const NOT_FOUND = 'Oops! Page not found'

// Each worker visits a quarter of the paths; visits do not affect each other.
test.describe.configure({ mode: 'parallel' })

test('every route is looked at', () => {
  const tree = readFileSync(join(import.meta.dirname, '../web/src/routeTree.gen.ts'), 'utf8')
  const routes = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree)?.[1]?.matchAll(/'([^']+)': typeof/g) ?? []
  const known = [...ADDRESSES.flatMap(([, , routes]) => routes), ...ALIASES]
  expect(known.toSorted()).toEqual(Array.from(routes, ([, route]) => route).toSorted())
})

for (const [people, as, routes] of ADDRESSES)
  test(`every address of ${people} is fit to be shown`, async ({ open, potluck }) => {
    const { page, complaints } = await open({ ...(as && { as }) })
    const visit = await visitor(page, potluck)
    for (const route of routes) {
      await visit(route)
      const shown = new RegExp(`^${route.replace(/\$\w+/g, '[^/]+')}$`)
      expect(new URL(page.url()).pathname, `${route} leads elsewhere`).toMatch(shown)
      await look(page, nameOf(route), { sizes: ['phone', 'tablet', 'desktop'] })
      // The browser itself logs a 404 for a link whose secret is unknown.
      const expected = route.includes('$token') ? [expect.stringContaining('404')] : []
      expect(complaints.splice(0), route).toEqual(expected)
    }
  })

const nameOf = (route: string) => route.replaceAll(/\W+/g, '-').slice(1) || 'home'

/**
 * Returns a function that visits a route: the first path is loaded, the app navigates to all others, as with a link.
 */
async function visitor(page: Page, potluck: Potluck): Promise<(route: string) => Promise<void>> {
  const title = page.getByRole('heading', { level: 1 })
  await page.goto('/about')
  await expect(title).toBeVisible()
  return async (route) => {
    const address = await addressOf(route, potluck)
    // Goes to a very different page first, so that nothing of the previous route remains.
    for (const [to, shown] of [
      [NOWHERE, title.filter({ hasText: NOT_FOUND })],
      [address, title.filter({ hasNotText: NOT_FOUND })],
    ] as const) {
      // The page at /cards/add has its own content security policy, so entering and leaving it loads a new document.
      const isApart = [page.url(), to].filter((one) => one.endsWith('/cards/add')).length === 1
      const loaded = isApart && page.waitForEvent('load')
      await page.evaluate((next) => window.history.pushState(null, '', next), to)
      await loaded
      await expect(shown).toBeVisible()
    }
  }
}
