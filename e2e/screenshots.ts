// Screenshots of a screen on a phone, a tablet and a desktop, for people to review.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, ViewportSize } from '@playwright/test'

const FOLDER = join(import.meta.dirname, 'screenshots')
export const WIDTHS = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1280, height: 900 },
}

/** Writes `<name>-<width>.png`, and resets the page to the given size. */
export async function snap(page: Page, name: string, size: ViewportSize): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  // The window becomes as tall as the page, so that bars fixed to its edge do not cover the middle of the page; with a
  // dialog, it keeps the given size.
  const height = await page.evaluate(() =>
    document.querySelector('[role="dialog"]') ? 0 : document.documentElement.scrollHeight,
  )
  const taller = height > size.height
  if (taller) await page.setViewportSize({ width: size.width, height: Math.min(height, 4_000) })
  await page.screenshot({
    path: join(FOLDER, `${name}-${size.width}.png`),
    fullPage: taller,
    animations: 'disabled',
    // Without this style, `main` would grow with the window.
    ...(taller && { style: 'main { min-height: 0 !important }' }),
  })
  if (taller) await page.setViewportSize(size)
}
