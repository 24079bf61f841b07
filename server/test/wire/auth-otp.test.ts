import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WITHOUT_LIMITS as unlimited } from '#auth/auth-settings.ts'
import { freePort } from '../free-port.ts'
import { testServer } from '../harness.ts'
import {
  type AuthTarget,
  call,
  clientOf,
  enrol,
  follow,
  linkTo,
  mailsTo,
  openAuth,
  overHttp,
  PASSWORD,
  signIn,
} from './auth-service.ts'

const server = await testServer()
let auth: AuthTarget
beforeAll(async () => {
  auth = overHttp(server)
})

const accounts = async () => Number((await server.db.query('select count(*) from auth.users'))[0]?.count)

describe('a magic link', () => {
  test('makes an account for a new address and signs in by the confirmation mail', async () => {
    const client = clientOf(auth)
    const { error } = await client.auth.signInWithOtp({
      email: 'Ben@example.com',
      options: {
        shouldCreateUser: true,
        emailRedirectTo: `${server.url}/auth-redirect`,
        data: { name: 'Ben' },
      },
    })
    expect(error).toBeNull()
    const link = await linkTo(auth, 'ben@example.com')
    expect(link.searchParams.get('type')).toBe('signup')
    const { to, fragment } = await follow(auth, link)
    expect(to).toBe(`${server.url}/auth-redirect`)
    const user = await call(auth, 'GET', '/user', undefined, { bearer: fragment.get('access_token') ?? '' })
    expect(user.body).toMatchObject({
      email: 'ben@example.com',
      user_metadata: { name: 'Ben', email_verified: true },
    })
  })

  test('signs somebody in who is confirmed, by a magic-link mail', async () => {
    const olivia = await enrol(auth, 'olivia@example.com')
    const answer = await call(auth, 'POST', '/otp', { email: 'olivia@example.com' })
    expect([answer.status, answer.body]).toEqual([200, {}])
    const link = await linkTo(auth, 'olivia@example.com')
    expect(link.searchParams.get('type')).toBe('magiclink')
    const { fragment } = await follow(auth, link)
    expect(fragment.get('type')).toBe('magiclink')
    const user = await call(auth, 'GET', '/user', undefined, { bearer: fragment.get('access_token') ?? '' })
    expect(user.body.id).toBe(olivia.id)
    await expect(signIn(auth, 'olivia@example.com')).resolves.toBeDefined()
  })

  test('takes away a password that someone set before the address was proven', async () => {
    await call(auth, 'POST', '/signup', { email: 'victim@example.com', password: PASSWORD })
    await call(auth, 'POST', '/otp', { email: 'victim@example.com' })
    expect((await follow(auth, await linkTo(auth, 'victim@example.com'))).fragment.has('access_token')).toBe(
      true,
    )
    await expect(signIn(auth, 'victim@example.com')).rejects.toThrow('invalid_credentials')
  })

  test('create_user false refuses an unknown address and makes no account', async () => {
    const before = await accounts()
    const { error } = await clientOf(auth).auth.signInWithOtp({
      email: 'unknown@example.com',
      options: { shouldCreateUser: false },
    })
    expect(error).toMatchObject({ status: 422, code: 'otp_disabled', message: 'Signups not allowed for otp' })
    expect(await accounts()).toBe(before)
  })

  test.each([
    [{}, 400, 'One of email or phone must be set'],
    [{ email: 'nonsense' }, 400, 'Unable to validate email address: invalid format'],
    [{ phone: '+4917' }, 400, 'Unsupported phone provider'],
    [
      { email: 'a@example.com', phone: '+4917' },
      400,
      'Only an email address or phone number should be provided',
    ],
  ])('POST /otp %j', async (body, status, message) => {
    const answer = await call(auth, 'POST', '/otp', body)
    expect([answer.status, answer.body.msg]).toEqual([status, message])
  })

  test('the older /magiclink does the same', async () => {
    expect((await call(auth, 'POST', '/magiclink', { email: 'older@example.com' })).body).toEqual({})
    expect((await linkTo(auth, 'older@example.com')).searchParams.get('type')).toBe('signup')
    const missing = await call(auth, 'POST', '/magiclink', {})
    expect(missing.status).toBe(422)
    expect(missing.body).toMatchObject({
      error_code: 'validation_failed',
      msg: 'Password recovery requires an email',
    })
  })

  test('without confirmations a new address gets a magic link at once', async () => {
    const open = await openAuth({ confirmations: false }, { db: server.db })
    await call(open, 'POST', '/otp', { email: 'easy@example.com' })
    expect((await linkTo(open, 'easy@example.com')).searchParams.get('type')).toBe('magiclink')
  })

  test.each([
    [{ signupEnabled: false }, 'signup_disabled'],
    [{ emailEnabled: false }, 'email_provider_disabled'],
  ])('%j closes this door too', async (settings, code) => {
    const closed = await openAuth(settings, { db: server.db })
    const { status, body } = await call(closed, 'POST', '/otp', { email: 'late@example.com' })
    expect([status, body.error_code]).toEqual([422, code])
  })
})

