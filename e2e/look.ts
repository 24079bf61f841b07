// One state of a screen, held against what every screen has to be, in both colour schemes.
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { snap, WIDTHS } from './screenshots.ts'

const SCHEMES = ['light', 'dark'] as const

/** Nothing an accessibility checker calls serious, nothing wider than the window; and a picture for people to look at. */
export async function inspect(
  page: Page,
  name: string,
  sizes: readonly (keyof typeof WIDTHS)[] = ['phone', 'desktop'],
): Promise<void> {
  const own = page.viewportSize()
  for (const size of sizes) {
    const { width } = WIDTHS[size]
    await page.setViewportSize(WIDTHS[size])
    await expect(page.locator('[data-skeleton], .mantine-Skeleton-root')).toHaveCount(0)
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
      await settle(page)
      // In place, since there are no frames to look into; a scheme changes colours and nothing else.
      const axe = new AxeBuilder({ page }).setLegacyMode(true)
      if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
      const { violations } = await axe.analyze()
      const serious = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
      expect.soft(serious, `${colorScheme} ${name} at ${width} px`).toEqual([])
      await snap(page, `${colorScheme}-${name}`, WIDTHS[size])
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow, `${name} is wider than ${width} px`).toBeLessThanOrEqual(0)
  }
  if (own) await page.setViewportSize(own)
}

/** Waits for what is still moving, except for what always does. */
const settle = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => undefined)),
    ).then(() => undefined),
  )
