// Checks that a page fits: nothing is wider than the window, cut off, or outside the top bar.
import { expect, type Page } from '@playwright/test'
import { WIDTHS } from './screenshots.ts'

const softly = expect.configure({ soft: true })

/** Widths of the smallest phones, and of large text or 400% zoom on a desktop. */
const NARROW = [320, 360]

/** Checks the page on small phones, and with text twice as large. The caller resets the viewport. */
export async function expectToFitPhones(page: Page, name: string): Promise<void> {
  for (const width of NARROW) {
    await page.setViewportSize({ width, height: 640 })
    await expectNoMisfits(page, `${name} at ${width} px`)
  }
  await page.setViewportSize(WIDTHS.phone)
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await expectNoMisfits(page, `${name} with text twice as large`)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
  await browser.detach()
}

/** Polls, since a popover follows its button a moment later. */
export const expectNoMisfits = (page: Page, what: string): Promise<void> =>
  softly.poll(() => page.evaluate(misfits), { message: what, timeout: 5000 }).toEqual([])

/** Runs in the page. Lists the parts that do not fit, except those that are cut off by design. */
function misfits(): string[] {
  const { scrollWidth } = document.documentElement
  const parts = [...document.querySelectorAll('main *, header *, nav *')]
  const isByDesign = (element: Element) =>
    element.closest('[data-truncate], [data-line-clamp], [data-row]') !== null
  const says = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
  const isCut = (element: Element) => {
    const { overflowX, textOverflow, clip, clipPath } = getComputedStyle(element)
    const isSeen = clip === 'auto' && clipPath === 'none' && element.clientHeight > 1
    return (
      says(element) &&
      isSeen &&
      overflowX === 'hidden' &&
      textOverflow !== 'ellipsis' &&
      !isByDesign(element) &&
      element.scrollWidth > element.clientWidth + 1
    )
  }
  /** True for a button or link that reaches over the edge of a part that cuts it off and does not scroll. */
  const isCutByParent = (element: Element) => {
    const { left, right, width, height } = element.getBoundingClientRect()
    if (!element.matches('a[href], button') || width <= 1 || height <= 1 || isByDesign(element)) return false
    for (let part = element.parentElement; part; part = part.parentElement) {
      const { overflowX } = getComputedStyle(part)
      if (/auto|scroll/.test(overflowX)) return false
      const edge = part.getBoundingClientRect()
      if (/hidden|clip/.test(overflowX) && (left < edge.left - 1 || right > edge.right + 1)) return true
    }
    return false
  }
  const bar = document.querySelector('header')
  const leavesBar = (element: Element) => {
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
    if (!bar?.contains(element) || element.closest('[role="dialog"]') || width <= 1 || height <= 1)
      return false
    // A closed menu also has boxes, which are ignored.
    if (!element.checkVisibility({ visibilityProperty: true })) return false
    const edge = bar.getBoundingClientRect()
    return left < -1 || right > window.innerWidth + 1 || top < edge.top - 1 || bottom > edge.bottom + 1
  }
  const called = (element: Element) => element.getAttribute('aria-label') ?? element.textContent
  return [
    ...(scrollWidth > window.innerWidth ? [`It is ${scrollWidth} px wide`] : []),
    ...parts.filter(isCut).map((element) => `Cut off: ${element.textContent}`),
    ...parts.filter(isCutByParent).map((element) => `Cut off: ${called(element)}`),
    ...parts.filter(leavesBar).map((element) => `Leaves the bar: ${called(element)}`),
  ]
}
