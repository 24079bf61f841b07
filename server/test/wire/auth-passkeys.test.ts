// Passkeys through supabase-js: creating, naming, removing, and signing in.
// Proves SAFE 03
import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { readAuthSettings } from '#auth/auth-settings.ts'
import { codeOfRefusal, openAuth, refusal } from './auth-service.ts'
import { type Authenticator, FLAGS, newAuthenticator, type Twist } from './authenticator.ts'
import { claimsOf, ON, protect, signedIn, tokenOf } from './second-factors.ts'

const SITE = { site: 'auth.test', origin: 'https://auth.test' }
const passkeys = { name: 'Auth Test', id: SITE.site, origins: [SITE.origin] }
const auth = await openAuth({ passkeys, factors: ON })
const service = auth.client({ key: auth.serviceKey }).auth.admin

async function newPerson(name: string) {
  const email = `${name}@example.com`
  const person = await auth.enrol(email, { name })
  return { ...person, client: await auth.clientOf(person) }
}

const refused = (error: object) => ['status' in error && error.status, 'code' in error && error.code]

/** Creates a passkey for the signed-in person. Returns it, or the refusal. */
async function register(client: SupabaseClient, authenticator: Authenticator, twist?: Twist) {
  const { data, error } = await client.auth.passkey.startRegistration()
  if (error) return refused(error)
  const credential = authenticator.create(data.options, twist)
  const made = await client.auth.passkey.verifyRegistration({ challengeId: data.challenge_id, credential })
  return made.error ? refused(made.error) : made.data
}

async function keyed(name: string, more?: Parameters<typeof newAuthenticator>[1]) {
  const person = await newPerson(name)
  const authenticator = newAuthenticator(SITE, more)
  const passkey = (await register(person.client, authenticator)) as { id: string }
  expect(passkey).toHaveProperty('created_at')
  return { ...person, authenticator, passkey }
}

async function ask(client = auth.client()) {
  const { data, error } = await client.auth.passkey.startAuthentication()
  if (error) throw error
  return data
}

/** Signs in. Returns the client, or the refusal. */
async function enter(
  authenticator: Authenticator,
  twist?: Twist,
  challenge?: Awaited<ReturnType<typeof ask>>,
) {
  const client = auth.client()
  const { challenge_id: challengeId, options } = challenge ?? (await ask())
  const credential = authenticator.get(options, twist)
  const { error } = await client.auth.passkey.verifyAuthentication({ challengeId, credential })
  return error ? refused(error) : client
}
const enterAs = async (authenticator: Authenticator) => (await enter(authenticator)) as SupabaseClient
const NOT_TRUE = [400, 'webauthn_verification_failed']
const GONE = [400, 'webauthn_challenge_not_found']

test('one is made, listed, named and removed, by its owner alone', async () => {
  const { id, client } = await newPerson('olivia')
  const { data } = await client.auth.passkey.startRegistration()
  expect(data?.options).toMatchObject({
    rp: { id: 'auth.test', name: 'Auth Test' },
    user: { id: Buffer.from(id).toString('base64url'), name: 'olivia@example.com', displayName: 'olivia' },
    challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  })
  expect((data?.expires_at ?? 0) - Date.now() / 1000).toBeCloseTo(300, -1)
  const authenticator = newAuthenticator(SITE, { aaguid: 'bada5566-a7aa-401f-bd96-45619a55120d' })
  const made = (await register(client, authenticator)) as { id: string }
  expect(made).toEqual({
    id: expect.any(String),
    friendly_name: '1Password',
    created_at: expect.stringMatching(/Z$/),
  })
  const again = (await client.auth.passkey.startRegistration()).data
  expect(again?.options.excludeCredentials).toMatchObject([{ id: authenticator.id, type: 'public-key' }])
  // Once there is a passkey, the password is no longer enough for adding another one.
  expect(await register(client, newAuthenticator(SITE))).toEqual([403, 'PT403'])
  const entered = await enterAs(authenticator)
  expect(await register(entered, authenticator)).toEqual([422, 'webauthn_credential_exists'])
  const second = (await register(entered, newAuthenticator(SITE))) as { friendly_name: string }
  expect(second.friendly_name).toBe('Passkey')

  const stranger = await tokenOf((await newPerson('stranger')).client)
  const of = { passkeyId: made.id }
  const missing = [404, 'validation_failed', 'Passkey not found']
  expect((await auth.get('/passkeys', { bearer: stranger })).body).toEqual([])
  for (const id of [made.id, crypto.randomUUID(), 'none'])
    for (const [method, body] of [['PATCH', { friendly_name: 'Mine' }], ['DELETE']] as const)
      expect(refusal(await auth.call(method, `/passkeys/${id}`, body, { bearer: stranger }))).toEqual(missing)
  const rename = async (friendlyName: string) => {
    const { data, error } = await client.auth.passkey.update({ ...of, friendlyName })
    return error?.message ?? data?.friendly_name
  }
  const longest = '📱'.repeat(120)
  expect(await rename('')).toBe('friendly_name is required')
  expect(await rename(`${longest}!`)).toBe('friendly_name must be 120 characters or less')
  for (const name of [longest, 'Phone 📱']) expect(await rename(name)).toBe(name)
  expect((await client.auth.passkey.list()).data).toMatchObject([{ friendly_name: 'Phone 📱' }, second])
  expect((await client.auth.passkey.delete(of)).error).toBeNull()
  expect((await client.auth.passkey.list()).data).toEqual([second])
  expect(await enter(authenticator)).toEqual(NOT_TRUE)
})

