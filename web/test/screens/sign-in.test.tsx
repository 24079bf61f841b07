// Signing in by password, by a mailed link and through a provider; signing up; and choosing a new password.
// Proves AUTH 01-20 22 26 33, API 02 05, ERR 01-03 06 07, VALID 01-06
import { newClient, PASSWORD as password, testServer } from '@potluck/server/test/harness.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { AppClient } from '#lib/supabase.ts'
import { openApp, toasted } from '../app.tsx'
import { beAway, hold, intercept } from '../network.ts'
import { carriedBy, mailedLink, newPerson } from '../people.ts'

const server = await testServer()
const here = window.location.origin
const mailsTo = async (email: string) => (await server.outbox()).filter(({ to }) => to === email)
const remembered = () => window.sessionStorage.getItem('redirectAfterLogin')
const heading = (text: string) => screen.findByText(text, { selector: 'h1' })
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
async function fillIn(values: Record<string, string>) {
  await screen.findByLabelText(Object.keys(values)[0] as string, { selector: 'input' })
  for (const [label, value] of Object.entries(values)) fireEvent.change(field(label), { target: { value } })
}
/** Presses a button as soon as it is not busy. */
const pressing = (user: { click: (element: Element) => Promise<void> }) => (name: string) =>
  user.click(screen.getByText(name, { selector: 'button *' }))
const signIn = async (email: string, secret: string) =>
  (await newClient(server).auth.signInWithPassword({ email, password: secret })).error?.code

