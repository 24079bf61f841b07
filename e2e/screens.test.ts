// Every screen with demo data, as a phone and a desktop show it, in both colour schemes: nothing an accessibility
// checker calls serious, no complaint in the console, no page wider than the window.
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { complaintsOf } from './people.ts'
import { type Potluck, startPotluck } from './potluck.ts'
import { shoot, WIDTHS } from './screenshots.ts'

let potluck: Potluck
test.beforeAll(async () => {
  potluck = await startPotluck({ DEMO: 'on' })
})
test.afterAll(() => potluck.close())

const PUBLIC = {
  landing: '/',
  about: '/about',
  privacy: '/privacy',
  'sign-in': '/signin',
  'sign-up': '/signup',
  reset: '/reset-password',
  lost: '/no-such-page',
}
const SIGNED_IN = {
  shared: '/my-subscriptions',
  subscribed: '/my-subscriptions?tab=subscribed',
  create: '/create',
  browse: '/available-subscriptions',
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen is fit to be shown in ${colorScheme}`, async ({ browser }) => {
    const context = await browser.newContext({
      baseURL: potluck.url,
      colorScheme,
      reducedMotion: 'reduce',
      viewport: WIDTHS.desktop,
    })
    const complaints = complaintsOf(context)
    const page = await context.newPage()
    const look = (name: string) => inspect(page, `${colorScheme}-${name}`)

    for (const [name, address] of Object.entries(PUBLIC)) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await look(name)
    }
    await signInAsDemo(page)
    for (const [name, address] of Object.entries(SIGNED_IN)) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await look(name)
    }
    await page.goto('/my-subscriptions')
    await page
      .getByRole('link', { name: /Netflix/ })
      .first()
      .click()
    await expect(page.getByRole('button', { name: /^Approve/ }).first()).toBeVisible()
    await look('owner-view')
    await page.goto('/my-subscriptions?tab=subscribed')
    await page
      .getByRole('link', { name: /Disney/ })
      .first()
      .click()
    await expect(page.getByRole('heading', { name: 'Plan Owner' })).toBeVisible()
    await look('member-view')
    await page.getByRole('button', { name: /^Chat with/ }).click()
    await expect(page.getByLabel(/^Message /)).toBeVisible()
    await look('chat')
    expect(complaints).toEqual([])
    await context.close()
  })
}

async function signInAsDemo(page: Page): Promise<void> {
  await page.goto('/signin')
  await page.getByRole('button', { name: 'demo@potluck.example' }).click()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeVisible()
}

async function inspect(page: Page, name: string): Promise<void> {
  for (const size of Object.values(WIDTHS)) {
    await page.setViewportSize(size)
    await expect(page.locator('[data-skeleton], .mantine-Skeleton-root')).toHaveCount(0)
    const { violations } = await new AxeBuilder({ page }).analyze()
    const serious = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
    expect.soft(serious, `${name} at ${size.width} px`).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow, `${name} is wider than ${size.width} px`).toBeLessThanOrEqual(0)
  }
  await shoot(page, name)
}
