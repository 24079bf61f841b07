// A person without a mouse: every step is a key press, and the focus is checked after each.
import { expect, type Locator, type Page } from '@playwright/test'

/** More tab stops than any screen has. */
const MOST_STOPS = 120

/** Presses Tab until the target has the focus; everything focused on the way must show it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
    await expectFocusShown(page, { betweenStops: true })
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** Focuses the target and presses Enter. The focus must not be lost, even if the target disappears. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
  await expectFocusShown(page)
}

export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
  await expect(target).toHaveValue(text)
}

/**
 * Focuses the checked radio of a group, then moves to the wanted one with the arrows. Space checks the first radio if
 * none is checked.
 */
export async function choose(page: Page, group: Locator, name: string | RegExp): Promise<void> {
  const wanted = group.getByRole('radio', { name })
  const all = group.getByRole('radio')
  await expect(wanted).toBeVisible()
  await tabTo(page, group.locator('input[type=radio]:checked').or(all.first()).first())
  for (let stops = await all.count(); stops > 0 && !(await hasFocus(wanted)); stops -= 1)
    await page.keyboard.press('ArrowDown')
  if (!(await wanted.isChecked())) await page.keyboard.press('Space')
  await expect(wanted).toBeChecked()
}

/** Checks that the focus has moved into the opened part, and that Tab and Shift+Tab stay inside. */
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

/** Checks that Escape closes the part and returns the focus to the control that opened it. */
export async function escapeTo(page: Page, closed: Locator, opener: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(closed).toBeHidden()
  await expect(opener).toBeFocused()
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement)

/**
 * Checks, once the screen is stable, that the focused element is in view and looks different from an unfocused copy of
 * it.
 */
export async function expectFocusShown(page: Page, { betweenStops = false } = {}): Promise<void> {
  const problem = () =>
    page.evaluate((mayBeAway) => {
      const focused = document.activeElement
      // After the last tab stop, the browser's own controls have the focus before the page gets it again.
      if (!(focused instanceof HTMLElement) || focused === document.body)
        return mayBeAway ? null : 'Nothing has focus'
      // `main`, a heading or a dialog's form has the focus at the start of a page or step, and shows no focus ring.
      if (/^(main|form|h[1-3])$/.test(focused.localName)) return null
      const said = focused.outerHTML.slice(0, 160)
      // The colour scheme switch hides its radios; their labels show the ring.
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
      // A card shows the focus ring of the link that covers it.
      const card = focused.closest('article')
      if (card && getComputedStyle(card).outlineStyle !== 'none') return null
      return same ? `Looks as if it had no focus: ${said}` : null
    }, betweenStops)
  // A screen that is being replaced gets time to appear.
  await expect.poll(problem).toBeNull()
}