it('signing in is one screen at both addresses, and leads once to the page that was wanted', async () => {
  const { email } = await newPerson(server, 'olivia')
  const { at, router, user } = await openApp(server, '/sign-in')
  await heading('Welcome Back')
  await act(() => router.navigate({ href: '/signin?redirect=%2Fterms' }))
  await heading('Welcome Back')
  expect(screen.getByText('Your place at the table is still warm.')).toBeTruthy()
  expect(field('Email').type).toBe('email')
  const button = screen
    .getByText('Sign In', { selector: 'form button *' })
    .closest('button') as HTMLButtonElement
  expect(button.type).toBe('submit')
  for (const type of ['password', 'text', 'password']) {
    expect(field('Password').type).toBe(type)
    await user.click(screen.getByRole('button', { name: 'Show or hide the password' }))
  }
  expect(screen.getByText(/^Don't have an account\?/)).toBeTruthy()
  expect(screen.getByText('Sign up').getAttribute('href')).toBe('/signup')

  const visited: string[] = []
  router.subscribe('onResolved', ({ toLocation }) => visited.push(toLocation.href))
  await fillIn({ Email: `  ${email} `, Password: password })
  expect([remembered(), button.hasAttribute('data-loading')]).toEqual(['/terms', false])
  const calls = hold('POST /auth/v1/token')
  await user.click(button)
  await waitFor(() => expect(button.hasAttribute('data-loading')).toBe(true))
  expect(at()).toBe('/signin?redirect=%2Fterms')
  calls.letGo()
  await waitFor(() => expect([at(), remembered()]).toEqual(['/terms', null]))
  await act(() => router.navigate({ to: '/signin' }))
  await waitFor(() => expect(at()).toBe('/'))
  expect(visited.filter((href) => href === '/terms')).toHaveLength(1)
})

it('a browser in which nobody has signed in yet has one email field for both ways, creating an account first, and says what the person came for', async () => {
  const { user, router } = await openApp(server, '/sign-in?from=%2Fcreate', { newcomer: true })
  await heading('You’re about to share a plan')
  const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(titles()).toEqual(['Welcome Back'])
  expect(screen.getByText(/^Don't have an account\?/)).toBeTruthy()
  // Enter asks for the link as long as there is no password.
  await user.type(field('Email'), 'newt@sign-in.example{Enter}')
  await heading('Check your email')
  screen.getByText('You’re about to share a plan')
  const [mail] = await mailsTo('newt@sign-in.example')
  expect(carriedBy(mailedLink(mail?.text)).get('to')).toBe(`${here}/auth-redirect?next=/create`)
  await act(() => router.navigate({ to: '/signup' }))
  await heading('Create Your Account')
  screen.getByText('You’re about to share a plan')
  await act(() => router.navigate({ href: '/signin?from=%2Favailable-subscriptions' }))
  await heading('You’re about to join a plan')

  const { email } = await newPerson(server, 'nora')
  window.sessionStorage.clear()
  const first = await openApp(server, '/signin', { newcomer: true })
  await heading('Sign in or create your account')
  await first.user.type(field('Email'), email)
  await first.user.type(field('Password'), `${password}{Enter}`)
  await waitFor(() => expect(first.at()).toBe('/'))
  await first.client.auth.signOut()
  await act(() => first.router.navigate({ to: '/signin' }))
  await heading('Welcome Back')
})

it('signing in takes its target from `from`, `redirect` or the navigation state; a demo account fills in the form', async () => {
  const { router, user, at } = await openApp(server, '/signin?from=%2Fcreate', {
    demo: [{ email: 'demo@potluck.example', password }],
  })
  await waitFor(() => expect(remembered()).toBe('/create'))
  for (const [to, wanted] of [
    [
      { to: '/sign-in', search: { redirect: '/my-subscriptions?tab=shared' } },
      '/my-subscriptions?tab=shared',
    ],
    [{ to: '/signin', state: { from: '/dashboard' } }, '/dashboard'],
    [{ to: '/signin', state: { from: '//evil.example' } }, '/'],
    [{ to: '/sign-in', search: { from: 'https://evil.example/' } }, '/'],
  ] as const) {
    await act(() => router.navigate(to))
    expect(remembered()).toBe(wanted)
  }
  await user.click(await screen.findByText('demo@potluck.example'))
  expect([field('Email').value, field('Password').value]).toEqual(['demo@potluck.example', password])
  expect(screen.getByText('For testing in preview environments')).toBeTruthy()
  await user.click(screen.getByText('Quick Development Login'))
  await screen.findByText('You are now signed in with a development account')
  await waitFor(() => expect(at()).toBe('/'))
})

/** Waits until the field has the focus and shows its error. */
const pointedAt = (label: string) =>
  waitFor(() => {
    const wrong = field(label)
    expect(document.activeElement).toBe(wrong)
    expect(wrong.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(`${wrong.getAttribute('aria-describedby')}`)?.textContent).toBeTruthy()
  })

it('signing in asks for an address and a password first, then says what the server says; a link needs no password', async () => {
  const { email } = await newPerson(server, 'zoe')
  const { sent: asked } = intercept('POST /auth/v1/')
  const { user, at } = await openApp(server, '/signin')
  const press = pressing(user)
  for (const name of ['Sign In', 'Email me a sign-in link']) {
    await fillIn({ Email: 'zoe', Password: password })
    await press(name)
    await toasted('error', 'Invalid Email', 'Please enter a valid email address')
    await pointedAt('Email')
    await user.click(screen.getByLabelText('Dismiss'))
    await waitFor(() => expect(document.querySelector('[data-kind]')).toBeNull())
  }
  for (const tooShort of ['', '12345']) {
    await fillIn({ Email: email, Password: tooShort })
    await press('Sign In')
    await toasted('error', 'Invalid Password', 'Password must be at least 6 characters')
    await pointedAt('Password')
    await user.click(screen.getByLabelText('Dismiss'))
    await waitFor(() => expect(document.querySelector('[data-kind]')).toBeNull())
  }
  expect(asked).toEqual([])
  await fillIn({ Email: email, Password: '123456' })
  await press('Sign In')
  await toasted('error', 'Sign in Failed', 'Invalid login credentials')
  expect([asked.length, at()]).toEqual([1, '/signin'])
  const suspended = intercept('POST /auth/v1/token', () =>
    Promise.resolve(Response.json({ error_code: 'user_banned', msg: 'User is banned' }, { status: 400 })),
  )
  await press('Sign In')
  await toasted(
    'error',
    'Sign in Failed',
    'Your account is suspended. Our email says why, and how to reach us.',
  )
  suspended.heal()
  const away = beAway('POST /auth/v1/')
  await press('Sign In')
  await toasted('error', 'Sign in failed', 'An unexpected error occurred')
  await press('Email me a sign-in link')
  await toasted('error', 'Magic Link Failed', 'Failed to send login link. Please try again.')
  away.heal()
  await fillIn({ Email: '  ben@sign-in.example ', Password: '' })
  await press('Email me a sign-in link')
  await heading('Check your email')
  for (const text of ['Magic Link Sent', 'Please check your email for a login link.', 'ben@sign-in.example'])
    screen.getByText(text)
  expect(screen.getByText('Open the outbox').closest('a')?.getAttribute('href')).toBe('/outbox')
  const [mail] = await mailsTo('ben@sign-in.example')
  expect(carriedBy(mailedLink(mail?.text)).get('to')).toBe(`${here}/auth-redirect`)
})

const account = (email: string, first: string, second = first, name = ' Ana ') => ({
  Email: email,
  Password: first,
  'Confirm password': second,
  'First name (optional)': name,
})

it('signing up says what is missing before it asks, then mails a link', async () => {
  const { user, at, router } = await openApp(server, '/sign-up')
  await heading('Create Your Account')
  await act(() => router.navigate({ href: '/signup' }))
  await heading('Create Your Account')
  expect(screen.getByText('Sign in').getAttribute('href')).toBe('/signin')
  const fields = ['Email', 'Password', 'Confirm password', 'First name (optional)'].map(field)
  expect(fields.map(({ type, required }) => `${type} ${required}`)).toEqual([
    'email true',
    'password true',
    'password true',
    'text false',
  ])
  await user.type(field('Password'), 'abc1')
  const rules = () =>
    [...screen.getByLabelText('Password rules').children].map(({ textContent }) => textContent)
  expect(rules()).toEqual([
    'At least 8 characters (not met)',
    'One uppercase letter (not met)',
    'One lowercase letter (met)',
    'One number (met)',
    'One special character, such as ! or ? (not met)',
  ])

  const asking = intercept('POST /auth/v1/signup')
  const press = pressing(user)
  const ana = 'ana@sign-up.example'
  for (const [values, ...problem] of [
    [account('ana', '12345', undefined, ''), 'Invalid Email', 'Please enter a valid email address'],
    [account(ana, 'Aa1!x', undefined, ''), 'Invalid Password', 'Password must be at least 6 characters'],
    [account(ana, 'Aa1!xy', undefined, ''), 'Password does not meet security requirements'],
    [account(ana, 'sunnyday', undefined, ''), 'Password does not meet security requirements'],
    [account(ana, password, 'something-else', ''), "Passwords don't match"],
  ] as const) {
    await fillIn(values)
    await press('Create account')
    // The message is in a toast, and perhaps at a field too.
    for (const text of problem) await screen.findAllByText(text)
  }
  expect(asking.sent).toEqual([])
  expect(field('First name (optional)').placeholder).toBe('ana')
  const long = `Aa1!${'x'.repeat(100)}`
  await fillIn(account(ana, long))
  await press('Create account')
  await toasted('error', 'Sign up failed', 'Password cannot be longer than 72 characters')
  expect([asking.sent.length, at()]).toEqual([1, '/signup'])
  const away = beAway('POST /auth/v1/signup')
  await screen.findByText('Create account')
  await press('Create account')
  await toasted('error', 'Sign up failed', 'Failed to create account. Please try again.')
  away.heal()

  const calls = hold('POST /auth/v1/signup')
  await fillIn(account(` ${ana} `, password))
  await press('Create account')
  expect((await screen.findByText('Creating account...')).closest('button')?.disabled).toBe(true)
  await waitFor(() => expect(calls.sent).toHaveLength(1))
  const { url, body } = calls.sent[0] ?? { url: '', body: '' }
  expect(JSON.parse(body)).toMatchObject({ email: ana, password, data: { name: 'Ana' } })
  expect(new URL(url).searchParams.get('redirect_to')).toBe(`${here}/auth-redirect`)
  calls.letGo()
  const mails = await waitsForMail(at, ana)
  expect(mails).toHaveLength(1)
  const [mail] = mails
  expect(carriedBy(mailedLink(mail?.text)).get('to')).toBe(`${here}/auth-redirect`)
})

/** Checks the page after signing up; returns the mails sent to this email address. */
async function waitsForMail(at: () => string, email: string) {
  await waitFor(() => expect(at()).toBe('/signin?success=true'))
  await heading('Check your email')
  for (const text of ['Account created', 'Please check your email for the confirmation link.', email])
    screen.getByText(text)
  expect((await screen.findByText(/^Send again in \d\d s$/)).closest('button')?.disabled).toBe(true)
  return mailsTo(email)
}

it('the page after signing up is the same for an address that has an account, outlives a reload, waits as the server says, and leads back to the form', async () => {
  const strict = await testServer({ RATE_LIMITS: 'on' })
  const { email } = await newPerson(strict, 'mia')
  const { user, at } = await openApp(strict, '/signup')
  await fillIn(account(email, password))
  await pressing(user)('Create account')
  expect(await waitsForMail(at, email)).toEqual([])
  const sent = JSON.parse(window.sessionStorage.getItem('mail-sent') ?? '')
  window.sessionStorage.setItem('mail-sent', JSON.stringify({ ...sent, again: 0 }))

  const again = await openApp(strict, '/signin?success=true')
  const resent = intercept('POST /auth/v1/resend')
  await again.user.click(await screen.findByText('Send again'))
  await screen.findByText(/^Send again in \d+ s$/)
  expect(JSON.parse(resent.sent[0]?.body ?? '')).toMatchObject({ type: 'signup', email })
  expect(screen.queryByText(/Sent again/)).toBeNull()
  await again.user.click(screen.getByText('Change email'))
  await heading('Create Your Account')
  expect([again.at(), field('Email').value, field('First name (optional)').value]).toEqual([
    '/signup',
    email,
    ' Ana ',
  ])

  // On a site that confirms email addresses without a mail, the page does not ask people to look for one.
  const ina = `ina.${email}`
  intercept('POST /auth/v1/signup', async (send) => {
    await send()
    await strict.db.query(`update auth.users set email_confirmed_at = now() where email = $1`, [ina])
    return fetch(`${strict.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: strict.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: ina, password }),
    })
  })
  await fillIn(account(ina, password, password, ''))
  await pressing(again.user)('Create account')
  await waitFor(() => expect(again.at()).toBe('/'))
  const named = `select display_name, name_unconfirmed from user_profiles join auth.users on id = user_id where email = $1`
  expect(await strict.db.query(named, [ina])).toEqual([
    { display_name: ina.replace(/@.*/, ''), name_unconfirmed: true },
  ])
})

const choosing = async (first: string, second = first) => {
  await fillIn({ 'New password': first, 'Confirm new password': second })
  fireEvent.click(screen.getByText('Save password'))
}

it('a forgotten password has a link mailed that leads to a new one under the same rules', async () => {
  const { email } = await newPerson(server, 'marc')
  const { sent: asked } = intercept('POST /auth/v1/recover')
  const { user } = await openApp(server, '/reset-password')
  await heading('Reset your password')
  await fillIn({ Email: 'nobody' })
  await user.click(screen.getByText('Send reset link'))
  await screen.findByText('Invalid Email')
  expect(asked).toEqual([])
  const away = beAway('POST /auth/v1/recover')
  await fillIn({ Email: email })
  await user.click(screen.getByText('Send reset link'))
  await screen.findByText('The email could not be sent. Please try again.')
  away.heal()
  await user.click(screen.getByText('Send reset link'))
  await heading('Check your email')
  await screen.findByText('Please check your email for a link to choose a new password.')
  const [mail, ...others] = await mailsTo(email)
  expect(others).toEqual([])
  const { pathname, hash } = new URL(mailedLink(mail?.text))
  const { at, user: arrived } = await openApp(server, pathname + hash, { arriving: true })
  await arrived.click(await screen.findByText('Choose a new password', { selector: 'button *' }))
  await heading('Set a new password')
  // Password managers save the new password for the account that this field names.
  expect(document.querySelector<HTMLInputElement>('input[autocomplete="username"]')?.value).toBe(email)
  const { sent: changed } = intercept('PUT /auth/v1/user')
  await choosing('sunnyday')
  await screen.findByText('Password does not meet security requirements')
  await choosing('Brand-new-2?', 'Brand-new-3?')
  await screen.findByText("Passwords don't match")
  expect(changed).toEqual([])
  await choosing(password)
  await screen.findByText('New password should be different from the old password.')
  await choosing('Brand-new-2?')
  await screen.findByText('Password changed')
  await waitFor(() => expect(at()).toBe('/'))
  expect([await signIn(email, 'Brand-new-2?'), await signIn(email, password)]).toEqual([
    undefined,
    'invalid_credentials',
  ])
})

it('a new password takes the present one, or a code from a fresh mail, of whoever is signed in', async () => {
  const zoe = await newPerson(server, 'zoe')
  const { user, at, client } = await openApp(server, '/reset-password', { as: zoe })
  const { sent: changed } = intercept('PUT /auth/v1/user')
  await choosing('Brand-new-2?')
  await screen.findByText('Enter your current password')
  expect(changed).toEqual([])
  await fillIn({ 'Current password': 'Not-this-1!' })
  await choosing('Brand-new-2?')
  await screen.findByText('The current password is not correct.')
  await fillIn({ 'Current password': password })
  await client.rpc('make_calendar')
  const isConnected = async () =>
    (await server.db.query('select from private.calendars where user_id = $1', [zoe.id])).length > 0
  await user.click(screen.getByLabelText(/^Also disconnect programs/))
  await choosing('Brand-new-2?')
  await screen.findByText('Password changed')
  await waitFor(() => expect(at()).toBe('/'))
  expect(await isConnected()).toBe(true)

  const again = await openApp(server, '/reset-password')
  const away = beAway('GET /auth/v1/reauthenticate')
  await again.user.click(await screen.findByText('Email me a code'))
  await screen.findByText('No code sent')
  away.heal()
  await user.click(screen.getByText('Email me a code'))
  await screen.findByLabelText('Code', { selector: 'input' })
  const mail = (await mailsTo(zoe.email)).find(({ subject }) => subject.includes('code'))
  await fillIn({ Code: '000000' })
  await choosing('Brand-new-3?')
  await screen.findByText('Nonce has expired or is invalid')
  await fillIn({ Code: /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '' })
  await choosing('Brand-new-3?')
  await waitFor(() => expect(again.at()).toBe('/'))
  expect([await signIn(zoe.email, 'Brand-new-3?'), await isConnected()]).toEqual([undefined, false])
})

/**
 * Keeps the client from leaving the page, which jsdom cannot do; returns the list of URLs to which it would have gone.
 */
function stayHere(client: AppClient): URL[] {
  const left: URL[] = []
  const real = client.auth.signInWithOAuth.bind(client.auth)
  vi.spyOn(client.auth, 'signInWithOAuth').mockImplementation(async ({ provider, options }) => {
    const answer = await real({ provider, options: { ...options, skipBrowserRedirect: true } })
    if (answer.data.url) left.push(new URL(answer.data.url))
    return answer
  })
  return left
}

it('a provider that the site is registered with signs in, by its button, and says why it did not', async () => {
  const secrets = ['GOOGLE', 'FACEBOOK', 'X'].flatMap((name) => [
    [`${name}_CLIENT_ID`, `${name} id`],
    [`${name}_CLIENT_SECRET`, `${name} secret`],
  ])
  const registered = await testServer(Object.fromEntries(secrets))
  const { client, user } = await openApp(registered, '/signin?redirect=%2Fcreate')
  await screen.findByText('Or continue with')
  const left = stayHere(client)
  for (const [name, provider, back] of [
    ['Google', 'google', '/auth-redirect'],
    ['Facebook', 'facebook', '/create'],
    ['Twitter', 'x', '/create'],
  ] as const) {
    const button = screen.getByText(name).closest('button') as HTMLButtonElement
    await user.click(button)
    await waitFor(() => expect([button.textContent, button.disabled]).toEqual(['Connecting...', true]))
    window.dispatchEvent(new Event('pageshow'))
    await waitFor(() => expect(button.textContent).toBe(name))
    await waitFor(() => expect(left).toHaveLength(1))
    const asked = left.pop() as URL
    const { provider: named, redirect_to, code_challenge, ...more } = Object.fromEntries(asked.searchParams)
    expect([asked.origin + asked.pathname, named, redirect_to, code_challenge]).toEqual([
      `${registered.url}/auth/v1/authorize`,
      provider,
      here + back,
      undefined,
    ])
    const google = { access_type: 'offline', prompt: 'consent', timestamp: expect.stringMatching(/^\d{13}$/) }
    expect(more).toEqual(expect.objectContaining(provider === 'google' ? google : {}))
    expect('prompt' in more).toBe(provider === 'google')
  }
  vi.spyOn(client.auth, 'signInWithOAuth').mockRejectedValue(new TypeError('Failed to fetch'))
  await user.click(screen.getByText('Facebook'))
  await toasted('error', 'Sign-in Error', 'An unexpected error occurred. Please try again later.')
  await waitFor(() => expect(screen.getByText('Facebook').closest('button')?.disabled).toBe(false))

  const elsewhere = await openApp(registered, '/reset-password')
  const leaving = stayHere(elsewhere.client)
  await elsewhere.user.click(await screen.findByText('Twitter'))
  await waitFor(() => expect(leaving[0]?.searchParams.get('redirect_to')).toBe(`${here}/home`))

  // The operator may also have chosen another provider, possibly as the only way to sign in.
  const signInWith = [{ id: 'custom:kite' as const, name: 'Kite Club' }]
  const club = await openApp(registered, '/signin?redirect=%2Fcreate', { site: { signInWith } })
  const gone = stayHere(club.client)
  await club.user.click(await screen.findByRole('button', { name: 'Kite Club' }))
  await waitFor(() => expect(gone[0]?.search).toContain('provider=custom%3Akite'))
  expect(gone[0]?.searchParams.get('redirect_to')).toBe(`${here}/create`)
  for (const path of ['/signin', '/signup', '/reset-password']) {
    await openApp(registered, path, { site: { signInWith, signInByMail: false } })
    await screen.findByRole('button', { name: 'Continue with Kite Club' })
    expect(screen.queryByLabelText('Email', { selector: 'input' })).toBeNull()
    expect(screen.queryByText('We’ll email you a link.')).toBeNull()
  }

  // A site that is registered with no provider offers none.
  const asked = intercept('GET /auth/v1/settings')
  await openApp(server, '/signin')
  await waitFor(() => expect(asked.sent).toHaveLength(1))
  await screen.findByLabelText('Email', { selector: 'input' })
  expect(screen.queryByText(/^(Or continue with|Google|Facebook|Twitter)$/)).toBeNull()
})

it('coming back from a provider that refused says why, but shows nobody the words of a link they did not ask for', async () => {
  const denied = 'error=access_denied&error_description=The+user+denied+the+request'
  window.sessionStorage.setItem('socialSignIn', 'facebook')
  const { at } = await openApp(server, `/dashboard?${denied}#${denied}&sb=`, { arriving: true })
  await toasted('error', 'Facebook Sign-in Failed', 'The user denied the request')
  await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fdashboard'))
  expect(window.sessionStorage.getItem('socialSignIn')).toBeNull()
  const forged = '/?error=x&error_code=bad_oauth_state&error_description=Call+me'
  const second = await openApp(server, forged, { arriving: true })
  await screen.findByText('Failed to complete authentication')
  expect(screen.queryByText('Call me')).toBeNull()
  expect(second.at()).toBe('/')
})

it('a site for invited people says so, and refuses everybody else', async () => {
  await server.db.query(`update app_settings set sign_ups = 'invited'`)
  onTestFinished(async () => void (await server.db.query(`update app_settings set sign_ups = 'everyone'`)))
  const { user } = await openApp(server, '/signup')
  await screen.findByText(
    'New here? This site is only for invited people. Use the address that your invitation was sent to.',
  )
  const email = 'uninvited@sign-in.example'
  await fillIn({ Email: email, Password: password, 'Confirm password': password })
  await pressing(user)('Create account')
  await toasted('error', 'Sign up failed', 'Only people who were invited can create an account here.')
  expect(await mailsTo(email)).toEqual([])
})
