// How the service worker handles messages from a push service. The browser's developer tools deliver them, since a push
// service cannot be reached here. supabase/tests/edge-functions/push.test.ts tests the messages and their recipients.
import { expect } from '@playwright/test'
import { launched } from './playwright.config.ts'
import { test } from './test.ts'

// The headless shell shows no notifications.
test.use({ channel: 'chromium', launchOptions: launched(process.env.BROWSER_PATH) })

declare const registration: ServiceWorkerRegistration
declare const clients: { matchAll(options?: object): Promise<unknown[]> }
declare let looked: number
declare let shown: object[]

test('a notification shows on the device while nobody looks at the page, once, with the way to what it is about', async ({
  open,
  potluck,
}) => {
  const { page } = await open({ as: 'olivia@potluck.example', keeping: true })
  const context = page.context()
  await context.grantPermissions(['notifications'])
  const tools = await context.newCDPSession(page)
  const registered = new Promise<string>((done) => {
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) done(first.registrationId)
    })
  })
  await tools.send('ServiceWorker.enable')
  await page.goto('/my-subscriptions')
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  const [worker] = context.serviceWorkers()
  const registrationId = await registered
  const body = 'Zoe would like to join Netflix Premium.'
  const deliver = (id: string, title: string) => {
    const data = JSON.stringify({
      id,
      title,
      message: body,
      path: `/notifications/${id}`,
      isTest: id === 'test',
    })
    return tools.send('ServiceWorker.deliverPushMessage', { origin: potluck.url, registrationId, data })
  }
  // Counts how often the worker has looked for open pages, and lists what is shown after each notification, since the
  // browser closes notifications by itself after 25 seconds.
  await worker?.evaluate(() => {
    const look = clients.matchAll.bind(clients)
    const show = registration.showNotification.bind(registration)
    Object.assign(globalThis, { looked: 0, shown: [] })
    registration.showNotification = async (...given) => {
      await show(...given)
      const all = await registration.getNotifications()
      shown = all
        .map(({ title, body, data }) => ({ title, body, data }))
        .sort((a, b) => a.title.localeCompare(b.title))
    }
    clients.matchAll = async (options) => {
      const pages = await look(options)
      looked += 1
      return pages
    }
  })
  await deliver('seen', 'Seen on the page')
  await expect.poll(() => worker?.evaluate(() => looked)).toBe(1)
  await deliver('test', 'This Is a Test')
  await expect
    .poll(() => worker?.evaluate(() => shown))
    .toEqual([{ title: 'This Is a Test', body, data: '/notifications/test' }])
  await worker?.evaluate(async () => {
    for (const notification of await registration.getNotifications()) notification.close()
  })
  await page.goto('about:blank')
  // The worker still counts the page for a moment after it has closed.
  await expect.poll(() => worker?.evaluate(async () => (await clients.matchAll()).length)).toBe(0)
  await deliver('asked', 'New Join Request')
  await deliver('asked', 'New Join Request')
  await deliver('later', 'Request Expiring Soon')
  await expect
    .poll(() => worker?.evaluate(() => shown))
    .toEqual([
      { title: 'New Join Request', body, data: '/notifications/asked' },
      { title: 'Request Expiring Soon', body, data: '/notifications/later' },
    ])
})
