import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import {
  type AuthService,
  call,
  clientOf,
  enrol,
  follow,
  linkTo,
  openAuth,
  PASSWORD,
  signIn,
} from './auth-service.ts'
import { CLIENT_ID, PICTURE, SECRET, type SocialProvider, startSocialProvider } from './social-provider.ts'

let world: SocialProvider
let auth: AuthService
beforeAll(async () => {
  world = await startSocialProvider(await freePort())
  const client = { clientId: CLIENT_ID, secret: SECRET, url: world.url }
  auth = await openAuth({ providers: { google: client, facebook: client, twitter: client } })
})
afterAll(async () => {
  await auth.close()
  await world.close()
})
beforeEach(() => {
  world.broken = null
})

const PROVIDERS = ['google', 'facebook', 'twitter'] as const
const NAMES = [...PROVIDERS, 'x'] as const
const WANTED = 'http://auth.test/auth-redirect'

const open = (url: string) => auth.fetch(url, { redirect: 'manual' })
const locationOf = (response: Response) => response.headers.get('location') ?? ''

/** Presses the button: gives the address of the provider's sign-in page. */
async function leave(provider: string, query: Record<string, string> = {}): Promise<string> {
  const asked = new URLSearchParams({ provider, redirect_to: WANTED, ...query })
  const response = await open(`${auth.url}/auth/v1/authorize?${asked}`)
  expect(response.status).toBe(302)
  return locationOf(response)
}

/** Signs in there: gives the address the provider sends the browser back to. */
const signInThere = async (page: string) => locationOf(await fetch(page, { redirect: 'manual' }))

/** Comes back, and says where this leads. */
async function comeBack(callback: string) {
  const response = await open(callback)
  const to = new URL(locationOf(response))
  const fragment = Object.fromEntries(new URLSearchParams(to.hash.slice(1)))
  return { status: response.status, page: `${to.origin}${to.pathname}`, query: to.searchParams, fragment }
}

const goThrough = async (provider: string, query: Record<string, string> = {}) =>
  comeBack(await signInThere(await leave(provider, query)))

const userOf = async (fragment: Record<string, string>) =>
  (await call(auth, 'GET', '/user', undefined, { bearer: fragment.access_token ?? '' })).body
const accountsOf = (email: string) => auth.db.query('select id from auth.users where email = $1', [email])
const errorIn = ({ fragment }: { fragment: Record<string, string> }) => [
  fragment.error,
  fragment.error_code,
  fragment.error_description,
]

