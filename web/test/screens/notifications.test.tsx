import { newClient, signUpUser } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { bootServer, openApp } from '../app.tsx'

const password = 'Sunny-Day1!'

describe('notifications', () => {
  const server = bootServer()

  /** What the database itself writes when something happens to a plan. */
  const tell = async (userId: string, title: string, type = 'success') => {
    const row = { user_id: userId, type, title, message: `${title}, it says.` }
    const { error } = await newClient(server(), server().serviceKey).from('user_notifications').insert(row)
    if (error) throw error
  }

  it('NOTIF-01 NOTIF-02 opens a popover that says when there is nothing', async () => {
    await signUpUser(server(), 'zoe@example.com', { password })
    await openApp(server(), '/about', { as: { email: 'zoe@example.com', password } })
    const list = await openBell()
    expect(within(list).getByRole('heading', { name: 'Notifications' })).toBeTruthy()
    expect(within(list).getByRole('button', { name: 'Mark all read' })).toBeTruthy()
    expect(await within(list).findByText('No notifications yet')).toBeTruthy()
  })

  it('NOTIF-03 NOTIF-05 NOTIF-10 counts own unread ones only, and reads one when it is chosen', async () => {
    const olivia = await signUpUser(server(), 'olivia@example.com', { password })
    const marc = await signUpUser(server(), 'marc@example.com', { password })
    await tell(olivia.id, 'First')
    await tell(olivia.id, 'Second')
    await tell(marc.id, 'Not for Olivia')
    await openApp(server(), '/about', { as: { email: olivia.email, password } })
    await screen.findByRole('button', { name: 'Notifications, 2 unread' })
    const list = await openBell()
    expect(within(list).queryByText('Not for Olivia')).toBeNull()
    expect(within(list).getAllByText('New')).toHaveLength(2)
    await userEvent.click(within(list).getByRole('button', { name: /First/ }))
    await waitFor(() => expect(within(list).getAllByText('New')).toHaveLength(1))
    await waitFor(async () => {
      const { data } = await olivia.client.from('user_notifications').select('title').eq('read', true)
      expect(data).toEqual([{ title: 'First' }])
    })
  })

  it('NOTIF-04 ERR-12 marks all of them read', async () => {
    const ana = await signUpUser(server(), 'ana@example.com', { password })
    await tell(ana.id, 'First')
    await tell(ana.id, 'Second')
    await openApp(server(), '/about', { as: { email: ana.email, password } })
    const list = await openBell()
    await userEvent.click(await within(list).findByRole('button', { name: 'Mark all read' }))
    expect(await screen.findByText('Notifications marked as read')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
    expect(within(list).queryByText('New')).toBeNull()
  })

  it('NOTIF-06 NOTIF-07 shows a new one at once, with a toast, without a reload', async () => {
    const ben = await signUpUser(server(), 'ben@example.com', { password })
    const { client } = await openApp(server(), '/about', { as: { email: ben.email, password } })
    await listening(client)
    await tell(ben.id, 'Request Approved')
    expect(await screen.findByRole('status', {}, { timeout: 5000 })).toBeTruthy()
    expect(await screen.findByText('Request Approved, it says.')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeTruthy()
  })

  it('NOTIF-09 shows no toast when they are switched off, and still counts', async () => {
    const carl = await signUpUser(server(), 'carl@example.com', { password })
    window.localStorage.setItem('notifications-enabled', 'false')
    const { client } = await openApp(server(), '/about', { as: { email: carl.email, password } })
    await listening(client)
    await tell(carl.id, 'Quiet')
    expect(
      await screen.findByRole('button', { name: 'Notifications, 1 unread' }, { timeout: 5000 }),
    ).toBeTruthy()
    expect(screen.queryByText('Quiet, it says.')).toBeNull()
  })
})

async function openBell(): Promise<HTMLElement> {
  await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }))
  return screen.findByRole('dialog', { name: /^Notifications/ })
}

/** Waits until the live channel is joined and the server listens for it. */
async function listening(client: { getChannels(): { topic: string; state: string }[] }) {
  await waitFor(
    () => {
      const channel = client.getChannels().find(({ topic }) => topic === 'realtime:user-notifications')
      expect(channel?.state).toBe('joined')
    },
    { timeout: 10_000 },
  )
}
