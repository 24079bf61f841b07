// Notifications: at the bell, as toasts, by mail to people who are away, and on a device. The tests imitate the browser
// and its push service; the real server decides who is notified.
// Proves NOTIF 01-10, DATA 12, API 47 51, ERR 12, LIMIT 01
import { randomBytes } from 'node:crypto'
import { newClient, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import { intercept, refuse } from '../network.ts'
import { region } from '../parts.ts'
import { newPerson } from '../people.ts'
import { ask, newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
const { db } = server
let olivia: TestUser
beforeEach(async () => {
  olivia = await newPerson(server, 'olivia')
})
const open = (address = '/about') => openApp(server, address, { as: olivia })

/** Sends a person a notification, as the database does when something happens to a plan. */
const tell = (title: string, type = 'success', { id }: TestUser = olivia) =>
  newClient(server, server.serviceKey)
    .from('user_notifications')
    .insert({ user_id: id, type, title, message: `${title}, it says.` })
    .throwOnError()
const unread = (count: number) =>
  screen.findByLabelText(count ? `Notifications, ${count} unread` : 'Notifications', { selector: 'button' })
async function openBell(user: { click: (element: Element) => Promise<void> }) {
  await user.click(await screen.findByLabelText(/^Notifications/, { selector: 'button' }))
  return within(await screen.findByRole('dialog', { name: /^Notifications/ }))
}

it('the bell counts one’s own unread ones, reads one that is chosen, then all; or says why it could not', async () => {
  await tell('Of someone else', 'info', await newPerson(server, 'marc'))
  await tell('First')
  await tell('Second')
  const loading = refuse('GET user_notifications', 'XX000', 'broken')
  const marking = refuse('POST rpc/mark_notifications_as_read', 'XX000', 'broken')
  const { user } = await open()
  await waitFor(() => expect(loading.times.length).toBeGreaterThan(0))
  const list = await openBell(user)
  await screen.findByText('Failed to load notifications')
  loading.heal()
  await user.click(screen.getByText('Try Again'))
  await list.findByText('First')
  await unread(2)
  expect(list.getByText('Notifications').tagName).toMatch(/^H/)
  await user.click(list.getByText('Mark all read'))
  await screen.findByText('Failed to mark notifications as read')
  marking.heal()
  await waitFor(() => expect(list.getAllByText('New')).toHaveLength(2))
  const readOnes = () =>
    db.query('select title from user_notifications where user_id = $1 and read order by 1', [olivia.id])
  await user.click(list.getByText('First'))
  await waitFor(() => expect(list.getAllByText('New')).toHaveLength(1))
  await waitFor(async () => expect(await readOnes()).toEqual([{ title: 'First' }]))
  await user.click(list.getByText('Mark all read'))
  await screen.findByText('Notifications marked as read')
  await unread(0)
  expect(list.queryByText('New')).toBeNull()
  expect(await readOnes()).toHaveLength(2)
})

it('a new one comes on top, counts and shows a toast of its kind while they are switched on; a change loads all again', async () => {
  const { user } = await open()
  const list = await openBell(user)
  await list.findByText('No notifications yet')
  await listening('user-notifications')
  await tell('Older', 'info')
  await list.findByText('Older')
  await unread(1)
  let count = 1
  for (const flag of ['false', 'yes']) {
    window.localStorage.setItem('notifications-enabled', flag)
    await tell(`Quiet ${count}`, 'error')
    count += 1
    await unread(count)
  }
  // The load that follows the bell's live connection has ended by now.
  const { times } = intercept('GET user_notifications')
  window.localStorage.setItem('notifications-enabled', 'true')
  for (const kind of ['success', 'warning', 'error', 'info'] as const) {
    await tell(`A ${kind}`, kind)
    await toasted(kind, `A ${kind}`, `A ${kind}, it says.`)
  }
  await unread(count + 4)
  expect(document.querySelector('[data-kind]')?.parentElement?.textContent).not.toMatch(/Quiet/)
  const titles = list.getAllByRole('button', { name: /it says/ }).map((one) => one.textContent?.slice(0, 5))
  expect([titles[0], titles.at(-1), titles.length]).toEqual(['A inf', 'Older', 7])
  expect(times).toEqual([])
  // Deleting a notification sends no event, so only a full reload can notice it.
  await db.query(`delete from user_notifications where title = 'Older' and user_id = $1`, [olivia.id])
  await db.query('update user_notifications set read = true where user_id = $1', [olivia.id])
  await waitFor(() => expect(list.queryByText('Older')).toBeNull())
  await unread(0)
})

it('what arrives while the bell still connects is told once', async () => {
  await tell('Older')
  const socket = window.WebSocket
  let connect: () => void = () => undefined
  const allowed = new Promise<void>((go) => {
    connect = go
  })
  vi.stubGlobal('WebSocket', function later(...given: ConstructorParameters<typeof WebSocket>) {
    const real = new socket(...given)
    const send = real.send.bind(real)
    real.send = (data) => void allowed.then(() => send(data))
    return real
  })
  await open()
  await unread(1)
  await tell('Meanwhile')
  connect()
  await toasted('success', 'Meanwhile', 'Meanwhile, it says.')
  await tell('Later')
  await toasted('success', 'Later', 'Later, it says.')
  const said = [...document.querySelectorAll('[data-kind="success"]')].map((one) => one.textContent)
  expect(said.filter((text) => text?.startsWith('Meanwhile'))).toHaveLength(1)
  expect(said.join()).not.toContain('Older')
})

it('the badges of notifications, requests and chats show at most 99+', async () => {
  const planId = await sharePlan(olivia)
  // Inserts only the rows: the triggers would take seconds for a hundred requests.
  await db.transaction(async (tx) => {
    await tx.query(`set local session_replication_role = 'replica'`)
    await tx.query(
      `with crowd as (select gen_random_uuid() as id from generate_series(1, 100)),
       asking as (
         insert into subscription_requests (subscription_id, owner_id, user_id, name, email)
         select $2, $1::uuid, id, 'Someone', 'someone@new.example' from crowd
       ),
       news as (
         insert into user_notifications (user_id, type, title, message) select $1::uuid, 'info', 'News', 'Text' from crowd
       ), chats as (
         insert into conversations (subscription_id, owner_id, member_id) select $2, $1::uuid, id from crowd returning id
       )
       insert into chat_participants (conversation_id, user_id, has_unread) select id, $1::uuid, true from chats`,
      [olivia.id, planId],
    )
  })
  await open()
  for (const name of ['Notifications, 100 unread', 'Join requests, 100 pending', 'Messages, 100 unread']) {
    const badge = (await screen.findByLabelText(name)).closest('.mantine-Indicator-root')
    expect(badge?.textContent).toBe('99+')
  }
})

it('mail to whoever is away is chosen by topic, ends with the link in it, signed out, and begins again', async () => {
  const { olivia: owner, marc } = await newPeople(server)
  const choices = async () => {
    const { data } = await owner.client.rpc('get_notification_choices').throwOnError()
    return Object.fromEntries(data.map(({ topic, mail }: { topic: string; mail: boolean }) => [topic, mail]))
  }
  const wants = async () => (await owner.client.rpc('get_mail_preference').throwOnError()).data
  await ask(marc, await sharePlan(owner))
  const [mail] = await db.query<{ unsubscribe_path: string }>(
    'select unsubscribe_path from private.outgoing_mail where recipient = $1',
    [owner.email],
  )

  const { user } = await openApp(server, '/account-settings/notifications', { as: owner })
  const label = 'Requests and places: Email'
  const box = await screen.findByLabelText<HTMLInputElement>(label, { selector: 'input' })
  await waitFor(() => expect([box.disabled, box.checked]).toEqual([false, true]))
  expect(box.closest('tr')?.textContent).toContain('Always')
  const all = { messages: true, places: true, alerts: true, money: true, access: true, team: true }
  await user.click(box)
  await waitFor(async () => expect(await choices()).toEqual({ ...all, places: false }))
  expect(box.checked).toBe(false)
  box.focus()
  await user.keyboard(' ')
  await waitFor(async () => expect([box.checked, await choices()]).toEqual([true, all]))

  window.localStorage.clear()
  const visitor = await openApp(server, mail?.unsubscribe_path ?? '')
  await screen.findByText('Emails turned off', { selector: 'h1' })
  expect(await wants()).toBe(false)
  await visitor.user.click(screen.getByText('Turn emails back on'))
  await screen.findByText('Emails turned on', { selector: 'h1' })
  expect(await wants()).toBe(true)
  await visitor.router.navigate({ href: `/unsubscribe/${'0'.repeat(64)}` })
  await screen.findByText('This link doesn’t work', { selector: 'h1' })
  expect(screen.getByText('Go to Account Settings', { selector: 'main *' })).toBeTruthy()
})

/** Imitates a browser whose user gives this answer to the permission prompt. */
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
const NOTIFY = 'Turn on for this device'
const devices = () =>
  db.query('select auth from private.push_devices where user_id = $1 and endpoint like $2', [
    olivia.id,
    '%/fcm/send/%',
  ])

it('a device is added by a click alone, tried out with a test, and removed', async () => {
  const { made, asked } = browser('granted')
  const { user } = await open('/account-settings/notifications')
  const part = await region('Notifications')
  await part.findByText(NOTIFY)
  const choice = part.getByLabelText<HTMLInputElement>('Plan alerts: Device')
  expect([choice.checked, choice.disabled]).toEqual([false, true])
  expect(part.queryByText('Send test notification')).toBeNull()
  expect(asked.requestPermission).not.toHaveBeenCalled()
  await user.click(part.getByText(NOTIFY))
  await screen.findByText('Notifications on')
  const test = (await part.findByText('Send test notification')).closest('button') as HTMLButtonElement
  expect([choice.checked, choice.disabled]).toEqual([true, false])
  const send = async () => {
    await waitFor(() => expect(test.disabled).toBe(false))
    await user.click(test)
  }
  const device = within(await part.findByRole('article'))
  expect(device.getByText('This device')).toBeTruthy()
  expect(part.queryByText(NOTIFY)).toBeNull()
  const { key } = await (await fetch(`${server.url}/functions/v1/push`)).json()
  expect([made.keys, await devices()]).toEqual([[key], [{ auth: 'a'.repeat(22) }]])
  await db.query(
    `with session as (insert into auth.sessions (user_id, amr) values ($1, '[]') returning id)
     insert into private.push_devices (session_id, user_id, endpoint, p256dh, auth)
     select id, $1, 'https://fcm.googleapis.com/' || id, 'B' || repeat('a', 86), repeat('a', 22) from session`,
    [olivia.id],
  )
  for (const [refused, told] of [
    [0, 'Test sent to 2 devices'],
    [1, 'Test sent to 1 of 2 devices'],
    [2, 'Test not sent'],
  ] as const) {
    await send()
    // Settles the pushes as the function `push` does, with a push service's answers; it may find one push before the
    // other is due.
    let settled = 0
    await waitFor(async () => {
      const taken = await db.query(
        `select private.settle_push(about, session_id, attempt, refusal, case when refusal is null then 'sent' else 'again' end)
         from (select t.*, case when row_number() over (order by about) <= $1::int then '503' end as refusal
           from private.lease_due_pushes(10) as t) as told`,
        [String(refused - settled)],
      )
      settled += taken.length
      expect(settled).toBe(2)
    })
    await screen.findByText(told)
  }
  await user.click(device.getByLabelText(/^Remove /))
  await part.findByText(NOTIFY)
  await waitFor(() => expect(made.subscribed).toBe(false))
  expect(await devices()).toEqual([])
})

it('a device that is not notified says why: the person, the browser, its push service or the database', async () => {
  await db.query(
    `insert into private.rate_limit_usage (user_id, action, used_at)
     values ($1, 'push device', array_fill(clock_timestamp(), array[10]))`,
    [olivia.id],
  )
  browser('granted')
  const { user, router } = await open('/account-settings/notifications')
  for (const [answer, failure, told] of [
    ['granted', undefined, /^Rate limit exceeded/],
    [
      'granted',
      new DOMException('Registration failed', 'AbortError'),
      'Your browser’s notification service didn’t answer. Please try again.',
    ],
    ['denied', undefined, /^Notifications are blocked\./],
  ] as const) {
    browser(answer, failure)
    await user.click(await screen.findByText(NOTIFY))
    await screen.findByText(told)
    expect(await devices()).toEqual([])
  }
  vi.unstubAllGlobals()
  const agent = vi.spyOn(navigator, 'userAgent', 'get')
  for (const [userAgent, told] of [
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', /“Add to Home Screen”/],
    ['Mozilla/5.0 (X11; Linux x86_64) Old/1.0', /doesn’t support notifications/],
  ] as const) {
    agent.mockReturnValue(userAgent)
    await router.navigate({ href: '/about' })
    await router.navigate({ href: '/account-settings/notifications' })
    await screen.findByText(told)
    expect(screen.queryByText(NOTIFY)).toBeNull()
  }
})

it('what a notification of a device is about is opened, and counts as read', async () => {
  const seat = '00000000-0000-4000-8000-000000000001'
  const told = async (event: string, params: object) =>
    String(
      (
        await db.query(`select private.notify($1, 'info', null, $2, $3) as id`, [
          olivia.id,
          event,
          JSON.stringify(params),
        ])
      )[0]?.id,
    )
  const isRead = (id: string) =>
    waitFor(async () =>
      expect(await db.query('select read from user_notifications where id = $1', [id])).toEqual([
        { read: true },
      ]),
    )
  const leading = await told('comes-first', { seat })
  const { at, router } = await open(`/notifications/${leading}`)
  await waitFor(() => expect(at()).toContain(`/plans-like/${seat}`))
  await isRead(leading)
  const plain = await told('report-received', { about: 'Zoe' })
  await router.navigate({ href: `/notifications/${plain}` })
  await screen.findByText('We Have Your Report', { selector: 'h1' })
  await isRead(plain)
  await router.navigate({ href: `/notifications/${seat}` })
  await screen.findByText('We can’t find this notification', { selector: 'h1' })
})
