// Checks that need a browser's layout: the bars at each width, floating parts, and the carousel.
// Proves NAV 01 09 11-13, LAND 04, BROWSE 05, LIMIT 13
import { expect, type Locator, type Page } from '@playwright/test'
import { addressOf } from './addresses.ts'
import { expectToFitPhones } from './fit.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

test('bars, menus and buttons of a phone and of a desktop', async ({ open }) => {
  const visitor = await open({ viewport: WIDTHS.phone })
  await visitor.page.goto('/about')
  await expectBars(visitor.page, { ofPhone: ['Back'], ofDesktop: [] })
  const { page } = await open({ as: 'olivia@potluck.example', viewport: WIDTHS.phone })
  await page.goto('/about')
  await expectBars(page, { ofPhone: ['Back', 'Quick actions'], ofDesktop: ['Your menu'] })

  // The menu slides in from the right edge, over the page.
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
  await page.waitForURL('/plans')

  // On a phone the bars lead to sharing. On a desktop a button floats while the page scrolls under it.
  const share = page.getByRole('link', { name: 'Share a plan' })
  await expect(page.getByRole('heading', { name: 'Available plans' })).toBeVisible()
  await expect(share).toBeHidden()
  await page.setViewportSize(WIDTHS.desktop)
  await expect(share).toBeInViewport({ ratio: 1 })
  const before = await share.boundingBox()
  await page.evaluate(() => window.scrollTo(0, 200))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(200)
  expect(await share.boundingBox()).toEqual(before)
  await share.click()
  await page.waitForURL('/create')
})

/** Buttons shown only on a phone and only on a desktop, tested up to the last pixel of the narrow layout. */
async function expectBars(page: Page, buttons: { ofPhone: string[]; ofDesktop: string[] }): Promise<void> {
  const named = (name: string) => page.getByRole('button', { name })
  const ofPhone = [
    page.getByRole('navigation', { name: 'Bottom' }),
    ...['Open menu', ...buttons.ofPhone].map(named),
  ]
  const ofDesktop = [page.getByRole('navigation', { name: 'Main' }), ...buttons.ofDesktop.map(named)]
  for (const [width, shown, hidden] of [
    [390, ofPhone, ofDesktop],
    [767, ofPhone, ofDesktop],
    [768, ofDesktop, ofPhone],
    [390, ofPhone, ofDesktop],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    for (const part of shown) await expect(part).toBeVisible()
    for (const part of hidden) await expect(part).toBeHidden()
  }
}

test('the services move three at a time on a desktop, one on a phone, round and round', async ({ open }) => {
  for (const [size, step] of [
    [WIDTHS.desktop, 3],
    [WIDTHS.phone, 1],
  ] as const) {
    const { page } = await open({ viewport: size })
    await page.goto('/')
    const slides = page.locator('[data-row] li')
    await expect(slides).toHaveCount(17)
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
  }
})

const rightEdge = (box: { x: number; width: number } | null) => box && Math.round(box.x + box.width)

/** The index, from 0, of the service at the left edge of the row. */
const firstSlide = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const edge = document.querySelector('[data-row]')?.getBoundingClientRect().left ?? 0
    const slides = [...document.querySelectorAll('[data-row] li')]
    const away = slides.map((slide) => Math.abs(slide.getBoundingClientRect().left - edge))
    return Math.min(...away) < 24 ? away.indexOf(Math.min(...away)) : -1
  })

