import { addUser, newClient, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import { intercept, refusal } from '../network.ts'

describe('notifications', async () => {
  const server = await testServer()

  /** What the database itself writes when something happens to a plan. */
  const tell = async (userId: string, title: string, type = 'success') => {
    const row = { user_id: userId, type, title, message: `${title}, it says.` }
    const { error } = await newClient(server, server.serviceKey).from('user_notifications').insert(row)
    if (error) throw error
  }

  it('counts own unread ones only, reads one when it is chosen, then all', async () => {
    const olivia = await addUser(server, 'olivia@example.com')
    const marc = await addUser(server, 'marc@example.com')
    await tell(olivia.id, 'First')
    await tell(olivia.id, 'Second')
    const { user } = await openApp(server, '/about', { as: olivia })
    await screen.findByLabelText('Notifications, 2 unread')
    const list = await openBell()
    expect(list.getByRole('heading', { name: 'Notifications' })).toBeTruthy()
    expect(list.getAllByText('New')).toHaveLength(2)
    await user.click(list.getByText('First'))
    await waitFor(() => expect(list.getAllByText('New')).toHaveLength(1))
    await waitFor(async () => {
      const { data } = await olivia.client.from('user_notifications').select('title').eq('read', true)
      expect(data).toEqual([{ title: 'First' }])
    })
    await user.click(list.getByText('Mark all read'))
    await screen.findByText('Notifications marked as read')
    await screen.findByLabelText('Notifications', { selector: 'button' })
    expect(list.queryByText('New')).toBeNull()

    await openApp(server, '/about', { as: marc })
    await (await openBell()).findByText('No notifications yet')
  })

  it('puts a new one on top, counts one more and shows a toast, without a reload', async () => {
    const ben = await addUser(server, 'ben@example.com')
    await tell(ben.id, 'Older', 'info')
    await openApp(server, '/about', { as: ben })
    const list = await openBell()
    await list.findByText('Older')
    await listening('user-notifications')
    await screen.findByRole('button', { name: 'Notifications, 1 unread' })
    const { times } = intercept('GET user_notifications')
    await tell(ben.id, 'Newer')
    expect(await screen.findByRole('button', { name: 'Notifications, 2 unread' })).toBeTruthy()
    const rows = list.getAllByRole('button', { name: /it says/ })
    expect(rows.map((row) => row.textContent?.slice(0, 5))).toEqual(['Newer', 'Older'])
    await toasted('success', 'Newer', 'Newer, it says.')
    expect(times).toEqual([])
  })

  it('tells once of what arrives while the bell still connects', async () => {
    const dan = await addUser(server, 'dan@example.com')
    await tell(dan.id, 'Older')
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
    await openApp(server, '/about', { as: dan })
    await screen.findByRole('button', { name: 'Notifications, 1 unread' })
    await tell(dan.id, 'Meanwhile')
    connect()
    await toasted('success', 'Meanwhile', 'Meanwhile, it says.')
    await tell(dan.id, 'Later')
    await toasted('success', 'Later', 'Later, it says.')
    const said = [...document.querySelectorAll('[data-kind="success"]')].map((one) => one.textContent)
    expect(said.filter((text) => text?.startsWith('Meanwhile'))).toHaveLength(1)
    expect(said.join()).not.toContain('Older')
  })

  it('reloads the whole list when one has changed', async () => {
    const eva = await addUser(server, 'eva@example.com')
    await tell(eva.id, 'Stays')
    await tell(eva.id, 'Goes')
    await openApp(server, '/about', { as: eva })
    const list = await openBell()
    await list.findByText('Goes')
    await listening('user-notifications')
    // Nothing tells of a row that goes, so only a reload of everything can notice it.
    const table = 'public.user_notifications'
    await server.db.query(`delete from ${table} where title = 'Goes' and user_id = $1::uuid`, [eva.id])
    await server.db.query(`update ${table} set read = true where user_id = $1::uuid`, [eva.id])
    await waitFor(() => expect(list.queryByText('Goes')).toBeNull())
    expect(list.getByText('Stays')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
  })

  it('shows toasts of their kind only while the flag says "true", and counts all the same', async () => {
    const carl = await addUser(server, 'carl@example.com')
    await openApp(server, '/about', { as: carl })
    await listening('user-notifications')
    let unread = 0
    for (const flag of ['false', 'yes', 'TRUE', '']) {
      window.localStorage.setItem('notifications-enabled', flag)
      unread += 1
      await tell(carl.id, `Quiet ${unread}`)
      await screen.findByRole('button', { name: `Notifications, ${unread} unread` })
    }
    window.localStorage.setItem('notifications-enabled', 'true')
    for (const kind of ['success', 'warning', 'error', 'info'] as const) {
      await tell(carl.id, `A ${kind}`, kind)
      await toasted(kind, `A ${kind}`, `A ${kind}, it says.`)
    }
    expect(screen.queryByText(/^Quiet \d, it says\.$/)).toBeNull()
  })

  it('says so when they cannot be loaded, and when they cannot be marked as read', async () => {
    const fay = await addUser(server, 'fay@example.com')
    await tell(fay.id, 'First')
    let broken = true
    const asked = intercept('GET user_notifications', (real) =>
      broken ? refusal(400, 'XX000', 'broken') : real(),
    )
    intercept('POST rpc/mark_notifications_as_read', () => refusal(400, 'XX000', 'broken'))
    await openApp(server, '/about', { as: fay })
    await waitFor(() => expect(asked.times.length).toBeGreaterThan(0))
    await openBell()
    await screen.findByText('Failed to load notifications')
    broken = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByText('First')
    await userEvent.click(screen.getByRole('button', { name: 'Mark all read' }))
    await screen.findByText('Failed to mark notifications as read')
    expect(await screen.findByText('New')).toBeTruthy()
  })

  it('the badges of notifications, requests and chats show at most 99+', async () => {
    const gus = await addUser(server, 'gus@example.com')
    await server.db.query(`insert into auth.users (id, aud, role, email, email_confirmed_at)
      select gen_random_uuid(), 'authenticated', 'authenticated', 'n' || n || '@crowd.example', now()
      from generate_series(1, 100) as n`)
    await server.db.query(
      `with plan as (
         insert into public.shared_subscriptions (owner_id, catalogue_plan_id, owner_max_members, next_payment)
         values ($1::uuid, 'netflix-premium', 4, current_date + 9) returning id
       ), crowd as (select u.id, p.id as plan_id from auth.users as u, plan as p where u.email like '%@crowd.example'),
       asking as (insert into public.subscription_requests (subscription_id, user_id) select plan_id, id from crowd),
       news as (
         insert into public.user_notifications (user_id, type, title, message)
         select $1::uuid, 'info', 'News', 'Text' from crowd
       ), chats as (
         insert into public.conversations (subscription_id, owner_id, member_id)
         select plan_id, $1::uuid, id from crowd returning id
       )
       insert into public.chat_participants (conversation_id, user_id, has_unread) select id, $1::uuid, true from chats`,
      [gus.id],
    )
    await openApp(server, '/about', { as: gus })
    for (const [role, name] of [
      ['button', 'Notifications, 100 unread'],
      ['link', 'Join requests, 100 pending'],
      ['button', 'Messages, 100 unread'],
    ] as const) {
      const badge = (await screen.findByRole(role, { name })).closest('.mantine-Indicator-root')
      expect(badge?.textContent).toBe('99+')
    }
  })
})

async function openBell() {
  await userEvent.click(await screen.findByLabelText(/^Notifications/, { selector: 'button' }))
  return within(await screen.findByRole('dialog', { name: /^Notifications/ }))
}
