// Second factors through supabase-js: an authenticator app and its codes.
import jsqr from 'jsqr'
import { expect, test } from 'vitest'
import { readAuthSettings } from '#auth/auth-settings.ts'
import { call, enrol, openAuth, refusal, signIn } from './auth-service.ts'
import { answer, begin, claimsOf, codeOf, ON, protect, signedIn, tokenOf } from './second-factors.ts'

const auth = await openAuth({ factors: ON })

/** What a camera reads in the picture. */
function scan(picture: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) /.exec(picture)?.[1])
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [, x, y, width] of picture.matchAll(/M(\d+),(\d+)h(\d+)v\3h-\3z/g))
    for (let row = 0; row < Number(width); row += 1) {
      const start = ((Number(y) + row) * size + Number(x)) * 4
      for (let column = 0; column < Number(width); column += 1)
        pixels.fill(0, start + column * 4, start + column * 4 + 3)
    }
  return jsqr(pixels, size, size)?.data
}

test('an app is enrolled with a picture and a text, and counts once a code of it was given', async () => {
  await enrol(auth, 'olivia@example.com')
  const client = await signedIn(auth, 'olivia@example.com')
  const { id, secret, uri, qr_code: picture } = await begin(client)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(uri).toBe(
    `otpauth://totp/auth.test:olivia%40example.com?issuer=auth.test&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
  expect(picture).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]+<\/svg>$/)
  expect(scan(picture)).toBe(uri)
  expect((await client.auth.mfa.listFactors()).data).toMatchObject({
    totp: [],
    all: [{ id, status: 'unverified' }],
  })
  expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ nextLevel: 'aal1' })
  const [stored] = await auth.db.query('select secret from auth.mfa_factors where id = $1', [id])
  expect(stored?.secret).not.toContain(secret)

  const before = claimsOf(await tokenOf(client))
  const other = await signedIn(auth, 'olivia@example.com')
  expect(await answer(client, id, codeOf(secret))).toBe('raised')
  const after = claimsOf(await tokenOf(client))
  expect(after).toMatchObject({ aal: 'aal2', session_id: before.session_id })
  expect(after.amr.map(({ method }: { method: string }) => method)).toEqual(['totp', 'password'])
  expect((await client.auth.getUser()).data.user?.factors).toEqual([
    expect.objectContaining({ id, status: 'verified', friendly_name: 'Phone', factor_type: 'totp' }),
  ])
  expect(JSON.stringify((await client.auth.getUser()).data)).not.toContain('secret')
  expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
})

test('a sign-in waits for the code, and refreshing keeps what it gave', async () => {
  const { factor, email } = await protect(auth, 'second@example.com')
  const client = await signedIn(auth, email)
  expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  })
  const { data } = await client.auth.getSession()
  expect(await answer(client, factor.id, codeOf(factor.secret))).toBe('raised')
  await client.auth.refreshSession()
  expect(claimsOf(await tokenOf(client)).aal).toBe('aal2')
  const stolen = await call(auth, 'POST', '/token?grant_type=refresh_token', {
    refresh_token: data.session?.refresh_token,
  })
  expect(stolen.status).toBe(400)
})

test('the code of a step counts once, and only beside now', async () => {
  const { factor, email } = await protect(auth, 'once@example.com')
  const client = await signedIn(auth, email)
  for (const code of [
    codeOf(factor.secret, -2),
    codeOf(factor.secret, 2),
    codeOf(factor.secret, -1),
    'abcdef',
    '1234567',
  ])
    expect(await answer(client, factor.id, code)).toEqual([422, 'mfa_verification_failed'])
  const code = codeOf(factor.secret)
  expect(await answer(client, factor.id, code)).toBe('raised')
  expect(await answer(await signedIn(auth, email), factor.id, code)).toEqual([422, 'mfa_verification_failed'])
})

test('two that give one code at once: one of them is in', async () => {
  const { factor, email } = await protect(auth, 'race@example.com')
  const clients = await Promise.all(Array.from({ length: 5 }, () => signedIn(auth, email)))
  const outcomes = await Promise.all(
    clients.map((client) => answer(client, factor.id, codeOf(factor.secret))),
  )
  expect(outcomes.filter((outcome) => outcome === 'raised')).toHaveLength(1)
})

test('a challenge is for one success, one client, one factor and five minutes', async () => {
  const { factor, email } = await protect(auth, 'challenge@example.com')
  const person = await signIn(auth, email)
  const bearer = person.accessToken
  const ask = async () =>
    String((await call(auth, 'POST', `/factors/${factor.id}/challenge`, {}, { bearer })).body.id)
  const give = (challenge_id: string, code: string, headers = {}) =>
    call(auth, 'POST', `/factors/${factor.id}/verify`, { challenge_id, code }, { bearer, headers })
  const code = codeOf(factor.secret)
  expect(refusal(await give('x', code))[1]).toBe('mfa_factor_not_found')
  expect(refusal(await give(await ask(), ''))).toEqual([
    400,
    'validation_failed',
    'Code needs to be non-empty',
  ])
  const elsewhere = await give(await ask(), code, { 'x-test-address': '198.51.100.9' })
  expect(refusal(elsewhere)).toEqual([
    422,
    'mfa_ip_address_mismatch',
    'Challenge and verify IP addresses mismatch.',
  ])
  const old = await ask()
  await auth.db.query(
    `update auth.mfa_challenges set created_at = now() - interval '301 seconds' where id = $1`,
    [old],
  )
  expect(refusal(await give(old, code))[1]).toBe('mfa_challenge_expired')
  const good = await ask()
  expect((await give(good, code)).status).toBe(200)
  expect(refusal(await give(good, codeOf(factor.secret, 1)))[1]).toBe('mfa_ip_address_mismatch')
})

test.each([
  [{ factor_type: 'sms' }, 400, 'validation_failed'],
  [{ factor_type: 'phone' }, 422, 'mfa_phone_enroll_not_enabled'],
  [{ factor_type: 'webauthn' }, 422, 'mfa_webauthn_enroll_not_enabled'],
])('enrolling %j is refused', async (body, status, code) => {
  const { accessToken: bearer } = await enrol(auth, `${code}${status}@example.com`)
  expect(refusal(await call(auth, 'POST', '/factors', body, { bearer })).slice(0, 2)).toEqual([status, code])
})

test('names are the person’s own and taken once, and there is room for ten', async () => {
  await enrol(auth, 'names@example.com')
  const client = await signedIn(auth, 'names@example.com')
  for (let n = 0; n < 10; n++) await begin(client, n === 0 ? '' : `App ${n}`)
  const refused = async (friendlyName: string) =>
    (await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })).error?.code
  expect(await refused('')).toBe('mfa_factor_name_conflict')
  expect(await refused('An eleventh')).toBe('too_many_enrolled_mfa_factors')
  await auth.db.query(
    `update auth.mfa_factors set created_at = now() - interval '301 seconds' where friendly_name = 'App 1'`,
  )
  await auth.db.query(`delete from auth.mfa_factors where friendly_name = 'App 2'`)
  await begin(client, 'App 2')
  expect(await auth.db.query(`select 1 from auth.mfa_factors where friendly_name = 'App 1'`)).toEqual([])
})

test('with a factor, what guards the account needs it', async () => {
  const { client, factor, email } = await protect(auth, 'guarded@example.com')
  const bearer = (await signIn(auth, email)).accessToken
  const at = async (method: string, path: string, body?: object) =>
    refusal(await call(auth, method, path, body, { bearer })).slice(0, 2)
  expect(await at('PUT', '/user', { password: 'Another-one-2?' })).toEqual([401, 'insufficient_aal'])
  expect(await at('PUT', '/user', { email: 'else@example.com' })).toEqual([401, 'insufficient_aal'])
  expect((await call(auth, 'PUT', '/user', { data: { nick: 'G' } }, { bearer })).status).toBe(200)
  expect(await at('POST', '/factors', { factor_type: 'totp', friendly_name: 'Two' })).toEqual([
    403,
    'insufficient_aal',
  ])
  expect(await at('DELETE', `/factors/${factor.id}`)).toEqual([422, 'insufficient_aal'])
  expect(await at('POST', '/factors/recovery-codes')).toEqual([403, 'insufficient_aal'])
  const stranger = await enrol(auth, 'stranger@example.com')
  const foreign = await call(auth, 'DELETE', `/factors/${factor.id}`, undefined, {
    bearer: stranger.accessToken,
  })
  expect(refusal(foreign)).toEqual([404, 'mfa_factor_not_found', 'Factor not found'])
  expect(refusal(await call(auth, 'DELETE', '/factors/x', undefined, { bearer }))[2]).toBe(
    'factor_id must be an UUID',
  )

  expect((await client.auth.mfa.unenroll({ factorId: factor.id })).data).toEqual({ id: factor.id })
  await client.auth.refreshSession()
  const claims = claimsOf(await tokenOf(client))
  expect([claims.aal, claims.amr.map(({ method }: { method: string }) => method)]).toEqual([
    'aal1',
    ['password'],
  ])
})

test('five wrong codes are enough for a while, whichever kind', async () => {
  const { failedAttempts, ...unlimited } = readAuthSettings('').rateLimits
  const strict = await openAuth(
    { factors: ON, rateLimits: { ...unlimited, failedAttempts } },
    { db: auth.db },
  )
  const { factor, email } = await protect(auth, 'guesser@example.com')
  const client = await signedIn(strict, email)
  for (let n = 0; n < 5; n++)
    expect(await answer(client, factor.id, '000000')).toEqual([422, 'mfa_verification_failed'])
  expect(await answer(client, factor.id, codeOf(factor.secret))).toEqual([429, 'over_request_rate_limit'])

  const elsewhere = { bearer: await tokenOf(client), headers: { 'x-test-address': '198.51.100.7' } }
  const asked = await call(strict, 'POST', `/factors/${factor.id}/challenge`, {}, elsewhere)
  const given = { challenge_id: asked.body.id, code: codeOf(factor.secret) }
  expect((await call(strict, 'POST', `/factors/${factor.id}/verify`, given, elsewhere)).status).toBe(200)
})

test('the service key sees and removes factors', async () => {
  const { client, factor } = await protect(auth, 'helped@example.com')
  const { id } = (await client.auth.getUser()).data.user ?? {}
  const path = `/admin/users/${id}/factors`
  const asService = { key: auth.serviceKey, bearer: auth.serviceKey }
  expect((await call(auth, 'GET', path, undefined, asService)).body).toMatchObject([{ id: factor.id }])
  expect((await call(auth, 'DELETE', `${path}/${factor.id}`, undefined, asService)).body).toMatchObject({
    id: factor.id,
  })
  expect((await call(auth, 'GET', path, undefined, asService)).body).toEqual([])
  expect((await call(auth, 'GET', path, undefined, { bearer: await tokenOf(client) })).status).toBe(403)
})

test('switched off, nothing is enrolled or asked; half switched on is no setting', async () => {
  const off = await openAuth({}, { db: auth.db })
  const { accessToken: bearer } = await enrol(off, 'off@example.com')
  const enrolment = await call(off, 'POST', '/factors', { factor_type: 'totp' }, { bearer })
  expect(refusal(enrolment)).toEqual([422, 'mfa_totp_enroll_not_enabled', 'MFA enroll is disabled for TOTP'])
  const asked = await call(off, 'POST', '/factors/x/challenge', {}, { bearer })
  expect(refusal(asked)).toEqual([
    422,
    'mfa_totp_verify_not_enabled',
    'MFA verification is disabled for TOTP',
  ])
  expect(() => readAuthSettings('[auth.mfa.totp]\nenroll_enabled = true')).toThrow('needs verify_enabled')
})
