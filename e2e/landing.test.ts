// Pages without the app: the landing page in a browser, without scripts, by keyboard, and its size; and the page of a
// shared plan. arriving.deep.test.ts tests how the app replaces them.
// Proves LAND 01 02 05-08
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, type Locator, type Page } from '@playwright/test'
import { WIDTHS } from './screenshots.ts'
import { OPERATOR, test } from './test.ts'

const KB = 1000
const DIST = resolve(import.meta.dirname, '../web/dist')
const weigh = (file: string) => gzipSync(readFileSync(resolve(DIST, file))).length
const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + weigh(file), 0)

test('reads without JavaScript, names its operator, and goes by the colours of the device', async ({
  browser,
  potluck,
}) => {
  const context = await browser.newContext({
    baseURL: potluck.url,
    viewport: WIDTHS.phone,
    javaScriptEnabled: false,
    colorScheme: 'dark',
  })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Share subscriptions, split the cost/)
  await expect(page.getByRole('heading', { name: 'Potential Savings' })).toBeVisible()
  await expect(page.getByText(/^€\d+\.\d\d$/).first()).toBeVisible()
  await expect(page.getByText('Group Management')).toBeVisible()
  await expect(page.getByText(/^What a place costs at list prices of \d+ \w+ 20\d\d\.$/)).toBeVisible()
  await expect(page.getByText('€250+')).toBeVisible()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(23, 19, 16)')
  await page.locator('summary').click()
  await expect(page.getByRole('navigation', { name: 'Menu' }).getByRole('link')).toHaveText([
    'Home',
    'Plans',
    'About',
    'Sign In',
    'Sign Up',
  ])
  await page.locator('summary').click()
  await expect(page.getByText(new RegExp(`^Run by ${OPERATOR} .* Version \\d+\\.\\d+\\.\\d+$`))).toBeVisible()
  const service = page.getByRole('region', { name: 'Popular Services' }).getByRole('link').first()
  const name = (await service.locator(':scope > :last-child').textContent()) ?? ''
  expect(await service.getAttribute('href')).toBe(`/plans?${new URLSearchParams({ service: name })}`)
  const tag = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute('content')
  expect(await tag('title')).toBe('Share the plan. Split the cost.')
  expect(await tag('url')).toBe(`${potluck.url}/`)
  const picture = await page.request.get((await tag('image')) ?? '')
  expect(picture.headers()['content-type']).toBe('image/png')
  await page.getByRole('link', { name: 'Share a Subscription' }).click()
  await page.waitForURL('/sign-in?from=%2Fcreate')
  await context.close()
})

for (const [width, first, last] of [
  ['phone', 'Skip to content', 'About'],
  ['desktop', 'Skip to content', 'YouTube'],
] as const)
  test(`a keyboard gets through it, from the first link to the last and back: ${width}`, async ({ open }) => {
    const { page } = await open({ viewport: WIDTHS[width] })
    // The test starts before the page's script has run, because no later step of loading may take the focus away.
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByRole('navigation', { name: 'Footer' })).toBeAttached()
    const walk = async (key: string, most = 100) => {
      const stops: string[] = []
      while (stops.length < most) {
        await page.keyboard.press(key)
        const stop = await page.evaluate(() => {
          const { activeElement: at } = document
          if (!(at instanceof HTMLElement) || at === document.body) return null
          const input = at instanceof HTMLInputElement ? at : null
          const { bottom, top } = (input?.labels?.[0] ?? at).getBoundingClientRect()
          if (bottom <= 0 || top >= window.innerHeight) return `out of sight: ${at.outerHTML}`
          return at.getAttribute('aria-label') ?? input?.value ?? at.textContent
        })
        if (stop === null) break
        stops.push(stop)
      }
      return stops
    }
    const there = await walk('Tab')
    expect([there[0], there.at(-1)]).toEqual([first, last])
    for (const stop of ['Share a Subscription', 'More services', 'Get Started', 'Privacy'])
      expect(there).toContain(stop)
    expect(there.filter((stop) => stop.startsWith('out of sight'))).toEqual([])
    // Today's plans have loaded in the meantime, or load now.
    const ofToday = page.getByRole('link', { name: / shares it, / })
    await expect(ofToday.first()).toBeVisible()
    const others = (stops: string[]) => stops.filter((stop) => !stop.includes(' shares it, '))
    const back = await walk('Shift+Tab', others(there).length + (await ofToday.count()))
    expect(others(back)).toEqual(others(there).toReversed())
    expect(back.length - others(back).length).toBe(await ofToday.count())
  })