describe.each(NAMES)('signing in with %s', (provider) => {
  const kept = provider === 'x' ? 'twitter' : provider

  test('makes an account for somebody new, with a name, a picture and a confirmed address', async () => {
    const email = `new.${provider}@example.com`
    world.person = { id: `new-${provider}`, name: 'Olivia', email: `New.${provider}@Example.com` }
    const arrived = await goThrough(provider)
    expect([arrived.status, arrived.page]).toEqual([302, WANTED])
    expect(arrived.fragment).toMatchObject({
      token_type: 'bearer',
      expires_in: '3600',
      sb: '',
      provider_token: expect.stringMatching(/^(google|facebook|x)-/),
    })
    expect(arrived.fragment.provider_refresh_token).toBe(provider === 'google' ? 'google-refresh' : undefined)
    expect(decodeJwt(arrived.fragment.access_token ?? '').amr).toMatchObject([{ method: 'oauth' }])
    const user = await userOf(arrived.fragment)
    expect(user).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: kept, providers: [kept] },
      user_metadata: {
        name: 'Olivia',
        full_name: 'Olivia',
        avatar_url: PICTURE,
        picture: PICTURE,
        email,
        email_verified: true,
        provider_id: `new-${provider}`,
      },
    })
    expect(user.identities).toMatchObject([{ provider: kept, id: `new-${provider}`, email }])
    expect((user.identities as { last_sign_in_at: string }[])[0]?.last_sign_in_at).toBeTruthy()
  })

  test('the client of the browser takes the session out of the address', async () => {
    world.person = { id: `client-${provider}`, name: 'Marc', email: `client.${provider}@example.com` }
    const { fragment } = await goThrough(provider)
    const { data, error } = await clientOf(auth).auth.setSession({
      access_token: fragment.access_token ?? '',
      refresh_token: fragment.refresh_token ?? '',
    })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(`client.${provider}@example.com`)
  })

  test('leads somebody who came this way before to the same account, whatever their address is now', async () => {
    world.person = { id: `again-${provider}`, name: 'Zoe', email: `again.${provider}@example.com` }
    const first = await userOf((await goThrough(provider)).fragment)
    world.person = { id: `again-${provider}`, name: 'Zoe Z', email: `moved.${provider}@example.com` }
    const second = await userOf((await goThrough(provider)).fragment)
    expect(second).toMatchObject({
      id: first.id,
      email: `again.${provider}@example.com`,
      user_metadata: { name: 'Zoe Z' },
    })
    expect(await accountsOf(`moved.${provider}@example.com`)).toEqual([])
  })

  test('joins the account that has this confirmed address, and its password stays', async () => {
    const email = `linked.${provider}@example.com`
    const ben = await enrol(auth, email, { city: 'Bonn' })
    world.person = { id: `linked-${provider}`, name: 'Ben', email }
    const user = await userOf((await goThrough(provider)).fragment)
    expect(user).toMatchObject({
      id: ben.id,
      app_metadata: { provider: 'email', providers: ['email', kept] },
      user_metadata: { city: 'Bonn', name: 'Ben' },
    })
    await expect(signIn(auth, email)).resolves.toMatchObject({ id: ben.id })
  })

  test('takes over an account whose address was never proven, and shuts out whoever made it', async () => {
    const email = `squatted.${provider}@example.com`
    await call(auth, 'POST', '/signup', { email, password: PASSWORD, data: { name: 'Squatter' } })
    const link = await linkTo(auth, email)
    world.person = { id: `squatted-${provider}`, name: 'Ana', email }
    const user = await userOf((await goThrough(provider)).fragment)
    expect(user).toMatchObject({ email, app_metadata: { provider: kept, providers: [kept] } })
    expect((user.user_metadata as { name: string }).name).toBe('Ana')
    await expect(signIn(auth, email)).rejects.toThrow('invalid_credentials')
    expect((await follow(auth, link)).fragment.get('error_code')).toBe('otp_expired')
  })

  test('cancelling there comes back with the reason, in fragment and query, and no account', async () => {
    world.person = null
    const arrived = await goThrough(provider)
    expect([arrived.status, arrived.page]).toEqual([302, WANTED])
    expect(arrived.fragment).toEqual({
      error: 'access_denied',
      error_description: 'The user denied the request',
      sb: '',
    })
    expect(arrived.query.get('error')).toBe('access_denied')
  })

  test('without an address nobody is signed in', async () => {
    const before = await auth.db.query('select count(*) from auth.users')
    world.person = { id: `silent-${provider}`, name: 'Silent' }
    expect(errorIn(await goThrough(provider))).toEqual([
      'server_error',
      'unexpected_failure',
      'Error getting user email from external provider',
    ])
    expect(await auth.db.query('select count(*) from auth.users')).toEqual(before)
  })

  test.each([
    ['token', 'Unable to exchange external code'],
    ['profile', 'Error getting user profile from external provider'],
  ] as const)(
    'a failing %s endpoint comes back as an error, and the log tells no secret',
    async (broken, said) => {
      world.person = { id: `unlucky-${provider}`, name: 'Unlucky', email: `unlucky.${provider}@example.com` }
      world.broken = broken
      const before = auth.logged.length
      const arrived = await goThrough(provider)
      expect(errorIn(arrived)).toEqual(['server_error', 'unexpected_failure', said])
      const lines = auth.logged.slice(before).join('\n')
      expect(lines).toContain(said)
      expect(lines).not.toMatch(/google-|facebook-[0-9a-f]|x-[0-9a-f]{16}|code=|shared with/)
      expect(await accountsOf(`unlucky.${provider}@example.com`)).toEqual([])
    },
  )

  test('a state that was forged, used, taken from another flow or expired leads to the site, signed out', async () => {
    world.person = { id: `state-${provider}`, name: 'State', email: `state.${provider}@example.com` }
    const refused = async (callback: string) => {
      const { status, page, query, fragment } = await comeBack(callback)
      expect([status, page, fragment]).toEqual([303, 'http://auth.test/', {}])
      return [query.get('error'), query.get('error_code')]
    }
    const INVALID = ['invalid_request', 'bad_oauth_state']
    const good = await signInThere(await leave(provider))
    const change = (state: (right: string) => string) => {
      const url = new URL(good)
      url.searchParams.set('state', state(url.searchParams.get('state') ?? ''))
      return url.href
    }
    expect(
      await refused(change((right) => right.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')))),
    ).toEqual(INVALID)
    expect(await refused(change((right) => right.replace(/^[^.]+/, crypto.randomUUID())))).toEqual(INVALID)
    expect(await refused(change((right) => `${right.slice(0, -1)}é`))).toEqual(INVALID)
    expect(await refused(change(() => ''))).toEqual(['invalid_request', 'bad_oauth_callback'])
    expect((await comeBack(good)).fragment.access_token).toBeTruthy()
    expect(await refused(good)).toEqual(INVALID)

    const late = await signInThere(await leave(provider))
    await auth.db.query("update auth.oauth_flows set created_at = created_at - interval '301 seconds'")
    expect(await refused(late)).toEqual(INVALID)
  })

  test('a code brought back under the state of another flow is worth nothing', async () => {
    world.person = { id: `mixed-${provider}`, name: 'Mixed', email: `mixed.${provider}@example.com` }
    const mine = new URL(await signInThere(await leave(provider)))
    const theirs = new URL(await signInThere(await leave(provider)))
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '')
    expect(errorIn(await comeBack(mine.href))).toEqual([
      'server_error',
      'unexpected_failure',
      'Unable to exchange external code',
    ])
    mine.searchParams.delete('code')
    mine.searchParams.set(
      'state',
      new URL(await signInThere(await leave(provider))).searchParams.get('state') ?? '',
    )
    expect((await comeBack(mine.href)).fragment.error_code).toBe('bad_oauth_callback')
  })

  test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)'])(
    'a wish to end at %s ends at the site',
    async (redirect_to) => {
      world.person = { id: `foreign-${provider}`, name: 'F', email: `foreign.${provider}@example.com` }
      const { page, fragment } = await goThrough(provider, { redirect_to })
      expect(page).toBe('http://auth.test/')
      expect(fragment.access_token).toBeTruthy()
    },
  )

  test('somebody banned stays outside', async () => {
    const email = `banned.${provider}@example.com`
    const { id } = await enrol(auth, email)
    await auth.db.query("update auth.users set banned_until = now() + interval '1 day' where id = $1", [id])
    world.person = { id: `banned-${provider}`, name: 'B', email }
    expect(errorIn(await goThrough(provider))).toEqual(['access_denied', 'user_banned', 'User is banned'])
  })
})

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
      if (kind === 'unconfirmed') await call(auth, 'POST', '/signup', { email, password: PASSWORD })
      const before = await accountsOf(email)
      world.person = { id: `thief-${kind}`, name: 'Thief', email, verified: false }
      expect(errorIn(await goThrough('google'))).toEqual(UNVERIFIED)
      expect(await accountsOf(email)).toEqual(before)
      expect(
        await auth.db.query('select 1 from auth.identities where provider_id = $1', [`thief-${kind}`]),
      ).toEqual([])
    },
  )

  test('not even where the project does without confirmations', async () => {
    const client = { clientId: CLIENT_ID, secret: SECRET, url: world.url }
    const trusting = await openAuth({ confirmations: false, providers: { google: client } }, { db: auth.db })
    world.person = { id: 'thief-open', name: 'Thief', email: 'open@example.com', verified: false }
    const page = locationOf(await trusting.fetch(`${auth.url}/auth/v1/authorize?provider=google`))
    const back = locationOf(await trusting.fetch(await signInThere(page)))
    expect(back).toContain('provider_email_needs_verification')
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
    const page = new URL(
      await leave('google', {
        scopes: 'a,b',
        login_hint: 'me',
        ...Object.fromEntries(taken.map((key) => [key, 'evil'])),
      }),
    )
    expect(page.searchParams.toString()).not.toContain('evil')
    expect(page.searchParams.getAll('state')).toHaveLength(1)
    expect(page.searchParams.get('scope')).toBe('openid email profile a b')
    expect(page.searchParams.get('login_hint')).toBe('me')
  })

  test('a client that waits for a code is refused, as elsewhere', async () => {
    const response = await open(`${auth.url}/auth/v1/authorize?provider=google&code_challenge=x`)
    expect([response.status, ((await response.json()) as { error_code: string }).error_code]).toEqual([
      400,
      'validation_failed',
    ])
  })

  test('what nobody came back from is cleared away in passing', async () => {
    await auth.db.query('delete from auth.oauth_flows')
    for (let number = 0; number < 4; number++) await leave('google')
    await auth.db.query("update auth.oauth_flows set created_at = created_at - interval '1 hour'")
    for (let number = 0; number < 2; number++) await leave('google')
    expect(await auth.db.query('select 1 from auth.oauth_flows')).toHaveLength(2)
  })

  test('the database holds neither state nor verifier', async () => {
    const state = new URL(await leave('google')).searchParams.get('state') ?? ''
    const rows = await auth.db.query<{ row: string }>(
      'select to_jsonb(f)::text as row from auth.oauth_flows f',
    )
    expect(rows.map(({ row }) => row).join()).not.toContain(state.split('.')[1])
  })
})

