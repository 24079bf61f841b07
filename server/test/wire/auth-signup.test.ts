import { beforeAll, describe, expect, test } from 'vitest'
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

const signUp = (email: string, more: object = {}) =>
  call(auth, 'POST', '/signup', { email, password: PASSWORD, ...more })

const accountsOf = (email: string) => server.db.query('select id from auth.users where email = $1', [email])

describe('signing up', () => {
  test('answers a bare user without a session and mails a confirmation', async () => {
    const { data, error } = await clientOf(auth).auth.signUp({
      email: 'olivia@example.com',
      password: PASSWORD,
      options: { data: { name: 'Olivia' }, emailRedirectTo: `${server.url}/auth-redirect` },
    })
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect(data.user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email: 'olivia@example.com',
      phone: '',
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {
        name: 'Olivia',
        email: 'olivia@example.com',
        email_verified: false,
        phone_verified: false,
      },
    })
    expect(data.user?.confirmation_sent_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
    expect(data.user).not.toHaveProperty('email_confirmed_at')
    const identity = data.user?.identities?.[0]
    expect(identity).toMatchObject({ provider: 'email', id: data.user?.id, user_id: data.user?.id })
    expect(identity?.identity_data).toEqual(data.user?.user_metadata)
    const link = await linkTo(auth, 'olivia@example.com')
    expect(link.searchParams.get('type')).toBe('signup')
    expect(link.searchParams.get('token')).toMatch(/^[0-9a-f]{56}$/)
    expect(link.searchParams.get('redirect_to')).toBe(`${server.url}/auth-redirect`)
  })

  test('metadata cannot pretend that the address is verified', async () => {
    const data = { sub: 'x', email: 'other@example.com', email_verified: true, phone_verified: true }
    const { body } = await signUp('sly@example.com', { data })
    expect(body.user_metadata).toEqual({
      sub: body.id,
      email: 'sly@example.com',
      email_verified: false,
      phone_verified: false,
    })
  })

  test('sign-in waits for the confirmation, and says so only to who knows the password', async () => {
    await signUp('waiting@example.com')
    const client = clientOf(auth)
    const right = await client.auth.signInWithPassword({ email: 'waiting@example.com', password: PASSWORD })
    expect(right.error).toMatchObject({
      status: 400,
      code: 'email_not_confirmed',
      message: 'Email not confirmed',
    })
    const wrong = await client.auth.signInWithPassword({ email: 'waiting@example.com', password: 'Wrong-1!' })
    expect(wrong.error).toMatchObject({ code: 'invalid_credentials' })
  })

  test('a confirmed address answers like a new one, but with nobody behind it and no mail', async () => {
    const marc = await enrol(auth, 'marc@example.com')
    const again = await signUp('Marc@Example.com', { data: { name: 'Thief' }, password: 'Another-1!' })
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({
      role: '',
      email: 'marc@example.com',
      identities: [],
      user_metadata: { name: 'Thief' },
      app_metadata: { provider: 'email', providers: ['email'] },
    })
    expect(again.body.id).not.toBe(marc.id)
    for (const field of ['confirmation_sent_at', 'created_at', 'updated_at'])
      expect(again.body).toHaveProperty(field)
    expect(await mailsTo(auth, 'marc@example.com')).toHaveLength(1)
    await expect(signIn(auth, 'marc@example.com')).resolves.toMatchObject({ id: marc.id })
  })

  test('an unconfirmed address is mailed again: the newer link works, and neither of two passwords is trusted', async () => {
    const first = await signUp('twice@example.com')
    const oldLink = await linkTo(auth, 'twice@example.com')
    const second = await signUp('twice@example.com', { password: 'Different-2?' })
    expect(second.body.id).toBe(first.body.id)
    expect((await follow(auth, oldLink)).fragment.get('error_code')).toBe('otp_expired')
    expect((await follow(auth, await linkTo(auth, 'twice@example.com'))).fragment.has('access_token')).toBe(
      true,
    )
    await expect(signIn(auth, 'twice@example.com')).rejects.toThrow('invalid_credentials')
    await expect(signIn(auth, 'twice@example.com', 'Different-2?')).rejects.toThrow('invalid_credentials')
  })

  test('two sign-ups at once make one account', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => signUp('rush@example.com')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await accountsOf('rush@example.com')).toHaveLength(1)
  })
})

