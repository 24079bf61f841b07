// The second visit of a signed-in person: what they saw last is there at once, with its age, and is replaced.
//
// | state                          | start.js, before the app       | the app, before any data    | with today's data |
// |--------------------------------|--------------------------------|-----------------------------|-------------------|
// | same session                   | the page as last seen, its age | the data last seen, its age | no age            |
// | another person's session       | a page without data            | nothing of the first person | their own data    |
// | signed out                     | nothing is left                | nothing is left             | –                 |
// | never here before              | the visitors' page, no action  | a page without data         | their own data    |
import { expect, type Page } from '@playwright/test'
import { sessionOf } from './people.ts'
import { test } from './test.ts'

const AS = 'olivia@potluck.example'
const TOKENS = 'sb-127-auth-token'
const AGE = /^As of \d\d:\d\d$/
const plans = (page: Page) => page.getByRole('article').getByRole('heading')
const sight = (page: Page) => page.locator('[data-first-sight=member]')
const sightsKept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('last-sight:')))

/** Holds all requests to addresses like this one until the returned function is called. */
async function hold(page: Page, address: RegExp): Promise<() => Promise<void>> {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route(address, async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  return async () => {
    release()
    await page.unroute(address)
  }
}

test('what was seen last is there at once with its age, and is replaced; nobody else sees it', async ({
  open,
  potluck,
}) => {
  const { page } = await open({ as: AS })
  await page.goto('/my-subscriptions')
  await expect(plans(page).first()).toBeVisible()
  await expect.poll(() => sightsKept(page), { timeout: 15_000 }).toEqual(['last-sight:/my-subscriptions'])
  const shown = await plans(page).allTextContents()

  const sendApp = await hold(page, /\/assets\/app-[^/]+\.js$/)
  const sendData = await hold(page, /\/rest\/v1\//)
  await page.goto('/my-subscriptions', { waitUntil: 'commit' })
  await expect(plans(page)).toHaveText(shown)
  await expect(sight(page).locator('[data-age]')).toHaveText(AGE)
  await expect(sight(page).locator('button:not([inert])')).toHaveCount(0)
  await sendApp()
  await expect(sight(page)).toHaveCount(0)
  await expect(plans(page)).toHaveText(shown)
  await expect(page.locator('[data-age]')).toHaveText(AGE)
  await sendData()
  await expect(page.locator('[data-age]')).toBeHidden()
  await expect(plans(page)).toHaveText(shown)

  const { user, ...other } = await sessionOf(potluck, 'marc@potluck.example')
  // Holds the requests of the first person's app too, which would have the other's tokens.
  const send = await hold(page, /\/rest\/v1\//)
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    TOKENS,
    JSON.stringify({ ...other, user }),
  ] as const)
  await page.goto('/my-subscriptions', { waitUntil: 'commit' })
  await expect(sight(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Subscriptions')
  await expect(plans(page)).toHaveCount(0)
  await send()
  await expect(page.locator('main .mantine-Skeleton-root')).toHaveCount(0)
  // The server refuses the requests of an ended session, so none may be under way.
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Your menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect.poll(() => sightsKept(page)).toEqual([])
})

test('a first visit begins with what visitors see, without what only they can do', async ({
  open,
  potluck,
}) => {
  const { page } = await open({ as: AS })
  await hold(page, /\/assets\/app-[^/]+\.js$/)
  const only = sight(page).locator('[data-for-visitors]')
  const plan = sight(page).getByRole('heading').getByRole('link').first()
  // The first page starts the thread that draws, which may take longer than a page waits for it.
  await expect.poll(async () => (await fetch(`${potluck.url}/plans`)).text()).toContain('data-for-visitors')
  await page.goto('/plans', { waitUntil: 'commit' })
  await expect(plan).toBeVisible()
  await expect(only.first()).toBeAttached()
  await expect(only.and(page.locator(':visible'))).toHaveCount(0)
  await page.goto((await plan.getAttribute('href')) ?? '', { waitUntil: 'commit' })
  await expect(sight(page).getByRole('region', { name: 'Price and places' })).toContainText('a month')
  await expect(only.and(page.locator(':visible'))).toHaveCount(0)
  await expect(page.locator('[data-first-sight=visitor]')).toHaveCount(0)
})
