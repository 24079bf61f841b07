// The app offline: it shows what the person last saw and no other person's data, and updates to a new version.
import { createServer } from 'node:http'
import { expect, type Page } from '@playwright/test'
import { freePort } from '@potluck/server/test/free-port.ts'
import { sessionOf } from './people.ts'
import { test } from './test.ts'

const AS = 'olivia@potluck.example'
const TOKENS = 'sb-127-auth-token'
const plans = (page: Page) => page.getByRole('article').getByRole('heading')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Resolves once the service worker has cached the app. */
const appIsKept = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready))

/** All stored query results, as text. */
const keptOf = (page: Page) =>
  page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, fail) => {
        request.onsuccess = () => done(request.result)
        request.onerror = () => fail(request.error)
      })
    const store = (await answer(indexedDB.open('potluck'))).transaction('seen').objectStore('seen')
    return JSON.stringify(await answer(store.getAll()))
  })

test('shows without a connection what its person saw last, however old the session, and forgets it at sign-out', async ({
  open,
  potluck,
}) => {
  const { page, complaints } = await open({ as: AS, keeping: true })
  await page.goto('/my-subscriptions')
  await expect(plans(page).first()).toBeVisible()
  const shown = await plans(page).allTextContents()
  await appIsKept(page)
  await expect.poll(() => keptOf(page)).toContain('Disney+')
  const kept = await keptOf(page)
  const tokens = JSON.parse((await page.evaluate((key) => localStorage.getItem(key), TOKENS)) ?? '{}')
  for (const secret of [tokens.access_token, tokens.refresh_token]) expect(kept).not.toContain(secret)

  await page.context().setOffline(true)
  // An hour later the token has expired and cannot be refreshed.
  await page.evaluate(([key, old]) => localStorage.setItem(key, old), [
    TOKENS,
    JSON.stringify({ ...tokens, expires_at: Math.floor(Date.now() / 1000) - 60 }),
  ] as const)
  await page.reload()
  await expect(heading(page)).toHaveText('My Subscriptions')
  await expect(plans(page)).toHaveText(shown)
  await expect(page.getByText(/You are offline\. Last updated \d+ \w+ \d{4}, \d\d:\d\d\./)).toBeVisible()
  // Loads a page anew, offline.
  await page.goto('/account-settings')
  await expect(heading(page)).toHaveText('Profile')

  await page.context().setOffline(false)
  await expect(page.getByText('You are offline.')).toBeHidden()
  await page.goto('/my-subscriptions')
  await expect(plans(page)).toHaveText(shown)
  // Another person in the same browser must not see the data, however the previous session ended.
  const { user, ...other } = await sessionOf(potluck, 'marc@potluck.example')
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    TOKENS,
    JSON.stringify({ ...other, user }),
  ] as const)
  await page.reload()
  await expect.poll(() => keptOf(page)).toContain(user.id)
  expect(await keptOf(page)).not.toContain(tokens.user.id)
  await page.getByRole('button', { name: 'Your menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeHidden()
  await expect.poll(() => keptOf(page)).toBe('[]')
  await page.context().setOffline(true)
  await page.goto('/my-subscriptions')
  await expect(heading(page)).toHaveText('Welcome Back')
  await expect(plans(page)).toHaveCount(0)
  // The browser itself logs every request that fails offline.
  complaints.splice(0)
})

test('a new version is there with the next page, and takes over what is kept', async ({
  browser,
  potluck,
}) => {
  let version = 'one'
  const port = await freePort()
  const site = createServer(async (request, response) => {
    const headers = new Headers(request.headers as Record<string, string>)
    headers.delete('connection')
    headers.set('accept-encoding', 'identity')
    const answer = await fetch(potluck.url + request.url, { headers })
    let body = Buffer.from(await answer.arrayBuffer())
    if (request.url === '/sw.js') body = replaced(body, /BUILD = "[^"]+"/, `BUILD = "${version}"`)
    if (answer.headers.get('content-type')?.startsWith('text/html'))
      body = replaced(body, '<html', `<html data-version="${version}"`)
    const type = answer.headers.get('content-type')
    response.writeHead(answer.status, { 'Cache-Control': 'no-cache', ...(type && { 'Content-Type': type }) })
    response.end(body)
  }).listen(port, '127.0.0.1')
  const origin = `http://127.0.0.1:${port}`
  const value = JSON.stringify(await sessionOf(potluck, AS))
  const context = await browser.newContext({
    baseURL: origin,
    storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: TOKENS, value }] }] },
  })
  const page = await context.newPage()
  const builds = () => page.evaluate(() => caches.keys())
  await page.goto('/about')
  await appIsKept(page)
  await expect.poll(builds).toEqual(['one'])
  await page.reload()
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

  version = 'two'
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-version', 'two')
  await expect.poll(builds).toEqual(['two'])
  await context.setOffline(true)
  await page.reload()
  await expect(heading(page)).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-version', 'two')
  await context.close()
  site.close()
})

const replaced = (text: Buffer, what: RegExp | string, by: string) =>
  Buffer.from(text.toString().replace(what, by))

test('can be installed: its manifest has what browsers ask for', async ({ open }) => {
  const { page } = await open({ keeping: true })
  await page.goto('/about')
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await page.request.get(address ?? '')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const { icons, ...manifest } = await answer.json()
  expect(manifest).toMatchObject({ name: 'Potluck', display: 'standalone', start_url: '/my-subscriptions' })
  const sized = icons.map(({ sizes, purpose }: Record<string, string>) => `${purpose} ${sizes}`)
  expect(sized).toEqual(expect.arrayContaining(['any 192x192', 'any 512x512', 'maskable 512x512']))
  const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
  for (const { src, sizes } of [...icons, { src: touch, sizes: '180x180' }]) {
    const size = await page.evaluate(async (picture) => {
      const drawn = Object.assign(new Image(), { src: picture })
      await drawn.decode()
      return `${drawn.naturalWidth}x${drawn.naturalHeight}`
    }, src)
    if (sizes !== 'any') expect(size, src).toBe(sizes)
  }
})
