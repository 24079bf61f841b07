// A session from the return after signing in to its end: its person, its duration, and the effects of other tabs and
// devices.
// Proves AUTH 10 21-24 27-30, NAV 05, API 04 06, ERR 04 09
import { newClient, PASSWORD as password, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { createClient, GoTrueClient, type Session } from '@supabase/supabase-js'
import { screen, waitFor } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { config } from '#lib/config.ts'
import { connectSupabase } from '#lib/connect.ts'
import { askSession, currentSession, followSession, onSession, useUser } from '#lib/session.ts'
import { local, perTab, read, storageKeys, write } from '#lib/storage.ts'
import { openApp, toasted } from '../app.tsx'
import { beAway, intercept, skipWaits } from '../network.ts'
import { dialog } from '../parts.ts'
import { carriedBy, mailedLink, newPerson } from '../people.ts'
import { setTestSite } from '../site.ts'

const server = await testServer()
const here = window.location.origin
const storedTokens = () => Object.keys(window.localStorage).filter((key) => /^sb-.*-auth-token$/.test(key))
const arrive = (address = '') =>
  openApp(server, address.replace(new RegExp(`^${here}`), ''), { arriving: true })
const asks = () => screen.queryByText('Switch accounts?') !== null
const newcomer = (name: string) => `${name}.${Math.random().toString(36).slice(2, 10)}@session.example`

/**
 * Mails a sign-in link and follows it twice at the auth service itself, as providers' redirects do; returns the two
 * resulting URLs.
 */
async function followLink(email: string, type: 'signup' | 'magiclink') {
  const { auth } = newClient(server)
  const options = { emailRedirectTo: `${here}/auth-redirect` }
  const { error } = await (type === 'signup'
    ? auth.signUp({ email, password, options })
    : auth.signInWithOtp({ email, options }))
  if (error) throw error
  const mail = (await server.outbox()).find(({ to }) => to === email)
  const carried = carriedBy(mailedLink(mail?.text))
  const asked = { token: carried.get('token_hash') ?? '', type, redirect_to: carried.get('to') ?? '' }
  const link = `${server.url}/auth/v1/verify?${new URLSearchParams(asked)}`
  const click = async () => (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? ''
  return { first: await click(), second: await click() }
}

it('the link of a mail signs in once, where one was going, leaves no token, and may be clicked twice', async () => {
  const email = newcomer('ana')
  const { first, second } = await followLink(email, 'signup')
  expect(first.startsWith(`${here}/auth-redirect#access_token=`)).toBe(true)
  const started = performance.now()
  const { at, client, router } = await arrive(first)
  await screen.findByText('Completing authentication...')
  await waitFor(() => expect(at()).toBe('/'))
  expect(performance.now() - started).toBeGreaterThan(1000)
  expect(router.history.length).toBe(1)
  expect(window.location.href).not.toContain('token')
  expect(storedTokens()).toHaveLength(1)
  expect((await client.auth.getUser()).data.user?.email).toBe(email)

  skipWaits(1000)
  const again = await arrive(second)
  await toasted('info', 'You’re signed in', 'You’ve already used that link.')
  await waitFor(() => expect(again.at()).toBe('/'))
  expect(screen.queryByText('Authentication Failed')).toBeNull()
  expect(storedTokens()).toHaveLength(1)
  // People who open their own link are not asked to confirm the account.
  window.sessionStorage.setItem('redirectAfterLogin', '/terms')
  const own = await arrive((await followLink(email, 'magiclink')).first)
  await waitFor(() => expect(own.at()).toBe('/terms'))
  expect(window.sessionStorage.getItem('redirectAfterLogin')).toBeNull()
  expect(asks()).toBe(false)
})

/** Mails a link; returns it as a path of this site, and the code in the same mail. */
async function mailed(email: string, next = '/terms') {
  const { auth } = newClient(server)
  const emailRedirectTo = `${here}/auth-redirect?next=${encodeURIComponent(next)}`
  await auth.signInWithOtp({ email, options: { emailRedirectTo } })
  const text = (await server.outbox()).find(({ to }) => to === email)?.text ?? ''
  const { pathname, hash } = new URL(mailedLink(text))
  return { link: pathname + hash, code: /\b\d{6}\b/.exec(text)?.[0] ?? '' }
}

it('the link of a mail waits for a press, which a scanner does not make, and is mailed again once it is over', async () => {
  const { email } = await newPerson(server, 'lea')
  const { link } = await mailed(email)
  // Opens the link like a mail scanner.
  await fetch(server.url + link)
  const { at, user, client } = await arrive(link)
  await screen.findByText(email)
  expect(currentSession().status).toBe('signed-out')
  await user.click(screen.getByText('Sign me in', { selector: 'button *' }))
  await waitFor(() => expect(at()).toBe('/terms'))
  expect((await client.auth.getUser()).data.user?.email).toBe(email)

  // The link is opened again: first by the person whom it has signed in, then after that person has signed out.
  const again = await arrive(link)
  await again.user.click(await screen.findByText('Sign me in', { selector: 'button *' }))
  await toasted('info', 'You’re signed in', 'You’ve already used that link.')
  await waitFor(() => expect(again.at()).toBe('/terms'))
  await again.client.auth.signOut({ scope: 'local' })
  const late = await arrive(link)
  await late.user.click(await screen.findByText('Sign me in', { selector: 'button *' }))
  await screen.findByText('Please sign in again to continue.')
  await waitFor(() => expect(late.at()).toBe('/sign-in'))
  await screen.findByText('This link was used or has expired')
  await server.db.query(
    `update auth.users set recovery_sent_at = now() - interval '1 day' where email = $1`,
    [email],
  )
  await late.user.click(screen.getByText('Send a new link'))
  await screen.findByText('Check your email', { selector: 'h1' })
  const mails = (await server.outbox()).filter(({ to }) => to === email)
  expect(mails).toHaveLength(2)

  // The code in the same mail also signs in, on the page that tells people to look for the mail.
  const code = mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? '')
  const enter = async (typed: string) => {
    await late.user.clear(screen.getByLabelText('Code from the email'))
    await late.user.type(screen.getByLabelText('Code from the email'), typed)
    await late.user.click(screen.getByText('Continue', { selector: 'button *' }))
  }
  await enter(code[0] === '000000' ? '111111' : '000000')
  await toasted('error', 'Not signed in', 'Token has expired or is invalid')
  await enter(`${code[0]?.slice(0, 3)} ${code[0]?.slice(3)}`)
  await waitFor(() => expect(late.at()).toBe('/terms'))
})

it('a link for another account than it says, or than is signed in, asks before it signs in', async () => {
  const own = (await newPerson(server, 'own')).email
  const other = (await newPerson(server, 'other')).email
  const { link } = await mailed(other)
  const { client, user, at } = await openApp(server, link, { as: { email: own } })
  await user.click(await screen.findByText('Sign me in', { selector: 'button *' }))
  const asked = await dialog('Switch accounts?')
  await asked.findByText(`You’re signed in as ${own}. Continue as ${other}?`)
  await user.click(asked.getByText('Stay signed in'))
  await waitFor(() => expect(at()).toBe('/terms'))
  expect((await client.auth.getUser()).data.user?.email).toBe(own)
  await client.auth.signOut({ scope: 'local' })

  await server.db.query(`update auth.users set recovery_sent_at = null where email = $1`, [other])
  const lying = (await mailed(other)).link.replace(/email=[^&]*/, `email=${own}`)
  const visitor = await arrive(lying)
  await visitor.user.click(await screen.findByText('Sign me in', { selector: 'button *' }))
  await (await dialog('Switch accounts?')).findByText(`Continue as ${other}?`)
  expect(currentSession().status).toBe('signed-out')
})

it('a device whose clock is 65 minutes fast signs in all the same, and is told', async () => {
  const { email } = await newPerson(server, 'clo')
  // To such a device, sessions seem to end 65 minutes early.
  const asked = intercept('POST /auth/v1/token', async (send) => {
    const answer = await send()
    const session = await answer.json()
    return Response.json({ ...session, expires_at: session.expires_at - 65 * 60 })
  })
  const { user, at } = await openApp(server, '/signin?redirect=%2Fterms')
  await user.type(await screen.findByLabelText('Email'), email)
  await user.type(screen.getByLabelText('Password', { selector: 'input' }), password)
  await user.click(screen.getByText('Sign In', { selector: 'form button *' }))
  await waitFor(() => expect(at()).toBe('/terms'))
  await toasted(
    'info',
    'Check the clock of this device',
    'It is 65 minutes fast, so times and deadlines look wrong here.',
  )
  expect(currentSession().status).toBe('signed-in')
  // The client does not refresh the token again and again either.
  expect(asked.sent.map(({ url }) => new URL(url).searchParams.get('grant_type'))).toEqual(['password'])
})

it('whoever is signed in is asked before a link signs in somebody else, wherever its tokens stand', async () => {
  skipWaits(1000)
  const own = (await newPerson(server, 'own')).email
  await openApp(server, '/about', { as: { email: own } })
  for (const [button, address] of [
    ['Stay signed in', '/terms?'],
    ['Stay signed in', '/terms#access_token=a.b.c&'],
    ['Switch accounts', '/auth-redirect#'],
  ] as const) {
    const other = newcomer('other')
    const { first } = await followLink(other, 'signup')
    const { client, user } = await arrive(address + first.split('#')[1])
    expect(window.location.href).not.toContain('token=')
    const asked = await dialog('Switch accounts?')
    await asked.findByText(`You’re signed in as ${own}. Continue as ${other}?`)
    expect((await client.auth.getSession()).data.session?.user.email).toBe(own)
    await user.click(asked.getByText(button))
    await waitFor(() => expect(asks()).toBe(false))
    expect((await client.auth.getUser()).data.user?.email).toBe(button === 'Stay signed in' ? own : other)
    expect(storedTokens()).toHaveLength(1)
  }
})

it('a return without a session says why, forgets what was kept of signing in, and leads to sign-in', async () => {
  const { second } = await followLink(newcomer('late'), 'signup')
  expect(second).toContain('#error=access_denied&error_code=otp_expired')
  const forged = 'access_token=a.b.c&refresh_token=x&expires_in=3600&token_type=bearer&type=magiclink'
  skipWaits(1000)
  const clocks = vi.spyOn(globalThis, 'setTimeout')
  for (const [address, waits, why] of [
    [second, 1, 'Email link is invalid or has expired'],
    [`/auth-redirect#${forged}`, 1, /^invalid JWT/],
    ['/auth-redirect#id_token=x', 1, null],
    ['/auth-redirect', 0, null],
  ] as const) {
    window.localStorage.setItem('dev_auth_active', 'true')
    window.sessionStorage.setItem('redirectAfterLogin', '/create')
    window.localStorage.setItem('sb-of-before-auth-token', '{"access_token":"left behind"}')
    clocks.mockClear()
    const { at, client } = await arrive(address)
    const signOut = vi.spyOn(client.auth, 'signOut')
    await screen.findByText('Please sign in again to continue.')
    expect(clocks.mock.calls.filter(([, ms]) => ms === 1000)).toHaveLength(waits)
    if (why) expect(screen.getByText(why)).toBeTruthy()
    await waitFor(() => expect(at()).toBe('/sign-in'))
    expect(screen.getAllByText('Authentication Failed')).toHaveLength(why ? 2 : 1)
    expect(signOut).toHaveBeenCalledExactlyOnceWith({ scope: 'local' })
    expect(window.localStorage.getItem('dev_auth_active')).toBeNull()
    expect(window.sessionStorage.getItem('redirectAfterLogin')).toBeNull()
    expect(storedTokens()).toEqual([])
  }
})

it('is loading until first looked at, then follows every sign-in and sign-out, and welcomes the first of a page', async () => {
  const { email, id } = await newPerson(server, 'zoe')
  const { url: supabaseUrl, anonKey: supabaseAnonKey } = server
  const client = await connectSupabase(setTestSite({ supabaseUrl, supabaseAnonKey }))
  const stop = followSession(client)
  expect(currentSession()).toEqual({ status: 'loading' })
  const events: string[] = []
  onSession((event, { status }) => events.push(`${event} ${status}`))
  await waitFor(() => expect(currentSession()).toEqual({ status: 'signed-out' }))
  expect(() => renderToString(<ScreenOfSomebody />)).toThrow('Authentication required. Please sign in again.')
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

  const { user, client: page } = await openApp(server, '/about')
  for (const first of [true, false]) {
    await page.auth.signOut({ scope: 'local' })
    await waitFor(() => expect(currentSession().status).toBe('signed-out'))
    await page.auth.signInWithPassword({ email, password })
    await waitFor(() => expect(currentSession().status).toBe('signed-in'))
    if (first) {
      const welcome = await screen.findByText(/^Welcome, /)
      await user.click(screen.getByLabelText('Dismiss'))
      await waitFor(() => expect(welcome.isConnected).toBe(false))
    } else expect(screen.queryByText(/^Welcome, /)).toBeNull()
  }
})

it('calls one address with the public key; logging out tells the server, or says that it failed', async () => {
  const { email } = await newPerson(server, 'zoe')
  const calls = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method) => intercept(`${method} http`))
  const { user, client, router, at } = await openApp(server, '/my-subscriptions', { as: { email } })
  await screen.findByText('My Subscriptions', { selector: 'h1' })
  expect((await client.auth.getUser()).data.user?.email).toBe(email)
  expect((await client.auth.getSession()).data.session?.user.email).toBe(email)
  expect((await client.auth.refreshSession()).data.session?.user.email).toBe(email)
  const logOut = async () => {
    await user.click(screen.getByText('Your menu'))
    await user.click(await screen.findByText('Log out'))
  }
  const keys = ['subscription-sub-1', 'subscription-sub-1-shared', ...Object.values(storageKeys)]
  // The secret of a place is kept for all tabs alone.
  for (const key of keys)
    for (const storage of key === storageKeys.placeSecret ? [local] : [local, perTab])
      write(storage, key, '["sub-1"]')
  write(local, storageKeys.notificationsEnabled, 'true')
  const away = beAway('POST /auth/v1/logout')
  await logOut()
  await toasted('error', 'Error signing out', 'An unexpected error occurred.')
  away.heal()
  await logOut()
  await waitFor(() => expect(currentSession().status).toBe('signed-out'))
  await waitFor(() => expect(at()).toBe('/'))
  expect((await client.auth.getSession()).data.session).toBeNull()
  const left = [local, perTab].map((storage) => keys.filter((key) => read(storage, key) !== null))
  const ofTheDevice = [
    ...['redirectAfterLogin', 'emailForLogin', 'mail-sent', 'notifications-enabled'],
    ...[
      'pending-requests-notifications-enabled',
      'celebrated-milestones',
      'time-zone-told-by',
      'known-device',
      'language',
      'language-told-by',
    ],
    ...['socialSignIn', 'queue-shortcuts', 'dev_auth_active'],
  ]
  expect(left).toEqual([ofTheDevice, ofTheDevice])
  window.localStorage.clear()
  window.sessionStorage.clear()
  await router.navigate({ to: '/dashboard' })
  await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fdashboard'))
  const sent = calls.flatMap((all) => all.sent)
  expect(sent.filter(({ url }) => !url.startsWith(`${server.url}/`))).toEqual([])
  expect(sent.filter(({ headers }) => headers.get('apikey') !== server.anonKey)).toEqual([])
  expect(sent.map(({ url }) => url)).toContain(`${server.url}/auth/v1/logout?scope=global`)
})

