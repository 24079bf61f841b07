// Where one is signed in, and what changed about the account.
import { addUser, newClient, PASSWORD as password, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { beAway } from '../network.ts'

const server = await testServer()
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

const card = async (name: string) => within(await screen.findByRole('region', { name }))

it('lists where one is signed in, and ends one device or all others', async () => {
  const { email } = await addUser(server, 'zoe.sessions@potluck.example')
  const signInElsewhere = async (userAgent: string, created: string) => {
    const client = newClient(server)
    const { data } = await client.auth.signInWithPassword({ email, password })
    await server.db.query(
      `update auth.sessions set user_agent = $2, ip = '203.0.113.7', created_at = $3, refreshed_at = $3
       where id = ($1::jsonb ->> 'session_id')::uuid`,
      [JSON.stringify((await client.auth.getClaims()).data?.claims), userAgent, created],
    )
    expect(data.session).toBeTruthy()
    return client
  }
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  const phone = await signInElsewhere(IPHONE, yesterday)
  const strange = await signInElsewhere('node', yesterday)
  const isOpen = async (client: typeof phone) => (await client.auth.getUser()).error === null
  const { user, at } = await openApp(server, '/account-settings/security', { as: { email } })

  const sessions = await card('Where you are signed in')
  const article = await sessions.findByRole('article', { name: 'Safari on iPhone' })
  expect(article.textContent).toContain('Last used yesterday, from 203.0.113.7')
  expect(article.textContent).toContain('Signed in yesterday')
  const onPhone = within(article)
  expect(sessions.getAllByRole('article')).toHaveLength(4)
  const [first] = sessions.getAllByRole('article')
  expect(within(first as HTMLElement).getByText('This device')).toBeTruthy()
  expect(within(first as HTMLElement).queryByRole('button')).toBeNull()

  const away = beAway('POST /rest/v1/rpc/end_session')
  await user.click(onPhone.getByRole('button', { name: 'Sign out Safari on iPhone' }))
  await toasted(
    'error',
    'That device is still signed in',
    'The connection seems to be down. Check it, then try again.',
  )
  away.heal()
  await user.click(onPhone.getByRole('button', { name: 'Sign out Safari on iPhone' }))
  await toasted('success', 'Signed out there', 'That device has to sign in again.')
  await waitFor(() => expect(sessions.getAllByRole('article')).toHaveLength(3))
  expect([await isOpen(phone), await isOpen(strange)]).toEqual([false, true])

  await user.click(sessions.getByRole('button', { name: 'Sign out everywhere else' }))
  await toasted('success', 'Signed out everywhere else', 'Only this device is signed in now.')
  await waitFor(() => expect(sessions.getAllByRole('article')).toHaveLength(1))
  expect(sessions.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  expect(await isOpen(strange)).toBe(false)
  expect(at()).toBe('/account-settings/security')
})
