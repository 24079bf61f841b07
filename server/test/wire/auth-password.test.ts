import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import {
  call,
  clientOf,
  enrol,
  getUser,
  openAuth,
  refusal,
  signIn,
  signUp,
  testAuth,
} from './auth-service.ts'

const auth = await testAuth()
const email = 'olivia@example.com'
await enrol(auth, email, { name: 'Olivia', avatar_url: '/avatars/avatar-1.png' })

const grant = (body: unknown) => call(auth, 'POST', '/token?grant_type=password', body)

describe('signing in with a password', () => {
  test('gives the client a session', async () => {
    const { data, error } = await clientOf(auth).auth.signInWithPassword({ email, password: PASSWORD })
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
      email,
      user_metadata: { name: 'Olivia', avatar_url: '/avatars/avatar-1.png' },
      app_metadata: { provider: 'email', providers: ['email'] },
      created_at: expect.stringMatching(/Z$/),
      last_sign_in_at: expect.stringMatching(/Z$/),
    })
    expect(data).not.toHaveProperty('weakPassword.reasons')
  })

  test('the access token carries the claims of hosted Supabase', async () => {
    const { body, headers } = await grant({ email: 'Olivia@Example.com', password: PASSWORD })
    const token = String(body.access_token)
    const claims = decodeJwt(token)
    expect(claims).toMatchObject({
      iss: `${auth.url}/auth/v1`,
      sub: (body.user as { id: string }).id,
      ...{ aud: 'authenticated', role: 'authenticated', email, phone: '', aal: 'aal1', is_anonymous: false },
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { name: 'Olivia', email_verified: true },
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: headers.get('sb-auth-session-id'),
    })
    expect(decodeProtectedHeader(token).alg).toBe('HS256')
    expect(body.expires_at).toBe(claims.exp)
    expect(headers.get('sb-auth-user-id')).toBe(claims.sub)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('a password from before the rules still signs in, with a word about it', async () => {
    const strict = await openAuth({ passwordRules: { minimumLength: 20, characters: '' } }, { db: auth.db })
    const { data } = await clientOf(strict).auth.signInWithPassword({ email, password: PASSWORD })
    expect(data.session).not.toBeNull()
    const message = 'Password should be at least 20 characters.'
    expect(data.weakPassword).toEqual({ message, reasons: ['length'] })
  })
})

describe('being refused', () => {
  test('a wrong password and an unknown address are the same answer, byte for byte', async () => {
    const ask = async (address: string) => {
      const response = await fetch(`${auth.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: auth.anonKey, 'X-Supabase-Api-Version': '2024-01-01' },
        body: JSON.stringify({ email: address, password: 'Wrong-horse-1!' }),
      })
      return [response.status, await response.text()]
    }
    const same = [400, '{"code":"invalid_credentials","message":"Invalid login credentials"}']
    for (const address of [email, 'nobody@example.com', 'not an address'])
      expect(await ask(address)).toEqual(same)
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

  test('a password is compared in full although bcrypt stops at 72 bytes', async () => {
    const long = `aA1!${'x'.repeat(68)}`
    await signUp(auth, 'long@example.com', { password: long })
    await auth.db.query("update auth.users set email_confirmed_at = now() where email = 'long@example.com'")
    await expect(signIn(auth, 'long@example.com', long)).resolves.toBeDefined()
    await expect(signIn(auth, 'long@example.com', `${long}y`)).rejects.toThrow('invalid_credentials')
  })

  test('someone who is banned cannot sign in, refresh or read the account', async () => {
    const zoe = await enrol(auth, 'zoe@example.com')
    const ban = (ban_duration: string) =>
      call(auth, 'PUT', `/admin/users/${zoe.id}`, { ban_duration }, { key: auth.serviceKey })
    await ban('1h30m')
    const refresh = { refresh_token: zoe.refreshToken }
    for (const [answer, status, code] of [
      [await grant({ email: zoe.email, password: PASSWORD }), 400, 'user_banned'],
      [await grant({ email: zoe.email, password: 'Wrong-1!' }), 400, 'invalid_credentials'],
      [await call(auth, 'POST', '/token?grant_type=refresh_token', refresh), 400, 'user_banned'],
      [await getUser(auth, zoe.accessToken), 403, 'user_banned'],
    ] as const)
      expect(refusal(answer).slice(0, 2)).toEqual([status, code])
    await ban('none')
    await expect(signIn(auth, zoe.email)).resolves.toBeDefined()
  })
})
