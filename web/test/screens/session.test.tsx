import { addUser, PASSWORD as password, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { createClient, GoTrueClient, type Session } from '@supabase/supabase-js'
import { screen, waitFor } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { config } from '#lib/config.ts'
import { askSession, currentSession, followSession, onSession, useUser } from '#lib/session.ts'
import { connectSupabase } from '#lib/supabase.ts'
import { openApp } from '../app.tsx'
import { beAway, intercept, skipWaits } from '../network.ts'

const tokenKey = () => Object.keys(window.localStorage).find((key) => /^sb-.*-auth-token$/.test(key)) ?? ''

/** Writes another end into the session this browser keeps. */
function endSessionAt(secondsFromNow: number): void {
  const kept = JSON.parse(window.localStorage.getItem(tokenKey()) ?? '{}') as Session
  const expires_at = Math.floor(Date.now() / 1000) + secondsFromNow
  window.localStorage.setItem(tokenKey(), JSON.stringify({ ...kept, expires_at }))
}

describe('a session', async () => {
  const server = await testServer()
  let people = 0
  const newPerson = (): Promise<TestUser> => addUser(server, `person${++people}@example.com`)
  /** Ends the person's sessions behind the browser's back. */
  const revoke = ({ id }: TestUser) => server.db.query('delete from auth.sessions where user_id = $1', [id])

  it('welcomes the first sign-in of each page, and no other', async () => {
    const { email } = await newPerson()
    const { user, client } = await openApp(server, '/about')
    await waitFor(() => expect(currentSession().status).toBe('signed-out'))
    await client.auth.signInWithPassword({ email, password })
    const welcome = await screen.findByText(/^Welcome, /)
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(welcome.isConnected).toBe(false))
    await client.auth.signOut({ scope: 'local' })
    await waitFor(() => expect(currentSession().status).toBe('signed-out'))
    await client.auth.signInWithPassword({ email, password })
    await waitFor(() => expect(currentSession().status).toBe('signed-in'))
    expect(screen.queryByText(/^Welcome, /)).toBeNull()

    const next = await openApp(server, '/about')
    await next.client.auth.signOut({ scope: 'local' })
    await next.client.auth.signInWithPassword({ email, password })
    await screen.findByText(/^Welcome, /)
  })

  it('is loading until first looked at, then follows every sign-in and sign-out', async () => {
    const { email, id } = await newPerson()
    const client = await connectSupabase(config())
    const stop = followSession(client)
    expect(currentSession()).toEqual({ status: 'loading' })
    const events: string[] = []
    onSession((event, { status }) => events.push(`${event} ${status}`))
    await waitFor(() => expect(currentSession()).toEqual({ status: 'signed-out' }))
    await client.auth.signInWithPassword({ email, password })
    expect(currentSession()).toMatchObject({
      status: 'signed-in',
      user: { id, email },
      session: { user: { id }, access_token: expect.any(String), refresh_token: expect.any(String) },
    })
    await client.auth.refreshSession()
    await client.auth.signOut()
    expect(currentSession()).toEqual({ status: 'signed-out' })
    expect(events).toEqual([
      'INITIAL_SESSION signed-out',
      'SIGNED_IN signed-in',
      'TOKEN_REFRESHED signed-in',
      'SIGNED_OUT signed-out',
    ])
    stop()
    await client.auth.stopAutoRefresh()
  })

  it('calls one address with the public key, and logging out tells the server', async () => {
    const { email } = await newPerson()
    const calls = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method) =>
      intercept(`${method} http`),
    )
    const { user, client, router, at } = await openApp(server, '/my-subscriptions', { as: { email } })
    await screen.findByRole('heading', { name: 'My Subscriptions' })
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
    expect((await client.auth.getSession()).data.session?.user.email).toBe(email)
    expect((await client.auth.refreshSession()).data.session?.user.email).toBe(email)
    await user.click(screen.getByRole('button', { name: 'Your menu' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
    await waitFor(() => expect(currentSession().status).toBe('signed-out'))
    expect(at()).toBe('/')
    expect((await client.auth.getSession()).data.session).toBeNull()
    await router.navigate({ to: '/dashboard' })
    await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fdashboard'))
    const sent = calls.flatMap((all) => all.sent)
    expect(sent.filter(({ url }) => !url.startsWith(`${server.url}/`))).toEqual([])
    expect(sent.filter(({ headers }) => headers.get('apikey') !== server.anonKey)).toEqual([])
    expect(sent.map(({ url }) => url)).toContain(`${server.url}/auth/v1/logout?scope=global`)
  })

  it('says so when signing out failed', async () => {
    const { email } = await newPerson()
    const { user } = await openApp(server, '/about', { as: { email } })
    beAway('POST /auth/v1/logout')
    await user.click(await screen.findByRole('button', { name: 'Your menu' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
    expect(await screen.findByText('Error signing out')).toBeTruthy()
    expect(screen.getByText('An unexpected error occurred.')).toBeTruthy()
  })

  it('ends in this tab when another one signs out', async () => {
    const { email } = await newPerson()
    const { at } = await openApp(server, '/my-subscriptions', { as: { email } })
    await screen.findByRole('heading', { name: 'My Subscriptions' })
    const other = openTab()
    expect((await other.auth.getSession()).data.session?.user.email).toBe(email)
    await other.auth.signOut()
    await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fmy-subscriptions'))
    expect(currentSession()).toEqual({ status: 'signed-out' })
    expect(screen.queryByText('Session expired')).toBeNull()
  })

  it('begins in this tab when another one signs in', async () => {
    const { email } = await newPerson()
    const { at } = await openApp(server, '/signin?redirect=%2Fterms')
    await screen.findByRole('heading', { name: 'Welcome Back' })
    await openTab().auth.signInWithPassword({ email, password })
    await waitFor(() => expect(at()).toBe('/terms'))
  })

  it('that is over and cannot be renewed counts as none', async () => {
    const person = await newPerson()
    await openApp(server, '/about', { as: person })
    endSessionAt(-10)
    await revoke(person)
    const { at, client } = await openApp(server, '/create')
    await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fcreate'))
    expect((await client.auth.getSession()).data.session).toBeNull()
  })

  it('that is over is renewed where that is possible, and nobody notices', async () => {
    const { email } = await newPerson()
    await openApp(server, '/about', { as: { email } })
    endSessionAt(-10)
    const { at } = await openApp(server, '/my-subscriptions')
    await screen.findByRole('heading', { name: 'My Subscriptions' })
    expect(at()).toBe('/my-subscriptions')
  })

  it.each(['/my-subscriptions', '/available-subscriptions', '/create'])(
    'running out on %s says so and leads to sign-in with the way back',
    async (address) => {
      const person = await newPerson()
      const { at, client } = await openApp(server, address, { as: person })
      await screen.findByRole('heading', { level: 1 })
      await revoke(person)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_610_000 })
      await client.auth.refreshSession()
      vi.useRealTimers()
      expect(await screen.findByText('Session expired')).toBeTruthy()
      expect(screen.getByText('Your login session has expired. Please sign in again.')).toBeTruthy()
      await waitFor(() => expect(at()).toMatch(/^\/signin\?redirect=/))
      expect(decodeURIComponent(at())).toContain(address)
    },
  )

  it('ended on another device is left here with the first call that finds out, and told once', async () => {
    const person = await newPerson()
    const { at, client, user } = await openApp(server, '/account-settings', { as: person })
    const mails = await screen.findByRole('checkbox', { name: 'Requests and places: E-mail' })
    await waitFor(() => expect(mails).toHaveProperty('disabled', false))
    await revoke(person)
    await user.click(mails)
    expect(await screen.findByText('Session expired')).toBeTruthy()
    await waitFor(() => expect(at()).toBe('/signin?redirect=%2Faccount-settings'))
    expect((await client.auth.getSession()).data.session).toBeNull()
    expect(screen.getAllByText('Session expired')).toHaveLength(1)
  })

  it('that is not there is what a screen for signed-in people asks for', async () => {
    await openApp(server, '/about')
    await waitFor(() => expect(currentSession().status).toBe('signed-out'))
    expect(() => renderToString(<ScreenOfSomebody />)).toThrow(
      'Authentication required. Please sign in again.',
    )
  })

  it('that cannot be checked sends nobody away', async () => {
    const { email } = await newPerson()
    await openApp(server, '/about', { as: { email } })
    endSessionAt(-10)
    const away = beAway('POST /auth/v1/token')
    // The client tries again for half a minute, each wait double the one before.
    skipWaits(...Array.from({ length: 9 }, (_, tries) => 200 * 2 ** tries))
    const start = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => start + away.sent.length * 5000)
    const asked = askSession().catch((problem: Error) => problem.message)
    expect(await asked).toBe('Unable to verify authentication. Please try again.')
  })
})

const ScreenOfSomebody = () => useUser().email

/** A second tab of the same browser. */
function openTab() {
  const { supabaseUrl, supabaseAnonKey } = config()
  Object.assign(GoTrueClient, { nextInstanceID: {} })
  return createClient(supabaseUrl, supabaseAnonKey, {
    auth: { autoRefreshToken: false, detectSessionInUrl: false },
  })
}
