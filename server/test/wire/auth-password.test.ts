import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { testServer } from '../harness.ts'
import {
  type AuthTarget,
  call,
  clientOf,
  enrol,
  openAuth,
  overHttp,
  PASSWORD,
  signIn,
} from './auth-service.ts'

const server = await testServer()
let auth: AuthTarget
beforeAll(async () => {
  auth = overHttp(server)
  await enrol(auth, 'olivia@example.com', { name: 'Olivia', avatar_url: '/avatars/avatar-1.png' })
})

const grant = (body: unknown) => call(auth, 'POST', '/token?grant_type=password', body)

describe('signing in with a password', () => {
  test('gives the client a session', async () => {
    const { data, error } = await clientOf(auth).auth.signInWithPassword({
      email: 'olivia@example.com',
      password: PASSWORD,
    })
    expect(error).toBeNull()
    expect(data.session).toMatchObject({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/./),
      expires_at: expect.any(Number),
      token_type: 'bearer',
      expires_in: 3600,
      user: { id: data.user?.id },
    })
    expect(data.user).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      aud: 'authenticated',
      email: 'olivia@example.com',
      user_metadata: { name: 'Olivia', avatar_url: '/avatars/avatar-1.png' },
      app_metadata: { provider: 'email', providers: ['email'] },
      created_at: expect.stringMatching(/Z$/),
    })
    expect(data.user?.last_sign_in_at).toMatch(/Z$/)
    expect(data).not.toHaveProperty('weakPassword.reasons')
  })

  test('the access token carries the claims of hosted Supabase', async () => {
    const { body, headers } = await grant({ email: 'Olivia@Example.com', password: PASSWORD })
    const token = String(body.access_token)
    const claims = decodeJwt(token)
    const user = body.user as { id: string }
    expect(claims).toMatchObject({
      iss: `${server.url}/auth/v1`,
      sub: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email: 'olivia@example.com',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { name: 'Olivia', email_verified: true },
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: headers.get('sb-auth-session-id'),
      is_anonymous: false,
    })
    expect(decodeProtectedHeader(token).alg).toBe('HS256')
    expect(body.expires_at).toBe(claims.exp)
    expect(headers.get('sb-auth-user-id')).toBe(user.id)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('a password from before the rules still signs in, with a word about it', async () => {
    const strict = await openAuth({ passwordRules: { minimumLength: 20, characters: '' } }, { db: server.db })
    const { data } = await clientOf(strict).auth.signInWithPassword({
      email: 'olivia@example.com',
      password: PASSWORD,
    })
    expect(data.session).not.toBeNull()
    expect(data.weakPassword).toEqual({
      message: 'Password should be at least 20 characters.',
      reasons: ['length'],
    })
  })
})

describe('being refused', () => {
  test('a wrong password and an unknown address are the same answer, byte for byte', async () => {
    const ask = async (email: string) => {
      const response = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: server.anonKey, 'X-Supabase-Api-Version': '2024-01-01' },
        body: JSON.stringify({ email, password: 'Wrong-horse-1!' }),
      })
      return { status: response.status, text: await response.text() }
    }
    const wrong = await ask('olivia@example.com')
    expect(wrong).toEqual({
      status: 400,
      text: '{"code":"invalid_credentials","message":"Invalid login credentials"}',
    })
    expect(await ask('nobody@example.com')).toEqual(wrong)
    expect(await ask('not an address')).toEqual(wrong)
  })

  test('an unknown address costs the work of comparing a password', async () => {
    const times = []
    for (let tries = 0; tries < 4; tries++) {
      const started = performance.now()
      await grant({ email: 'nobody@example.com', password: 'Wrong-horse-1!' })
      times.push(performance.now() - started)
    }
    // bcrypt of cost 10 takes longer than this on any machine; the request without it, a fraction.
    expect(Math.min(...times)).toBeGreaterThan(20)
  })

  test.each([
    ['of 10,000 characters', PASSWORD.repeat(625)],
    ['that is empty', ''],
    ['that begins like the right one', `${PASSWORD}x`],
  ])('a password %s is simply wrong', async (_what, password) => {
    const { status, body } = await grant({ email: 'olivia@example.com', password })
    expect([status, body.error_code]).toEqual([400, 'invalid_credentials'])
  })

  test('a password is compared in full although bcrypt stops at 72 bytes', async () => {
    const long = `aA1!${'x'.repeat(68)}`
    await call(auth, 'POST', '/signup', { email: 'long@example.com', password: long })
    await server.db.query("update auth.users set email_confirmed_at = now() where email = 'long@example.com'")
    await expect(signIn(auth, 'long@example.com', long)).resolves.toBeDefined()
    await expect(signIn(auth, 'long@example.com', `${long}y`)).rejects.toThrow('invalid_credentials')
  })

  test.each([
    [{ password: PASSWORD }, 'validation_failed', 'missing email or phone'],
    [{ phone: '+4917', password: PASSWORD }, 'phone_provider_disabled', 'Phone logins are disabled'],
  ])('%j', async (body, code, message) => {
    const answer = await grant(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error_code: code, msg: message })
  })

  test.each(['', 'pkce', 'id_token', 'constructor'])('grant_type=%s is not offered', async (type) => {
    const { status, body } = await call(auth, 'POST', `/token?grant_type=${type}`, { auth_code: 'x' })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error_code: 'invalid_credentials', msg: 'unsupported_grant_type' })
  })

  test('someone who is banned cannot sign in, refresh or read the account', async () => {
    const zoe = await enrol(auth, 'zoe@example.com')
    await call(auth, 'PUT', `/admin/users/${zoe.id}`, { ban_duration: '1h30m' }, { key: server.serviceKey })
    const signedIn = await grant({ email: 'zoe@example.com', password: PASSWORD })
    expect([signedIn.status, signedIn.body.error_code]).toEqual([400, 'user_banned'])
    const wrong = await grant({ email: 'zoe@example.com', password: 'Wrong-1!' })
    expect(wrong.body.error_code).toBe('invalid_credentials')
    const refreshed = await call(auth, 'POST', '/token?grant_type=refresh_token', {
      refresh_token: zoe.refreshToken,
    })
    expect([refreshed.status, refreshed.body.error_code]).toEqual([400, 'user_banned'])
    const read = await call(auth, 'GET', '/user', undefined, { bearer: zoe.accessToken })
    expect([read.status, read.body.error_code]).toEqual([403, 'user_banned'])
    await call(auth, 'PUT', `/admin/users/${zoe.id}`, { ban_duration: 'none' }, { key: server.serviceKey })
    await expect(signIn(auth, 'zoe@example.com')).resolves.toBeDefined()
  })
})
