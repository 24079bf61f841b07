// A person without a mouse: every step is a key, and focus is watched at every one of them.
import { expect, type Locator, type Page } from '@playwright/test'

/** More stops than any screen has. */
const MOST_STOPS = 120

/** Goes on with Tab until this has focus; on the way, whatever has it must show it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
    await expectFocusShown(page)
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** Reaches it, then presses Enter on it. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Focus has gone into what opened, and Tab and Shift+Tab stay there. */
export async function expectFocusKept(page: Page, inside: Locator): Promise<void> {
  const within = () => inside.evaluate((part) => part.contains(document.activeElement))
  await expect(inside).toBeVisible()
  await expect.poll(within, { message: 'focus goes into what opened' }).toBe(true)
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let stops = 0; stops < 8; stops += 1) {
      await page.keyboard.press(key)
      expect(await within(), `${key} stays inside`).toBe(true)
      await expectFocusShown(page)
    }
  }
}

/** Escape closes it and gives focus back to what opened it. */
export async function escapeTo(page: Page, closed: Locator, opener: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(closed).toBeHidden()
  await expect(opener).toBeFocused()
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement)

/** What has focus is in sight and looks different from its own copy without it. */
async function expectFocusShown(page: Page): Promise<void> {
  const problem = () =>
    page.evaluate(() => {
      const focused = document.activeElement
      // Past the last stop focus is with the browser itself, before it comes round.
      if (!(focused instanceof HTMLElement) || focused === document.body) return null
      const said = focused.outerHTML.slice(0, 160)
      // The switch of appearances hides its radios; their labels wear the ring.
      const label =
        focused instanceof HTMLInputElement && focused.type === 'radio' ? focused.labels?.[0] : null
      if (label && getComputedStyle(label).outlineStyle !== 'none') return null
      const box = focused.getBoundingClientRect()
      if (box.width === 0 || box.bottom <= 0 || box.top >= window.innerHeight) return `Out of sight: ${said}`
      const copy = focused.cloneNode(true) as HTMLElement
      copy.style.transition = 'none'
      focused.after(copy)
      const look = (element: HTMLElement) => {
        const { outlineStyle, outlineWidth, borderColor, boxShadow } = getComputedStyle(element)
        return [outlineStyle === 'none' ? '' : outlineWidth, borderColor, boxShadow].join()
      }
      for (const animation of focused.getAnimations()) animation.finish()
      const same = look(focused) === look(copy)
      copy.remove()
      // A card wears the ring of the link that fills it.
      const card = focused.closest('article')
      if (card && getComputedStyle(card).outlineStyle !== 'none') return null
      return same ? `Looks as if it had no focus: ${said}` : null
    })
  // A screen that is just being replaced is given the time to be there.
  await expect.poll(problem).toBeNull()
}
