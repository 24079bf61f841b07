// The site in other languages: who is led to which, what stays so, and whether all of it fits, also from right to left.
import { resolve } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { type CompiledMessage, readCatalog } from '../web/language/catalogs.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

test('people read what their browser prefers, or what they chose, on every device', async ({
  open,
  potluck,
}) => {
  const { page } = await open({ as: 'jonas@potluck.example', locale: 'de-AT' })
  await page.goto('/help?q=fee#top')
  await expect(page).toHaveURL('/de/help?q=fee#top')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hilfe')
  await page.goto('/account-settings')
  await expect(page).toHaveURL('/de/account-settings')
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('fr')
  await expect(page).toHaveURL('/fr/account-settings')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profil')

  // Elsewhere their browser prefers English, and the database answers in it.
  const elsewhere = (await open({ as: 'jonas@potluck.example' })).page
  await elsewhere.goto('/my-savings')
  await expect(elsewhere).toHaveURL('/fr/my-savings')
  await elsewhere.goto('/account-settings')
  await elsewhere.getByRole('combobox', { name: 'Langue' }).selectOption('en')
  await expect(elsewhere).toHaveURL('/account-settings')
  const visitor = (await open()).page
  await visitor.goto('/fr')
  await expect(visitor.locator('html')).toHaveAttribute('lang', 'fr')
  for (const language of ['en', 'de', 'fr', 'es', 'it']) {
    const address = `${potluck.url}/${language === 'en' ? '' : language}`
    await expect(visitor.locator(`link[hreflang="${language}"]`)).toHaveAttribute('href', address)
  }
})

test('a language a third longer than English fits a small phone, and one from right to left any', async ({
  open,
}) => {
  const { page } = await open({ as: 'demo@potluck.example', viewport: { width: 320, height: 640 } })
  await speak(page, { longer: true })
  for (const address of PAGES) {
    await page.goto(`/de${address}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await softly.poll(() => page.evaluate(cutOff), address).toEqual([])
  }
  for (const viewport of [WIDTHS.phone, WIDTHS.desktop]) {
    const { page: arabic } = await open({ as: 'demo@potluck.example', viewport })
    await speak(arabic, { longer: false })
    for (const address of PAGES) {
      await arabic.goto(`/de${address}`)
      await expect(arabic.getByRole('heading', { level: 1 })).toBeVisible()
      await softly.poll(() => arabic.evaluate(cutOff), `${address} from right to left`).toEqual([])
    }
    const home = await arabic.getByRole('banner').getByRole('link').first().boundingBox()
    expect(home?.x).toBeGreaterThan(viewport.width / 2)
  }
})

const softly = expect.configure({ soft: true })
const CATALOG = resolve(import.meta.dirname, '../web/locales/de.po')
const PAGES = [
  '/',
  '/plans',
  '/available-subscriptions',
  '/create',
  '/my-subscriptions',
  '/payments',
  '/my-savings',
  '/account-settings',
  '/account-settings/money',
  '/account-settings/notifications',
  '/help',
]

/** The page speaks a language made of English instead of German: with every vowel twice, which is a third more, or from right to left. */
async function speak(page: Page, { longer }: { longer: boolean }): Promise<void> {
  const catalog = await readCatalog(CATALOG, 'message')
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
  // It is nobody's language on other pages.
  await page.route('**/rest/v1/user_profiles?*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 204 }) : route.fallback(),
  )
  // Leaving a page while its live channel opens is a complaint of the browser.
  await page.routeWebSocket(/realtime/, () => undefined)
  if (longer) return
  await page.route(/\/de(\/|$)/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('<html lang="de"', '<html lang="de" dir="rtl"')
    await route.fulfill({ response: answer, body })
  })
}

/** Runs in the page: whether it scrolls sideways, and texts that do not fit where they stand, other than by design. */
function cutOff(): string[] {
  const { scrollWidth } = document.documentElement
  const isCut = (element: Element) => {
    const { overflowX, clip, clipPath } = getComputedStyle(element)
    const says = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    )
    const isSeen = clip === 'auto' && clipPath === 'none' && element.clientHeight > 1
    const isByDesign = element.closest('[data-truncate], [data-line-clamp]') !== null
    return (
      says && isSeen && overflowX === 'hidden' && !isByDesign && element.scrollWidth > element.clientWidth + 1
    )
  }
  return [
    ...(scrollWidth > window.innerWidth ? [`It is ${scrollWidth} px wide`] : []),
    ...[...document.querySelectorAll('main *, header *, nav *')]
      .filter(isCut)
      .map((element) => `Cut off: ${element.textContent}`),
  ]
}