test('it signs in without a password, as a passkey at aal1, and says when it was used', async () => {
  const { email, client, authenticator } = await keyed('walker')
  const { options } = await ask()
  expect(options).toMatchObject({ rpId: 'auth.test', timeout: 300_000, userVerification: 'required' })
  expect(options).not.toHaveProperty('allowCredentials')
  const entered = (await enter(authenticator)) as SupabaseClient
  expect(claimsOf(await tokenOf(entered))).toMatchObject({ email, aal: 'aal1', amr: [{ method: 'passkey' }] })
  await entered.auth.refreshSession()
  expect(claimsOf(await tokenOf(entered)).amr).toMatchObject([{ method: 'passkey' }])
  expect((await client.auth.passkey.list()).data).toMatchObject([
    { last_used_at: expect.stringMatching(/Z$/) },
  ])
  expect(await enter(authenticator)).toHaveProperty('auth')
})

describe('an answer is refused', () => {
  test('that is of another page, site, challenge or kind, or of nobody who showed themselves', async () => {
    const { client, authenticator } = await keyed('twisted')
    const TWISTS: Twist[] = [
      { origin: 'https://evil.test' },
      { origin: 'http://auth.test' },
      { site: 'evil.test' },
      { challenge: Buffer.alloc(32).toString('base64url') },
      { without: FLAGS.VERIFIED },
      { without: FLAGS.PRESENT | FLAGS.VERIFIED },
    ]
    // The last twist adds an attestation, which was not requested.
    for (const twist of [...TWISTS, { type: 'webauthn.get' }, { attested: true }])
      expect([twist, await register(client, newAuthenticator(SITE), twist)]).toEqual([twist, NOT_TRUE])
    for (const twist of [...TWISTS, { type: 'webauthn.create' }])
      expect([twist, await enter(authenticator, twist)]).toEqual([twist, NOT_TRUE])
    expect((await client.auth.passkey.list()).data).toHaveLength(1)
    expect(await enter(authenticator)).toHaveProperty('auth')
  })

  test('that another key signed, or that names another owner', async () => {
    const [one, other] = [await keyed('one'), await keyed('other')]
    for (const field of ['signature', 'userHandle'] as const) {
      const { challenge_id, options } = await ask()
      const [credential, foreign] = [one.authenticator.get(options), other.authenticator.get(options)]
      credential.response[field] = foreign.response[field]
      const answer = await auth.post('/passkeys/authentication/verify', { challenge_id, credential })
      expect(codeOfRefusal(answer)).toEqual(NOT_TRUE)
    }
    expect(await enter(newAuthenticator(SITE))).toEqual(NOT_TRUE)
  })

  test('that counts as one before it did: of two keys alike one is a copy', async () => {
    const { authenticator } = await keyed('cloned')
    expect(await enter(authenticator, { counter: 7 })).toHaveProperty('auth')
    for (const counter of [7, 6, 0]) expect(await enter(authenticator, { counter })).toEqual(NOT_TRUE)
    const both = await Promise.all([8, 8].map((counter) => enter(authenticator, { counter })))
    expect(both.filter((outcome) => 'auth' in outcome)).toHaveLength(1)
    expect(await enter(authenticator, { counter: 9 })).toHaveProperty('auth')
    const synchronised = await keyed('synchronised', { counting: false })
    for (const _ of [1, 2]) expect(await enter(synchronised.authenticator)).toHaveProperty('auth')
  })

  test.each(['registration', 'authentication'])('that is none, to the options of a %s', async (kind) => {
    const bearer = await tokenOf((await newPerson(`none-${kind}`)).client)
    const options = await auth.post(`/passkeys/${kind}/options`, {}, { bearer })
    const { challenge_id } = options.body
    const id = crypto.randomUUID()
    const answers = []
    for (const body of [
      '{',
      {},
      { challenge_id: id },
      { challenge_id: 'x', credential: {} },
      { challenge_id: id, credential: {} },
      { challenge_id, credential: { id: 'x' } },
      { challenge_id, credential: {} },
    ])
      answers.push(refusal(await auth.post(`/passkeys/${kind}/verify`, body, { bearer })))
    const gone = [400, 'webauthn_challenge_not_found', 'Challenge not found or already used']
    expect(answers).toEqual([
      [400, 'bad_json', 'Could not parse request body as JSON: it is not valid JSON'],
      [400, 'validation_failed', 'challenge_id is required'],
      [400, 'validation_failed', 'credential is required'],
      [400, 'validation_failed', 'challenge_id must be a valid UUID'],
      gone,
      [400, 'webauthn_verification_failed', 'Invalid credential response'],
      gone,
    ])
  })
})

