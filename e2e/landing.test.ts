// The landing page before and without its scripts, and what they weigh.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContextOptions, expect, test } from '@playwright/test'
import { beginUsing, signUp } from './people.ts'
import { type Potluck, startPotluck } from './potluck.ts'
import { WIDTHS } from './screenshots.ts'

let potluck: Potluck
test.beforeAll(async () => {
  potluck = await startPotluck({ OPERATOR_NAME: 'Olivia & Sons' })
})
test.afterAll(() => potluck.close())

const KB = 1000
const MOST_FOR_LANDING = 180 * KB
const MOST_FOR_A_ROUTE = 80 * KB
const ASSETS = resolve(import.meta.dirname, '../web/dist/assets')
const weigh = (file: string) => gzipSync(readFileSync(resolve(ASSETS, file))).length

test('the landing page reads without JavaScript', async ({ browser }) => {
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
  await expect(page.getByRole('link', { name: 'Share a Subscription' })).toHaveAttribute(
    'href',
    '/sign-in?from=%2Fcreate',
  )
  await expect(page.getByText('Run by Olivia & Sons')).toBeVisible()
  const tag = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute('content')
  expect(await tag('title')).toBe('Share the plan. Split the cost.')
  expect(await tag('url')).toBe(`${potluck.url}/`)
  const picture = await page.request.get((await tag('image')) ?? '')
  expect(picture.headers()['content-type']).toBe('image/png')
  expect(await page.locator('script:not([src])').count()).toBe(0)
  await context.close()
})

/** The page as a visitor opens it, with what it complains about. */
async function visit(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: potluck.url, viewport: WIDTHS.phone, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (said) => ['error', 'warning'].includes(said.type()) && complaints.push(said.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  const scripts = new Set<string>()
  page.on('response', (response) => {
    const [, file] = /\/assets\/([^/]+\.js)$/.exec(new URL(response.url()).pathname) ?? []
    if (file) scripts.add(file)
  })
  return { context, page, complaints, scripts }
}

test('the app takes over without a complaint, nothing jumps, and other addresses do not carry the page', async ({
  browser,
}) => {
  const { context, page, complaints } = await visit(browser)
  await page.goto('/')
  const services = () =>
    page.locator('[data-service]').evaluateAll((all) => all.map((one) => one.textContent))
  const before = await services()
  expect(before).toHaveLength(17)
  await beginUsing(page)
  expect(await services()).toEqual(before)
  expect(complaints).toEqual([])
  expect(await (await page.request.get('/signin', { headers: { accept: 'text/html' } })).text()).toContain(
    '<div id="root"></div>',
  )
  await context.close()
})

test('what is pressed before the app is there is not lost', async ({ browser }) => {
  const { context, page, complaints } = await visit(browser)
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route(/\/assets\/start-.*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.locator('#root[data-ahead]')).toBeAttached()
  expect(await page.getByRole('dialog').count()).toBe(0)
  release()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(complaints).toEqual([])
  await context.close()
})

test('the app does not run before somebody uses the page, and does when its example figures come into sight', async ({
  browser,
}) => {
  const short = await visit(browser, { viewport: { width: 390, height: 600 } })
  await short.page.goto('/', { waitUntil: 'networkidle' })
  await expect(short.page.locator('#root[data-ahead]')).toBeAttached()
  await short.context.close()
  const tall = await visit(browser, { viewport: { width: 1280, height: 2400 } })
  await tall.page.goto('/')
  await expect(tall.page.locator('#root:not([data-ahead])')).toBeAttached()
  await tall.context.close()
})

test('a visitor loads the client with the first page that needs it, or when another tab signs in', async ({
  browser,
}) => {
  const { context, page, scripts } = await visit(browser, { viewport: WIDTHS.desktop })
  const client = () =>
    [...scripts].some((file) => readFileSync(resolve(ASSETS, file), 'utf8').includes('GoTrueClient@'))
  await page.goto('/')
  await beginUsing(page)
  await page.waitForLoadState('networkidle')
  expect(client()).toBe(false)
  await signUp(await context.newPage(), potluck, 'zoe@potluck.example')
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeVisible()
  expect(client()).toBe(true)
  await context.close()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`the page built ahead stands as the app puts it, before any style sheet or script has come: ${colorScheme}`, async ({
    browser,
  }) => {
    const look = async (withFiles: boolean) => {
      const { context, page } = await visit(browser, { colorScheme })
      if (!withFiles) await page.route(/\.css$|\/assets\/.*\.js$/, (route) => route.abort())
      await page.goto('/')
      if (withFiles) await beginUsing(page)
      else await expect(page.locator('#root[data-ahead]')).toBeAttached()
      await page.evaluate(() => document.fonts.ready)
      const parts = [
        page.getByRole('banner'),
        page.getByRole('heading', { level: 1 }),
        page.getByRole('link', { name: 'Share a Subscription' }),
        page.getByRole('link', { name: 'Subscribe to a Plan' }),
        page.getByRole('heading', { name: 'Popular Services' }),
        page.getByRole('heading', { name: 'Potential Savings' }),
      ]
      const places = await Promise.all(parts.map((part) => part.boundingBox()))
      const colors = await Promise.all(
        [page.locator('body'), ...parts].map((part) =>
          part.evaluate((element) => {
            const { color, backgroundColor } = getComputedStyle(element)
            return [color, backgroundColor]
          }),
        ),
      )
      await context.close()
      return { places, colors }
    }
    expect(await look(false)).toEqual(await look(true))
  })

test('what a visitor loads for the landing page, and every other script, keeps to its weight', async ({
  browser,
}) => {
  const { context, page, scripts } = await visit(browser)
  await page.goto('/', { waitUntil: 'networkidle' })
  await beginUsing(page)
  await page.waitForLoadState('networkidle')
  const landing = [...scripts].reduce((sum, file) => sum + weigh(file), 0)
  expect(scripts.size).toBeGreaterThan(3)
  expect(landing).toBeLessThan(MOST_FOR_LANDING)
  // What every page starts with belongs to the landing page's weight.
  const heavy = readdirSync(ASSETS).filter(
    (file) => file.endsWith('.js') && !file.startsWith('start-') && weigh(file) > MOST_FOR_A_ROUTE,
  )
  expect(heavy).toEqual([])
  await context.close()
})
