// Languages made from English in place of German, to test every text: one a third longer, and one written from right to
// left.
import { resolve } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { type CompiledMessage, readCatalog } from '../web/build/language/languages.ts'
import { expectNoMisfits } from './fit.ts'

export const SMALL = { width: 320, height: 640 }
const CATALOG = resolve(import.meta.dirname, '../web/locales/de.po')

/** Checks that these pages fit in a language a third longer than English, or in one written from right to left. */
export async function expectToFit(page: Page, addresses: readonly string[], how: 'longer' | 'right to left') {
  await speak(page, how === 'longer')
  for (const address of addresses) {
    await page.goto(`/de${address}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[data-first-sight], [data-skeleton], .mantine-Skeleton-root')).toHaveCount(0)
    await expectNoMisfits(page, `${address}, ${how}`)
  }
}

/** Replaces German with English, either with every vowel doubled (a third longer) or written from right to left. */
async function speak(page: Page, longer: boolean): Promise<void> {
  const catalog = readCatalog(CATALOG, 'message')
  const stretch = (text: string) => text.replace(/[aeiou](?![^{]*\})/gi, '$&$&')
  const stretched = (parts: CompiledMessage): unknown[] =>
    parts.map((part) => {
      if (typeof part === 'string') return longer ? stretch(part) : part
      const [name, kind, cases] = part
      if (!cases || typeof cases === 'string') return part
      return [
        name,
        kind,
        Object.fromEntries(
          Object.entries(cases).map(([key, one]) => [key, Array.isArray(one) ? stretched(one) : one]),
        ),
      ]
    })
  const messages = Object.fromEntries(Object.entries(catalog).map(([id, parts]) => [id, stretched(parts)]))
  await page.route(/\/assets\/de-[^/]*\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(messages)}` }),
  )
  // The choice is not stored, so that pages in other tests keep their language.
  await page.route('**/rest/v1/user_profiles?*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 204 }) : route.fallback(),
  )
  // Leaving a page while its live channel opens would log a browser error.
  await page.routeWebSocket(/realtime/, () => undefined)
  if (longer) return
  await page.route(/\/de(\/|$)/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('<html lang="de"', '<html lang="de" dir="rtl"')
    await route.fulfill({ response: answer, body })
  })
}