describe('recovering a password', () => {
  test('the link signs in, the new password works and the old one does not', async () => {
    await enrol(auth, 'marc@example.com')
    const client = clientOf(auth)
    const redirectTo = `${server.url}/reset-password`
    expect((await client.auth.resetPasswordForEmail('marc@example.com', { redirectTo })).error).toBeNull()
    const { to, fragment } = await follow(auth, await linkTo(auth, 'marc@example.com'))
    expect(to).toBe(redirectTo)
    expect(fragment.get('type')).toBe('recovery')
    await client.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    })
    expect((await client.auth.updateUser({ password: 'Brand-new-2?' })).error).toBeNull()
    await expect(signIn(auth, 'marc@example.com', 'Brand-new-2?')).resolves.toBeDefined()
    await expect(signIn(auth, 'marc@example.com')).rejects.toThrow('invalid_credentials')
  })

  test('an unknown address gets the same answer, and no mail', async () => {
    const answer = await call(auth, 'POST', '/recover', { email: 'stranger@example.com' })
    expect([answer.status, answer.body]).toEqual([200, {}])
    expect(await mailsTo(auth, 'stranger@example.com')).toEqual([])
  })

  test.each([
    [{}, 'Password recovery requires an email'],
    [{ email: '@' }, 'Unable to validate email address: invalid format'],
  ])('POST /recover %j', async (body, message) => {
    const answer = await call(auth, 'POST', '/recover', body)
    expect([answer.status, answer.body.msg]).toEqual([400, message])
  })
})

describe('asking again', () => {
  test('mails the confirmation of a sign-up once more', async () => {
    await call(auth, 'POST', '/signup', { email: 'again@example.com', password: PASSWORD })
    const { error } = await clientOf(auth).auth.resend({ type: 'signup', email: 'again@example.com' })
    expect(error).toBeNull()
    expect(await mailsTo(auth, 'again@example.com')).toHaveLength(2)
    await follow(auth, await linkTo(auth, 'again@example.com'))
    await expect(signIn(auth, 'again@example.com')).resolves.toBeDefined()
  })

  test.each(['signup', 'email_change'])(
    'says nothing about addresses without a %s under way',
    async (type) => {
      await enrol(auth, `done-${type}@example.com`.replace('_', '-'))
      for (const email of [`done-${type}@example.com`.replace('_', '-'), 'never@example.com']) {
        const before = (await mailsTo(auth, email)).length
        const answer = await call(auth, 'POST', '/resend', { type, email })
        expect([answer.status, answer.body]).toEqual([200, {}])
        expect(await mailsTo(auth, email)).toHaveLength(before)
      }
    },
  )

  test.each([
    [{ email: 'a@example.com' }, 'Missing one of these types: signup, email_change, sms, phone_change'],
    [
      { type: 'recovery', email: 'a@example.com' },
      'Missing one of these types: signup, email_change, sms, phone_change',
    ],
    [{ type: 'signup' }, 'Type provided requires an email address'],
    [{ type: 'sms', phone: '+4917' }, 'Phone logins are disabled'],
  ])('POST /resend %j', async (body, message) => {
    const answer = await call(auth, 'POST', '/resend', body)
    expect([answer.status, answer.body.msg]).toEqual([400, message])
  })
})

describe('when no mail can be sent', () => {
  let refusing: Server
  let smtpUrl: string
  beforeAll(async () => {
    const port = await freePort()
    refusing = createServer((socket) => socket.end('554 no service today\r\n')).listen(port, '127.0.0.1')
    smtpUrl = `smtp://127.0.0.1:${port}`
  })
  afterAll(() => refusing.close())

  test('the person reads so, the log has one line, and a retry works', async () => {
    const interval = { mailInterval: { count: 1, seconds: 60 } }
    const mute = await openAuth({ rateLimits: { ...unlimited, ...interval } }, { db: server.db, smtpUrl })
    const person = { email: 'unlucky@example.com', password: PASSWORD }
    const { error } = await clientOf(mute).auth.signUp(person)
    expect(error).toMatchObject({
      name: 'AuthApiError',
      status: 424,
      code: 'unexpected_failure',
      message: 'Error sending confirmation email. Please try again.',
    })
    expect(mute.logged).toHaveLength(1)
    expect(mute.logged[0]).toContain('554')
    expect(mute.logged[0]).not.toMatch(/token=|Correct-horse/)

    const mended = await openAuth({ rateLimits: { ...unlimited, ...interval } }, { db: server.db })
    expect((await call(mended, 'POST', '/signup', person)).status).toBe(200)
    await follow(mended, await linkTo(mended, 'unlucky@example.com'))
    await expect(signIn(mended, 'unlucky@example.com')).resolves.toBeDefined()
  })
})
