// The main story: two people share a plan, and a power failure loses no data.
// Proves AUTH 07, REQ 18 20, CHAT 10, CREATE 12
import { expect, type Locator, type Page, test, type ViewportSize } from '@playwright/test'
import { complaintsOf, openMailedLink } from './people.ts'
import { type Potluck, startPotluck } from './potluck.ts'
import { WIDTHS } from './screenshots.ts'

let potluck: Potluck
test.beforeAll(async () => {
  potluck = await startPotluck()
})
test.afterAll(() => potluck.close())

/** The presses outside the site: on the link in a mail, and on the button of the page that it opens. */
const IN_THE_MAIL = 2

/** Counts a person's presses, and the screens on which they press something. */
function countPresses(page: Page) {
  let presses = 0
  const screens = new Set<string>()
  const press = async (button: Locator) => {
    await expect(button).toBeVisible()
    const step = page.locator('[aria-current="step"]')
    const part = (await step.count()) > 0 ? await step.getAttribute('aria-label') : ''
    screens.add(`${new URL(page.url()).pathname} ${part}`)
    presses += 1
    await button.click()
  }
  return { press, screens, presses: () => presses }
}

test('Ana shares a plan with Ben, live, and a killed server loses nothing', async ({ browser }) => {
  const visit = (viewport: ViewportSize) =>
    browser.newContext({
      baseURL: potluck.url,
      // Each browser of this test would download the whole app for the service worker, which offline.deep.test.ts
      // tests.
      serviceWorkers: 'block',
      reducedMotion: 'reduce',
      viewport,
    })
  const [anaContext, benContext] = [await visit(WIDTHS.desktop), await visit(WIDTHS.phone)]
  const complaints = [anaContext, benContext].map(complaintsOf)
  const ana = await anaContext.newPage()
  const ben = await benContext.newPage()

  await test.step('Ana, who is new, shares Netflix Premium in at most 8 clicks and 6 screens', async () => {
    const { press, screens, presses } = countPresses(ana)
    await ana.goto('/')
    await press(ana.getByRole('link', { name: 'Share a Subscription' }))
    await ana.getByLabel('First name').fill('Ana')
    await ana.getByLabel('Email', { exact: true }).fill('ana@potluck.example')
    await press(ana.getByRole('button', { name: 'Email me a link' }))
    await expect(ana.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    screens.add('check your email')
    await openMailedLink(ana, potluck, 'ana@potluck.example', 'Confirm my email')
    await ana.getByLabel('Search services').fill('netflix')
    await press(ana.getByRole('button', { name: /^Netflix Premium/ }))
    await press(ana.getByRole('button', { name: 'Next', exact: true }))
    await ana.getByRole('textbox', { name: 'Open slots' }).fill('2')
    // This choice does not count as a step. In its first minute, a site does not know yet whether it takes payments,
    // and offers only direct payment.
    const directly = ana.getByRole('radio', { name: 'Directly to you' })
    if (await directly.isVisible()) await directly.check()
    await press(ana.getByRole('button', { name: 'Create Subscription' }))
    await press(ana.getByRole('dialog').getByRole('button', { name: 'As a private person' }))
    await expect(ana.getByText('Subscription Created')).toBeVisible()
    await ana.waitForURL(/\/my-subscriptions/)
    await expect(ana.getByRole('region', { name: 'Netflix Premium is shared' })).toBeVisible()
    expect(presses() + IN_THE_MAIL, [...screens].join(', ')).toBeLessThanOrEqual(8)
    expect(screens.size, [...screens].join(', ')).toBeLessThanOrEqual(6)
  })

  const taps = countPresses(ben)
  await test.step('Ben, who is new, signs up by magic link and asks for a place', async () => {
    await ben.goto('/')
    // Visitors' pages load without the Supabase client.
    await taps.press(ben.getByRole('link', { name: /^Netflix Premium.* Ana shares it/ }))
    await taps.press(ben.getByRole('link', { name: /^Request to join Netflix/ }))
    await ben.getByLabel('First name').fill('Ben')
    await ben.getByLabel('Email').fill('ben@potluck.example')
    await taps.press(ben.getByRole('button', { name: 'Email me a link' }))
    await expect(ben.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    // Ana has her plan's page open when Ben asks for a place.
    await ana
      .getByRole('link', { name: /^Netflix/ })
      .first()
      .click()
    await ana.waitForURL(/\/manage-shared\//)
    await expect(ana.getByText('No pending join requests')).toBeVisible()
    await openMailedLink(ben, potluck, 'ben@potluck.example', 'Confirm my email')
    await ben.getByLabel('Message (optional)').fill('Hello Ana, may I take one of your places?')
    await taps.press(ben.getByRole('button', { name: /^Ask to join; pay Ana €/ }))
    const sent = ben.getByRole('dialog').getByText('Subscription Request Sent')
    await expect(sent.or(ben.getByText(/^Request failed/i)).first()).toBeVisible()
    await expect(sent).toBeVisible()
    await taps.press(ben.getByRole('link', { name: 'Go to My Subscriptions' }))
    await ben.waitForURL(/\/my-subscriptions/)
  })

  await test.step('Ana sees the request arrive and approves it', async () => {
    await expect(ana.getByText('Hello Ana, may I take one of your places?')).toBeVisible()
    await ana.getByRole('button', { name: /^Approve/ }).click()
    // Only now does Ana have to say how she is paid and how people get in.
    const asked = ana.getByRole('dialog')
    await asked.getByRole('radio', { name: 'In your own words' }).check()
    await asked.getByRole('textbox', { name: 'How to pay you' }).fill('Cash at dinner')
    await asked.getByRole('button', { name: 'Save' }).click()
    await asked.getByRole('button', { name: 'Later' }).click()
    await expect(ana.getByText('All requests have been processed')).toBeVisible()
  })

  await test.step('Ben hears of it at once and has paid after at most 10 taps on a phone', async () => {
    await expect(ben.getByText('Request Approved').first()).toBeVisible()
    await taps.press(ben.getByRole('link', { name: /^Pay/ }).first())
    await ben.waitForURL(/\/manage-subscribed\//)
    await expect(ben.getByRole('heading', { name: 'Plan Owner' })).toBeVisible()
    await taps.press(ben.getByRole('button', { name: 'I’ve paid' }))
    await expect(ben.getByText(/^Sent, waiting for Ana/).first()).toBeVisible()
    expect(taps.presses() + IN_THE_MAIL, [...taps.screens].join(', ')).toBeLessThanOrEqual(10)
  })

  await test.step('They chat live', async () => {
    await ben.getByRole('button', { name: /^Chat with/ }).click()
    await expect(ben.getByText('No messages yet. Start the conversation!')).toBeVisible()
    await ben.getByLabel(/^Message /).fill('Thank you, Ana!')
    await ben.getByLabel(/^Message /).press('Enter')
    await expect(ana.getByRole('button', { name: /unread messages/ })).toBeVisible()
    await ana
      .getByRole('button', { name: /^Chat with/ })
      .first()
      .click()
    await expect(ana.getByRole('dialog').getByText('Thank you, Ana!')).toBeVisible()
    await ana.getByLabel(/^Message /).fill('Welcome to the table.')
    await ana.getByLabel(/^Message /).press('Enter')
    await expect(ben.getByRole('dialog').getByText('Welcome to the table.')).toBeVisible()
  })
  expect(complaints.flat()).toEqual([])

  await test.step('The server is killed and started again, and everything is still there', async () => {
    await potluck.kill()
    await potluck.restart()
    await ben.goto('/my-subscriptions?tab=subscribed')
    await ben
      .getByRole('link', { name: /^Netflix/ })
      .first()
      .click()
    await ben.getByRole('button', { name: /^Chat with/ }).click()
    await expect(ben.getByRole('dialog').getByText('Thank you, Ana!')).toBeVisible()
    await expect(ben.getByRole('dialog').getByText('Welcome to the table.')).toBeVisible()
    await ana.goto('/my-subscriptions?tab=shared')
    await expect(ana.getByText('1 of 3 places open').first()).toBeVisible()
    // Both people are still signed in, and receive live updates again.
    await ben.getByLabel(/^Message /).fill('Still here.')
    await ben.getByLabel(/^Message /).press('Enter')
    await expect(ben.getByRole('dialog').getByText('Still here.')).toBeVisible()
    await ana
      .getByRole('link', { name: /^Netflix/ })
      .first()
      .click()
    await ana
      .getByRole('button', { name: /^Chat with/ })
      .first()
      .click()
    await expect(ana.getByRole('dialog').getByText('Still here.')).toBeVisible()
  })
  await anaContext.close()
  await benContext.close()
})
