import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import {
  accountsOf,
  clientOf,
  enrol,
  follow,
  linkTo,
  mailsTo,
  openAuth,
  refusal,
  signIn,
  signUp,
  testAuth,
} from './auth-service.ts'

const auth = await testAuth()

describe('signing up', () => {
  test('answers a bare user without a session and mails a confirmation', async () => {
    const email = 'olivia@example.com'
    const { data, error } = await clientOf(auth).auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { name: 'Olivia' }, emailRedirectTo: `${auth.url}/auth-redirect` },
    })
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect(data.user).toMatchObject({
      ...{ aud: 'authenticated', role: 'authenticated', email, phone: '', is_anonymous: false },
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { name: 'Olivia', email, email_verified: false, phone_verified: false },
    })
    expect(data.user?.confirmation_sent_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
    expect(data.user).not.toHaveProperty('email_confirmed_at')
    const identity = data.user?.identities?.[0]
    expect(identity).toMatchObject({ provider: 'email', id: data.user?.id, user_id: data.user?.id })
    expect(identity?.identity_data).toEqual(data.user?.user_metadata)
    const link = Object.fromEntries((await linkTo(auth, email)).searchParams)
    expect(link).toMatchObject({ type: 'signup', redirect_to: `${auth.url}/auth-redirect` })
    expect(link.token).toMatch(/^[0-9a-f]{56}$/)
  })

  test('metadata cannot pretend that the address is verified', async () => {
    const email = 'sly@example.com'
    const data = { sub: 'x', email: 'other@example.com', email_verified: true, phone_verified: true }
    const { body } = await signUp(auth, email, { data })
    const kept = { sub: body.id, email, email_verified: false, phone_verified: false }
    expect(body.user_metadata).toEqual(kept)
  })

  test('sign-in waits for the confirmation, and says so only to who knows the password', async () => {
    const email = 'waiting@example.com'
    await signUp(auth, email)
    const client = clientOf(auth)
    const right = await client.auth.signInWithPassword({ email, password: PASSWORD })
    const waiting = { status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' }
    expect(right.error).toMatchObject(waiting)
    const wrong = await client.auth.signInWithPassword({ email, password: 'Wrong-1!' })
    expect(wrong.error).toMatchObject({ code: 'invalid_credentials' })
  })

  test('a confirmed address answers like a new one, but with nobody behind it and no mail', async () => {
    const marc = await enrol(auth, 'marc@example.com')
    const again = await signUp(auth, 'Marc@Example.com', { data: { name: 'Thief' }, password: 'Another-1!' })
    expect(again.status).toBe(200)
    const { id, email } = again.body
    expect(again.body).toMatchObject({
      ...{ role: 'authenticated', email: 'marc@example.com', confirmation_sent_at: again.body.created_at },
      user_metadata: { name: 'Thief', sub: id, email, email_verified: false },
      identities: [{ id, user_id: id, email, provider: 'email' }],
    })
    expect(id).not.toBe(marc.id)
    expect(await auth.db.query('select 1 from auth.users where id = $1', [String(id)])).toEqual([])
    expect(await mailsTo(auth, 'marc@example.com')).toEqual([])
    await expect(signIn(auth, 'marc@example.com')).resolves.toMatchObject({ id: marc.id })
  })

  test('an unconfirmed address is mailed again: the newer link works, and neither of two passwords is trusted', async () => {
    const email = 'twice@example.com'
    const first = await signUp(auth, email)
    const oldLink = await linkTo(auth, email)
    const second = await signUp(auth, email, { password: 'Different-2?' })
    expect(second.body.id).toBe(first.body.id)
    expect((await follow(auth, oldLink)).fragment.get('error_code')).toBe('otp_expired')
    expect((await follow(auth, await linkTo(auth, email))).fragment.has('access_token')).toBe(true)
    for (const password of [PASSWORD, 'Different-2?'])
      await expect(signIn(auth, email, password)).rejects.toThrow('invalid_credentials')
  })

  test('two sign-ups at once make one account', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => signUp(auth, 'rush@example.com')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await accountsOf(auth, 'rush@example.com')).toHaveLength(1)
  })

  test.each([
    ['Olga@EXAMPLE.com', 'olga@example.com'],
    ['olga+netflix@example.com', 'olga+netflix@example.com'],
    ["o'hara@example.co.uk", "o'hara@example.co.uk"],
  ])('the address %s is kept as %s', async (given, kept) => {
    expect((await signUp(auth, given)).body.email).toBe(kept)
  })

  test('what the client adds of itself is accepted', async () => {
    const usual = { gotrue_meta_security: {}, code_challenge: null, code_challenge_method: null }
    expect((await signUp(auth, 'usual@example.com', usual)).status).toBe(200)
  })
})