test('its menu and its switch of colours answer, and lose no focus', async ({ open }) => {
  const { page } = await open({ viewport: WIDTHS.phone })
  await page.goto('/')
  const menu = page.locator('summary')
  await menu.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('navigation', { name: 'Menu' })
  await expect(panel).toBeInViewport()
  await page.keyboard.press('Tab')
  await expect(panel.getByRole('link', { name: 'Home' })).toBeFocused()
  await page.getByText('Dark', { exact: true }).click()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(23, 19, 16)')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(menu).toBeFocused()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.getByRole('button', { name: /appearance/ }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
})

test('it shows plans to join and a search for more, and the prices of its build where it cannot load them', async ({
  open,
}) => {
  const { page, complaints } = await open({ viewport: WIDTHS.phone })
  await page.goto('/')
  const plans = page.getByRole('region', { name: 'Plans to join' })
  await expect(plans.getByRole('link', { name: / shares it, / })).toHaveCount(3)
  const plan = plans.getByRole('listitem').getByRole('link').first()
  const about = await plan.textContent()
  await plan.click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // This page has the catalogue's own words in brackets, "(5 seats)", which the plan's page translates.
  const name = await page.getByRole('heading', { level: 1 }).textContent()
  expect(about).toContain(name?.replace(/ \([^()]+\)$/, '') ?? '')
  await page.goBack()
  await page.getByRole('searchbox', { name: 'Search for a service or a plan' }).fill('net')
  await page.keyboard.press('Enter')
  await page.waitForURL('/plans?q=net')
  await page.route('**/rest/v1/**', (route) => route.abort())
  await page.goto('/')
  // The requests have been sent and have failed.
  await expect.poll(() => complaints.length).toBeGreaterThan(0)
  await expect(plans.getByText(/^What a place costs at list prices of /)).toBeVisible()
  await expect(plans.getByRole('listitem')).toHaveCount(3)
  await page.close()
  complaints.splice(0)
})

test('plans and a shared plan are there before any script has come, to visitors alone', async ({
  open: openPage,
}) => {
  const { page } = await openPage({ viewport: WIDTHS.phone })
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/rpc/market_plans?') && asked.push(request.url()))
  await page.goto('/plans', { waitUntil: 'networkidle' })
  const link = await page.locator('main h3 a').first().getAttribute('href')
  // The next plans load only when somebody scrolls near the end of the first ones.
  expect(asked).toHaveLength(1)
  const come = await holdApp(page)
  const sight = page.locator('[data-first-sight=visitor]')
  const main = sight.getByRole('main')
  // A busy server may send a page without its data, because that took too long.
  const open = (path: string | null, content: Locator) =>
    expect(async () => {
      await page.goto(String(path), { waitUntil: 'commit' })
      await expect(content).toBeVisible({ timeout: 2_000 })
    }).toPass({ timeout: 30_000 })
  await open('/de/plans', main.locator('h3 a').first())
  await expect(main).toContainText(/\d,\d\d\s€\s*pro Monat/)
  const ask = main.getByRole('link', { name: /^Request to join / })
  await open(link, ask)
  await expect(main).toContainText(/€[\d.]+ a month, all in.*\d of \d+ places? open/)
  const plan = String(await sight.locator('h1').textContent())
  const owner = main.locator('a[href^="/people/"]').first()
  const [name, person] = [String(await owner.textContent()), await owner.getAttribute('href')]
  await open(await ask.getAttribute('href'), main.getByLabel('Email', { exact: true }))
  await open(person, main.getByRole('heading', { level: 1, name }))
  await expect(main.getByRole('link', { name: plan, exact: true })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('sb-local-auth-token', '{}'))
  await page.goto('/my-subscriptions', { waitUntil: 'commit' })
  await expect(page.locator('[data-first-sight=member]').getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(String(link), { waitUntil: 'commit' })
  await expect(page.locator('[data-first-sight=member]').getByRole('navigation').first()).toBeVisible()
  await expect(sight).toBeHidden()
  await page.evaluate(() => localStorage.clear())
  await page.reload({ waitUntil: 'commit' })
  await expect(sight.locator('h1')).toHaveText(plan)
  come()
  await expect(page.getByRole('heading', { level: 1, name: plan })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'How it works' })).toBeVisible()
  await expect(sight).toHaveCount(0)
})