test('toasts cover no title of a page or dialog, no button that floats or is in a dialog, and no bar of a phone', async ({
  open,
}) => {
  for (const viewport of [WIDTHS.phone, WIDTHS.desktop]) {
    const { page } = await open({ as: 'demo@potluck.example', viewport })
    const toast = page.locator('[data-kind]')
    const expectClear = async (parts: string) => {
      // Hovering keeps the toast from disappearing.
      await toast.hover()
      await expect.poll(() => page.evaluate(covered, `[data-kind] >> ${parts}`)).toEqual([])
    }
    const ofPage = 'main h1, [data-floating] > *, body header, nav[aria-label="Bottom"]'
    await page.goto('/my-subscriptions')
    await page.getByRole('link', { name: /^Spotify/ }).click()
    const chat = page.getByRole('button', { name: /^Chat with/ }).first()
    await expect(chat).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(toast).toHaveText('Subscriptions updated')
    await expectClear(ofPage)
    await page.goForward()
    await expect(chat).toBeVisible()
    await expectClear(ofPage)

    // On a phone, a chat fills the screen, and the dialog about a person is taller than the screen.
    await chat.press('Enter')
    for (const [part, next] of [
      ['textarea', /: why\? About/],
      ['table', /^Report /],
    ] as const) {
      const dialog = page.locator(`.mantine-Modal-content:has(${part})`)
      await expect(dialog).toBeVisible()
      // A success toast stays behind a dialog that fills the screen.
      if (viewport === WIDTHS.phone) expect(await toast.isVisible()).toBe(false)
      else
        await expectClear(`.mantine-Modal-content:has(${part}) :is(.mantine-Modal-title, button, textarea)`)
      await dialog.getByRole('button', { name: next }).press('Enter')
    }
  }
})

test('a toast does not lie over the button it answers, nor the milestone popup over a heading', async ({
  open,
}) => {
  for (const viewport of [WIDTHS.desktop, WIDTHS.phone]) {
    const { page } = await open({ as: 'demo@potluck.example', viewport })
    await page.goto('/savings-insights')
    const popup = page.getByText('Milestone reached').locator('../..')
    await expect(popup).toBeVisible()
    // The popup moves away from headings that shift when the figures load.
    await expect.poll(() => page.evaluate(covered, '[class*="popup"] >> main :is(h1, h2, h3)')).toEqual([])
    await expect(popup).toBeVisible({ timeout: 1 })
    if (viewport === WIDTHS.desktop) continue

    await page.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
    const newest = await page.locator('[role="dialog"] [data-unread]').first().boundingBox()
    expect(newest?.width).toBeGreaterThan(300)
    // The list is a sheet of a phone's full width, and shows what was done; the toast stays behind it.
    const sheet = page.getByRole('dialog', { name: 'Notifications' })
    expect((await sheet.boundingBox())?.width).toBe(viewport.width)
    const markAll = sheet.getByRole('button', { name: 'Mark all read' })
    await markAll.click()
    await expect(markAll).toBeDisabled()
    await expect(page.getByText('Notifications marked as read')).toBeHidden()
  }
})

/** Runs in the page. For "upper >> lower", returns the texts of `lower` elements that `upper` elements cover. */
function covered(selectors: string): (string | null)[] {
  const [upper = '', lower = ''] = selectors.split(' >> ')
  const boxes = (selector: string) =>
    [...document.querySelectorAll(selector)].map((element) => ({
      box: element.getBoundingClientRect(),
      text: element.textContent,
    }))
  return boxes(lower)
    .filter(({ box }) =>
      boxes(upper).some(
        ({ box: over }) =>
          box.left < over.right && over.left < box.right && box.top < over.bottom && over.top < box.bottom,
      ),
    )
    .map(({ text }) => text)
}

