// Sign-in with Google, Facebook or X: which account a person gets, and that a flow ends only in the browser that
// started it.
// Proves API 05, ERR 06
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { BANNED, openAuth, REFUSING_HOOK, refusingHook } from './auth-service.ts'
import { CLIENT_ID, openSocialAuth, PICTURE, PROVIDERS, WANTED } from './social-provider.ts'

const { world, client, auth, cookies, leave, signInThere, comeBack, goThrough } = await openSocialAuth()

/** Signs a person in at the provider and then here. Returns their account. */
async function arrive(id: string, name: string, email: string, provider = 'google') {
  world.person = { id, name, email }
  const { fragment } = await goThrough(provider)
  return (await auth.getUser(fragment.access_token ?? '')).body
}

describe.each([...PROVIDERS, 'twitter'])('signing in with %s', (provider) => {
  const kept = provider === 'twitter' ? 'x' : provider
  const address = (name: string) => `${name}.${provider}@example.com`

  test('makes an account for somebody new, with a name, a picture and a confirmed address', async () => {
    const email = address('new')
    world.person = { id: `new-${provider}`, name: 'Olivia', email: `New.${provider}@Example.com` }
    const arrived = await goThrough(provider)
    expect([arrived.status, arrived.page]).toEqual([302, WANTED])
    const provider_token = expect.stringMatching(/^(google|facebook|x)-/)
    const usual = { token_type: 'bearer', expires_in: '3600', sb: '', provider_token }
    expect(arrived.fragment).toMatchObject(usual)
    expect(arrived.fragment.provider_refresh_token).toBe(provider === 'google' ? 'google-refresh' : undefined)
    const { access_token = '', refresh_token = '' } = arrived.fragment
    expect(decodeJwt(access_token).amr).toMatchObject([{ method: 'oauth' }])
    const { body: user } = await auth.getUser(access_token)
    const names = { name: 'Olivia', full_name: 'Olivia', avatar_url: PICTURE, picture: PICTURE }
    const called = kept === 'x' && { user_name: 'olivia', preferred_username: 'olivia' }
    expect(user).toMatchObject({
      ...{ email, email_confirmed_at: expect.any(String) },
      app_metadata: { provider: kept, providers: [kept] },
      user_metadata: { ...names, ...called, email, email_verified: true, provider_id: `new-${provider}` },
    })
    const last_sign_in_at = expect.stringMatching(/Z$/)
    expect(user.identities).toMatchObject([{ provider: kept, id: `new-${provider}`, email, last_sign_in_at }])
    const own = await auth.clientOf({ accessToken: access_token, refreshToken: refresh_token })
    expect((await own.auth.getUser()).data.user?.email).toBe(email)
  })

  test('lets nobody in without an address or when it fails, and the log tells no secret', async () => {
    const before = await auth.db.query('select count(*) from auth.users')
    for (const [broken, email, said] of [
      [null, undefined, 'Error getting user email from external provider'],
      ['token', address('unlucky'), 'Unable to exchange external code'],
      ['profile', address('unlucky'), 'Error getting user profile from external provider'],
    ] as const) {
      world.person = { id: `unlucky-${provider}`, name: 'Unlucky', ...(email && { email }) }
      world.broken = broken
      const logged = auth.logged.length
      expect((await goThrough(provider)).error).toEqual(['server_error', 'unexpected_failure', said])
      const lines = auth.logged.slice(logged).join('\n')
      expect(lines).toContain(said)
      expect(lines).not.toMatch(/google-|facebook-[0-9a-f]|x-[0-9a-f]{16}|code=|shared with/)
    }
    expect(await auth.db.query('select count(*) from auth.users')).toEqual(before)
  })
})

