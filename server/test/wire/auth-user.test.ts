import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTokens } from '#identity/tokens.ts'
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
  mailsTo,
  openAuth,
  overHttp,
  PASSWORD,
  signIn,
} from './auth-service.ts'

let server: TestServer
let auth: AuthTarget
let local: AuthService
beforeAll(async () => {
  server = await startTestServer()
  auth = overHttp(server)
  local = await openAuth()
})
afterAll(async () => {
  await server.close()
  await local.close()
})

const getUser = (bearer?: string, target = auth) =>
  call(target, 'GET', '/user', undefined, bearer === undefined ? {} : { bearer })
const putUser = (bearer: string, body: unknown, target = auth) =>
  call(target, 'PUT', '/user', body, { bearer })

describe('reading the account', () => {
  test('gives the user object of hosted Supabase', async () => {
    const { accessToken, id } = await enrol(auth, 'olivia@example.com', { name: 'Olivia' })
    const { status, body } = await getUser(accessToken)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([
      ...['app_metadata', 'aud', 'confirmation_sent_at', 'confirmed_at', 'created_at', 'email'],
      ...['email_confirmed_at', 'id', 'identities', 'is_anonymous', 'last_sign_in_at', 'phone', 'role'],
      ...['updated_at', 'user_metadata'],
    ])
    const [identity] = body.identities as Record<string, unknown>[]
    expect(Object.keys(identity ?? {}).sort()).toEqual([
      ...['created_at', 'email', 'id', 'identity_data', 'identity_id', 'last_sign_in_at', 'provider'],
      ...['updated_at', 'user_id'],
    ])
    expect(identity).toMatchObject({ id, user_id: id, provider: 'email', email: 'olivia@example.com' })
    expect(identity?.identity_id).not.toBe(id)
    expect(JSON.stringify(body)).not.toContain('$2b$')
  })

  test('a header that is not a bearer token is a 401', async () => {
    const { status, body } = await call(auth, 'GET', '/user', undefined, {
      headers: { authorization: 'Basic abc' },
    })
    expect(status).toBe(401)
    expect(body).toMatchObject({
      error_code: 'no_authorization',
      msg: 'This endpoint requires a valid Bearer token',
    })
  })

  test('the key alone names nobody', async () => {
    for (const bearer of [undefined, server.anonKey, server.serviceKey]) {
      const { status, body } = await getUser(bearer)
      expect(status).toBe(403)
      expect(body).toMatchObject({ error_code: 'bad_jwt', msg: 'invalid claim: missing sub claim' })
    }
  })

  test('forged, foreign, expired and garbled tokens are refused alike', async () => {
    const { accessToken, id } = await signInLocally('forger@example.com')
    const claims = { sub: id, role: 'authenticated', aud: 'authenticated' }
    const [head, payload, signature = ''] = accessToken.split('.')
    const admin = Buffer.from(JSON.stringify({ ...claims, role: 'service_role', exp: 2e9 })).toString(
      'base64url',
    )
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const tokens = [
      `${head}.${payload}.${signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))}`,
      `${head}.${admin}.${signature}`,
      `${unsigned}.${payload}.`,
      await createTokens('another secret, just as long as the right one').sign(claims, 60),
      await local.tokens.sign(claims, -60),
      'garbage',
    ]
    for (const token of tokens) {
      const { status, body } = await getUser(token, local)
      expect([status, body.error_code]).toEqual([403, 'bad_jwt'])
      expect(body.msg).toMatch(/^invalid JWT: unable to parse or verify signature, /)
    }
  })

  test.each([
    [{ sub: 'not-a-uuid' }, 'bad_jwt', 'invalid claim: sub claim must be a UUID'],
    [
      { sub: '00000000-0000-4000-8000-000000000000' },
      'user_not_found',
      'User from sub claim in JWT does not exist',
    ],
  ])('a right signature under %j helps nobody', async (claims, code, message) => {
    const token = await local.tokens.sign({ role: 'authenticated', ...claims }, 60)
    const { status, body } = await getUser(token, local)
    expect(status).toBe(403)
    expect(body).toMatchObject({ error_code: code, msg: message })
  })

  test('a session of someone else is no session', async () => {
    const marc = await signInLocally('marc@example.com')
    const zoe = await signInLocally('zoe@example.com')
    const { session_id } = await local.tokens.verify(zoe.accessToken)
    const token = await local.tokens.sign({ role: 'authenticated', sub: marc.id, session_id }, 60)
    const { status, body } = await getUser(token, local)
    expect([status, body.error_code]).toEqual([403, 'session_not_found'])
  })

  const signInLocally = (email: string) => enrol(local, email)
})

