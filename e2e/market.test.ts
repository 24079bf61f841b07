// From a link somebody shared to the request for a place, on a phone and with nothing but an address.
import { expect } from '@playwright/test'
import { mailedLink } from './people.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

for (const [where, email] of [
  ['in the same tab', 'rosa@potluck.example'],
  ['in another browser', 'rolf@potluck.example'],
] as const)
  test(`whoever follows a shared link and opens their mail ${where} asks for the place within four screens and a minute, the plan in sight`, async ({
    open,
    potluck,
  }) => {
    const screens = new Set<string>()
    const visit = async () => {
      const { page } = await open({ viewport: WIDTHS.phone })
      await page.exposeFunction('screenIsUp', (heading: string) => screens.add(heading))
      await page.addInitScript(followScreens)
      return page
    }
    const first = await visit()
    await first.goto('/plans?pay=direct')
    const link = String(await first.getByRole('link', { name: /^See / }).first().getAttribute('href'))
    await expect(first.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => screens.size).toBe(1)
    screens.clear()
    const began = Date.now()

    await first.goto(link)
    await expect(first.getByRole('heading', { name: 'What happens then' })).toBeVisible()
    const plan = String(await first.getByRole('heading', { level: 1 }).textContent())
    await first.getByRole('link', { name: `Request to join ${plan}` }).click()
    await expect(first.getByText(`Then you go on with ${plan}.`)).toBeVisible()
    await first.getByLabel('Email').fill(email)
    await first.getByRole('button', { name: 'Email me a sign-in link' }).click()
    const mailed = await mailedLink(potluck, email)
    const then = where === 'in the same tab' ? first : await visit()
    await then.goto(mailed)
    const dialog = then.getByRole('dialog')
    await expect(dialog.getByText(plan)).toBeVisible()
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await expect(dialog.getByRole('heading', { name: 'Subscription Request Sent' })).toBeVisible()
    await expect(dialog.getByText(plan)).toBeVisible()
    expect(new URL(then.url()).pathname).toBe(link)
    expect(Date.now() - began).toBeLessThan(60_000)
    await expect
      .poll(() => [...screens])
      .toEqual([plan, 'Welcome Back', 'Request to join', 'Subscription Request Sent'])
  })

/** Tells of each screen that comes up, by its heading: a dialog is one, and so is a page. */
function followScreens() {
  let last = ''
  const look = () => {
    const heading =
      document.querySelector('[role=dialog] h2')?.textContent ??
      document.querySelector('main h1')?.textContent
    if (!heading || heading === last) return
    last = heading
    Object(window).screenIsUp(heading)
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
}

test('a shared plan says what it is before any script has come, to visitors alone', async ({ open }) => {
  const { page } = await open({ viewport: WIDTHS.phone })
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/rpc/market_plans') && asked.push(request.url()))
  await page.goto('/plans', { waitUntil: 'networkidle' })
  const link = await page.getByRole('link', { name: /^See / }).first().getAttribute('href')
  // Nobody has come near the end of the first plans.
  expect(asked).toHaveLength(1)
  let come = () => {}
  const held = new Promise<void>((release) => {
    come = release
  })
  await page.route(/\/assets\/app-[^/]+\.js$/, async (route) => {
    await held
    await route.continue()
  })
  const sight = page.locator('[data-first-sight]')
  await page.goto(String(link), { waitUntil: 'commit' })
  await expect(sight.locator('h1')).toBeVisible()
  const plan = String(await sight.locator('h1').textContent())
  await expect(sight).toContainText(/ shares it: \d of \d+ places? open, €[\d.]+ a month all in\./)
  await page.evaluate(() => localStorage.setItem('sb-local-auth-token', '{}'))
  await page.reload({ waitUntil: 'commit' })
  await expect(sight).toBeHidden()
  await page.evaluate(() => localStorage.clear())
  await page.reload({ waitUntil: 'commit' })
  await expect(sight.locator('h1')).toHaveText(plan)
  come()
  await expect(page.getByRole('heading', { level: 1, name: plan })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What happens then' })).toBeVisible()
  await expect(sight).toHaveCount(0)
})
