import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { testServer } from '../harness.ts'
import {
  type AuthTarget,
  call,
  clientOf,
  enrol,
  openAuth,
  overHttp,
  PASSWORD,
  signIn,
} from './auth-service.ts'

const server = await testServer()
let auth: AuthTarget
beforeAll(async () => {
  auth = overHttp(server)
  await enrol(auth, 'olivia@example.com')
})

const refresh = (token: string, target = auth) =>
  call(target, 'POST', '/token?grant_type=refresh_token', { refresh_token: token })

/** Lets the reuse interval of the token's session pass. */
const later = (accessToken: string) =>
  server.db.query(
    "update auth.sessions set refreshed_at = refreshed_at - interval '11 seconds' where id = $1",
    [String(decodeJwt(accessToken).session_id)],
  )

const USED = { error_code: 'refresh_token_already_used', msg: 'Invalid Refresh Token: Already Used' }

describe('refreshing', () => {
  test('the client gets a new pair of tokens for the same session', async () => {
    const client = clientOf(auth)
    const { data: before } = await client.auth.signInWithPassword({
      email: 'olivia@example.com',
      password: PASSWORD,
    })
    const { data: after, error } = await client.auth.refreshSession()
    expect(error).toBeNull()
    expect(after.session?.refresh_token).not.toBe(before.session?.refresh_token)
    const [old, fresh] = [before, after].map(({ session }) => decodeJwt(session?.access_token ?? ''))
    expect(fresh?.session_id).toBe(old?.session_id)
    expect(fresh?.amr).toEqual(old?.amr)
    expect(after.user?.email).toBe('olivia@example.com')
  })

  test('two calls with one token within ten seconds give the same active token', async () => {
    const { refreshToken } = await signIn(auth, 'olivia@example.com')
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    expect(answers[0]?.body.refresh_token).not.toBe(refreshToken)
  })

  test('within the interval even an older token leads to the active one, not to a branch', async () => {
    const { refreshToken: first } = await signIn(auth, 'olivia@example.com')
    const second = String((await refresh(first)).body.refresh_token)
    const third = String((await refresh(second)).body.refresh_token)
    expect((await refresh(first)).body.refresh_token).toBe(third)
  })

  test('a lost answer can be fetched again however late, with the token before the active one', async () => {
    const { refreshToken, accessToken } = await signIn(auth, 'olivia@example.com')
    const lost = await refresh(refreshToken)
    await later(accessToken)
    expect((await refresh(refreshToken)).body.refresh_token).toBe(lost.body.refresh_token)
  })

  test('an older token after the interval ends the whole family, and no other session', async () => {
    const other = await signIn(auth, 'olivia@example.com')
    const { refreshToken: first, accessToken } = await signIn(auth, 'olivia@example.com')
    const second = String((await refresh(first)).body.refresh_token)
    const third = String((await refresh(second)).body.refresh_token)
    await later(accessToken)
    const reused = await refresh(first)
    expect(reused.status).toBe(400)
    expect(reused.body).toMatchObject(USED)
    for (const token of [first, second, third]) expect((await refresh(token)).status).toBe(400)
    const user = await call(auth, 'GET', '/user', undefined, { bearer: accessToken })
    expect([user.status, user.body.error_code]).toEqual([403, 'session_not_found'])
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  test('without rotation a reused token is refused, and the session goes on', async () => {
    const lenient = await openAuth({ endReusedSessions: false })
    await enrol(lenient, 'marc@example.com')
    const { refreshToken: first, accessToken } = await signIn(lenient, 'marc@example.com')
    const second = String((await refresh(first, lenient)).body.refresh_token)
    const third = String((await refresh(second, lenient)).body.refresh_token)
    await lenient.db.query(
      "update auth.sessions set refreshed_at = refreshed_at - interval '11 seconds' where id = $1",
      [String(decodeJwt(accessToken).session_id)],
    )
    expect((await refresh(first, lenient)).body).toMatchObject(USED)
    expect((await refresh(third, lenient)).status).toBe(200)
    await lenient.close()
  })

  test('the database holds no refresh token', async () => {
    const { refreshToken } = await signIn(auth, 'olivia@example.com')
    const rows = await server.db.query('select to_jsonb(s)::text as row from auth.sessions s')
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) expect(row).not.toContain(refreshToken)
  })
})

describe('tokens that lead nowhere', () => {
  test('one that was changed by a letter is unknown', async () => {
    const { refreshToken } = await signIn(auth, 'olivia@example.com')
    const forged = refreshToken.replace(/.$/, (letter) => (letter === 'A' ? 'Q' : 'A'))
    expect((await refresh(forged)).body).toMatchObject({
      error_code: 'refresh_token_not_found',
      msg: 'Invalid Refresh Token: Refresh Token Not Found',
    })
    const { error } = await clientOf(auth).auth.refreshSession({ refresh_token: 'aaaaaaaaaaaa' })
    expect(error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
  })

  test.each(['', 'not a token!', '../../etc/passwd', 'ü'])('%j is malformed', async (token) => {
    const { status, body } = await refresh(token)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error_code: 'validation_failed', msg: 'Refresh token is not valid' })
  })

  test('one of a session that was signed out finds none', async () => {
    const { refreshToken, accessToken } = await signIn(auth, 'olivia@example.com')
    await call(auth, 'POST', '/logout?scope=local', undefined, { bearer: accessToken })
    const { status, body } = await refresh(refreshToken)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error_code: 'session_not_found',
      msg: 'Invalid Refresh Token: No Valid Session Found',
    })
  })
})