describe('changing the account', () => {
  test('data is merged, and null removes a key', async () => {
    const { accessToken } = await enrol(auth, 'merge@example.com', {
      name: 'Old',
      city: 'Bonn',
      nested: { a: null },
    })
    const { status, body } = await putUser(accessToken, {
      data: { name: 'New', city: null, avatar_url: 'x' },
    })
    expect(status).toBe(200)
    expect(body.user_metadata).toMatchObject({ name: 'New', avatar_url: 'x', nested: { a: null } })
    expect(body.user_metadata).not.toHaveProperty('city')
  })

  test('nobody gives themselves a role', async () => {
    const { accessToken } = await enrol(auth, 'climber@example.com')
    const { body } = await putUser(accessToken, { role: 'service_role', app_metadata: { admin: true } })
    expect(body).toMatchObject({
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
    })
  })

  test('a new password ends the other sessions and keeps this one', async () => {
    await enrol(auth, 'renew@example.com')
    const other = await signIn(auth, 'renew@example.com')
    const client = clientOf(auth)
    await client.auth.signInWithPassword({ email: 'renew@example.com', password: PASSWORD })
    expect((await client.auth.updateUser({ password: 'Brand-new-2?' })).error).toBeNull()
    expect((await client.auth.getUser()).error).toBeNull()
    expect((await getUser(other.accessToken)).body.error_code).toBe('session_not_found')
    await expect(signIn(auth, 'renew@example.com', 'Brand-new-2?')).resolves.toBeDefined()
  })

  test.each([
    [{ password: PASSWORD }, 422, 'same_password', 'New password should be different from the old password.'],
    [{ password: 'weak' }, 422, 'weak_password', expect.stringContaining('at least 8 characters')],
    [{ password: '' }, 422, 'weak_password', expect.any(String)],
    [
      { password: 'aA1!'.repeat(2500) },
      400,
      'validation_failed',
      'Password cannot be longer than 72 characters',
    ],
    [
      { password: 'Brand-new-2?', current_password: 'wrong' },
      400,
      'current_password_mismatch',
      expect.any(String),
    ],
    [{ email: 'nonsense' }, 400, 'validation_failed', 'Unable to validate email address: invalid format'],
    [
      { email: 'TAKEN@example.com' },
      422,
      'email_exists',
      'A user with this email address has already been registered',
    ],
    [{ data: 'text' }, 400, 'bad_json', expect.stringContaining('data')],
  ])('%j is refused', async (body, status, code, message) => {
    await call(auth, 'POST', '/admin/users', { email: 'taken@example.com' }, { key: server.serviceKey })
    const { accessToken } = await signInOnce()
    const answer = await putUser(accessToken, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ error_code: code, msg: message })
  })

  test('a day after signing in, a new password needs a new sign-in', async () => {
    const { accessToken, id } = await enrol(auth, 'stale@example.com')
    await server.db.query(
      "update auth.sessions set created_at = now() - interval '25 hours' where user_id = $1",
      [id],
    )
    const { status, body } = await putUser(accessToken, { password: 'Brand-new-2?' })
    expect([status, body.error_code]).toEqual([400, 'reauthentication_needed'])
    const fresh = await signIn(auth, 'stale@example.com')
    expect((await putUser(fresh.accessToken, { password: 'Brand-new-2?' })).status).toBe(200)
  })

  let person: ReturnType<typeof enrol> | undefined
  const signInOnce = () => {
    person ??= enrol(auth, 'steady@example.com')
    return person
  }
})