describe('the account', () => {
  test('is the same for somebody who came this way before, whatever their address is now', async () => {
    const first = await arrive('again', 'Zoe', 'again@example.com')
    const second = await arrive('again', 'Zoe Z', 'moved@example.com')
    const same = { id: first.id, email: 'again@example.com', user_metadata: { name: 'Zoe Z' } }
    expect(second).toMatchObject(same)
    expect(await auth.accountsOf('moved@example.com')).toEqual([])
    // The same id at another provider means another person.
    expect((await arrive('again', 'Zoe', 'other@example.com', 'facebook')).id).not.toBe(first.id)
  })

  test('is the one that has this confirmed address, and its password stays', async () => {
    const { id, email } = await auth.enrol('linked@example.com', { city: 'Bonn' })
    expect(await arrive('linked', 'Ben', email)).toMatchObject({
      id,
      app_metadata: { provider: 'email', providers: ['email', 'google'] },
      user_metadata: { city: 'Bonn', name: 'Ben' },
    })
    await expect(auth.signIn(email)).resolves.toMatchObject({ id })
  })

  test('is taken over when its address was never proven, and the person who made it is shut out', async () => {
    const email = 'squatted@example.com'
    await auth.signUp(email, { data: { name: 'Squatter', note: 'mine' } })
    const link = await auth.linkTo(email)
    const user = await arrive('squatted', 'Ana', email)
    const app_metadata = { provider: 'google', providers: ['google'] }
    expect(user).toMatchObject({ email, app_metadata, user_metadata: { name: 'Ana' } })
    expect(user.user_metadata).not.toHaveProperty('note')
    await expect(auth.signIn(email)).rejects.toThrow('invalid_credentials')
    expect(await auth.refusedLink(link)).toBe('otp_expired')
  })

  test('of somebody banned stays closed, whether they came this way before or not', async () => {
    const email = 'banned@example.com'
    await auth.enrol(email)
    world.person = { id: 'banned', name: 'B', email }
    const refused = ['access_denied', 'user_banned', 'User is banned']
    await auth.setUser(email, BANNED)
    expect((await goThrough('google')).error).toEqual(refused)
    await auth.setUser(email, 'banned_until = null')
    expect((await goThrough('google')).fragment).toHaveProperty('access_token')
    await auth.setUser(email, BANNED)
    expect((await goThrough('google')).error).toEqual(refused)
  })
})

describe('coming back', () => {
  test('after cancelling there, with the reason, in fragment and query, and no account', async () => {
    world.person = null
    const { status, page, fragment, query } = await goThrough('google')
    expect([status, page, query.get('error')]).toEqual([302, WANTED, 'access_denied'])
    const error_description = 'The user denied the request'
    expect(fragment).toEqual({ error: 'access_denied', error_description, sb: '' })
  })

  test('with a state that was forged, used, taken from another flow or expired leads to the site, signed out', async () => {
    world.person = { id: 'state', name: 'State', email: 'state@example.com' }
    const refused = async (callback: string) => {
      const { status, page, query, fragment } = await comeBack(callback)
      expect([status, page, fragment]).toEqual([303, 'http://auth.test/', {}])
      return [query.get('error'), query.get('error_code'), query.get('error_description')]
    }
    const INVALID = ['invalid_request', 'bad_oauth_state', 'OAuth callback with invalid state']
    const good = await signInThere(await leave('google'))
    const change = (state: (right: string) => string) => {
      const url = new URL(good)
      url.searchParams.set('state', state(url.searchParams.get('state') ?? ''))
      return url.href
    }
    const forge = (right: string) => right.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
    for (const state of [
      forge,
      (right: string) => right.replace(/^[^.]+/, crypto.randomUUID()),
      (right: string) => `${right.slice(0, -1)}é`,
    ])
      expect(await refused(change(state))).toEqual(INVALID)
    expect((await refused(change(() => '')))[1]).toBe('bad_oauth_callback')
    expect((await comeBack(good)).fragment.access_token).toBeTruthy()
    expect(await refused(good)).toEqual(INVALID)

    const age = (seconds: number) =>
      auth.db.query('update auth.flow_state set created_at = now() - make_interval(secs => $1::float8)', [
        String(seconds),
      ])
    const late = await signInThere(await leave('google'))
    await age(301)
    expect(await refused(late)).toEqual(['invalid_request', 'bad_oauth_state', 'OAuth state has expired'])
    const timely = await signInThere(await leave('google'))
    await age(290)
    expect((await comeBack(timely)).fragment.access_token).toBeTruthy()
  })

  test('with a code under the state of another flow, or with none, is worth nothing', async () => {
    world.person = { id: 'mixed', name: 'Mixed', email: 'mixed@example.com' }
    const back = async () => new URL(await signInThere(await leave('google')))
    const [mine, theirs, third] = [await back(), await back(), await back()]
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '')
    const said = 'Unable to exchange external code'
    expect((await comeBack(mine.href)).error).toEqual(['server_error', 'unexpected_failure', said])
    third.searchParams.delete('code')
    const missing = 'OAuth callback with missing authorization code'
    expect((await comeBack(third.href)).error.slice(1)).toEqual(['bad_oauth_callback', missing])
  })

  test('where a stranger wished it to end, ends at the site', async () => {
    world.person = { id: 'foreign', name: 'F', email: 'foreign@example.com' }
    const { page, fragment } = await goThrough('google', { redirect_to: 'https://evil.example/' })
    expect([page, 'access_token' in fragment]).toEqual(['http://auth.test/', true])
  })
})

