import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import { call, clientOf, enrol, follow, linkTo, mailsTo, refusal, signIn, testAuth } from './auth-service.ts'

const auth = await testAuth({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
// Every test comes from the same address.
beforeEach(() => auth.db.query('delete from platform.rate_limits'))

const post = (path: string, body: unknown) => call(auth, 'POST', path, body)
const letPass = (seconds: number) =>
  auth.db.query(
    'update platform.rate_limits set expires_at = expires_at - make_interval(secs => $1::float8)',
    [String(seconds)],
  )
const waitOf = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'))
const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

describe('mail to one address', () => {
  test('goes out once a minute per kind, and the client reads when to come back', async () => {
    const person = { email: 'olivia@example.com', password: PASSWORD }
    await post('/signup', person)
    const { error } = await clientOf(auth).auth.signUp(person)
    expect(error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
    expect(error?.message).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/)
    const resent = await post('/resend', { type: 'signup', email: 'Olivia@example.com' })
    expect(resent.status).toBe(429)
    expect(waitOf(resent)).toBeGreaterThan(50)
    expect((await post('/recover', { email: person.email })).status).toBe(200)
    await letPass(61)
    expect((await post('/resend', { type: 'signup', email: person.email })).status).toBe(200)
    expect(await mailsTo(auth, person.email)).toHaveLength(3)
  })

  test.each(['/recover', '/resend'])('%s answers the same for an address nobody has', async (path) => {
    const { email: known } = await enrol(auth, `known${path.slice(1)}@example.com`)
    for (const email of [known, 'unknown@example.com']) {
      const body = { type: 'signup', email }
      expect([(await post(path, body)).status, (await post(path, body)).status]).toEqual([200, 429])
    }
  })

  test('may follow at once when the last one did its work', async () => {
    const person = { email: 'marc@example.com', password: PASSWORD }
    await post('/signup', person)
    await follow(auth, await linkTo(auth, person.email))
    const again = await post('/signup', person)
    expect(again.status).toBe(200)
  })

  test('is not used up by a refused sign-up', async () => {
    await post('/signup', { email: 'weak@example.com', password: 'weak' })
    expect((await post('/signup', { email: 'weak@example.com', password: PASSWORD })).status).toBe(200)
  })
})

describe('wrong passwords', () => {
  const WRONG = 'Wrong-1!'
  const tryPassword = (email: string, password: string, client = '127.0.0.1') =>
    call(
      auth,
      'POST',
      '/token?grant_type=password',
      { email, password },
      { headers: { 'x-forwarded-for': client } },
    )
  const STRANGER = '198.51.100.7'

  test('after five in a quarter of an hour even the right one has to wait', async () => {
    const { email } = await enrol(auth, 'zoe@example.com')
    for (let tries = 0; tries < 5; tries++) expect((await tryPassword(email, WRONG)).status).toBe(400)
    const sixth = await tryPassword('Zoe@Example.com', PASSWORD)
    expect(refusal(sixth)).toEqual([429, 'over_request_rate_limit', 'Request rate limit reached'])
    expect(waitOf(sixth)).toBeGreaterThan(850)
    await letPass(901)
    await expect(signIn(auth, email)).resolves.toBeDefined()
  })

  test('of a stranger keep nobody else out', async () => {
    const { email } = await enrol(auth, 'envied@example.com')
    await times(6, () => tryPassword(email, WRONG, STRANGER))
    expect((await tryPassword(email, PASSWORD, STRANGER)).status).toBe(429)
    for (const elsewhere of ['127.0.0.1', '203.0.113.9'])
      expect((await tryPassword(email, PASSWORD, elsewhere)).status).toBe(200)
  })

  test('from everywhere slow an account down, and not where its owner is signed in', async () => {
    const { email } = await enrol(auth, 'besieged@example.com')
    await tryPassword(email, WRONG, STRANGER)
    await auth.db.query('update platform.rate_limits set taken = 50 where key = $1', [`password:${email}`])
    expect((await tryPassword(email, WRONG, '203.0.113.1')).status).toBe(400)
    const slowed = await tryPassword(email, PASSWORD, '203.0.113.2')
    expect(slowed.status).toBe(429)
    expect(waitOf(slowed)).toBeLessThanOrEqual(10)
    expect((await tryPassword(email, PASSWORD, '127.0.0.1')).status).toBe(200)
    await letPass(11)
    expect((await tryPassword(email, PASSWORD, '203.0.113.2')).status).toBe(200)
  })

  test('make nobody wait longer because a clock was set back', async () => {
    const { email } = await enrol(auth, 'timeless@example.com')
    await times(6, () => tryPassword(email, WRONG))
    await letPass(-365 * 24 * 3600)
    expect((await tryPassword(email, PASSWORD)).status).toBe(200)
  })

  test.each(['known', 'unknown'])(
    'for a %s address count in full, however many come at once',
    async (kind) => {
      const email = `burst-${kind}@example.com`
      if (kind === 'known') await enrol(auth, email)
      const statuses = (await times(12, () => tryPassword(email, WRONG))).map(({ status }) => status)
      expect(statuses.sort()).toEqual([...Array(5).fill(400), ...Array(7).fill(429)])
    },
  )

  test('are forgotten by a right one, and one person does not slow another', async () => {
    const { email } = await enrol(auth, 'clumsy@example.com')
    const other = await enrol(auth, 'other@example.com')
    for (let round = 0; round < 3; round++) {
      await times(4, () => tryPassword(email, WRONG))
      expect((await tryPassword(email, PASSWORD)).status).toBe(200)
    }
    await times(6, () => tryPassword(email, WRONG))
    expect((await tryPassword(other.email, PASSWORD)).status).toBe(200)
  })
})

describe('one client', () => {
  test.each(['/signup', '/otp', '/recover', '/resend', '/verify'])(
    'asks %s thirty times in five minutes, whatever it asks',
    async (path) => {
      const answers = []
      for (let asked = 0; asked < 31; asked++) answers.push(await post(path, {}))
      const last = answers.pop()
      expect(answers.every(({ status }) => status < 429)).toBe(true)
      expect([last?.status, last?.body.error_code]).toEqual([429, 'over_request_rate_limit'])
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
    const keys = await auth.db.query('select key from platform.rate_limits order by key')
    const attempts = ['password:x@example.com', 'password:x@example.com:127.0.0.1']
    expect(keys.map(({ key }) => key)).toEqual([...attempts, expect.stringMatching(/^token:/)])
  })
})