describe('passwords', () => {
  const SETS =
    'abcdefghijklmnopqrstuvwxyz, ABCDEFGHIJKLMNOPQRSTUVWXYZ, 0123456789, !@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~'
  const TOO_SHORT = 'Password should be at least 8 characters.'
  const TOO_PLAIN = `Password should contain at least one character of each: ${SETS}.`

  test.each([
    ['aA1!', ['length'], TOO_SHORT],
    ['alllowercase1!', ['characters'], TOO_PLAIN],
    ['NoSymbol1', ['characters'], TOO_PLAIN],
    ['short', ['length', 'characters'], `${TOO_SHORT} ${TOO_PLAIN}`],
  ])('%s is too weak, and the client learns why', async (password, reasons, message) => {
    const { error } = await clientOf(auth).auth.signUp({ email: 'weak@example.com', password })
    const weak = { name: 'AuthWeakPasswordError', status: 422, code: 'weak_password', reasons, message }
    expect(error).toMatchObject(weak)
    expect(await accountsOf(auth, 'weak@example.com')).toEqual([])
  })

  test('of exactly 72 bytes, with signs of every script, signs in', async () => {
    const email = 'script@example.com'
    const password = `aA1! ${'漢'.repeat(20)}\u0000клю`
    expect(Buffer.byteLength(password)).toBe(72)
    await signUp(auth, email, { password })
    await follow(auth, await linkTo(auth, email))
    await expect(signIn(auth, email, password)).resolves.toBeDefined()
    await expect(signIn(auth, email, password.slice(0, -1))).rejects.toThrow('invalid_credentials')
  })
})

describe('where the project says otherwise', () => {
  test.each([
    [{ signupEnabled: false }, 422, 'signup_disabled', 'Signups not allowed for this instance'],
    [{ emailEnabled: false }, 400, 'email_provider_disabled', 'Email signups are disabled'],
  ])('nobody signs up: %j', async (settings, ...refused) => {
    const closed = await openAuth(settings, { db: auth.db })
    expect(refusal(await signUp(closed, 'late@example.com'))).toEqual(refused)
  })

  test('without confirmations signing up signs in at once, and a second time is refused', async () => {
    const open = await openAuth({ confirmations: false }, { db: auth.db })
    const client = clientOf(open)
    const person = { email: 'quick@example.com', password: PASSWORD }
    const first = await client.auth.signUp(person)
    expect(first.data.session?.access_token).toBeTruthy()
    expect(first.data.user?.user_metadata.email_verified).toBe(true)
    expect(first.data.user?.email_confirmed_at).toBeTruthy()
    const second = await client.auth.signUp(person)
    const taken = { status: 422, code: 'user_already_exists', message: 'User already registered' }
    expect(second.error).toMatchObject(taken)
  })

  test('a trigger that raises is a 500, one log line without the password, and no half account', async () => {
    await auth.db.transaction((tx) =>
      tx.script(`
        create function public.refuse_trouble() returns trigger language plpgsql set search_path = '' as $$
        begin raise exception 'no room' using detail = new.encrypted_password; end $$;
        create trigger refuse_trouble after insert on auth.users for each row
        when (new.email = 'trouble@example.com') execute function public.refuse_trouble();`),
    )
    const before = auth.logged.length
    const answer = await signUp(auth, 'trouble@example.com')
    expect(refusal(answer)).toEqual([500, 'unexpected_failure', 'Database error saving new user'])
    expect(await accountsOf(auth, 'trouble@example.com')).toEqual([])
    const lines = auth.logged.slice(before)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('no room')
    expect(lines[0]).toContain(String(answer.body.error_id))
    expect(lines[0]).not.toMatch(/\$2b\$|Correct-horse/)
    expect(JSON.stringify(answer.body)).not.toContain('no room')
  })
})
