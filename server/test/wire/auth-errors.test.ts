import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import { call, clientOf, enrol, testAuth } from './auth-service.ts'

const auth = await testAuth()
const tired = await enrol(auth, 'tired@example.com')

const VERSION = 'X-Supabase-Api-Version'
const get = (path: string, more: Parameters<typeof call>[4] = {}) => call(auth, 'GET', path, undefined, more)

describe('the two forms of an error', () => {
  const wrongSignIn = (headers: Record<string, string>) =>
    call(auth, 'POST', '/token?grant_type=password', { email: 'a@example.com', password: 'x' }, { headers })
  const old = { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' }
  const fresh = { code: 'invalid_credentials', message: 'Invalid login credentials' }
  test.each([
    [{}, old, null],
    [{ [VERSION]: '2023-06-01' }, old, null],
    [{ [VERSION]: 'newest' }, old, null],
    [{ [VERSION]: '2024-01-01' }, fresh, '2024-01-01'],
    [{ [VERSION]: '2026-05-05' }, fresh, '2024-01-01'],
  ])('under %j', async (headers, form, version) => {
    const answer = await wrongSignIn(headers)
    expect(answer.body).toEqual(form)
    expect(answer.headers.get('x-sb-error-code')).toBe('invalid_credentials')
    expect(answer.headers.get(VERSION)).toBe(version)
  })

  test('a weak password carries its reasons in both', async () => {
    const person = { email: 'a@example.com', password: 'aA1!' }
    const weak = (headers: Record<string, string>) => call(auth, 'POST', '/signup', person, { headers })
    const reasons = { weak_password: { reasons: ['length'] } }
    const before = await weak({})
    expect(before.body).toMatchObject({ code: 422, error_code: 'weak_password', ...reasons })
    expect(before.headers.get('x-sb-error-code')).toBe('weak_password')
    const since = await weak({ [VERSION]: '2024-01-01' })
    const message = 'Password should be at least 8 characters.'
    expect(since.body).toEqual({ code: 'weak_password', message, ...reasons })
    expect(since.headers.has('x-sb-error-code')).toBe(false)
  })
})

describe('the key', () => {
  test.each([
    [null, 'No API key found in request', 'No `apikey` request header or url param was found.'],
    ['wrong', 'Invalid API key', 'Double check your Supabase `anon` or `service_role` API key.'],
  ])('%s is refused', async (key, message, hint) => {
    const { status, body } = await get('/settings', { key })
    expect([status, body]).toEqual([401, { message, hint }])
  })

  test('may come in the address, and a stale token beside it does not matter where none is needed', async () => {
    expect((await get(`/settings?apikey=${auth.anonKey}`, { key: null })).status).toBe(200)
    expect((await get('/settings', { bearer: 'stale' })).status).toBe(200)
  })

  test.each(['/verify?token=x&type=signup', '/authorize', '/callback', '/.well-known/jwks.json'])(
    'is not asked of a browser that opens %s',
    async (path) => {
      expect((await get(path, { key: null })).status).not.toBe(401)
    },
  )
})

describe('what the service says of itself', () => {
  test('GET /settings tells what a sign-in screen may offer', async () => {
    expect((await get('/settings')).body).toMatchObject({
      external: { email: true, google: false, facebook: false, twitter: false, x: false, phone: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    })
  })

  test('GET /health', async () => {
    const about = { version: expect.stringMatching(/^v\d/), name: 'GoTrue', description: expect.any(String) }
    expect((await get('/health')).body).toEqual(about)
  })

  test('no secret is published as a key, and what is there may be kept for ten minutes', async () => {
    const { body, headers } = await get('/.well-known/jwks.json', { key: null })
    expect(body).toEqual({ keys: [] })
    expect(headers.get('cache-control')).toBe('public, max-age=600')
  })

  test('getClaims works all the same, by asking', async () => {
    const { email } = await enrol(auth, 'claims@example.com')
    const client = clientOf(auth)
    await client.auth.signInWithPassword({ email, password: PASSWORD })
    const { data } = await client.auth.getClaims()
    expect(data?.claims).toMatchObject({ email, role: 'authenticated' })
  })

  test('a known path asked in another way is told which ways there are', async () => {
    expect((await call(auth, 'DELETE', '/user')).headers.get('allow')).toBe('GET, HEAD, PUT')
  })

  test.each([
    ['GET', '?code=x&state=y', 'bad_oauth_state', 'OAuth callback with invalid state'],
    ['GET', '', 'bad_oauth_callback', 'OAuth state parameter missing'],
    ['POST', '', 'bad_oauth_state', 'OAuth callback with invalid state'],
  ])('%s /callback%s goes back to the site with %s', async (method, query, error_code, error_description) => {
    const body = method === 'POST' ? 'state=y' : undefined
    const { status, headers } = await call(auth, method, `/callback${query}`, body, { key: null })
    expect(status).toBe(303)
    const to = new URL(headers.get('location') ?? '')
    expect(to.origin).toBe(auth.url)
    const said = { error: 'invalid_request', error_code, error_description }
    expect(Object.fromEntries(to.searchParams)).toEqual(said)
  })
})

describe.each([
  ['57014', 'has run out of time'],
  ['53100', 'has no room left on its disk'],
])('a database that says %s, because it %s,', (sqlState) => {
  const script = (sql: string) => auth.db.transaction((tx) => tx.script(sql))
  beforeAll(() =>
    script(`create function public.tire() returns trigger language plpgsql as $$
        begin raise exception 'not now' using errcode = '${sqlState}'; end $$;
      create trigger tire before insert or update on auth.users for each row execute function public.tire();
      create trigger tire before insert or update on auth.sessions for each row execute function public.tire();
      create trigger tire before insert on auth.one_time_tokens for each row execute function public.tire();`),
  )
  afterAll(() => script('drop function public.tire() cascade'))

  const person = { email: 'tired@example.com', password: PASSWORD }
  test.each([
    ['POST', '/token?grant_type=password', person],
    ['POST', '/token?grant_type=refresh_token', { refresh_token: tired.refreshToken }],
    ['POST', '/signup', { ...person, email: 'new@example.com' }],
    ['POST', '/otp', { email: 'new@example.com' }],
    ['POST', '/recover', person],
    ['PUT', '/user', { data: { name: 'Tired' } }],
  ])('is a 503 for %s %s, to be tried again', async (method, path, body) => {
    const { status, headers } = await call(auth, method, path, body, { bearer: tired.accessToken })
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  })
})