describe('a challenge', () => {
  test('is good once, however it went, and among ten at once', async () => {
    const { authenticator } = await keyed('replay')
    const challenge = await ask()
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => enter(authenticator, {}, challenge)))
    expect(outcomes.filter((outcome) => 'auth' in outcome)).toHaveLength(1)
    const losers = outcomes.filter((outcome) => !('auth' in outcome))
    expect(losers).toEqual(Array(9).fill(GONE))
    const failed = await ask()
    expect(await enter(authenticator, { origin: 'https://evil.test' }, failed)).toEqual(NOT_TRUE)
    expect(await enter(authenticator, {}, failed)).toEqual(GONE)
  })

  test('is for its purpose and its person, for five minutes', async () => {
    const [{ authenticator }, other] = [await keyed('purpose'), await newPerson('purposeless')]
    const client = await enterAs(authenticator)
    const { data } = await client.auth.passkey.startRegistration()
    if (!data) throw new Error('no options')
    const made = newAuthenticator(SITE).create(data.options)
    const answer = { challengeId: data.challenge_id, credential: made }
    expect((await other.client.auth.passkey.verifyRegistration(answer)).error?.code).toBe(GONE[1])
    const wrong = { challengeId: data.challenge_id, credential: authenticator.get(data.options) }
    expect((await client.auth.passkey.verifyAuthentication(wrong)).error?.code).toBe(GONE[1])
    expect((await client.auth.passkey.verifyRegistration(answer)).error).toBeNull()
    const [timely, late] = [await ask(), await ask()]
    const age = (id: string, seconds: number) =>
      auth.db.query(
        `update auth.webauthn_challenges set created_at = created_at - make_interval(secs => $2::float8),
           expires_at = expires_at - make_interval(secs => $2::float8) where id = $1`,
        [id, String(seconds)],
      )
    await age(timely.challenge_id, 290)
    await age(late.challenge_id, 301)
    expect(await enter(authenticator, {}, timely)).toHaveProperty('auth')
    expect(await enter(authenticator, {}, late)).toEqual([400, 'webauthn_challenge_expired'])
    await age((await ask()).challenge_id, 301)
    await auth.db.query('select platform.run_housekeeping()')
    expect(await auth.db.query('select from auth.webauthn_challenges where expires_at < now()')).toEqual([])
  })
})