describe('changing the address', () => {
  test('both boxes are mailed, and only when both have agreed does it change', async () => {
    const { accessToken, id } = await enrol(local, 'before@example.com')
    const asked = await putUser(accessToken, { email: 'After@example.com' }, local)
    expect(asked.body).toMatchObject({ email: 'before@example.com', new_email: 'after@example.com' })
    const oldLink = await linkTo(local, 'before@example.com')
    const newLink = await linkTo(local, 'after@example.com')
    expect([oldLink, newLink].map((link) => link.searchParams.get('type'))).toEqual([
      'email_change',
      'email_change',
    ])

    const half = await follow(local, newLink)
    expect([...half.fragment]).toEqual([
      ['message', 'Confirmation link accepted. Please proceed to confirm link sent to the other email'],
      ['sb', ''],
    ])
    expect((await getUser(accessToken, local)).body.email).toBe('before@example.com')
    expect((await follow(local, newLink)).fragment.get('error_code')).toBe('otp_expired')

    const done = await follow(local, oldLink)
    const { body } = await getUser(done.fragment.get('access_token') ?? '', local)
    expect(body).toMatchObject({
      id,
      email: 'after@example.com',
      user_metadata: { email: 'after@example.com' },
    })
    expect(body).not.toHaveProperty('new_email')
    expect(body.identities).toMatchObject([
      { email: 'after@example.com', identity_data: { email_verified: true } },
    ])
    await expect(signIn(local, 'after@example.com')).resolves.toMatchObject({ id })
    await expect(signIn(local, 'before@example.com')).rejects.toThrow('invalid_credentials')
  })

  test('works by code, and says when the other half is missing', async () => {
    const { accessToken } = await enrol(local, 'one@example.com')
    await putUser(accessToken, { email: 'two@example.com' }, local)
    const verify = async (email: string) =>
      call(local, 'POST', '/verify', { type: 'email_change', email, token: await codeTo(local, email) })
    const half = await verify('one@example.com')
    expect(half.body).toEqual({
      msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
      code: '200',
    })
    expect((await verify('two@example.com')).body.user).toMatchObject({ email: 'two@example.com' })
  })

  test('can be mailed again while it waits', async () => {
    const { accessToken } = await enrol(local, 'slow@example.com')
    await putUser(accessToken, { email: 'fast@example.com' }, local)
    const stale = await linkTo(local, 'fast@example.com')
    await call(local, 'POST', '/resend', { type: 'email_change', email: 'slow@example.com' })
    expect(await mailsTo(local, 'fast@example.com')).toHaveLength(2)
    expect((await follow(local, stale)).fragment.get('error_code')).toBe('otp_expired')
  })

  test('is refused when somebody took the address meanwhile', async () => {
    const { accessToken } = await enrol(local, 'first@example.com')
    await putUser(accessToken, { email: 'wanted@example.com' }, local)
    await enrolElsewhere('wanted@example.com')
    await follow(local, await linkTo(local, 'first@example.com'))
    const link = (await mailsTo(local, 'wanted@example.com')).map(
      ({ text }) => /http\S+verify\S+/.exec(text)?.[0],
    )
    const { fragment } = await follow(local, link.at(-1) ?? '')
    expect(fragment.get('error_code')).toBe('email_exists')
    expect((await getUser(accessToken, local)).body.email).toBe('first@example.com')
  })

  test('with one-sided changes only the new box is asked; without confirmations, none', async () => {
    const oneSided = await openAuth({ doubleConfirmChanges: false }, { db: local.db })
    const { accessToken } = await enrol(oneSided, 'left@example.com')
    await putUser(accessToken, { email: 'right@example.com' }, oneSided)
    expect(await mailsTo(oneSided, 'left@example.com')).toHaveLength(1)
    expect(
      (await follow(oneSided, await linkTo(oneSided, 'right@example.com'))).fragment.has('access_token'),
    ).toBe(true)
    const trusting = await openAuth({ confirmations: false }, { db: local.db })
    const changed = await putUser(accessToken, { email: 'straight@example.com' }, trusting)
    expect(changed.body.email).toBe('straight@example.com')
  })

  const enrolElsewhere = (email: string) =>
    call(local, 'POST', '/admin/users', { email, email_confirm: true }, { key: local.serviceKey })
})

describe('signing out', () => {
  test.each([
    ['local', [403, 200]],
    ['others', [200, 403]],
    ['global', [403, 403]],
    ['', [403, 403]],
  ])('scope=%s leaves this and the other session at %j', async (scope, expected) => {
    const email = `out-${scope || 'default'}@example.com`
    const here = await enrol(auth, email)
    const there = await signIn(auth, email)
    const answer = await call(auth, 'POST', `/logout?scope=${scope}`, undefined, { bearer: here.accessToken })
    expect([answer.status, answer.body.text]).toEqual([204, ''])
    const statuses = [await getUser(here.accessToken), await getUser(there.accessToken)].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual(expected)
  })

  test('another scope is refused, and so is a stranger', async () => {
    const { accessToken } = await enrol(auth, 'stay@example.com')
    const odd = await call(auth, 'POST', '/logout?scope=everyone', undefined, { bearer: accessToken })
    expect([odd.status, odd.body.error_code]).toEqual([400, 'validation_failed'])
    expect((await call(auth, 'POST', '/logout')).status).toBe(403)
    expect((await getUser(accessToken)).status).toBe(200)
  })

  test('the client signs out locally', async () => {
    const client = clientOf(auth)
    await enrol(auth, 'leave@example.com')
    await client.auth.signInWithPassword({ email: 'leave@example.com', password: PASSWORD })
    expect((await client.auth.signOut({ scope: 'local' })).error).toBeNull()
    expect((await client.auth.getSession()).data.session).toBeNull()
  })
})
