import { describe, expect, test } from 'vitest'
import { createTokens } from '#identity/tokens.ts'
import { PASSWORD } from '../harness.ts'
import {
  type AuthTarget,
  call,
  clientOf,
  enrol,
  follow,
  getUser,
  linkTo,
  refusal,
  signIn,
  signUp,
  testAuth,
} from './auth-service.ts'

const auth = await testAuth()

const putUser = (bearer: string, body: unknown, target: AuthTarget = auth) =>
  call(target, 'PUT', '/user', body, { bearer })

describe('reading the account', () => {
  test('gives the user object of hosted Supabase', async () => {
    const email = 'olivia@example.com'
    await signUp(auth, email)
    const { fragment } = await follow(auth, await linkTo(auth, email))
    const { status, body } = await getUser(auth, fragment.get('access_token') ?? '')
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
    expect(identity).toMatchObject({ id: body.id, user_id: body.id, provider: 'email', email })
    expect(identity?.identity_id).not.toBe(body.id)
    expect(JSON.stringify(body)).not.toContain('$2b$')
  })

  test('a header that is not a bearer token is a 401', async () => {
    const headers = { authorization: 'Basic abc' }
    const refused = [401, 'no_authorization', 'This endpoint requires a valid Bearer token']
    expect(refusal(await call(auth, 'GET', '/user', undefined, { headers }))).toEqual(refused)
  })

  test('a token that names nobody, somebody unknown or the session of somebody else opens nothing', async () => {
    const [marc, zoe] = [await enrol(auth, 'marc@example.com'), await enrol(auth, 'zoe@example.com')]
    const { session_id } = await auth.tokens.verify(zoe.accessToken)
    const signed = (claims: object) => auth.tokens.sign({ role: 'authenticated', ...claims }, 60)
    const NO_SUB = ['bad_jwt', 'invalid claim: missing sub claim']
    for (const [token, ...refused] of [
      [auth.anonKey, ...NO_SUB],
      [auth.serviceKey, ...NO_SUB],
      [await signed({ sub: 'not-a-uuid' }), 'bad_jwt', 'invalid claim: sub claim must be a UUID'],
      [
        await signed({ sub: crypto.randomUUID() }),
        'user_not_found',
        'User from sub claim in JWT does not exist',
      ],
      [
        await signed({ sub: marc.id, session_id }),
        'session_not_found',
        'Session from session_id claim in JWT does not exist',
      ],
    ] as const)
      expect(refusal(await getUser(auth, token))).toEqual([403, ...refused])
  })

  test('forged, foreign, expired and garbled tokens are refused alike', async () => {
    const { accessToken, id } = await enrol(auth, 'forger@example.com')
    const claims = { sub: id, role: 'authenticated', aud: 'authenticated' }
    const [head, payload, signature = ''] = accessToken.split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const tokens = [
      `${head}.${payload}.${signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))}`,
      `${head}.${encode({ ...claims, role: 'service_role', exp: 2e9 })}.${signature}`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      await createTokens('another secret, just as long as the right one').sign(claims, 60),
      await auth.tokens.sign(claims, -60),
      'garbage',
    ]
    for (const token of tokens) {
      const [status, code, message] = refusal(await getUser(auth, token))
      expect([status, code]).toEqual([403, 'bad_jwt'])
      expect(message).toMatch(/^invalid JWT: unable to parse or verify signature, /)
    }
  })
})

describe('changing the account', () => {
  test('data is merged, null removes a key, and nobody gives themselves a role', async () => {
    const data = { name: 'Old', city: 'Bonn', nested: { a: null } }
    const { accessToken } = await enrol(auth, 'merge@example.com', data)
    const { body } = await putUser(accessToken, {
      data: { name: 'New', city: null, avatar_url: 'x' },
      role: 'service_role',
      app_metadata: { admin: true },
    })
    expect(body).toMatchObject({
      role: 'authenticated',
      user_metadata: { name: 'New', avatar_url: 'x', nested: { a: null } },
    })
    expect(body.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
    expect(body.user_metadata).not.toHaveProperty('city')
  })

  test('a new password ends the other sessions and keeps this one', async () => {
    const other = await enrol(auth, 'renew@example.com')
    const client = clientOf(auth)
    await client.auth.signInWithPassword({ email: other.email, password: PASSWORD })
    const change = { password: 'Brand-new-2?', current_password: PASSWORD }
    expect((await client.auth.updateUser(change)).error).toBeNull()
    expect((await client.auth.getUser()).error).toBeNull()
    expect(refusal(await getUser(auth, other.accessToken))[1]).toBe('session_not_found')
    await expect(signIn(auth, other.email, 'Brand-new-2?')).resolves.toBeDefined()
  })
})

describe('signing out', () => {
  test.each([
    ['local', [403, 200]],
    ['others', [200, 403]],
    ['global', [403, 403]],
    ['', [403, 403]],
  ])('scope=%s leaves this and the other session at %j', async (scope, expected) => {
    const here = await enrol(auth, `out-${scope}@example.com`)
    const there = await signIn(auth, here.email)
    const answer = await call(auth, 'POST', `/logout?scope=${scope}`, undefined, { bearer: here.accessToken })
    expect([answer.status, answer.body.text]).toEqual([204, ''])
    const after = [await getUser(auth, here.accessToken), await getUser(auth, there.accessToken)]
    expect(after.map(({ status }) => status)).toEqual(expected)
  })

  test('the client signs out locally', async () => {
    const client = clientOf(auth)
    const { email } = await enrol(auth, 'leave@example.com')
    await client.auth.signInWithPassword({ email, password: PASSWORD })
    expect((await client.auth.signOut({ scope: 'local' })).error).toBeNull()
    expect((await client.auth.getSession()).data.session).toBeNull()
  })
})

describe.each([
  ['banned', "update auth.users set banned_until = now() + interval '1 day' where id = $1"],
  ['marked as deleted', 'update auth.users set deleted_at = now() where id = $1'],
  ['gone', 'delete from auth.users where id = $1'],
])('an account that is %s', (how, end) => {
  test('changes nothing any more with the tokens it has', async () => {
    const { id, accessToken, refreshToken } = await enrol(auth, `${how.replaceAll(' ', '-')}@example.com`)
    await auth.db.query(end, [id])
    const kept = () => auth.db.query('select to_jsonb(u) as row from auth.users u where id = $1', [id])
    const before = await kept()
    const ask = async (method: string, path: string, body?: object) =>
      (await call(auth, method, path, body, { bearer: accessToken })).status
    expect([
      await ask('GET', '/user'),
      await ask('PUT', '/user', {
        data: { name: 'Ghost' },
        password: 'Brand-new-2?',
        current_password: PASSWORD,
      }),
      await ask('GET', '/reauthenticate'),
      await ask('POST', '/factors', { factor_type: 'totp' }),
      await ask('POST', '/factors/recovery-codes'),
      await ask('POST', '/logout'),
      await ask('POST', '/token?grant_type=refresh_token', { refresh_token: refreshToken }),
    ]).toEqual([403, 403, 403, 403, 403, 403, 400])
    const headers = { apikey: auth.anonKey, authorization: `Bearer ${accessToken}` }
    expect((await fetch(`${auth.url}/rest/v1/user_profiles?select=user_id`, { headers })).status).toBe(401)
    expect(await kept()).toEqual(before)
  })
})