test('what is typed and sent before the app has come is sent by the app alone', async ({ open }) => {
  const { page } = await open()
  const configurations: string[] = []
  page.on(
    'request',
    (request) => request.url().endsWith('/config.json') && configurations.push(request.url()),
  )
  const come = await holdApp(page)
  const drawn = page.locator('[data-first-sight=visitor] [data-device=new]')
  await page.goto('/sign-in', { waitUntil: 'commit' })
  await drawn.getByLabel('Email').fill('ada@potluck.example')
  await drawn.getByLabel('Password', { exact: true }).focus()
  await page.keyboard.type('A-pass-1!')
  await page.keyboard.press('Enter')
  // Typing after Enter cancels the submission that would follow.
  await page.keyboard.type('2')
  come()
  await expect(page.locator('[data-first-sight]')).toHaveCount(0)
  // The app uses the preloaded configuration instead of loading it again.
  expect(configurations).toHaveLength(1)
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('ada@potluck.example')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('A-pass-1!2')
  expect(page.url()).toMatch(/\/sign-in$/)
  const comeAgain = await holdApp(page)
  await page.reload({ waitUntil: 'commit' })
  await drawn.getByLabel('Email').fill('marc@potluck.example')
  await drawn.getByLabel('Password', { exact: true }).fill('Potluck-demo-1!')
  await drawn.locator('button[type=submit]').click()
  comeAgain()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
})

test('weighs what it should: what is loaded for it, and every route of the app', async ({ open }) => {
  const { page } = await open()
  const loaded = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js')) loaded.add(pathname.slice(1))
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'More services' }).click()
  await page.mouse.wheel(0, 2000)
  await page.waitForLoadState('networkidle')
  expect(loaded.size).toBeGreaterThan(1)
  expect(sum(loaded)).toBeLessThan(35 * KB)

  const files = readdirSync(resolve(DIST, 'assets')).filter((file) => file.endsWith('.js'))
  const [, app] =
    /src="\/(assets\/app-[^"]+\.js)"/.exec(readFileSync(resolve(DIST, 'app.html'), 'utf8')) ?? []
  const start = withImports(app)
  // A page and its loader may be separate files.
  const part = (name: string) => {
    const own = files.filter((file) => file.startsWith(`${name}-`)).map((file) => `assets/${file}`)
    expect(own, name).not.toEqual([])
    return own
  }
  const routes = ['sign-in', 'about', 'my-subscriptions', 'create', 'financials']
  const plan = ['OwnerView', 'MemberView'].map((view) => ['PlanScreen', view])
  for (const parts of [...routes.map((route) => [route]), ...plan]) {
    const own = parts.flatMap(part)
    expect(sum(own), `${parts} of its own`).toBeLessThan(80 * KB)
    expect(sum(start) + sum(own), `${parts} with what the app starts with`).toBeLessThan(190 * KB)
    const all = own.reduce((found, file) => withImports(file, found), new Set(start))
    // Includes the bars of signed-in people, which are in one file with these pages.
    expect(sum(all), `${parts} with all it is made of`).toBeLessThan(320 * KB)
    if (['sign-in', 'my-subscriptions'].includes(String(parts)))
      expect(all.size, `scripts of ${parts}`).toBeLessThan(9)
  }
  // The largest are the texts of a language.
  expect(files.filter((file) => !start.has(`assets/${file}`) && weigh(`assets/${file}`) > 90 * KB)).toEqual(
    [],
  )
})

/** Delays the app's script until the returned function is called. */
async function holdApp(page: Page): Promise<() => void> {
  let come = () => {}
  const held = new Promise<void>((release) => {
    come = release
  })
  await page.route(/\/assets\/app-[^/]+\.js$/, async (route) => {
    await held
    await route.continue()
  })
  return come
}

/** Returns a script file and all files that load before it runs. */
function withImports(file = '', found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  const code = readFileSync(resolve(DIST, file), 'utf8')
  for (const [, name] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
    withImports(`assets/${name}`, found)
  return found
}