test('what is chosen is seen in people’s own colours, and a new page begins at its heading', async ({
  open,
}) => {
  const { page } = await open({ as: 'demo@potluck.example' })
  await page.emulateMedia({ forcedColors: 'active' })
  const main = page.getByRole('main')
  const ground = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor)
  const expectApart = async (one: Locator, other: Locator) =>
    expect(await ground(one)).not.toBe(await ground(other))
  await page.goto('/account-settings/notifications')
  await expectApart(
    main.getByRole('link', { name: 'Notifications' }),
    main.getByRole('link', { name: 'Security' }),
  )
  const track = page.locator('.mantine-Switch-track').first()
  await expect(track).toHaveCSS('border-top-style', 'solid')
  await expectApart(track, page.locator('.mantine-Switch-thumb').first())
  await page.goto('/payments?tab=calendar')
  await expectApart(
    page.getByRole('tab', { name: 'Calendar' }),
    page.getByRole('tab', { name: 'You are paid' }),
  )
  const mark = (of: string) =>
    page.getByRole('tabpanel').getByText(of, { exact: true }).locator('xpath=preceding-sibling::*')
  await expectApart(mark('You pay'), mark('You receive'))

  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'My Savings' })
    .press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'My Savings' })).toBeFocused()
})

test('on a small phone and with large text nothing is cut off, nor leaves the bar', async ({
  open,
  potluck,
}) => {
  const { page } = await open({ as: 'demo@potluck.example' })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible()
  await expectToFitPhones(page, 'home')
  await page.goto(await addressOf('/manage-shared/$planId', potluck))
  await expect(page.getByRole('button', { name: /^Approve/ }).first()).toBeVisible()
  await expectToFitPhones(page, 'join requests')
})

test('on the way back a list of plans is where it was', async ({ open }) => {
  for (const as of ['demo@potluck.example', undefined]) {
    const { page } = await open({ viewport: WIDTHS.phone, ...(as && { as }) })
    await page.goto('/plans')
    const plan = page.locator('main h3 a').nth(8)
    // The buttons on the plans are added a moment after the plans.
    await expect(() => plan.scrollIntoViewIfNeeded()).toPass()
    const place = await page.evaluate(() => window.scrollY)
    expect(place).toBeGreaterThan(1500)
    await plan.click()
    await page.waitForURL(/\/plans\/sub-/)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await page.goBack()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place)
  }
})

test('nothing floats over a page of a phone, which has one way back, and the top bar ends at its margin', async ({
  open,
}) => {
  const { page } = await open({ as: 'demo@potluck.example', viewport: WIDTHS.phone })
  await page.goto('/create?category=music')
  const above = page.getByRole('button', { name: 'Categories', exact: true })
  const floating = page.getByRole('button', { name: 'Back to Categories' })
  const arrow = page.getByRole('button', { name: 'Back', exact: true })
  await expect(above).toBeInViewport()
  await expect(floating).toBeHidden()
  await expect(arrow).toBeHidden()
  const quick = await edges(page.getByRole('button', { name: 'Quick actions' }))
  const bottom = await edges(page.getByRole('navigation', { name: 'Bottom' }))
  expect(quick.top).toBeGreaterThanOrEqual(bottom.top)
  expect(quick.bottom).toBeLessThanOrEqual(bottom.bottom)
  for (const tab of await page.getByRole('navigation', { name: 'Bottom' }).locator('> *').all()) {
    const { left, right } = await edges(tab)
    expect(left >= quick.right || right <= quick.left).toBe(true)
  }
  await page.evaluate(() => window.scrollTo(0, 300))
  await expect(above).not.toBeInViewport()
  await expect(floating).toBeVisible()
  // The button is on a bar that spans the screen.
  const bar = floating.locator('..')
  expect((await bar.boundingBox())?.width).toBe(WIDTHS.phone.width)
  await expect(bar).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')

  await page.goto('/cards')
  await expect(arrow).toBeVisible()
  const up = page.getByRole('link', { name: 'Back to My Savings' })
  await expect(up).toBeHidden()
  for (const width of [768, 820, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(up).toBeVisible()
    const menu = page.getByRole('button', { name: 'Your menu' })
    await expect.poll(async () => rightEdge(await menu.boundingBox())).toBeLessThanOrEqual(width - 16)
  }
})

async function edges(part: Locator) {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: NaN, y: NaN, width: 0, height: 0 }
  return { left: x, top: y, right: x + width, bottom: y + height }
}