describe('addresses', () => {
  test.each([
    ['Olga@EXAMPLE.com', 'olga@example.com'],
    ['olga+netflix@example.com', 'olga+netflix@example.com'],
    ["o'hara@example.co.uk", "o'hara@example.co.uk"],
  ])('%s is kept as %s', async (given, kept) => {
    expect((await signUp(given)).body.email).toBe(kept)
  })

  test.each([
    'no-at-sign',
    'two@@example.com',
    ' space@example.com',
    'jürgen@example.com',
    'olga@exämple.com',
    'olga@example.com\r\nBcc: all@example.com',
    '\u212Aelvin@example.com',
    'olga@-example.com',
  ])('%j is refused', async (email) => {
    const { status, body } = await signUp(email)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error_code: 'validation_failed',
      msg: 'Unable to validate email address: invalid format',
    })
  })

  test('an endless address is refused', async () => {
    const { status, body } = await signUp(`${'a'.repeat(300)}@example.com`)
    expect([status, body.msg]).toEqual([400, 'An email address is too long'])
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
    expect(error).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      code: 'weak_password',
      reasons,
      message,
    })
    expect(await accountsOf('weak@example.com')).toEqual([])
  })

  test.each([
    ['of 10,000 characters', 'aA1!'.repeat(2500)],
    ['of 25 characters that take more than 72 bytes', `aA1!${'漢'.repeat(23)}`],
  ])('one %s is refused, not cut off', async (_what, password) => {
    const { status, body } = await signUp('long@example.com', { password })
    expect([status, body.msg]).toEqual([400, 'Password cannot be longer than 72 characters'])
  })

  test('of exactly 72 bytes, with signs of every script, signs in', async () => {
    const password = `aA1! ${'漢'.repeat(20)}\u0000клю`
    expect(Buffer.byteLength(password)).toBe(72)
    await signUp('script@example.com', { password })
    await follow(auth, await linkTo(auth, 'script@example.com'))
    await expect(signIn(auth, 'script@example.com', password)).resolves.toBeDefined()
    await expect(signIn(auth, 'script@example.com', password.slice(0, -1))).rejects.toThrow(
      'invalid_credentials',
    )
  })
})

describe('what is missing or not offered', () => {
  test.each([
    [{ email: 'a@example.com' }, 400, 'validation_failed', 'Signup requires a valid password'],
    [
      { email: 'a@example.com', password: null },
      400,
      'validation_failed',
      'Signup requires a valid password',
    ],
    [{ password: PASSWORD }, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
    [
      { phone: '+491701234567', password: PASSWORD },
      400,
      'phone_provider_disabled',
      'Phone signups are disabled',
    ],
  ])('%j', async (body, status, code, message) => {
    const answer = await call(auth, 'POST', '/signup', body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ error_code: code, msg: message })
  })

  test('what the client adds of itself is accepted, a code challenge is not', async () => {
    const usual = { gotrue_meta_security: {}, code_challenge: null, code_challenge_method: null }
    expect((await signUp('usual@example.com', usual)).status).toBe(200)
    const challenged = await signUp('pkce@example.com', {
      code_challenge: 'abc',
      code_challenge_method: 's256',
    })
    expect([challenged.status, challenged.body.error_code]).toEqual([400, 'validation_failed'])
  })

  test.each([
    [{ signupEnabled: false }, 422, 'signup_disabled', 'Signups not allowed for this instance'],
    [{ emailEnabled: false }, 400, 'email_provider_disabled', 'Email signups are disabled'],
  ])('nobody signs up where the project says %j', async (settings, status, code, message) => {
    const closed = await openAuth(settings, { db: server.db })
    const answer = await call(closed, 'POST', '/signup', { email: 'late@example.com', password: PASSWORD })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ error_code: code, msg: message })
  })
})

describe('without confirmations', () => {
  test('signing up signs in at once, and a second time is refused', async () => {
    const open = await openAuth({ confirmations: false }, { db: server.db })
    const client = clientOf(open)
    const first = await client.auth.signUp({ email: 'quick@example.com', password: PASSWORD })
    expect(first.data.session?.access_token).toBeTruthy()
    expect(first.data.user?.user_metadata.email_verified).toBe(true)
    expect(first.data.user?.email_confirmed_at).toBeTruthy()
    const second = await client.auth.signUp({ email: 'quick@example.com', password: PASSWORD })
    expect(second.error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    })
  })
})

describe('when something breaks', () => {
  test('text that Postgres cannot store is a 400 and leaves nothing behind', async () => {
    const { status, body } = await signUp('nul@example.com', { data: { name: 'a\u0000b' } })
    expect([status, body.error_code]).toEqual([400, 'validation_failed'])
    expect(await accountsOf('nul@example.com')).toEqual([])
    expect((await signUp('nul@example.com')).status).toBe(200)
  })

  test('a project trigger that raises is a 500, one log line without the password, and no half account', async () => {
    await server.db.transaction((tx) =>
      tx.script(`
        create function public.refuse_trouble() returns trigger language plpgsql set search_path = '' as $$
        begin raise exception 'no room' using detail = new.encrypted_password; end $$;
        create trigger refuse_trouble after insert on auth.users for each row
        when (new.email = 'trouble@example.com') execute function public.refuse_trouble();`),
    )
    const before = server.logged.length
    const { status, body } = await signUp('trouble@example.com')
    expect(status).toBe(500)
    expect(body).toMatchObject({ error_code: 'unexpected_failure', msg: 'Database error saving new user' })
    expect(await accountsOf('trouble@example.com')).toEqual([])
    const lines = server.logged.slice(before)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('no room')
    expect(lines[0]).toContain(String(body.error_id))
    expect(lines[0]).not.toMatch(/\$2b\$|Correct-horse/)
    expect(JSON.stringify(body)).not.toContain('no room')
  })
})
