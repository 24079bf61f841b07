import { describe, expect, test } from 'vitest'
import { accountsOf, call, enrol, openAuth, signUp } from './auth-service.ts'
import { CLIENT_ID, openSocialAuth } from './social-provider.ts'

const { world, client, auth, cookies, leave, signInThere, comeBack, goThrough } = await openSocialAuth()

describe('an address the provider does not vouch for', () => {
  const UNVERIFIED = [
    'access_denied',
    'provider_email_needs_verification',
    'Unverified email with google. Verify the email with google in order to sign in',
  ]

  test.each(['confirmed', 'unconfirmed', 'unknown'])(
    'never opens the account of a %s address',
    async (kind) => {
      const email = `victim-${kind}@example.com`
      if (kind === 'confirmed') await enrol(auth, email)
      if (kind === 'unconfirmed') await signUp(auth, email)
      const before = await accountsOf(auth, email)
      world.person = { id: `thief-${kind}`, name: 'Thief', email, verified: false }
      expect((await goThrough('google')).error).toEqual(UNVERIFIED)
      expect(await accountsOf(auth, email)).toEqual(before)
      const theirs = 'select 1 from auth.identities where provider_id = $1'
      expect(await auth.db.query(theirs, [world.person.id])).toEqual([])
    },
  )

  test('not even where the project does without confirmations', async () => {
    const trusting = await openAuth({ confirmations: false, providers: { google: client } }, { db: auth.db })
    world.person = { id: 'thief-open', name: 'Thief', email: 'open@example.com', verified: false }
    expect((await goThrough('google', {}, trusting)).error).toEqual(UNVERIFIED)
  })
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
    const taken = [
      'client_id',
      'redirect_uri',
      'response_type',
      'state',
      'scope',
      'code_verifier',
      'request_uri',
    ]
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

  test('the database holds neither state nor verifier', async () => {
    const state = new URL(await leave('google')).searchParams.get('state') ?? ''
    const rows = await auth.db.query<{ row: string }>(
      'select to_jsonb(f)::text as row from auth.flow_state f',
    )
    expect(rows.map(({ row }) => row).join()).not.toContain(state.split('.')[1])
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
    expect(await accountsOf(auth, 'mallory@example.com')).toEqual([])
    // Nor by way of a flow of the victim's own.
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
    const { headers } = await call(target, 'GET', '/authorize?provider=google', undefined, { key: null })
    expect(headers.get('set-cookie')).toMatch(/^sb-flow-[0-9a-f-]{36}=[\w-]{43}; Max-Age=300; /)
    expect(headers.get('set-cookie')?.replace(/^.*?; Max-Age=300; /, '')).toBe(attributes)
  })

  test('leaves from the name of this machine that the provider comes back to', async () => {
    const target = await openAuth(
      { apiUrl: 'http://localhost:3000', providers: { google: client } },
      { db: auth.db },
    )
    const path = '/auth/v1/authorize?provider=google&redirect_to=http%3A%2F%2F127.0.0.1%3A3000%2Fhome'
    const response = await target.fetch(`http://127.0.0.1:3000${path}`, { redirect: 'manual' })
    expect(response.headers.get('location')).toBe(`http://localhost:3000${path}`)
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

describe('where the project says otherwise', () => {
  test('nobody new comes in while sign-ups are closed, and whoever has an account does', async () => {
    const closed = await openAuth({ signupEnabled: false, providers: { google: client } }, { db: auth.db })
    world.person = { id: 'closed', name: 'Late', email: 'closed@example.com' }
    const refused = ['access_denied', 'signup_disabled', 'Signups not allowed for this instance']
    expect((await goThrough('google', {}, closed)).error).toEqual(refused)
    const { email } = await enrol(auth, 'member@example.com')
    world.person = { id: 'member', name: 'Member', email }
    expect((await goThrough('google', {}, closed)).fragment).toHaveProperty('access_token')
  })

  test('GET /settings names what is set up, and X by the name that means OAuth 2.0', async () => {
    const { body } = await call(auth, 'GET', '/settings')
    const all = { google: true, facebook: true, twitter: false, x: true, github: false }
    expect(body.external).toMatchObject(all)
    const google = await openAuth({ providers: { google: client } }, { db: auth.db })
    const { body: less } = await call(google, 'GET', '/settings')
    expect(less.external).toMatchObject({ google: true, facebook: false, twitter: false, x: false })
  })
})
