import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WITHOUT_LIMITS as unlimited } from '#auth/auth-settings.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import {
  type AuthService,
  type AuthTarget,
  call,
  clientOf,
  codeTo,
  enrol,
  follow,
  linkTo,
  openAuth,
  overHttp,
  PASSWORD,
  signIn,
} from './auth-service.ts'

let server: TestServer
let auth: AuthTarget
// Its built-in templates print the code, which the project's own leave out.
let coded: AuthService
beforeAll(async () => {
  server = await startTestServer()
  auth = overHttp(server)
  coded = await openAuth()
})
afterAll(async () => {
  await server.close()
  await coded.close()
})

const signUp = (email: string, target = auth, redirectTo = '') =>
  call(target, 'POST', `/signup${redirectTo && `?redirect_to=${encodeURIComponent(redirectTo)}`}`, {
    email,
    password: PASSWORD,
  })

const EXPIRED_LINK =
  '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb='

const open = (link: URL | string) => fetch(link, { redirect: 'manual' })

describe('following a link', () => {
  test('leads to the wanted page with the tokens in the fragment, in alphabetical order', async () => {
    await signUp('olivia@example.com', auth, `${server.url}/auth-redirect`)
    const response = await open(await linkTo(auth, 'olivia@example.com'))
    expect(response.status).toBe(303)
    const [to, fragment] = (response.headers.get('location') ?? '').split('#')
    expect(to).toBe(`${server.url}/auth-redirect`)
    const fields = new URLSearchParams(fragment)
    expect([...fields.keys()]).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
      'type',
    ])
    expect(Object.fromEntries(fields)).toMatchObject({
      expires_in: '3600',
      sb: '',
      token_type: 'bearer',
      type: 'signup',
    })
    const claims = decodeJwt(fields.get('access_token') ?? '')
    expect(claims).toMatchObject({ email: 'olivia@example.com', amr: [{ method: 'otp' }] })
    expect(fields.get('expires_at')).toBe(String(claims.exp))
    const { data, error } = await clientOf(auth).auth.setSession({
      access_token: fields.get('access_token') ?? '',
      refresh_token: fields.get('refresh_token') ?? '',
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email_confirmed_at: expect.any(String),
      user_metadata: { email_verified: true },
    })
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: true })
  })

  test('a second click is told that the link is used up', async () => {
    await signUp('marc@example.com')
    const link = await linkTo(auth, 'marc@example.com')
    await open(link)
    const again = await open(link)
    expect(again.status).toBe(303)
    expect(again.headers.get('location')).toBe(`${server.url}${EXPIRED_LINK}`)
  })

  test('two clicks at once sign in once', async () => {
    await signUp('double@example.com')
    const link = await linkTo(auth, 'double@example.com')
    const arrived = await Promise.all([follow(auth, link), follow(auth, link)])
    expect(arrived.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1)
    expect(arrived.filter(({ fragment }) => fragment.get('error_code') === 'otp_expired')).toHaveLength(1)
  })

  test('after an hour it is too late', async () => {
    await signUp('late@example.com')
    await server.db.query(
      "update auth.one_time_tokens set created_at = created_at - interval '61 minutes' where email = 'late@example.com'",
    )
    const { fragment } = await follow(auth, await linkTo(auth, 'late@example.com'))
    expect(fragment.get('error_code')).toBe('otp_expired')
    await expect(signIn(auth, 'late@example.com')).rejects.toThrow('email_not_confirmed')
  })

  test('a program that only looks (HEAD) does not use it up', async () => {
    await signUp('scanned@example.com')
    const link = await linkTo(auth, 'scanned@example.com')
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(405)
    expect((await follow(auth, link)).fragment.has('access_token')).toBe(true)
  })

  test('a guessed token, or the right token called something else, opens nothing', async () => {
    await signUp('guess@example.com')
    const link = await linkTo(auth, 'guess@example.com')
    const guessed = new URL(link)
    guessed.searchParams.set('token', '0'.repeat(56))
    expect((await open(guessed)).headers.get('location')).toBe(`${server.url}${EXPIRED_LINK}`)
    const renamed = new URL(link)
    renamed.searchParams.set('type', 'recovery')
    expect((await follow(auth, renamed)).fragment.get('error_code')).toBe('otp_expired')
    const unknown = new URL(link)
    unknown.searchParams.set('type', 'nonsense')
    expect((await follow(auth, unknown)).fragment.get('error')).toBe('invalid_request')
    expect((await follow(auth, link)).fragment.has('access_token')).toBe(true)
  })

  test.each(['?type=signup', '?token=abc', ''])(
    '/verify%s is plain JSON, as there is nothing to verify',
    async (query) => {
      const response = await open(`${server.url}/auth/v1/verify${query}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error_code: 'validation_failed' })
    },
  )

  test('someone banned is sent back with the reason', async () => {
    await signUp('banned@example.com')
    await server.db.query(
      "update auth.users set banned_until = now() + interval '1 day' where email = 'banned@example.com'",
    )
    const { fragment } = await follow(auth, await linkTo(auth, 'banned@example.com'))
    expect(Object.fromEntries(fragment)).toMatchObject({
      error: 'access_denied',
      error_code: 'user_banned',
      sb: '',
    })
  })

  test('the database holds neither the token nor the code', async () => {
    await signUp('secret@example.com', coded)
    const token = (await linkTo(coded, 'secret@example.com')).searchParams.get('token') ?? ''
    const code = await codeTo(coded, 'secret@example.com')
    const [row] = await coded.db.query<{ row: string }>(
      "select to_jsonb(t)::text as row from auth.one_time_tokens t where email = 'secret@example.com'",
    )
    expect(row?.row).not.toContain(token)
    expect(row?.row).not.toContain(`"${code}"`)
  })
})

describe('where a link may lead', () => {
  test.each([
    'https://evil.example/steal',
    'http://2130706433/',
    'javascript:alert(1)',
    '//evil.example',
    'http://evil.example\\@127.0.0.1/',
    'not a url',
  ])('%s becomes the site itself, when mailed and when followed', async (wanted) => {
    const email = `bad-${Buffer.from(wanted).toString('hex').slice(0, 40)}@example.com`
    await signUp(email, auth, wanted)
    const link = await linkTo(auth, email)
    expect(link.searchParams.get('redirect_to')).toBe(server.url)
    link.searchParams.set('redirect_to', wanted)
    const { to, fragment } = await follow(auth, link)
    expect(to).toBe(server.url)
    expect(fragment.has('access_token')).toBe(true)
  })

  test('without a wish it is the page that asked', async () => {
    const headers = { referer: `${server.url}/sign-up` }
    await call(auth, 'POST', '/signup', { email: 'referred@example.com', password: PASSWORD }, { headers })
    expect((await linkTo(auth, 'referred@example.com')).searchParams.get('redirect_to')).toBe(
      `${server.url}/sign-up`,
    )
  })

  test('a fragment of its own gives way to the tokens', async () => {
    await signUp('hash@example.com', auth, `${server.url}/page?x=1#section`)
    const response = await open(await linkTo(auth, 'hash@example.com'))
    expect(response.headers.get('location')).toMatch(/\/page\?x=1#access_token=[^#]*$/)
  })
})

