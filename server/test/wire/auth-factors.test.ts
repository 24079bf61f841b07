// Second factors through supabase-js: an authenticator app and its codes, and recovery codes for a lost one.
// Proves SAFE 01 02 04
import jsqr from 'jsqr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readAuthSettings } from '#auth/auth-settings.ts'
import { codeOfRefusal, openAuth, refusal } from './auth-service.ts'
import { answer, begin, claimsOf, codeOf, ON, protect, signedIn, tokenOf } from './second-factors.ts'

const auth = await openAuth({ factors: ON })
// The clock stands still, so that no TOTP step ends between reading a code and entering it.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const methodsOf = (claims: { amr: { method: string }[] }) => claims.amr.map(({ method }) => method)
const WRONG = [422, 'mfa_verification_failed']

/** Returns the secret that a camera reads from the QR code. */
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
  const client = await auth.clientOf(await auth.enrol('olivia@example.com'))
  const { id, secret, uri, qr_code: picture } = await begin(client)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(uri).toBe(
    `otpauth://totp/auth.test:olivia%40example.com?issuer=auth.test&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
  expect(picture).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]+<\/svg>$/)
  expect(scan(picture)).toBe(uri)
  const { mfa } = client.auth
  expect((await mfa.listFactors()).data).toMatchObject({ totp: [], all: [{ id, status: 'unverified' }] })
  expect((await mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ nextLevel: 'aal1' })
  const [stored] = await auth.db.query('select secret from auth.mfa_factors where id = $1', [id])
  expect(stored?.secret).not.toContain(secret)

  const before = claimsOf(await tokenOf(client))
  const other = await signedIn(auth, 'olivia@example.com')
  expect(await answer(client, id, codeOf(secret))).toBe('raised')
  const after = claimsOf(await tokenOf(client))
  expect(after).toMatchObject({ aal: 'aal2', session_id: before.session_id })
  expect(methodsOf(after)).toEqual(['totp', 'password'])
  const { data } = await client.auth.getUser()
  expect(data.user?.factors).toEqual([
    expect.objectContaining({ id, status: 'verified', friendly_name: 'Phone', factor_type: 'totp' }),
  ])
  expect(JSON.stringify(data)).not.toContain('secret')
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
  expect(await answer(client, factor.id, codeOf(factor.secret, 1))).toBe('raised')
  await client.auth.refreshSession()
  expect(claimsOf(await tokenOf(client)).aal).toBe('aal2')
  const stolen = { refresh_token: data.session?.refresh_token }
  expect((await auth.post('/token?grant_type=refresh_token', stolen)).status).toBe(400)
})

test('the code of a step counts once, and only beside now', async () => {
  const { factor, email } = await protect(auth, 'once@example.com')
  const client = await signedIn(auth, email)
  const steps = [-2, 2, 0].map((step) => codeOf(factor.secret, step))
  for (const code of [...steps, 'abcdef', '1234567'])
    expect(await answer(client, factor.id, code)).toEqual(WRONG)
  const code = codeOf(factor.secret, 1)
  expect(await answer(client, factor.id, code)).toBe('raised')
  expect(await answer(await signedIn(auth, email), factor.id, code)).toEqual(WRONG)
})

test('several that give one code at once: one of them is in', async () => {
  const { factor, email } = await protect(auth, 'race@example.com')
  const clients = await Promise.all(Array.from({ length: 5 }, () => signedIn(auth, email)))
  const code = codeOf(factor.secret, 1)
  const outcomes = await Promise.all(clients.map((client) => answer(client, factor.id, code)))
  expect(outcomes.filter((outcome) => outcome === 'raised')).toHaveLength(1)
})

test('a challenge is for one success, one client, one factor and five minutes', async () => {
  const { factor, email } = await protect(auth, 'challenge@example.com')
  const bearer = (await auth.signIn(email)).accessToken
  const ask = async () => String((await auth.post(`/factors/${factor.id}/challenge`, {}, { bearer })).body.id)
  const give = (challenge_id: string, code: string, headers = {}) =>
    auth.post(`/factors/${factor.id}/verify`, { challenge_id, code }, { bearer, headers })
  const age = (id: string, seconds: number) =>
    auth.db.query(
      'update auth.mfa_challenges set created_at = now() - make_interval(secs => $2::float8) where id = $1',
      [id, String(seconds)],
    )
  const code = codeOf(factor.secret, 1)
  const elsewhere = [422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.']
  const unknown = [422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found']
  for (const id of ['x', crypto.randomUUID()]) expect(refusal(await give(id, code))).toEqual(unknown)
  const empty = [400, 'validation_failed', 'Code needs to be non-empty']
  expect(refusal(await give(await ask(), ''))).toEqual(empty)
  expect(refusal(await give(await ask(), code, { 'x-test-address': '198.51.100.9' }))).toEqual(elsewhere)
  const old = await ask()
  await age(old, 301)
  const words = 'has expired, verify against another challenge or create a new challenge.'
  const expired = [422, 'mfa_challenge_expired', `MFA challenge ${old} ${words}`]
  expect(refusal(await give(old, code))).toEqual(expired)
  const good = await ask()
  await age(good, 290)
  expect((await give(good, code)).status).toBe(200)
  expect(refusal(await give(good, codeOf(factor.secret, 1)))).toEqual(elsewhere)
})

test('names are the person’s own and taken once, and there is room for ten', async () => {
  const client = await auth.clientOf(await auth.enrol('names@example.com'))
  for (let n = 0; n < 10; n++) await begin(client, n === 0 ? '' : `App ${n}`)
  const refused = async (friendlyName: string) => {
    const { error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
    return [error?.code, error?.message]
  }
  expect([await refused(''), await refused('An eleventh')]).toEqual([
    ['mfa_factor_name_conflict', 'A factor with the friendly name "" for this user already exists'],
    ['too_many_enrolled_mfa_factors', 'Maximum number of verified factors reached, unenroll to continue'],
  ])
  // An enrolment is deleted once it has been abandoned for five minutes.
  await auth.db.query(`update auth.mfa_factors set created_at = now() - case friendly_name
    when 'App 1' then interval '301 seconds' else interval '290 seconds' end where friendly_name like 'App%'`)
  await auth.db.query(`delete from auth.mfa_factors where friendly_name = 'App 2'`)
  await begin(client, 'App 2')
  const left =
    await auth.db.query(`select friendly_name as name from auth.mfa_factors where friendly_name like 'App%'
    order by friendly_name`)
  expect(left.map(({ name }) => name)).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map((n) => `App ${n}`))
})

test('there is room for ten also where sixty are begun at once', async () => {
  const client = await auth.clientOf(await auth.enrol('crowd@example.com'))
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      client.auth.mfa.enroll({ factorType: 'totp', friendlyName: `App ${n}` }),
    ),
  )
  const { data } = await client.auth.mfa.listFactors()
  expect(data?.all).toHaveLength(10)
})

test('with a factor, what guards the account needs it', async () => {
  const { client, factor, email } = await protect(auth, 'guarded@example.com')
  const bearer = (await auth.signIn(email)).accessToken
  const stranger = (await auth.enrol('stranger@example.com')).accessToken
  const AAL2 = 'AAL2 session is required to update email or password when MFA is enabled.'
  const UPON = 'AAL2 required to'
  const two = { factor_type: 'totp', friendly_name: 'Two' }
  const answers = []
  for (const [who, method, path, body] of [
    [bearer, 'PUT', '/user', { password: 'Another-one-2?' }],
    [bearer, 'PUT', '/user', { email: 'else@example.com' }],
    [bearer, 'PUT', '/user', { data: { nick: 'G' } }],
    [bearer, 'GET', '/reauthenticate'],
    [bearer, 'POST', '/logout?scope=others'],
    [bearer, 'POST', '/logout'],
    [bearer, 'POST', '/factors', two],
    [bearer, 'DELETE', `/factors/${factor.id}`],
    [bearer, 'POST', '/factors/recovery-codes'],
    [bearer, 'DELETE', '/factors/x'],
    [stranger, 'DELETE', `/factors/${factor.id}`],
    [stranger, 'POST', `/factors/${factor.id}/challenge`],
  ] as const)
    answers.push(refusal(await auth.call(method, path, body, { bearer: who })))
  expect(answers).toEqual([
    [401, 'insufficient_aal', AAL2],
    [401, 'insufficient_aal', AAL2],
    [401, 'insufficient_aal', AAL2.replace('email or password', 'user')],
    [403, 'insufficient_aal', 'AAL2 session is required to reauthenticate when MFA is enabled'],
    [403, 'insufficient_aal', 'AAL2 session is required to end other sessions'],
    [403, 'insufficient_aal', 'AAL2 session is required to end other sessions'],
    [403, 'insufficient_aal', `${UPON} enroll a new factor`],
    [422, 'insufficient_aal', `${UPON} unenroll verified factor`],
    [403, 'insufficient_aal', `${UPON} generate recovery codes`],
    [404, 'validation_failed', 'factor_id must be an UUID'],
    [404, 'mfa_factor_not_found', 'Factor not found'],
    [404, 'mfa_factor_not_found', 'Factor not found'],
  ])
  expect((await auth.call('POST', '/logout?scope=local', undefined, { bearer })).status).toBe(204)

  expect((await client.auth.mfa.unenroll({ factorId: factor.id })).data).toEqual({ id: factor.id })
  await client.auth.refreshSession()
  const claims = claimsOf(await tokenOf(client))
  expect([claims.aal, methodsOf(claims)]).toEqual(['aal1', ['password']])
})

test('five wrong codes are enough for a while, where they come from', async () => {
  const { failedAttempts, ...unlimited } = readAuthSettings('').rateLimits
  const rateLimits = { ...unlimited, failedAttempts }
  const strict = await openAuth({ factors: ON, rateLimits }, { db: auth.db })
  const { factor, email } = await protect(auth, 'guesser@example.com')
  const client = await signedIn(strict, email)
  for (let n = 0; n < 5; n++) expect(await answer(client, factor.id, '000000')).toEqual(WRONG)
  expect(await answer(client, factor.id, codeOf(factor.secret, 1))).toEqual([429, 'over_request_rate_limit'])

  const elsewhere = { bearer: await tokenOf(client), headers: { 'x-test-address': '198.51.100.7' } }
  const asked = await strict.post(`/factors/${factor.id}/challenge`, {}, elsewhere)
  const given = { challenge_id: asked.body.id, code: codeOf(factor.secret, 1) }
  expect((await strict.post(`/factors/${factor.id}/verify`, given, elsewhere)).status).toBe(200)
})

test('the service key sees and removes factors', async () => {
  const { client, factor } = await protect(auth, 'helped@example.com')
  const { id } = (await client.auth.getUser()).data.user ?? {}
  const ask = async (method: string, factorId = '') => {
    const path = `/admin/users/${id}/factors${factorId && `/${factorId}`}`
    return (await auth.call(method, path, undefined, { key: auth.serviceKey })).body
  }
  expect(await ask('GET')).toMatchObject([{ id: factor.id }])
  expect(await ask('DELETE', crypto.randomUUID())).toMatchObject({ error_code: 'mfa_factor_not_found' })
  expect(await ask('DELETE', factor.id)).toMatchObject({ id: factor.id })
  expect(await ask('GET')).toEqual([])
})

const codes = (bearer: string, method: string, path = '', body?: object) =>
  auth.call(method, `/factors/recovery-codes${path}`, body, { bearer })

test('ten recovery codes, each good once, and a new set ends the old one', async () => {
  const { client, factor, email } = await protect(auth, 'lost@example.com')
  const { mfa } = client.auth
  const { data } = await mfa.recoveryCodes.generate()
  const given = data?.codes ?? []
  expect(data).toMatchObject({ type: 'recovery_code', friendly_name: 'Recovery codes', total: 10 })
  expect(new Set(given).size).toBe(10)
  for (const code of given) expect(code).toMatch(/^[a-z2-7]{16}$/)
  expect((await mfa.listFactors()).data).toMatchObject({
    totp: [{ id: factor.id }],
    recovery_code: [{ id: data?.id, status: 'verified' }],
  })
  expect((await mfa.recoveryCodes.generate()).error).toMatchObject({
    code: 'mfa_verified_factor_exists',
    message: 'Recovery codes exist already, regenerate them',
  })
  expect((await mfa.unenroll({ factorId: factor.id })).error?.code).toBe('mfa_recovery_codes_sole_factor')
  expect((await mfa.unenroll({ factorId: data?.id ?? '' })).error).toMatchObject({
    ...{ status: 422, code: 'validation_failed' },
    message: 'Recovery codes cannot be unenrolled with this endpoint, use DELETE /factors/recovery-codes',
  })

  const other = await signedIn(auth, email)
  const [first = '', second = ''] = given
  const code = `${first.slice(0, 4).toUpperCase()}-${first.slice(4, 9)} ${first.slice(9)}`
  expect((await other.auth.mfa.recoveryCodes.verify({ code })).error).toBeNull()
  const claims = claimsOf(await tokenOf(other))
  expect([claims.aal, methodsOf(claims)]).toEqual(['aal2', ['mfa/recovery_code', 'password']])
  const again = (await auth.signIn(email)).accessToken
  const wrong = [...WRONG, 'Invalid recovery code entered']
  expect(refusal(await codes(again, 'POST', '/verify', { code: first }))).toEqual(wrong)
  expect((await codes(again, 'POST', '/verify', { code: '' })).status).toBe(400)
  const { id } = data ?? {}
  expect((await codes(again, 'GET')).body).toEqual({ id, type: 'recovery_code', total: 10, remaining: 9 })
  for (const [method, path, what] of [
    ['POST', '/regenerate', 'regenerate'],
    ['DELETE', '', 'delete'],
  ] as const)
    expect(refusal(await codes(again, method, path))).toEqual([
      ...[403, 'insufficient_aal'],
      `AAL2 required to ${what} recovery codes`,
    ])

  const { recoveryCodes } = other.auth.mfa
  expect((await recoveryCodes.regenerate()).data).toMatchObject({ id, total: 10 })
  expect(codeOfRefusal(await codes(again, 'POST', '/verify', { code: second }))).toEqual(WRONG)
  expect((await recoveryCodes.getStatus()).data).toMatchObject({ remaining: 10 })
  expect((await recoveryCodes.unenroll()).data).toEqual({ id })
  expect((await recoveryCodes.getStatus()).error).toMatchObject({
    ...{ status: 404, message: 'The user has not enrolled recovery codes' },
  })
})

test('recovery codes need another factor', async () => {
  const { accessToken } = await auth.enrol('none@example.com')
  const sole = [
    422,
    'mfa_recovery_codes_sole_factor',
    'Recovery codes need another verified factor beside them',
  ]
  expect(refusal(await codes(accessToken, 'POST'))).toEqual(sole)
  expect(codeOfRefusal(await codes(accessToken, 'POST', '/verify', { code: 'x' }))).toEqual(WRONG)
})