test('ten are enough, also of those made at once', async () => {
  const client = await enterAs((await keyed('collector')).authenticator)
  const outcomes = await Promise.all(
    Array.from({ length: 11 }, () => register(client, newAuthenticator(SITE))),
  )
  expect(outcomes.filter(Array.isArray)).toEqual(Array(2).fill([422, 'too_many_passkeys']))
  expect(await register(client, newAuthenticator(SITE))).toEqual([422, 'too_many_passkeys'])
})

test('with a second factor they are managed at aal2 alone, and a password or passkey without it manages none', async () => {
  const { client, email } = await protect(auth, 'protected@example.com')
  const authenticator = newAuthenticator(SITE)
  const { id: passkeyId } = (await register(client, authenticator)) as { id: string }
  const REFUSED = [403, 'insufficient_aal']
  for (const low of [await signedIn(auth, email), await enterAs(authenticator)]) {
    expect(await register(low, newAuthenticator(SITE))).toEqual(REFUSED)
    for (const { error } of [
      await low.auth.passkey.delete({ passkeyId }),
      await low.auth.passkey.list(),
      await low.auth.passkey.update({ passkeyId, friendlyName: 'Key' }),
    ])
      expect([error?.status, error?.code]).toEqual(REFUSED)
  }
  expect((await client.auth.passkey.delete({ passkeyId })).error).toBeNull()
})

test('nobody gets in whose account is banned, unconfirmed or gone, and strangers make none', async () => {
  const { id, email, client, authenticator } = await keyed('leaver')
  const set = (change: string) => auth.setUser(email, change)
  await set(`banned_until = now() + interval '1 hour'`)
  expect(await enter(authenticator)).toEqual([403, 'user_banned'])
  await set('banned_until = null, email_confirmed_at = null')
  expect(await enter(authenticator)).toEqual([403, 'email_not_confirmed'])
  await set('email_confirmed_at = now(), is_anonymous = true')
  expect(await register(client, newAuthenticator(SITE))).toEqual([403, 'no_authorization'])
  await service.deleteUser(id, true)
  expect(await enter(authenticator)).toEqual(NOT_TRUE)
  expect(await auth.db.query('select from auth.webauthn_credentials where user_id = $1', [id])).toEqual([])
  for (const path of ['/passkeys/registration/options', '/passkeys/registration/verify'])
    expect(codeOfRefusal(await auth.post(path, {}))).toEqual([401, 'no_authorization'])
})

test('the service key lists and removes them', async () => {
  const { id: userId, client, passkey } = await keyed('kept')
  const of = { userId, passkeyId: passkey.id }
  expect((await service.passkey.listPasskeys({ userId })).data).toMatchObject([{ id: passkey.id }])
  const other = { userId: (await newPerson('not-kept')).id, passkeyId: passkey.id }
  expect((await service.passkey.deletePasskey(other)).error?.status).toBe(404)
  expect((await service.passkey.deletePasskey(of)).error).toBeNull()
  expect((await client.auth.passkey.list()).data).toEqual([])
  const bearer = await tokenOf(client)
  expect((await auth.get(`/admin/users/${userId}/passkeys`, { bearer })).status).toBe(403)
  expect((await auth.get('/settings')).body.passkeys_enabled).toBe(true)
})

test.each(['registration/options', 'registration/verify', 'authentication/options', 'authentication/verify'])(
  'one address asks for %s thirty times in a while',
  async (path) => {
    const limited = await openAuth({ passkeys, rateLimits: readAuthSettings('').rateLimits }, { db: auth.db })
    const { accessToken: bearer } = await auth.enrol(`hasty-${path.replace('/', '-')}@example.com`)
    const ask = async (headers = {}) =>
      (await limited.post(`/passkeys/${path}`, {}, { bearer, headers })).status
    const statuses: number[] = []
    for (let asked = 0; asked < 31; asked += 1) statuses.push(await ask())
    expect(statuses.indexOf(429)).toBe(30)
    expect(await ask({ 'x-test-address': '192.0.2.9' })).not.toBe(429)
  },
)
