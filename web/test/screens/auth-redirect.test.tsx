import {
  addUser,
  newClient,
  PASSWORD as password,
  type TestServer,
  testServer,
} from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { openApp } from '../app.tsx'
import { skipWaits } from '../network.ts'

const storedTokens = () => Object.keys(window.localStorage).filter((key) => /^sb-.*-auth-token$/.test(key))
const EXPIRED = 'Email link is invalid or has expired'

/** Mails a link that signs in, follows it, and gives the address on this site it leads to. */
async function followLink(
  server: TestServer,
  email: string,
  type: 'signup' | 'magiclink',
): Promise<string[]> {
  const client = newClient(server)
  const emailRedirectTo = `${window.location.origin}/auth-redirect`
  const { error } =
    type === 'signup'
      ? await client.auth.signUp({ email, password, options: { emailRedirectTo } })
      : await client.auth.signInWithOtp({ email, options: { emailRedirectTo } })
  if (error) throw error
  const mail = (await server.outbox()).find(({ to }) => to === email)
  const link = /https?:\/\/\S*\/auth\/v1\/verify\S*/.exec(mail?.text ?? '')?.[0] ?? ''
  const click = async () => (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? ''
  return [await click(), await click()]
}

const pathOf = (address = '') => address.slice(window.location.origin.length)

describe('coming back to the return screen', async () => {
  const server = await testServer()

  it.each(['signup', 'magiclink'] as const)(
    'the link of a %s mail signs in, once, and leaves no token in the address',
    async (type) => {
      const email = `olivia-${type}@example.com`
      if (type === 'magiclink') await addUser(server, email)
      const [first] = await followLink(server, email, type)
      expect(first).toMatch(new RegExp(`^${window.location.origin}/auth-redirect#access_token=`))
      const started = performance.now()
      const { at, client, router } = await openApp(server, pathOf(first), { arriving: true })
      expect(await screen.findByText('Completing authentication...')).toBeTruthy()
      await waitFor(() => expect(at()).toBe('/'))
      expect(performance.now() - started).toBeGreaterThan(1000)
      expect(router.history.length).toBe(1)
      expect(window.location.href).not.toContain('token')
      expect(storedTokens()).toHaveLength(1)
      expect((await client.auth.getUser()).data.user?.email).toBe(email)
      expect(screen.queryByText('Authentication Failed')).toBeNull()
    },
  )

  it.each([
    { button: 'Stay', whose: 'own' },
    { button: 'Continue', whose: 'other' },
  ] as const)(
    'asks who is signed in before going on as somebody else: $button',
    async ({ button, whose }) => {
      skipWaits(1000)
      const emails = { own: `own-${whose}@example.com`, other: `other-${whose}@example.com` }
      await addUser(server, emails.own)
      await openApp(server, '/about', { as: { email: emails.own } })
      const [link] = await followLink(server, emails.other, 'signup')
      const { client, user, at } = await openApp(server, pathOf(link), { arriving: true })
      expect(window.location.href).toBe(`${window.location.origin}/auth-redirect`)
      const dialog = within(await screen.findByRole('dialog', { name: 'Switch accounts?' }))
      await dialog.findByText(`You are signed in as ${emails.own}. Continue as ${emails.other}?`)
      await waitFor(() => expect(at()).toBe('/'))
      expect((await client.auth.getSession()).data.session?.user.email).toBe(emails.own)
      await user.click(dialog.getByRole('button', { name: button }))
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Switch accounts?' })).toBeNull())
      expect((await client.auth.getUser()).data.user?.email).toBe(emails[whose])
      expect(storedTokens()).toHaveLength(1)
    },
  )

  it.each([
    ['in the query', 'query', (tokens: string) => `/terms?${tokens}`],
    ['after others', 'second', (tokens: string) => `/terms#access_token=a.b.c&${tokens}`],
  ])('asks too when the tokens come %s', async (_how, name, address) => {
    skipWaits(1000)
    const { email } = await addUser(server, `own-${name}@example.com`)
    await openApp(server, '/about', { as: { email } })
    const [link] = await followLink(server, `other-${name}@example.com`, 'signup')
    const tokens = (link ?? '').split('#')[1] ?? ''
    const { client } = await openApp(server, address(tokens), { arriving: true })
    expect(window.location.href).not.toContain('token=')
    await screen.findByRole('dialog', { name: 'Switch accounts?' })
    expect((await client.auth.getSession()).data.session?.user.email).toBe(email)
  })

  it('does not ask whose link it is of those who open their own', async () => {
    skipWaits(1000)
    const { email } = await addUser(server, 'twice@example.com')
    await openApp(server, '/about', { as: { email } })
    const [link] = await followLink(server, email, 'magiclink')
    const { at } = await openApp(server, pathOf(link), { arriving: true })
    await waitFor(() => expect(at()).toBe('/'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('goes to the page that was wanted before', async () => {
    skipWaits(1000)
    const [first] = await followLink(server, 'wanting@example.com', 'signup')
    window.sessionStorage.setItem('redirectAfterLogin', '/terms')
    const { at } = await openApp(server, pathOf(first), { arriving: true })
    await waitFor(() => expect(at()).toBe('/terms'))
    expect(window.sessionStorage.getItem('redirectAfterLogin')).toBeNull()
  })

  it('tells why a link failed and sends whoever is not signed in to sign in', async () => {
    window.localStorage.setItem('dev_auth_active', 'true')
    window.sessionStorage.setItem('redirectAfterLogin', '/create')
    window.localStorage.setItem('sb-of-before-auth-token', '{"access_token":"left behind"}')
    const [, second] = await followLink(server, 'late@example.com', 'signup')
    expect(second).toContain('#error=access_denied&error_code=otp_expired')
    const started = performance.now()
    const { at, client } = await openApp(server, pathOf(second), { arriving: true })
    const signOut = vi.spyOn(client.auth, 'signOut')
    expect(await screen.findByText(EXPIRED)).toBeTruthy()
    expect(performance.now() - started).toBeGreaterThan(1000)
    await waitFor(() => expect(at()).toBe('/sign-in'))
    expect(screen.getAllByText('Authentication Failed')).toHaveLength(2)
    expect(screen.getByText('Please sign in again to continue.')).toBeTruthy()
    expect(signOut).toHaveBeenCalledExactlyOnceWith({ scope: 'local' })
    expect(window.localStorage.getItem('dev_auth_active')).toBeNull()
    expect(window.sessionStorage.getItem('redirectAfterLogin')).toBeNull()
    expect(storedTokens()).toEqual([])
  })

  it('waits for nothing when nothing came, and asks to sign in again', async () => {
    const clocks = vi.spyOn(globalThis, 'setTimeout')
    const seconds = () => clocks.mock.calls.filter(([, ms]) => ms === 1000).length
    window.localStorage.setItem('dev_auth_active', 'true')
    window.sessionStorage.setItem('redirectAfterLogin', '/create')
    const plain = await openApp(server, '/auth-redirect', { arriving: true })
    await waitFor(() => expect(plain.at()).toBe('/sign-in'))
    await screen.findByText('Please sign in again to continue.')
    expect(window.localStorage.getItem('dev_auth_active')).toBeNull()
    expect(window.sessionStorage.getItem('redirectAfterLogin')).toBeNull()
    expect(seconds()).toBe(0)
    expect(screen.queryByText('Failed to complete authentication')).toBeNull()
    clocks.mockRestore()
  })

  it('waits a second for an id token too', async () => {
    const started = performance.now()
    const { at } = await openApp(server, '/auth-redirect#id_token=x', { arriving: true })
    expect(await screen.findByText('Completing authentication...')).toBeTruthy()
    await waitFor(() => expect(at()).toBe('/sign-in'))
    expect(performance.now() - started).toBeGreaterThan(1000)
  })

  it('a link clicked twice is no failure for somebody it has just signed in', async () => {
    skipWaits(1000)
    const [first, second] = await followLink(server, 'double@example.com', 'signup')
    const arrived = await openApp(server, pathOf(first), { arriving: true })
    await waitFor(() => expect(arrived.at()).toBe('/'))
    const { at } = await openApp(server, pathOf(second), { arriving: true })
    expect(await screen.findByText('You are signed in')).toBeTruthy()
    expect(screen.getByText('That link has done its work already.')).toBeTruthy()
    await waitFor(() => expect(at()).toBe('/'))
    expect(screen.queryByText('Authentication Failed')).toBeNull()
    expect(storedTokens()).toHaveLength(1)
  })

  it('forged tokens sign nobody in', async () => {
    skipWaits(1000)
    const tokens = 'access_token=a.b.c&refresh_token=x&expires_in=3600&token_type=bearer&type=magiclink'
    const { at, client } = await openApp(server, `/auth-redirect#${tokens}`, { arriving: true })
    await waitFor(() => expect(at()).toBe('/sign-in'))
    expect(screen.getByText(/^invalid JWT/)).toBeTruthy()
    expect((await client.auth.getSession()).data.session).toBeNull()
    expect(at()).not.toContain('token')
  })
})
