import { beforeAll, describe, expect, test } from 'vitest'
import { testServer } from '../harness.ts'
import { type AuthTarget, call, clientOf, enrol, overHttp, PASSWORD } from './auth-service.ts'

const server = await testServer()
let auth: AuthTarget
beforeAll(async () => {
  auth = overHttp(server)
})

const VERSION = 'X-Supabase-Api-Version'
const wrongSignIn = (headers: Record<string, string>) =>
  call(auth, 'POST', '/token?grant_type=password', { email: 'a@example.com', password: 'x' }, { headers })

describe('the two forms of an error', () => {
  test.each([{}, { [VERSION]: '2023-06-01' }, { [VERSION]: 'newest' }])(
    'the old one under %j',
    async (headers) => {
      const { body, headers: answered } = await wrongSignIn(headers)
      expect(body).toEqual({ code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' })
      expect(answered.get('x-sb-error-code')).toBe('invalid_credentials')
      expect(answered.has(VERSION)).toBe(false)
    },
  )

  test.each(['2024-01-01', '2026-05-05'])(
    'the new one from %s on, with the version echoed',
    async (version) => {
      const { body, headers } = await wrongSignIn({ [VERSION]: version })
      expect(body).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
      expect(headers.get('x-sb-error-code')).toBe('invalid_credentials')
      expect(headers.get(VERSION)).toBe('2024-01-01')
    },
  )

  test('a weak password carries its reasons in both', async () => {
    const weak = (headers: Record<string, string>) =>
      call(auth, 'POST', '/signup', { email: 'a@example.com', password: 'aA1!' }, { headers })
    const old = await weak({})
    expect(old.body).toMatchObject({
      code: 422,
      error_code: 'weak_password',
      weak_password: { reasons: ['length'] },
    })
    expect(old.headers.get('x-sb-error-code')).toBe('weak_password')
    const fresh = await weak({ [VERSION]: '2024-01-01' })
    expect(fresh.body).toEqual({
      code: 'weak_password',
      message: 'Password should be at least 8 characters.',
      weak_password: { reasons: ['length'] },
    })
    expect(fresh.headers.has('x-sb-error-code')).toBe(false)
  })
})

describe('bad input', () => {
  test.each([
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '{"email":5,"password":"x"}',
    '{"email":"a@b.c","data":[1]}',
    '[['.repeat(400_000),
  ])('body number %# is bad_json', async (body) => {
    const answer = await call(auth, 'POST', '/signup', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error_code).toBe('bad_json')
  })

  test('bottomless metadata is bad_json, not a crash', async () => {
    const data = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const { status, body } = await call(
      auth,
      'POST',
      '/signup',
      `{"email":"deep@example.com","password":"${PASSWORD}","data":${data}}`,
    )
    expect([status, body.error_code]).toEqual([400, 'bad_json'])
  })

  test('more than 1 MB is a 413, whether its length is announced or not', async () => {
    const big = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(1024 * 1024) })
    const announced = await call(auth, 'POST', '/signup', big)
    expect([announced.status, announced.body.error_code]).toEqual([413, 'request_entity_too_large'])
    const streamed = await fetch(`${server.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: server.anonKey },
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(streamed.status).toBe(413)
    expect(await streamed.json()).toMatchObject({ error_code: 'request_entity_too_large' })
  })

  test('what was refused leaves the next request alone, and the log empty', async () => {
    await expect(enrol(auth, 'next@example.com')).resolves.toBeDefined()
    expect(server.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([])
  })
})

describe('the key', () => {
  test('is needed', async () => {
    const { status, body } = await call(auth, 'GET', '/settings', undefined, { key: null })
    expect(status).toBe(401)
    expect(body).toEqual({
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    })
  })

  test('is checked', async () => {
    const { status, body } = await call(auth, 'GET', '/settings', undefined, { key: 'wrong' })
    expect(status).toBe(401)
    expect(body).toEqual({
      message: 'Invalid API key',
      hint: 'Double check your Supabase `anon` or `service_role` API key.',
    })
  })

  test('may come in the address, and a stale token beside it does not matter where none is needed', async () => {
    const inQuery = await call(auth, 'GET', `/settings?apikey=${server.anonKey}`, undefined, { key: null })
    expect(inQuery.status).toBe(200)
    expect((await call(auth, 'GET', '/settings', undefined, { bearer: 'stale' })).status).toBe(200)
  })

  test.each(['/verify?token=x&type=signup', '/authorize', '/callback', '/.well-known/jwks.json'])(
    'is not asked of a browser that opens %s',
    async (path) => {
      expect((await call(auth, 'GET', path, undefined, { key: null })).status).not.toBe(401)
    },
  )
})

describe('addresses that are not there', () => {
  test('an unknown path is a 404 in the usual form', async () => {
    const { status, body } = await call(auth, 'GET', '/nothing')
    expect(status).toBe(404)
    expect(body).toEqual({ code: 404, error_code: 'unknown', msg: 'Not found' })
  })

  test('a known path asked in another way is a 405', async () => {
    const { status, headers } = await call(auth, 'DELETE', '/user')
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('GET, HEAD, PUT')
  })
})

describe('what the service says of itself', () => {
  test('GET /settings tells what a sign-in screen may offer', async () => {
    const { body } = await call(auth, 'GET', '/settings')
    expect(body).toMatchObject({
      external: { email: true, google: false, facebook: false, twitter: false, x: false, phone: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    })
  })

  test('GET /health', async () => {
    expect((await call(auth, 'GET', '/health')).body).toEqual({
      version: expect.stringMatching(/^v\d/),
      name: 'GoTrue',
      description: expect.any(String),
    })
  })

  test('no secret is published as a key, and what is there may be kept for ten minutes', async () => {
    const { body, headers } = await call(auth, 'GET', '/.well-known/jwks.json', undefined, { key: null })
    expect(body).toEqual({ keys: [] })
    expect(headers.get('cache-control')).toBe('public, max-age=600')
  })

  test('getClaims works all the same, by asking', async () => {
    await enrol(auth, 'claims@example.com')
    const client = clientOf(auth)
    await client.auth.signInWithPassword({ email: 'claims@example.com', password: PASSWORD })
    const { data } = await client.auth.getClaims()
    expect(data?.claims).toMatchObject({ email: 'claims@example.com', role: 'authenticated' })
  })

  test.each(['google', 'nonsense', ''])('provider %j is not enabled', async (provider) => {
    const { status, body } = await call(auth, 'GET', `/authorize?provider=${provider}`, undefined, {
      key: null,
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error_code: 'validation_failed',
      msg: 'Unsupported provider: provider is not enabled',
    })
  })

  test.each([
    ['GET', '?code=x&state=y', 'bad_oauth_state', 'OAuth callback with invalid state'],
    ['GET', '', 'bad_oauth_callback', 'OAuth state parameter missing'],
    ['POST', '', 'bad_oauth_state', 'OAuth callback with invalid state'],
  ])('%s /callback%s goes back to the site with %s', async (method, query, code, description) => {
    const body = method === 'POST' ? 'state=y' : undefined
    const { status, headers } = await call(auth, method, `/callback${query}`, body, { key: null })
    expect(status).toBe(303)
    const to = new URL(headers.get('location') ?? '')
    expect(to.origin).toBe(server.url)
    expect(Object.fromEntries(to.searchParams)).toEqual({
      error: 'invalid_request',
      error_code: code,
      error_description: description,
    })
  })
})
