// From a shared link to the request for a place, on a phone and with only an e-mail address.
import { expect } from '@playwright/test'
import { openMailedLink } from './people.ts'
import { WIDTHS } from './screenshots.ts'
import { test } from './test.ts'

for (const [where, email] of [
  ['in the same tab', 'rosa@potluck.example'],
  ['in another browser', 'rolf@potluck.example'],
] as const)
  test(`a newcomer who follows a shared link and opens their mail ${where} asks for the place within four screens and a minute, the plan in sight`, async ({
    open,
    potluck,
  }) => {
    const screens = new Set<string>()
    const visit = async () => {
      const { page } = await open({ viewport: WIDTHS.phone })
      await page.exposeFunction('screenIsUp', (heading: string) => screens.add(heading))
      await page.addInitScript(followScreens)
      return page
    }
    const first = await visit()
    await first.goto('/plans?service=TIDAL')
    const link = String(await first.locator('main h3 a').first().getAttribute('href'))
    await expect(first.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => screens.size).toBe(1)
    screens.clear()
    const began = Date.now()

    await first.goto(link)
    await expect(first.getByRole('heading', { name: 'How it works' })).toBeVisible()
    const plan = String(await first.getByRole('heading', { level: 1 }).textContent())
    await first.getByRole('link', { name: `Request to join ${plan}` }).click()
    await first.getByLabel('First name').fill('Rosa')
    await first.getByLabel('Email').fill(email)
    await first.getByRole('button', { name: 'Email me a link' }).click()
    await expect(first.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    const then = where === 'in the same tab' ? first : await visit()
    await openMailedLink(then, potluck, email, 'Confirm my email')
    const dialog = then.getByRole('dialog')
    await expect(dialog.getByText(plan)).toBeVisible()
    // The plan's owner is a trader, so the person could withdraw from the contract. The dialog therefore asks them to
    // agree that access begins before the withdrawal period ends.
    await dialog.getByRole('checkbox', { name: /^Please begin at once/ }).check()
    await dialog.getByRole('button', { name: /^Ask to join; pay/ }).click()
    await expect(dialog.getByRole('heading', { name: 'Subscription Request Sent' })).toBeVisible()
    await expect(dialog.getByText(plan)).toBeVisible()
    expect(new URL(then.url()).pathname).toBe(link)
    expect(Date.now() - began).toBeLessThan(60_000)
    await expect
      .poll(() => [...screens])
      .toEqual([plan, 'Check your email', 'Confirm my email', 'Request to join', 'Subscription Request Sent'])
  })

/** Records each screen that appears, by its heading: dialogs as well as pages. */
function followScreens() {
  let last = ''
  const look = () => {
    const heading =
      document.querySelector('[role=dialog] h2')?.textContent ??
      document.querySelector('main h1')?.textContent
    if (!heading || heading === last) return
    last = heading
    Object(window).screenIsUp(heading)
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
}