describe('where the project says otherwise', () => {
  const client = () => ({ clientId: CLIENT_ID, secret: SECRET, url: world.url })

  test('nobody new comes in while sign-ups are closed, and whoever has an account does', async () => {
    const closed = await openAuth({ signupEnabled: false, providers: { google: client() } }, { db: auth.db })
    const through = async () => {
      const page = locationOf(await closed.fetch(`${auth.url}/auth/v1/authorize?provider=google`))
      return new URLSearchParams(
        new URL(locationOf(await closed.fetch(await signInThere(page)))).hash.slice(1),
      )
    }
    world.person = { id: 'closed', name: 'Late', email: 'closed@example.com' }
    expect(Object.fromEntries(await through())).toMatchObject({
      error: 'access_denied',
      error_code: 'signup_disabled',
      error_description: 'Signups not allowed for this instance',
    })
    await enrol(auth, 'member@example.com')
    world.person = { id: 'member', name: 'Member', email: 'member@example.com' }
    expect((await through()).has('access_token')).toBe(true)
  })

  test('GET /settings names what is set up, Twitter under both its names', async () => {
    const { body } = await call(auth, 'GET', '/settings')
    expect(body.external).toMatchObject({
      google: true,
      facebook: true,
      twitter: true,
      x: true,
      github: false,
    })
    const google = await openAuth({ providers: { google: client() } }, { db: auth.db })
    const { body: less } = await call(google, 'GET', '/settings')
    expect(less.external).toMatchObject({ google: true, facebook: false, twitter: false, x: false })
  })

  test.each(PROVIDERS)('%s answers that it is not enabled where it is not', async (provider) => {
    const none = await openAuth({}, { db: auth.db })
    const { status, body } = await call(none, 'GET', `/authorize?provider=${provider}`, undefined, {
      key: null,
    })
    expect([status, body.msg]).toEqual([400, 'Unsupported provider: provider is not enabled'])
  })
})
