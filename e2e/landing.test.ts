// The landing page before and without its scripts, and what they weigh.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { type Potluck, startPotluck } from './potluck.ts'
import { WIDTHS } from './screenshots.ts'

let potluck: Potluck
test.beforeAll(async () => {
  potluck = await startPotluck()
})
test.afterAll(() => potluck.close())

const KB = 1024
// The goal is 180; what a visitor loads today is React, the router, the theme and supabase-js, and may not grow.
const MOST_FOR_LANDING = 275 * KB
const MOST_FOR_A_ROUTE = 80 * KB
const ASSETS = resolve(import.meta.dirname, '../web/dist/assets')
const weigh = (file: string) => gzipSync(readFileSync(resolve(ASSETS, file))).length

test('LAND-01 LAND-06 LAND-07 LAND-08 the landing page reads without JavaScript', async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: potluck.url,
    viewport: WIDTHS.phone,
    javaScriptEnabled: false,
  })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Share subscriptions, split the cost/)
  await expect(page.getByRole('heading', { name: 'Potential Savings' })).toBeVisible()
  await expect(page.getByText(/^€\d+\.\d\d$/).first()).toBeVisible()
  await expect(page.getByText('250+ €')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Share a Subscription' })).toHaveAttribute('href', '/sign-in')
  const tag = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute('content')
  expect(await tag('title')).toBe('Share the plan. Split the cost.')
  expect(await tag('url')).toBe(`${potluck.url}/`)
  const picture = await page.request.get((await tag('image')) ?? '')
  expect(picture.headers()['content-type']).toBe('image/png')
  expect(await page.locator('script:not([src])').count()).toBe(0)
  await context.close()
})

test('the app takes over from the page built ahead without a complaint, and other addresses do not carry it', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: potluck.url, viewport: WIDTHS.phone })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (said) => ['error', 'warning'].includes(said.type()) && complaints.push(said.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto('/')
  await expect(page.locator('#root:not([data-ahead])')).toBeAttached()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(complaints).toEqual([])
  expect(await (await page.request.get('/signin', { headers: { accept: 'text/html' } })).text()).toContain(
    '<div id="root"></div>',
  )
  await context.close()
})

test('the page built ahead stands as the app puts it, before any style sheet or script has come', async ({
  browser,
}) => {
  const look = async (withFiles: boolean) => {
    const context = await browser.newContext({ baseURL: potluck.url, viewport: WIDTHS.phone })
    const page = await context.newPage()
    if (!withFiles) await page.route(/\.(css|js)$/, (route) => route.abort())
    await page.goto('/')
    await expect(page.locator('#root[data-ahead]')).toHaveCount(withFiles ? 0 : 1)
    await page.evaluate(() => document.fonts.ready)
    const parts = [page.getByRole('banner'), page.getByRole('heading', { level: 1 }), page.getByRole('main')]
    const places = await Promise.all(parts.map((part) => part.boundingBox()))
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await context.close()
    return { places, paper }
  }
  expect(await look(false)).toEqual(await look(true))
})

test('what a visitor loads for the landing page, and every other script, keeps to its weight', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: potluck.url, viewport: WIDTHS.phone })
  const page = await context.newPage()
  const loaded = new Set<string>()
  page.on('response', (response) => {
    const [, file] = /\/assets\/([^/]+\.js)$/.exec(new URL(response.url()).pathname) ?? []
    if (file) loaded.add(file)
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  const landing = [...loaded].reduce((sum, file) => sum + weigh(file), 0)
  expect(loaded.size).toBeGreaterThan(3)
  expect(landing).toBeLessThan(MOST_FOR_LANDING)
  const entry = [...loaded].find((file) => file.startsWith('index-'))
  const heavy = readdirSync(ASSETS).filter(
    (file) => file.endsWith('.js') && file !== entry && weigh(file) > MOST_FOR_A_ROUTE,
  )
  expect(heavy).toEqual([])
  await context.close()
})