const ScreenOfSomebody = () => useUser().email

it('ends and begins in this tab when another one signs out and in', async () => {
  const { email } = await newPerson(server, 'zoe')
  const { at } = await openApp(server, '/my-subscriptions', { as: { email } })
  await screen.findByText('My Subscriptions', { selector: 'h1' })
  const { supabaseUrl, supabaseAnonKey } = config()
  Object.assign(GoTrueClient, { nextInstanceID: {} })
  const other = createClient(supabaseUrl, supabaseAnonKey, {
    auth: { autoRefreshToken: false, detectSessionInUrl: false },
  })
  expect((await other.auth.getSession()).data.session?.user.email).toBe(email)
  await other.auth.signOut()
  await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fmy-subscriptions'))
  expect(currentSession()).toEqual({ status: 'signed-out' })
  expect(screen.queryByText('Session expired')).toBeNull()
  await other.auth.signInWithPassword({ email, password })
  await waitFor(() => expect(at()).toBe('/my-subscriptions'))
})

/** Changes the expiry of the session that this browser stores. */
function endSessionAt(secondsFromNow: number): void {
  const [key = ''] = storedTokens()
  const kept = JSON.parse(window.localStorage.getItem(key) ?? '{}') as Session
  const expires_at = Math.floor(Date.now() / 1000) + secondsFromNow
  window.localStorage.setItem(key, JSON.stringify({ ...kept, expires_at }))
}
/** Ends the person's sessions in the database, unnoticed by the browser. */
const revoke = ({ id }: TestUser) => server.db.query('delete from auth.sessions where user_id = $1', [id])

