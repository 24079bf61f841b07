// Visitors' pages in a browser with a session: a valid one, one that has ended, one started elsewhere, or another
// person's.
// Proves LAND 05
import { expect, type Page } from '@playwright/test'
import { sessionOf } from './people.ts'
import { test } from './test.ts'

const teaser = (page: Page) => page.getByRole('heading', { name: 'Potential Savings' })
const ownMenu = (page: Page) => page.getByRole('button', { name: 'Your menu' })

test('a signed-in person gets the app in its place and never sees it', async ({ open }) => {
  const { page } = await open({ as: 'olivia@potluck.example' })
  await page.addInitScript(() => {
    const watch = () => {
      const shown = document
        .getElementById('potential-savings')
        ?.checkVisibility({ visibilityProperty: true })
      if (shown) document.documentElement.dataset.flashed = ''
      requestAnimationFrame(watch)
    }
    watch()
  })
  await page.goto('/')
  await expect(ownMenu(page)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Share a Subscription' })).toHaveAttribute('href', '/create')
  expect(await page.locator('html[data-flashed]').count()).toBe(0)
})

test('whose session is over ends there, and a session that begins elsewhere ends it', async ({
  open,
  potluck,
}) => {
  const { page: visitor, complaints } = await open()
  // A page without the app: two pages that both reload sometimes hang the browser when it closes them.
  const elsewhere = await visitor.context().newPage()
  await elsewhere.goto('/robots.txt')
  const keep = (session: object) =>
    elsewhere.evaluate((value) => localStorage.setItem('sb-127-auth-token', value), JSON.stringify(session))
  const session = await sessionOf(potluck, 'marc@potluck.example')
  await keep({ ...session, expires_at: 1, refresh_token: 'used-up' })
  await visitor.goto('/')
  await expect(teaser(visitor)).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/signin')
  expect(await visitor.evaluate(() => Object.keys(localStorage).join())).not.toContain('auth-token')
  // The browser itself logs that the server refused the used token, and that the other page has no icon.
  expect(complaints.splice(0)).toContainEqual(expect.stringContaining('400'))
  await visitor.goto('/')
  await expect(visitor.locator('#root')).toHaveCount(0)
  await keep(session)
  await expect(ownMenu(visitor)).toBeVisible()
})

test('a link to another account asks first, also in a page that stands open', async ({ open, potluck }) => {
  const { page } = await open({ as: 'olivia@potluck.example' })
  const { access_token, refresh_token } = await sessionOf(potluck, 'marc@potluck.example')
  await page.goto('/about')
  await expect(ownMenu(page)).toBeVisible()
  await page.evaluate(
    (tokens) => {
      window.location.hash = tokens
    },
    String(new URLSearchParams({ access_token, refresh_token })),
  )
  const dialog = page.getByRole('dialog', { name: 'Switch accounts?' })
  await expect(dialog).toContainText('Continue as marc@potluck.example?')
  expect(page.url()).not.toContain('token')
})
