// Tests pages without a connection, and pages some of whose files no longer exist on the server.
import { expect, type Page } from '@playwright/test'
import { test } from './test.ts'

const notice = (page: Page) => page.getByText('You are offline.')

for (const { who, as, address, link, title } of [
  {
    who: 'a visitor',
    as: undefined,
    address: '/about',
    link: 'Sign In',
    title: 'Sign in or create your account',
  },
  {
    who: 'a member',
    as: 'demo@potluck.example',
    address: '/account-settings/elsewhere',
    link: 'My Savings',
    title: 'My Savings',
  },
])
  test(`a page of ${who} says within two seconds that it is offline, and catches up by itself`, async ({
    open,
  }) => {
    const { page, complaints } = await open(as ? { as } : {})
    await page.goto(address)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toBeVisible()
    await page.context().setOffline(true)
    await expect(notice(page)).toBeVisible({ timeout: 2000 })
    if (as) {
      // A change made offline fails visibly; it is not sent later.
      await page.getByText('Download my data').click()
      await expect(page.getByText('Your data could not be downloaded')).toBeVisible({ timeout: 2000 })
    }
    const missed = page.waitForEvent('requestfailed')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click()
    await missed
    await expect(notice(page)).toBeVisible()
    await expect(page.getByText(/dynamically imported|Failed to fetch/)).toHaveCount(0)
    await page.context().setOffline(false)
    await expect(heading).toHaveText(title)
    await expect(notice(page)).toBeHidden()
    // The browser itself logs every request that fails offline.
    complaints.splice(0)
  })

test('a page says within three seconds that the server stopped, and goes on by itself once it is back', async ({
  open,
  potluck,
}) => {
  const { page, complaints } = await open({ as: 'demo@potluck.example' })
  const joined = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
  await page.goto('/my-subscriptions')
  await joined
  await potluck.kill()
  const stopped = page.getByText('Potluck isn’t responding.')
  await expect(stopped).toBeVisible({ timeout: 3000 })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Savings' }).click()
  await expect(stopped).toBeVisible()
  await potluck.restart()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Savings')
  await expect(stopped).toBeHidden()
  await expect(page.getByText('has been updated')).toHaveCount(0)
  complaints.splice(0)
})

test("the visitors' page says that it is offline, and follows a link once it is not any more", async ({
  open,
}) => {
  const { page } = await open()
  await page.goto('/')
  await expect(notice(page)).toBeHidden()
  await page.context().setOffline(true)
  await expect(notice(page)).toBeVisible({ timeout: 2000 })
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await expect(notice(page)).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in or create your account')
})

test('a page opened before an update says so, and loads again when asked', async ({ open }) => {
  const { page, complaints } = await open()
  await page.goto('/about')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const loads: string[] = []
  page.on('load', () => loads.push(page.url()))
  await page.route('**/assets/**', (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign Up' }).click()
  await expect(page.getByText('Potluck has been updated.')).toBeVisible()
  await expect(page.getByText(/dynamically imported/)).toHaveCount(0)
  expect(loads).toEqual([])
  await page.unroute('**/assets/**')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create Your Account')
  // The drawn page shows its heading before everything of it has loaded.
  await expect.poll(() => loads).toHaveLength(1)
  complaints.splice(0)
})
