// Pictures of a screen as a phone and as a desktop shows it, for people to look at.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

const FOLDER = join(import.meta.dirname, 'screenshots', process.env.TEST_ON ?? 'pglite')
export const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

/** Writes `<name>-390.png` and `<name>-1280.png`, and leaves the page at its own size. */
export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const own = page.viewportSize()
  for (const size of Object.values(WIDTHS)) {
    await page.setViewportSize(size)
    // As tall as the page, so that bars fixed to the window's edge do not lie across its middle.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width: size.width, height: Math.max(size.height, Math.min(height, 4_000)) })
    await page.waitForTimeout(350)
    await page.screenshot({
      path: join(FOLDER, `${name}-${size.width}.png`),
      fullPage: true,
      animations: 'disabled',
    })
  }
  if (own) await page.setViewportSize(own)
}
