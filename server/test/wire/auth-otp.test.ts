import { describe, expect, test } from 'vitest'
import {
  accountsOf,
  call,
  clientOf,
  enrol,
  follow,
  getUser,
  linkTo,
  mailsTo,
  openAuth,
  signIn,
  signUp,
  testAuth,
} from './auth-service.ts'

const auth = await testAuth()

const post = (path: string, body: unknown, target = auth as Parameters<typeof call>[0]) =>
  call(target, 'POST', path, body)
const typeOf = async (email: string, target = auth as Parameters<typeof call>[0]) =>
  (await linkTo(target, email)).searchParams.get('type')

describe('a magic link', () => {
  test('makes an account for a new address and signs in by the confirmation mail', async () => {
    const emailRedirectTo = `${auth.url}/auth-redirect`
    const options = { shouldCreateUser: true, emailRedirectTo, data: { name: 'Ben' } }
    const { error } = await clientOf(auth).auth.signInWithOtp({ email: 'Ben@example.com', options })
    expect(error).toBeNull()
    expect(await typeOf('ben@example.com')).toBe('signup')
    const { to, fragment } = await follow(auth, await linkTo(auth, 'ben@example.com'))
    expect(to).toBe(emailRedirectTo)
    const { body } = await getUser(auth, fragment.get('access_token') ?? '')
    const user_metadata = { name: 'Ben', email_verified: true }
    expect(body).toMatchObject({ email: 'ben@example.com', user_metadata })
  })

  test('signs somebody in who is confirmed, by a magic-link mail', async () => {
    const olivia = await enrol(auth, 'olivia@example.com')
    const answer = await post('/otp', { email: 'olivia@example.com' })
    expect([answer.status, answer.body]).toEqual([200, {}])
    expect(await typeOf('olivia@example.com')).toBe('magiclink')
    const { fragment } = await follow(auth, await linkTo(auth, 'olivia@example.com'))
    expect(fragment.get('type')).toBe('magiclink')
    expect((await getUser(auth, fragment.get('access_token') ?? '')).body.id).toBe(olivia.id)
    await expect(signIn(auth, 'olivia@example.com')).resolves.toBeDefined()
  })

  test('takes away a password that someone set before the address was proven', async () => {
    const email = 'victim@example.com'
    await signUp(auth, email)
    await post('/otp', { email })
    expect((await follow(auth, await linkTo(auth, email))).fragment.has('access_token')).toBe(true)
    await expect(signIn(auth, email)).rejects.toThrow('invalid_credentials')
  })

  test('to an unknown address that may not become an account is not mailed, and not refused either', async () => {
    const email = 'unknown@example.com'
    const { error } = await clientOf(auth).auth.signInWithOtp({ email, options: { shouldCreateUser: false } })
    expect([error, await mailsTo(auth, email), await accountsOf(auth, email)]).toEqual([null, [], []])
  })

  test('by the older /magiclink is the same', async () => {
    expect((await post('/magiclink', { email: 'older@example.com' })).body).toEqual({})
    expect(await typeOf('older@example.com')).toBe('signup')
  })

  test('without confirmations goes to a new address at once', async () => {
    const open = await openAuth({ confirmations: false }, { db: auth.db })
    await post('/otp', { email: 'easy@example.com' }, open)
    expect(await typeOf('easy@example.com', open)).toBe('magiclink')
  })

  test('makes nobody an account where sign-ups are closed', async () => {
    const closed = await openAuth({ signupEnabled: false }, { db: auth.db })
    expect((await post('/otp', { email: 'late@example.com' }, closed)).status).toBe(200)
    expect(await accountsOf(auth, 'late@example.com')).toEqual([])
  })

  test('is refused where sign-in by e-mail is off', async () => {
    const closed = await openAuth({ emailEnabled: false }, { db: auth.db })
    const { status, body } = await post('/otp', { email: 'late@example.com' }, closed)
    expect([status, body.error_code]).toEqual([422, 'email_provider_disabled'])
  })
})

describe('recovering a password', () => {
  test('the link signs in, the new password works and the old one does not', async () => {
    const email = 'marc@example.com'
    await enrol(auth, email)
    const client = clientOf(auth)
    const redirectTo = `${auth.url}/reset-password`
    expect((await client.auth.resetPasswordForEmail(email, { redirectTo })).error).toBeNull()
    const { to, fragment } = await follow(auth, await linkTo(auth, email))
    expect(to).toBe(redirectTo)
    expect(fragment.get('type')).toBe('recovery')
    await client.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    })
    expect((await client.auth.updateUser({ password: 'Brand-new-2?' })).error).toBeNull()
    await expect(signIn(auth, email, 'Brand-new-2?')).resolves.toBeDefined()
    await expect(signIn(auth, email)).rejects.toThrow('invalid_credentials')
  })

  test('an unknown address gets the same answer, and no mail', async () => {
    const answer = await post('/recover', { email: 'stranger@example.com' })
    expect([answer.status, answer.body]).toEqual([200, {}])
    expect(await mailsTo(auth, 'stranger@example.com')).toEqual([])
  })
})

describe('asking again', () => {
  test('mails the confirmation of a sign-up once more', async () => {
    const email = 'again@example.com'
    await signUp(auth, email)
    expect((await clientOf(auth).auth.resend({ type: 'signup', email })).error).toBeNull()
    expect(await mailsTo(auth, email)).toHaveLength(2)
    await follow(auth, await linkTo(auth, email))
    await expect(signIn(auth, email)).resolves.toBeDefined()
  })

  test.each(['signup', 'email_change'])(
    'says nothing about addresses without a %s under way',
    async (type) => {
      const done = `done-${type.length}@example.com`
      await enrol(auth, done)
      for (const email of [done, 'never@example.com']) {
        const answer = await post('/resend', { type, email })
        expect([answer.status, answer.body]).toEqual([200, {}])
        expect(await mailsTo(auth, email)).toEqual([])
      }
    },
  )
})