it('that is over is renewed where that is possible; else it counts as none, and where nobody can tell, nobody is sent away', async () => {
  const person = await newPerson(server, 'zoe')
  await openApp(server, '/about', { as: person })
  endSessionAt(-10)
  const renewed = await openApp(server, '/my-subscriptions')
  await screen.findByText('My Subscriptions', { selector: 'h1' })
  expect(renewed.at()).toBe('/my-subscriptions')
  endSessionAt(-10)
  await revoke(person)
  const { at, client } = await openApp(server, '/create')
  await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fcreate'))
  expect((await client.auth.getSession()).data.session).toBeNull()

  await openApp(server, '/about', { as: person })
  endSessionAt(-10)
  const away = beAway('POST /auth/v1/token')
  // The client retries for half a minute, doubling each pause.
  skipWaits(...Array.from({ length: 9 }, (_, tries) => 200 * 2 ** tries))
  const start = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => start + away.sent.length * 5000)
  await expect(askSession()).rejects.toThrow('Unable to verify authentication. Please try again.')
  skipWaits(...Array.from({ length: 9 }, (_, tries) => 200 * 2 ** tries))
  // React and the router print the error to the console.
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  await openApp(server, '/my-subscriptions')
  await screen.findByText('Unable to verify authentication. Please try again.')
})

it('that runs out, or is ended on another device, says so once and leads to sign-in with the way back', async () => {
  const person = await newPerson(server, 'zoe')
  const { at, client } = await openApp(server, '/my-subscriptions', { as: person })
  await screen.findByText('My Subscriptions', { selector: 'h1' })
  await revoke(person)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_610_000 })
  await client.auth.refreshSession()
  vi.useRealTimers()
  const told = ['error', 'Session expired', 'Your login session has expired. Please sign in again.'] as const
  await toasted(...told)
  await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fmy-subscriptions'))

  const ended = await openApp(server, '/account-settings/notifications', { as: person })
  const mails = await screen.findByLabelText('Requests and places: Email', { selector: 'input' })
  await waitFor(() => expect(mails).toHaveProperty('disabled', false))
  await revoke(person)
  await ended.user.click(mails)
  await toasted(...told)
  await waitFor(() => expect(ended.at()).toBe('/signin?redirect=%2Faccount-settings%2Fnotifications'))
  expect((await ended.client.auth.getSession()).data.session).toBeNull()
  expect(screen.getAllByText('Session expired')).toHaveLength(1)
})