describe('typing the code', () => {
  const verify = (body: unknown, address = '192.0.2.1') =>
    call(coded, 'POST', '/verify', body, { headers: { 'x-test-address': address } })

  test('signs the client in, once', async () => {
    await signUp('typed@example.com', coded)
    const token = await codeTo(coded, 'typed@example.com')
    const client = clientOf(coded)
    const { data, error } = await client.auth.verifyOtp({ email: 'Typed@example.com', token, type: 'email' })
    expect(error).toBeNull()
    expect(data.session?.user.email).toBe('typed@example.com')
    const again = await client.auth.verifyOtp({ email: 'typed@example.com', token, type: 'signup' })
    expect(again.error).toMatchObject({
      status: 403,
      code: 'otp_expired',
      message: 'Token has expired or is invalid',
    })
  })

  test('signs in by token hash too', async () => {
    await signUp('hashed@example.com', coded)
    const token_hash = (await linkTo(coded, 'hashed@example.com')).searchParams.get('token') ?? ''
    const { data, error } = await clientOf(coded).auth.verifyOtp({ token_hash, type: 'signup' })
    expect(error).toBeNull()
    expect(data.session).not.toBeNull()
    const again = await verify({ token_hash, type: 'signup' })
    expect([again.status, again.body.msg]).toEqual([403, 'Email link is invalid or has expired'])
  })

  test('the code of one person does not work for another', async () => {
    await signUp('zoe@example.com', coded)
    await signUp('ben@example.com', coded)
    const { status } = await verify({
      type: 'email',
      email: 'ben@example.com',
      token: await codeTo(coded, 'zoe@example.com'),
    })
    expect(status).toBe(403)
  })

  test.each([
    [{ token: '123456', email: 'a@example.com' }, 'Verify requires a verification type'],
    [{ type: 'email' }, 'Verify requires either a token or a token hash'],
    [{ type: 'email', token: '1', token_hash: '2' }, 'Verify requires either a token or a token hash'],
    [
      { type: 'email', token_hash: 'x', email: 'a@example.com' },
      'Only the token_hash and type should be provided',
    ],
    [{ type: 'email', token: '1' }, 'Only an email address or phone number should be provided on verify'],
    [{ type: 'toString', token: '1', email: 'a@example.com' }, 'Invalid email verification type'],
  ])('%j is refused', async (body, message) => {
    const answer = await verify(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error_code: 'validation_failed', msg: message })
  })

  test('someone who has the code cannot keep guessing for it', async () => {
    const limited = await openAuth(
      { rateLimits: { ...unlimited, failedAttempts: { count: 5, seconds: 900 } } },
      { db: coded.db },
    )
    await enrol(limited, 'target@example.com')
    const guess = (token: string) =>
      call(limited, 'POST', '/verify', { type: 'email', email: 'target@example.com', token })
    for (let tries = 0; tries < 5; tries++) expect((await guess('000000')).status).toBe(403)
    const sixth = await guess('000000')
    expect(sixth.status).toBe(429)
    expect(sixth.body.error_code).toBe('over_request_rate_limit')
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(800)
  })
})
