import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import {
  type AuthTarget,
  call,
  clientOf,
  enrol,
  getUser,
  openAuth,
  refusal,
  testAuth,
} from './auth-service.ts'

const auth = await testAuth()
let people = 0
const newSession = () => enrol(auth, `person-${++people}@example.com`)

const refresh = (token: string, target: AuthTarget = auth) =>
  call(target, 'POST', '/token?grant_type=refresh_token', { refresh_token: token })
const next = async (token: string, target: AuthTarget = auth) =>
  String((await refresh(token, target)).body.refresh_token)

/** Lets the reuse interval of the token's session pass. */
const later = (accessToken: string) =>
  auth.db.query(
    "update auth.sessions set refreshed_at = refreshed_at - interval '11 seconds' where id = $1",
    [String(decodeJwt(accessToken).session_id)],
  )

const USED = [400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used']

test('the client gets a new pair of tokens for the same session', async () => {
  const { email } = await newSession()
  const client = clientOf(auth)
  const { data: before } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  const { data: after, error } = await client.auth.refreshSession()
  expect(error).toBeNull()
  expect(after.session?.refresh_token).not.toBe(before.session?.refresh_token)
  const [old, fresh] = [before, after].map(({ session }) => decodeJwt(session?.access_token ?? ''))
  expect(fresh?.session_id).toBe(old?.session_id)
  expect(fresh?.amr).toEqual(old?.amr)
  expect(after.user?.email).toBe(email)
})

test('two calls with one token within ten seconds give the same active token', async () => {
  const { refreshToken } = await newSession()
  const answers = await Promise.all([1, 2, 3].map(() => refresh(refreshToken)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
  expect(answers[0]?.body.refresh_token).not.toBe(refreshToken)
})

test('within the interval even an older token leads to the active one, not to a branch', async () => {
  const { refreshToken: first } = await newSession()
  const third = await next(await next(first))
  expect(await next(first)).toBe(third)
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
  expect(refusal(await getUser(auth, accessToken)).slice(0, 2)).toEqual([403, 'session_not_found'])
  expect((await refresh(other.refreshToken)).status).toBe(200)
})

test('without rotation a reused token is refused, and the session goes on', async () => {
  const lenient = await openAuth({ endReusedSessions: false }, { db: auth.db })
  const { refreshToken: first, accessToken } = await enrol(lenient, 'marc@example.com')
  const third = await next(await next(first, lenient), lenient)
  await later(accessToken)
  expect(refusal(await refresh(first, lenient))).toEqual(USED)
  expect((await refresh(third, lenient)).status).toBe(200)
})

test('the database holds no refresh token', async () => {
  const { refreshToken } = await newSession()
  const rows = await auth.db.query('select to_jsonb(s)::text as row from auth.sessions s')
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toContain(refreshToken)
})

test('a token that was changed by a letter is unknown, and the client says so', async () => {
  const { refreshToken } = await newSession()
  const forged = refreshToken.replace(/.$/, (letter) => (letter === 'A' ? 'Q' : 'A'))
  const unknown = [400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found']
  expect(refusal(await refresh(forged))).toEqual(unknown)
  const { error } = await clientOf(auth).auth.refreshSession({ refresh_token: 'aaaaaaaaaaaa' })
  expect(error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
})

test('a token of a session that was signed out finds none', async () => {
  const { refreshToken, accessToken } = await newSession()
  await call(auth, 'POST', '/logout?scope=local', undefined, { bearer: accessToken })
  const none = [400, 'session_not_found', 'Invalid Refresh Token: No Valid Session Found']
  expect(refusal(await refresh(refreshToken))).toEqual(none)
})
