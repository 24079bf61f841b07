// Being notified on a device. What a browser and its push service do is played here; who is notified is the real server's.
import { randomBytes } from 'node:crypto'
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { openApp } from '../app.tsx'
import { newPeople, type People } from '../sharing.ts'

const server = await testServer()
let people: People
beforeEach(async () => {
  people = await newPeople(server)
})

/** A browser whose person answers so when it asks them. */
function browser(answer: NotificationPermission, failure?: DOMException) {
  const endpoint = `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`
  const keys = { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) }
  const made = { keys: [] as unknown[], subscribed: false }
  const subscription = {
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => {
      made.subscribed = false
      return true
    },
  }
  const pushManager = {
    getSubscription: async () => (made.subscribed ? subscription : null),
    subscribe: async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
      if (failure) throw failure
      made.keys.push(applicationServerKey)
      made.subscribed = true
      return subscription
    },
  }
  const registration = { pushManager }
  const asked = { permission: 'default', requestPermission: vi.fn(async () => answer) }
  asked.requestPermission.mockImplementation(async () => {
    asked.permission = answer
    return answer
  })
  vi.stubGlobal('Notification', asked)
  vi.stubGlobal('PushManager', class {})
  const serviceWorker = {
    register: async () => registration,
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  return { made, asked }
}
const settings = async () => {
  await openApp(server, '/account-settings', { as: people.olivia })
  return within(await screen.findByRole('region', { name: 'Notifications' }))
}
const stored = () =>
  server.db.query('select d.auth from private.push_devices as d where user_id = $1', [people.olivia.id])

it('is asked for by a click alone, shows among the devices, and ends there', async () => {
  const { made, asked } = browser('granted')
  const card = await settings()
  const button = await card.findByRole('button', { name: 'Notify me on this device' })
  expect(asked.requestPermission).not.toHaveBeenCalled()
  await userEvent.click(button)
  await screen.findByText('You are notified on this device')
  const device = within(await card.findByRole('article'))
  expect(device.getByText('This device')).toBeTruthy()
  expect(card.queryByRole('button', { name: 'Notify me on this device' })).toBeNull()
  const key = await (await fetch(`${server.url}/functions/v1/push`)).json()
  expect([made.keys, await stored()]).toEqual([[key.key], [{ auth: 'a'.repeat(22) }]])
  await userEvent.click(device.getByRole('button', { name: /^Remove / }))
  await card.findByRole('button', { name: 'Notify me on this device' })
  await waitFor(() => expect(made.subscribed).toBe(false))
  expect(await stored()).toEqual([])
})

it('is tried out with a test, and says how each device fared', async () => {
  browser('granted')
  const card = await settings()
  const test = await card.findByRole<HTMLButtonElement>('button', { name: 'Send a test' })
  const send = async () => {
    await waitFor(() => expect(test.disabled).toBe(false))
    await userEvent.click(test)
  }
  await send()
  await screen.findByText('You are notified on no device yet')
  await userEvent.click(card.getByRole('button', { name: 'Notify me on this device' }))
  await card.findByRole('article')
  await server.db.query(
    `with session as (insert into auth.sessions (user_id, amr) values ($1, '[]') returning id)
     insert into private.push_devices (session_id, user_id, endpoint, p256dh, auth)
     select id, $1, 'https://fcm.googleapis.com/' || id, 'B' || repeat('a', 86), repeat('a', 22) from session`,
    [people.olivia.id],
  )
  // What the function `push` does, with the answers of a push service.
  const settle = (...refused: string[]) =>
    waitFor(async () => {
      const told = await server.db.query(
        `select private.settle_push(about, session_id, attempt, refusal, case when refusal is null then 'sent' else 'again' end)
         from (select t.*, case when row_number() over (order by about) <= $1::int then '503' end as refusal
           from private.take_due_pushes(10) as t) as told`,
        [String(refused.length)],
      )
      expect(told).toHaveLength(2)
    })
  await send()
  await settle()
  await screen.findByText('Test sent to 2 devices')
  await send()
  await settle('one')
  await screen.findByText('Test sent to 1 of 2 devices')
  await send()
  await settle('one', 'two')
  await screen.findByText('The test was not sent')
})

it('says what to do when the browser refuses', async () => {
  browser('denied')
  const card = await settings()
  await userEvent.click(await card.findByRole('button', { name: 'Notify me on this device' }))
  await card.findByText(/^This browser does not let Potluck notify you\./)
  expect(await stored()).toEqual([])
})

it('says so when the push service of the browser does not answer', async () => {
  browser('granted', new DOMException('Registration failed', 'AbortError'))
  const card = await settings()
  await userEvent.click(await card.findByRole('button', { name: 'Notify me on this device' }))
  await screen.findByText('The push service of your browser did not answer. Please try again.')
  expect(await stored()).toEqual([])
})

it('says so when the database refuses', async () => {
  browser('granted')
  await server.db.query(
    `insert into private.rate_limit_usage (user_id, action, used_at)
     values ($1, 'push device', array_fill(clock_timestamp(), array[10]))`,
    [people.olivia.id],
  )
  const card = await settings()
  await userEvent.click(await card.findByRole('button', { name: 'Notify me on this device' }))
  await screen.findByText('You are not notified on this device')
  await screen.findByText(/^Rate limit exceeded/)
  expect(await stored()).toEqual([])
})

it.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1',
    /add Potluck to the home screen first/,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) Old/1.0', /cannot notify you while Potluck is closed/],
])('explains itself to a browser that cannot: %s', async (userAgent, sentence) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  const card = await settings()
  await card.findByText(sentence)
  expect(card.queryByRole('button', { name: 'Notify me on this device' })).toBeNull()
})

it('opens what a notification of a device is about, and counts it as read', async () => {
  const seat = '00000000-0000-4000-8000-000000000001'
  const tell = async (event: string, params: object) => {
    const [told] = await server.db.query<{ id: string }>(
      `select private.notify($1, 'info', 'Told', 'Something happened.', null, $2, $3::jsonb) as id`,
      [people.olivia.id, event, JSON.stringify(params)],
    )
    return told?.id ?? ''
  }
  const read = async (id: string) =>
    (await server.db.query<{ read: boolean }>('select read from user_notifications where id = $1', [id]))[0]
      ?.read
  const leading = await tell('comes-first', { seat })
  const { at } = await openApp(server, `/notifications/${leading}`, { as: people.olivia })
  await waitFor(() =>
    expect(`${at()} ${document.querySelector('main')?.textContent}`).toContain(`/plans-like/${seat}`),
  )
  await waitFor(async () => expect(await read(leading)).toBe(true))
  const plain = await tell('report-read', {})
  await openApp(server, `/notifications/${plain}`, { as: people.olivia })
  expect(await screen.findByRole('heading', { level: 1, name: 'Told' })).toBeTruthy()
  await waitFor(async () => expect(await read(plain)).toBe(true))
  await openApp(server, `/notifications/${seat}`, { as: people.olivia })
  expect(await screen.findByRole('heading', { level: 1, name: 'This notification is gone' })).toBeTruthy()
})
