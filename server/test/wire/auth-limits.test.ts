import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testServer } from '../harness.ts'
import {
  type AuthTarget,
  call,
  clientOf,
  follow,
  linkTo,
  mailsTo,
  overHttp,
  PASSWORD,
  signIn,
} from './auth-service.ts'

const server = await testServer({ RATE_LIMITS: 'on' })
let auth: AuthTarget
beforeAll(async () => {
  auth = overHttp(server)
})
// Every test comes from the same address.
beforeEach(() => server.db.query('delete from platform.rate_limits'))

const post = (path: string, body: unknown) => call(auth, 'POST', path, body)
const letPass = (seconds: number) =>
  server.db.query(
    'update platform.rate_limits set expires_at = expires_at - make_interval(secs => $1::float8)',
    [String(seconds)],
  )
const makeUser = (email: string) =>
  call(
    auth,
    'POST',
    '/admin/users',
    { email, password: PASSWORD, email_confirm: true },
    { key: server.serviceKey },
  )

describe('mail to one address', () => {
  test('goes out once a minute per kind, and the client reads when to come back', async () => {
    await post('/signup', { email: 'olivia@example.com', password: PASSWORD })
    const { error } = await clientOf(auth).auth.signUp({ email: 'olivia@example.com', password: PASSWORD })
    expect(error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
    expect(error?.message).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/)
    const resent = await post('/resend', { type: 'signup', email: 'Olivia@example.com' })
    expect(resent.status).toBe(429)
    expect(Number(resent.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await post('/recover', { email: 'olivia@example.com' })).status).toBe(200)
    await letPass(61)
    expect((await post('/resend', { type: 'signup', email: 'olivia@example.com' })).status).toBe(200)
    expect(await mailsTo(auth, 'olivia@example.com')).toHaveLength(3)
  })

  test.each(['/recover', '/resend'])('%s answers the same for an address nobody has', async (path) => {
    await makeUser('known@example.com')
    for (const email of ['known@example.com', 'unknown@example.com']) {
      const body = { type: 'signup', email }
      expect([(await post(path, body)).status, (await post(path, body)).status]).toEqual([200, 429])
    }
  })

  test('may follow at once when the last one did its work', async () => {
    const person = { email: 'marc@example.com', password: PASSWORD }
    await post('/signup', person)
    await follow(auth, await linkTo(auth, 'marc@example.com'))
    const again = await post('/signup', person)
    expect([again.status, again.body.identities]).toEqual([200, []])
  })

  test('a refused sign-up does not use it up', async () => {
    await post('/signup', { email: 'weak@example.com', password: 'weak' })
    expect((await post('/signup', { email: 'weak@example.com', password: PASSWORD })).status).toBe(200)
  })
})

describe('wrong passwords', () => {
  const tryPassword = (email: string, password: string) =>
    post('/token?grant_type=password', { email, password })

  test('after five in a quarter of an hour even the right one has to wait', async () => {
    await makeUser('zoe@example.com')
    for (let tries = 0; tries < 5; tries++)
      expect((await tryPassword('zoe@example.com', 'Wrong-1!')).status).toBe(400)
    const sixth = await tryPassword('Zoe@Example.com', PASSWORD)
    expect(sixth.status).toBe(429)
    expect(sixth.body).toMatchObject({
      error_code: 'over_request_rate_limit',
      msg: 'Request rate limit reached',
    })
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(850)
    await letPass(901)
    await expect(signIn(auth, 'zoe@example.com')).resolves.toBeDefined()
  })

  test('a burst of guesses counts in full', async () => {
    await makeUser('burst@example.com')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => tryPassword('burst@example.com', 'Wrong-1!')),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  test('count for an unknown address as for a known one', async () => {
    for (let tries = 0; tries < 5; tries++) await tryPassword('nobody@example.com', 'Wrong-1!')
    expect((await tryPassword('nobody@example.com', 'Wrong-1!')).status).toBe(429)
  })

  test('are forgotten by a right one, and one person does not slow another', async () => {
    await makeUser('clumsy@example.com')
    await makeUser('other@example.com')
    for (let round = 0; round < 3; round++) {
      for (let tries = 0; tries < 4; tries++) await tryPassword('clumsy@example.com', 'Wrong-1!')
      expect((await tryPassword('clumsy@example.com', PASSWORD)).status).toBe(200)
    }
    for (let tries = 0; tries < 6; tries++) await tryPassword('clumsy@example.com', 'Wrong-1!')
    expect((await tryPassword('other@example.com', PASSWORD)).status).toBe(200)
  })
})

describe('one client', () => {
  test.each(['/signup', '/otp', '/recover', '/resend', '/verify'])(
    'asks %s thirty times in five minutes, whatever it asks',
    async (path) => {
      const answers = []
      for (let asked = 0; asked < 31; asked++) answers.push(await post(path, {}))
      expect(answers.slice(0, 30).every(({ status }) => status < 429)).toBe(true)
      const last = answers.at(-1)
      expect(last?.status).toBe(429)
      expect(last?.body.error_code).toBe('over_request_rate_limit')
      expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(250)
      await letPass(301)
      expect((await post(path, {})).status).toBeLessThan(429)
    },
  )

  test('a spent allowance is cleared away in passing', async () => {
    for (let number = 0; number < 5; number++) await post('/recover', { email: `gone-${number}@example.com` })
    await letPass(3600)
    for (let number = 0; number < 3; number++)
      await post('/token?grant_type=password', { email: 'x@example.com' })
    const keys = await server.db.query('select key from platform.rate_limits order by key')
    expect(keys.map(({ key }) => key)).toEqual(['password:x@example.com', expect.stringMatching(/^token:/)])
  })
})
