// What only a browser's layout can tell: which bars a width shows, what floats, and how the carousel moves.
import { expect, type Page, test } from '@playwright/test'
import { beginUsing, signUp } from './people.ts'
import { type Potluck, startPotluck } from './potluck.ts'
import { WIDTHS } from './screenshots.ts'

let potluck: Potluck
test.beforeAll(async () => {
  potluck = await startPotluck()
})
test.afterAll(() => potluck.close())

const JUST_NARROW = { width: 767, height: 844 }
const JUST_WIDE = { width: 768, height: 844 }

test('bars, menus and buttons of a phone and of a desktop', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: potluck.url, viewport: WIDTHS.phone })
  const page = await context.newPage()
  const ofPhone = [
    page.getByRole('navigation', { name: 'Bottom' }),
    page.getByRole('button', { name: 'Open menu' }),
    page.getByRole('button', { name: 'Back' }),
  ]
  const ofDesktop = [page.getByRole('navigation', { name: 'Main' })]
  const look = async () => {
    for (const part of ofPhone) await expect(part).toBeVisible()
    for (const part of ofDesktop) await expect(part).toBeHidden()
    await page.setViewportSize(JUST_NARROW)
    for (const part of ofPhone) await expect(part).toBeVisible()
    await page.setViewportSize(JUST_WIDE)
    for (const part of ofPhone) await expect(part).toBeHidden()
    for (const part of ofDesktop) await expect(part).toBeVisible()
    await page.setViewportSize(WIDTHS.phone)
  }
  await page.goto('/about')
  await look()

  await page.setViewportSize(WIDTHS.desktop)
  await signUp(page, potluck, 'olivia@potluck.example')
  await page.setViewportSize(WIDTHS.phone)
  await page.goto('/about')
  ofPhone.push(page.getByRole('button', { name: 'Quick actions' }))
  ofDesktop.push(page.getByRole('button', { name: 'Your menu' }))
  await look()

  // The menu comes in from the right edge, over the page.
  await page.getByRole('button', { name: 'Open menu' }).click()
  const menu = page.getByRole('dialog')
  await expect(menu.getByRole('link', { name: 'My Subscriptions' })).toBeVisible()
  await expect.poll(async () => rightEdge(await menu.boundingBox())).toBe(WIDTHS.phone.width)
  await menu.getByRole('button', { name: 'Close menu' }).click()
  await expect(menu).toBeHidden()

  await page.getByRole('button', { name: 'Quick actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Create Plan', 'Join Plan', 'My Savings'])
  await expect(page.getByRole('menuitem', { name: 'Create Plan' })).toHaveAttribute('href', '/create')
  await expect(page.getByRole('menuitem', { name: 'My Savings' })).toHaveAttribute('href', '/savings')
  await page.getByRole('menuitem', { name: 'Join Plan' }).click()
  await page.waitForURL('/available-subscriptions')

  // It stays where it is while the page scrolls under it, clear of the bar at the bottom.
  for (const size of Object.values(WIDTHS)) {
    await page.setViewportSize(size)
    const share = page.getByRole('link', { name: 'Share a plan' })
    await expect(share).toBeInViewport({ ratio: 1 })
    // A list as long as theirs gets, without having to load one.
    await page.getByRole('heading', { level: 1 }).evaluate((title) => {
      title.style.marginBottom = '3000px'
    })
    const before = await share.boundingBox()
    await page.evaluate(() => window.scrollTo(0, 600))
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(600)
    expect(await share.boundingBox()).toEqual(before)
    await page.evaluate(() => window.scrollTo(0, 0))
  }
  await page.getByRole('link', { name: 'Share a plan' }).click()
  await page.waitForURL('/create')
  await context.close()
})

test('the services move three at a time on a desktop, one on a phone, round and round', async ({
  browser,
}) => {
  for (const [size, step] of [
    [WIDTHS.desktop, 3],
    [WIDTHS.phone, 1],
  ] as const) {
    const context = await browser.newContext({
      baseURL: potluck.url,
      viewport: size,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto('/')
    const slides = page.locator('.mantine-Carousel-slide')
    await expect(slides).toHaveCount(17)
    await beginUsing(page)
    await slides.first().scrollIntoViewIfNeeded()
    await expect.poll(() => firstSlide(page)).toBe(0)
    const more = page.getByRole('button', { name: 'More services' })
    const back = page.getByRole('button', { name: 'Previous services' })
    await more.click()
    await expect.poll(() => firstSlide(page)).toBe(step)
    await back.click()
    await expect.poll(() => firstSlide(page)).toBe(0)
    await back.click()
    await expect.poll(() => firstSlide(page)).toBeGreaterThan(17 - 1 - step)
    await more.click()
    await expect.poll(() => firstSlide(page)).toBe(0)
    await context.close()
  }
})

const rightEdge = (box: { x: number; width: number } | null) => box && Math.round(box.x + box.width)

/** The place, from 0, of the service that stands at the left edge of the row. */
const firstSlide = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const edge = document.querySelector('.mantine-Carousel-viewport')?.getBoundingClientRect().left ?? 0
    const slides = [...document.querySelectorAll('.mantine-Carousel-slide')]
    const away = slides.map((slide) => Math.abs(slide.getBoundingClientRect().left - edge))
    return Math.min(...away) < 24 ? away.indexOf(Math.min(...away)) : -1
  })