describe('an address the provider does not vouch for', () => {
  const UNVERIFIED = [
    'access_denied',
    'provider_email_needs_verification',
    'Unverified email with google. Verify the email with google in order to sign in',
  ]

  test.each(['confirmed', 'unconfirmed', 'unknown', 'trusted'])(
    'never opens the account of one %s',
    async (kind) => {
      // Unverified addresses are refused even if the project requires no confirmation.
      const trusting = await openAuth(
        { confirmations: false, providers: { google: client } },
        { db: auth.db },
      )
      const email = `victim-${kind}@example.com`
      if (kind === 'confirmed') await auth.enrol(email)
      if (kind === 'unconfirmed') await auth.post('/otp', { email })
      const before = await auth.accountsOf(email)
      world.person = { id: `thief-${kind}`, name: 'Thief', email, verified: false }
      expect((await goThrough('google', {}, kind === 'trusted' ? trusting : auth)).error).toEqual(UNVERIFIED)
      expect(await auth.accountsOf(email)).toEqual(before)
      const theirs = 'select 1 from auth.identities where provider_id = $1'
      expect(await auth.db.query(theirs, [world.person.id])).toEqual([])
    },
  )
})

describe('leaving for the provider', () => {
  test('Google is asked for offline access and consent, with the timestamp the client sends', async () => {
    const sent = { access_type: 'offline', prompt: 'consent', timestamp: '1764000000000' }
    await signInThere(await leave('google', sent))
    expect(Object.fromEntries(world.asked)).toMatchObject({
      ...sent,
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: 'http://auth.test/auth/v1/callback',
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  test.each([
    ['facebook', 'email'],
    ['twitter', 'users.email tweet.read users.read offline.access'],
    ['x', 'users.email tweet.read users.read offline.access'],
  ])('%s is asked for %s', async (provider, scope) => {
    await signInThere(await leave(provider))
    expect(world.asked.get('scope')).toBe(scope)
  })

  test('a link to this door cannot change what the protocol needs', async () => {
    const taken = ['client_id', 'redirect_uri', 'response_type', 'state', 'scope', 'code_verifier']
    const evil = Object.fromEntries(taken.map((key) => [key, 'evil']))
    const page = new URL(await leave('google', { scopes: 'a,b', login_hint: 'me', ...evil }))
    expect(page.searchParams.toString()).not.toContain('evil')
    expect(page.searchParams.getAll('state')).toHaveLength(1)
    expect(page.searchParams.get('scope')).toBe('openid email profile a b')
    expect(page.searchParams.get('login_hint')).toBe('me')
  })

  test('what nobody came back from is cleared away in passing', async () => {
    await auth.db.query('delete from auth.flow_state')
    for (let number = 0; number < 4; number++) await leave('google')
    await auth.db.query("update auth.flow_state set created_at = created_at - interval '1 hour'")
    for (let number = 0; number < 2; number++) await leave('google')
    expect(await auth.db.query('select 1 from auth.flow_state')).toHaveLength(2)
  })
})

describe('the browser that left', () => {
  const callbackFor = async (id: string) => {
    world.person = { id, name: 'Mallory', email: `${id}@example.com` }
    return signInThere(await leave('google'))
  }

  test('is the only one its state works in, so that nobody is signed in to a stranger’s account by a link', async () => {
    const link = await callbackFor('mallory')
    const hers = new Map(cookies)
    cookies.clear()
    const { status, page, fragment, query } = await comeBack(link)
    expect([status, page, fragment]).toEqual([303, 'http://auth.test/', {}])
    expect(query.get('error_code')).toBe('bad_oauth_state')
    expect(await auth.accountsOf('mallory@example.com')).toEqual([])
    // The link is refused even in a browser where the victim has started a flow.
    await leave('google')
    expect((await comeBack(link)).query.get('error_code')).toBe('bad_oauth_state')
    for (const [name, value] of hers) cookies.set(name, value)
    expect((await comeBack(link)).fragment).toHaveProperty('access_token')
  })

  test('may be on its way in several tabs at once', async () => {
    cookies.clear()
    const [first, second] = [await callbackFor('tabs-1'), await callbackFor('tabs-2')]
    for (const link of [second, first]) expect((await comeBack(link)).fragment).toHaveProperty('access_token')
    expect(cookies.size).toBe(0)
  })

  test.each([
    ['http://auth.test', 'Path=/auth/v1/callback; HttpOnly; SameSite=Lax'],
    ['https://auth.test', 'Path=/auth/v1/callback; HttpOnly; Secure; SameSite=None'],
  ])('keeps at %s a cookie that comes back from elsewhere with it', async (apiUrl, attributes) => {
    const target = await openAuth({ apiUrl, providers: { google: client } }, { db: auth.db })
    const { headers } = await target.get('/authorize?provider=google', { key: null })
    expect(headers.get('set-cookie')).toMatch(/^sb-flow-[0-9a-f-]{36}=[\w-]{43}; Max-Age=300; /)
    expect(headers.get('set-cookie')?.replace(/^.*?; Max-Age=300; /, '')).toBe(attributes)
  })

  test('leaves from the name of this machine that the provider comes back to', async () => {
    const apiUrl = 'http://localhost:3000'
    const target = await openAuth({ apiUrl, providers: { google: client } }, { db: auth.db })
    const path = '/auth/v1/authorize?provider=google&redirect_to=http%3A%2F%2F127.0.0.1%3A3000%2Fhome'
    const response = await target.fetch(`http://127.0.0.1:3000${path}`, { redirect: 'manual' })
    expect(response.headers.get('location')).toBe(`http://localhost:3000${path}`)
    expect(response.headers.getSetCookie()).toEqual([])
    const there = await target.fetch(`http://localhost:3000${path}`, { redirect: 'manual' })
    expect(there.headers.getSetCookie()).toHaveLength(1)
  })
})

describe('where the project says otherwise', () => {
  test('nobody new comes in while sign-ups are closed, but people with an account can sign in', async () => {
    const closed = await openAuth({ signupEnabled: false, providers: { google: client } }, { db: auth.db })
    world.person = { id: 'closed', name: 'Late', email: 'closed@example.com' }
    const refused = ['access_denied', 'signup_disabled', 'Signups not allowed for this instance']
    expect((await goThrough('google', {}, closed)).error).toEqual(refused)
    const { email } = await auth.enrol('member@example.com')
    world.person = { id: 'member', name: 'Member', email }
    expect((await goThrough('google', {}, closed)).fragment).toHaveProperty('access_token')
  })

  test('nobody new comes in whom the project’s hook refuses, but people with an account can sign in', async () => {
    const asked = await openAuth(
      { beforeUserCreated: REFUSING_HOOK, providers: { google: client } },
      { db: auth.db },
    )
    await auth.db.query(refusingHook('stranger@example.com'))
    world.person = { id: 'stranger', name: 'Stranger', email: 'stranger@example.com' }
    expect((await goThrough('google', {}, asked)).error).toEqual(['access_denied', 'unknown', 'Not you'])
    const { email } = await auth.enrol('older@example.com')
    world.person = { id: 'older', name: 'Older', email }
    expect((await goThrough('google', {}, asked)).fragment).toHaveProperty('access_token')
    world.person = { id: 'friend', name: 'Friend', email: 'friend@example.com' }
    expect((await goThrough('google', {}, asked)).fragment).toHaveProperty('access_token')
  })

  test('GET /settings names what is set up, and X by the name that means OAuth 2.0', async () => {
    const less = await openAuth({ providers: { google: client } }, { db: auth.db })
    const namedBy = async (target: typeof auth) => (await target.get('/settings')).body.external
    const all = { google: true, facebook: true, twitter: false, x: true, github: false }
    expect(await namedBy(auth)).toMatchObject(all)
    expect(await namedBy(less)).toMatchObject({ google: true, facebook: false, twitter: false, x: false })
  })
})
