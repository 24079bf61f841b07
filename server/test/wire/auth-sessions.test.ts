// Sessions: their tokens, how these are refreshed, and how sessions end.
// Proves AUTH 24, DATA 14, API 04 06, ERR 08
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import {
  type AuthTarget,
  BANNED,
  codeOfRefusal,
  openAuth,
  type Person,
  refusal,
  somebodyWaits,
  testAuth,
} from './auth-service.ts'

const auth = await testAuth()
let people = 0
const newSession = (target: AuthTarget = auth) => target.enrol(`person-${++people}@example.com`)
describe('refreshing', () => {
  const refresh = (token: string, target: AuthTarget = auth) =>
    target.post('/token?grant_type=refresh_token', { refresh_token: token })
  const next = async (token: string, target: AuthTarget = auth) =>
    String((await refresh(token, target)).body.refresh_token)
  const sessionOf = (accessToken: string) => String(decodeJwt(accessToken).session_id)

  /** Simulates that `seconds` have passed since the session's tokens were exchanged. */
  const later = (accessToken: string, seconds = 11) =>
    auth.db.query(
      `update auth.sessions set exchanged_at = array(
         select at - make_interval(secs => $2::float8) from unnest(exchanged_at) as at) where id = $1`,
      [sessionOf(accessToken), String(seconds)],
    )
  const USED = [400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used']

  test('gives the client a new pair of tokens for the same session', async () => {
    const person = await newSession()
    const { data, error } = await (await auth.clientOf(person)).auth.refreshSession()
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(person.refreshToken)
    const [old, fresh] = [person.accessToken, data.session?.access_token ?? ''].map((token) =>
      decodeJwt(token),
    )
    expect(fresh).toMatchObject({ session_id: old?.session_id, amr: old?.amr, email: person.email })
  })

  test('three calls with one token at once give the same active token', async () => {
    const { refreshToken } = await newSession()
    const answers = await Promise.all([1, 2, 3].map(() => refresh(refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    expect(answers[0]?.body.refresh_token).not.toBe(refreshToken)
  })

  test('within ten seconds even an older token leads to the active one, not to a branch', async () => {
    const { refreshToken: first, accessToken } = await newSession()
    const third = await next(await next(first))
    await later(accessToken, 5)
    expect(await next(first)).toBe(third)
  })

  test('an old token is judged by its own exchange, however lately the session was refreshed', async () => {
    const { refreshToken: first, accessToken } = await newSession()
    const second = await next(first)
    await later(accessToken, 8)
    const third = await next(second)
    await later(accessToken, 5)
    const fourth = await next(third)
    expect(await next(second)).toBe(fourth)
    expect(refusal(await refresh(first))).toEqual(USED)
    expect(codeOfRefusal(await auth.getUser(accessToken))).toEqual([403, 'session_not_found'])
  })

  test('a lost answer can be fetched again however late, with the token before the active one', async () => {
    const { refreshToken, accessToken } = await newSession()
    const lost = await next(refreshToken)
    await later(accessToken)
    expect(await next(refreshToken)).toBe(lost)
  })

  test('an older token after the interval ends the whole family, and no other session', async () => {
    const other = await newSession()
    const { refreshToken: first, accessToken } = await newSession()
    const second = await next(first)
    const third = await next(second)
    await later(accessToken)
    expect(refusal(await refresh(first))).toEqual(USED)
    for (const token of [first, second, third]) expect((await refresh(token)).status).toBe(400)
    expect(codeOfRefusal(await auth.getUser(accessToken))).toEqual([403, 'session_not_found'])
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  test('without rotation a reused token is refused, and the session goes on', async () => {
    const lenient = await openAuth({ endReusedSessions: false }, { db: auth.db })
    const { refreshToken: first, accessToken } = await newSession(lenient)
    const third = await next(await next(first, lenient), lenient)
    await later(accessToken)
    expect(refusal(await refresh(first, lenient))).toEqual(USED)
    expect((await refresh(third, lenient)).status).toBe(200)
  })

  test('a token that was changed by a letter is unknown, and one of a session that ended finds none', async () => {
    const { refreshToken, accessToken } = await newSession()
    const over = await newSession()
    await auth.db.query('update auth.sessions set not_after = now() where id = $1', [
      sessionOf(over.accessToken),
    ])
    const forged = refreshToken.replace(/.$/, (letter) => (letter === 'A' ? 'Q' : 'A'))
    const unknown = [400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found']
    expect(refusal(await refresh(forged))).toEqual(unknown)
    const { error } = await auth.client().auth.refreshSession({ refresh_token: forged })
    expect(error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
    await auth.post('/logout?scope=local', undefined, { bearer: accessToken })
    const none = [400, 'session_not_found', 'Invalid Refresh Token: No Valid Session Found']
    for (const token of [refreshToken, over.refreshToken]) expect(refusal(await refresh(token))).toEqual(none)
  })
})

describe('signing out', () => {
  test.each([
    ['local', [403, 200]],
    ['others', [200, 403]],
    ['global', [403, 403]],
    ['', [403, 403]],
  ])('scope=%s leaves this and the other session at %j, and those of others', async (scope, expected) => {
    const [here, stranger] = [await newSession(), await newSession()]
    const there = await auth.signIn(here.email)
    const answer = await auth.post(`/logout?scope=${scope}`, undefined, { bearer: here.accessToken })
    expect([answer.status, answer.body.text]).toEqual([204, ''])
    const after = []
    for (const { accessToken } of [here, there, stranger])
      after.push((await auth.getUser(accessToken)).status)
    expect(after).toEqual([...expected, 200])
  })

  test('the client signs out locally', async () => {
    const client = await auth.clientOf(await newSession())
    expect((await client.auth.signOut({ scope: 'local' })).error).toBeNull()
    expect((await client.auth.getSession()).data.session).toBeNull()
  })
})

test.each([
  ['banned', BANNED],
  ['marked as deleted', 'deleted_at = now()'],
  ['gone', null],
])('an account that is %s changes nothing any more with the tokens it has', async (_how, end) => {
  const { id, email, accessToken: bearer, refreshToken } = await newSession()
  if (end) await auth.setUser(email, end)
  else await auth.db.query('delete from auth.users where id = $1', [id])
  const kept = () => auth.db.query('select to_jsonb(u) as row from auth.users u where id = $1', [id])
  const before = await kept()
  const statuses = []
  for (const [method, path, body] of [
    ['GET', '/user'],
    ['PUT', '/user', { data: { name: 'Ghost' }, password: 'Brand-new-2?', current_password: PASSWORD }],
    ['GET', '/reauthenticate'],
    ['POST', '/factors', { factor_type: 'totp' }],
    ['POST', '/factors/recovery-codes'],
    ['POST', '/logout'],
    ['POST', '/token?grant_type=refresh_token', { refresh_token: refreshToken }],
  ] as const)
    statuses.push((await auth.call(method, path, body, { bearer })).status)
  expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 400])
  const headers = { apikey: auth.anonKey, authorization: `Bearer ${bearer}` }
  expect((await fetch(`${auth.url}/rest/v1/user_profiles?select=user_id`, { headers })).status).toBe(401)
  expect(await kept()).toEqual(before)
})

// A project may take an account back from a thief in one transaction. Any request of the thief that waits for this
// transaction must fail.
describe('an account that is taken back from a thief is not changed by', () => {
  test.each<[string, (thief: Person, link: string) => Promise<{ status: number }>]>([
    [
      'a sign-in with the password',
      ({ email }) => auth.post('/token?grant_type=password', { email, password: PASSWORD }),
    ],
    [
      'another password',
      ({ accessToken: bearer }) =>
        auth.put('/user', { password: 'Thiefs-pass-1!', current_password: PASSWORD }, { bearer }),
    ],
    ['another address', (_thief, link) => auth.get(link, { key: null })],
  ])('%s', async (_what, attempt) => {
    const thief = await newSession()
    const newAddress = `new-${thief.email}`
    await auth.put('/user', { email: newAddress }, { bearer: thief.accessToken })
    // The thief has already confirmed the change at one of the two addresses.
    await auth.fetch(await auth.linkTo(newAddress), { redirect: 'manual' })
    const { search } = await auth.linkTo(thief.email)

    const pending = await auth.db.transaction(async (tx) => {
      await tx.query('select from auth.users where id = $1 for no key update', [thief.id])
      const answer = attempt(thief, `/verify${search}`)
      if (auth.db.kind === 'postgres') await somebodyWaits(tx)
      await tx.query('delete from auth.sessions where user_id = $1', [thief.id])
      await tx.query(`update auth.users set encrypted_password = null, email_change = '' where id = $1`, [
        thief.id,
      ])
      return [answer]
    })
    await Promise.all(pending)
    const found = await auth.db.query(
      `select email, encrypted_password, (select count(*) from auth.sessions where user_id = u.id) as sessions
       from auth.users as u where id = $1`,
      [thief.id],
    )
    expect(found).toEqual([{ email: thief.email, encrypted_password: null, sessions: 0 }])
  })
})
