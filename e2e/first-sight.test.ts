// Pages prerendered by the build, in each language, before their scripts run. web/test/first-sight.test.tsx tests that
// the build fails if it cannot render a page.
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import { ENGLISH, LOCALES, languages, readCatalog } from '../web/build/language/languages.ts'
import { firstSights, type Reader } from '../web/build/pages.ts'
import { idOf } from '../web/src/lib/message-id.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

const DIST = resolve(import.meta.dirname, '../web/dist')
const VISITOR: Reader = 'visitor'
const READERS: Reader[] = [VISITOR, 'member']
const LANDING = 'index.html'
const PAGES: typeof firstSights = { [LANDING]: undefined, ...firstSights }
/** Sentences of `LoadFailure`, which is shown in place of a page that cannot be rendered. */
const FAILURES = [
  'This page could not be loaded',
  'Try Again',
  'An unexpected error occurred. Please try again later.',
]
/** Texts that JavaScript writes for errors and missing values. */
const ERRORS = /\b(undefined|null|NaN|Invalid Date)\b|is not a function|\[object /
const STYLES = /<link rel="stylesheet"[^>]*>|<style[\s\S]*?<\/style>/g

test('every drawn page shows its heading and no error without JavaScript, in every language', async ({
  browser,
  potluck,
}) => {
  const context = await browser.newContext({ viewport: WIDTHS.phone, javaScriptEnabled: false })
  const page = await context.newPage()
  const files: string[] = []
  for (const language of [ENGLISH, ...languages()]) {
    const prefix = language === ENGLISH ? '' : `/${language}`
    const pages = await Promise.all(
      Object.entries(PAGES).map(async ([file, sight]) => {
        const path = file === LANDING ? '' : `/${file.replace('.html', '').replace('[id]', 'any')}`
        const address = prefix + path || '/'
        const html = await (await fetch(potluck.url + address)).text()
        return { file, address, html, readers: sight?.readers ?? [], isDrawn: sight?.withData ?? false }
      }),
    )
    files.push(
      ...pages.map(({ file }) => (file === LANDING && prefix ? `${prefix}.html` : `${prefix}/${file}`)),
    )

    await page.goto(`${potluck.url}${prefix}/app`)
    // Shows all pages in one document with the styles of all pages; loading each page would take ten times as long.
    const styles = new Set(pages.flatMap(({ html }) => html.match(STYLES) ?? []))
    await page.setContent(`<!doctype html><head>${[...styles].join('')}</head>`)
    const failures = failuresIn(language)
    const sights = pages.flatMap(({ file, address, html, readers, isDrawn }) =>
      file === LANDING
        ? [{ address, html, reader: VISITOR, isPage: true, isDrawn }]
        : READERS.map((reader) => ({
            ...{ address, html, reader },
            isPage: readers.includes(reader),
            isDrawn: isDrawn && reader === VISITOR,
          })),
    )
    const shown = await page.evaluate(show, sights)
    for (const { address, reader, isPage, isDrawn } of sights) {
      const what = `${address} for a ${reader}`
      const { text, ...seen } = shown.shift() ?? { text: '' }
      // Paths without a prerendered page have only the frame, which says that the page is loading, unless the server
      // had the time to draw the page.
      const h1 = isPage ? [expect.stringMatching(/\S/)] : isDrawn ? expect.any(Array) : []
      expect.soft(seen, what).toEqual({ lang: language, main: 1, h1, alerts: [] })
      expect
        .soft(
          [...failures, ERRORS].filter((words) => text.match(words)),
          what,
        )
        .toEqual([])
    }
  }
  await context.close()
  const drawn = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  )
  expect(files.map((file) => file.slice(1)).toSorted()).toEqual(drawn.toSorted())
})

/** The sentences of `LoadFailure` in this language. */
function failuresIn(language: string): string[] {
  if (language === ENGLISH) return FAILURES
  const catalog = readCatalog(join(LOCALES, `${language}.po`))
  return FAILURES.map((english) => {
    const words = catalog[idOf(english)]?.join('') ?? ''
    expect(words, `“${english}” in "${language}"`).not.toBe('')
    return words
  })
}

/**
 * Runs in the browser. Shows each page as its reader sees it, for members with `data-returning`, which start.js would
 * set.
 */
function show(pages: { html: string; reader: Reader }[]) {
  return pages.map(({ html, reader }) => {
    const { body, documentElement } = new DOMParser().parseFromString(html, 'text/html')
    document.documentElement.toggleAttribute('data-returning', reader === 'member')
    document.body.replaceWith(body)
    const visible = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      )
    const texts = (selector: string) => visible(selector).map(({ textContent }) => textContent)
    return {
      lang: documentElement.lang,
      main: visible('main').length,
      h1: texts('h1'),
      alerts: texts('[role="alert"]'),
      text: texts('[data-first-sight], main').join('\n'),
    }
  })
}
