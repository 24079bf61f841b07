// From a link somebody shared to the request for a place, on a phone and with nothing but an address.
import { expect } from '@playwright/test'
import { mailedLink } from './people.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

test('whoever follows a shared link asks for the place within four screens and a minute, and keeps the plan in sight', async ({
  open,
  potluck,
}) => {
  const { page } = await open({ viewport: WIDTHS.phone })
  await page.goto('/plans?pay=direct')
  const link = await page.getByRole('link', { name: /^See / }).first().getAttribute('href')
  const began = Date.now()
  const screens: string[] = []
  const reads = async (heading: RegExp) => {
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
    screens.push(String(heading))
  }

  await page.goto(String(link))
  await reads(/^What happens then$/)
  const plan = String(await page.getByRole('heading', { level: 1 }).textContent())
  await page.getByRole('link', { name: `Request to join ${plan}` }).click()
  await reads(/^Welcome Back$/)
  await page.getByLabel('Email').fill('rosa@potluck.example')
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await page.goto(await mailedLink(potluck, 'rosa@potluck.example'))
  await reads(/^Request to join$/)
  await expect(page.getByRole('dialog').getByText(plan)).toBeVisible()
  await page.getByRole('button', { name: 'Send request' }).click()
  await reads(/^Subscription Request Sent$/)
  await expect(page.getByRole('dialog').getByText(plan)).toBeVisible()

  expect(screens).toHaveLength(4)
  expect(Date.now() - began).toBeLessThan(60_000)
})

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
