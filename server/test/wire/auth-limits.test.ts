// Rate limits, per client and in total. Instead of waiting, the tests age the counters in the database.
// Proves LIMIT 18
import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import { type Answer, refusal, somebodyWaits, testAuth } from './auth-service.ts'
import { protect, tokenOf } from './second-factors.ts'

const auth = await testAuth({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
// All tests send requests from the same IP address, so each test starts with empty counters.
beforeEach(() => auth.db.query('delete from platform.rate_limits'))

const letPass = (seconds: number) =>
  auth.db.query(
    'update platform.rate_limits set expires_at = expires_at - make_interval(secs => $1::float8)',
    [String(seconds)],
  )
const waitOf = ({ headers }: Answer) => Number(headers.get('retry-after'))
const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))
/** Returns the statuses of `count` equal requests that are sent one after the other. */
async function statusesOf(count: number, ask: () => Promise<Answer>) {
  const statuses: number[] = []
  for (let asked = 0; asked < count; asked++) statuses.push((await ask()).status)
  return statuses
}
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const [HERE, STRANGER] = ['127.0.0.1', '198.51.100.7']

describe('mail to one address', () => {
  test('goes out once a minute per kind, and the client reads when to come back', async () => {
    const person = { email: 'olivia@example.com', password: PASSWORD }
    await auth.post('/signup', person)
    const { error } = await auth.client().auth.signUp(person)
    expect(error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
    expect(error?.message).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/)
    const resend = () => auth.post('/resend', { type: 'signup', email: 'Olivia@example.com' })
    expect((await resend()).status).toBe(429)
    expect((await auth.post('/recover', { email: person.email })).status).toBe(200)
    await letPass(50)
    const soon = await resend()
    expect([soon.status, waitOf(soon) <= 10]).toEqual([429, true])
    await letPass(11)
    expect((await resend()).status).toBe(200)
    expect(await auth.mailsTo(person.email, 3)).toHaveLength(3)
  })

  // For addresses without an account, see auth-alike.test.ts.
  test('is a code for a new password only once a minute too', async () => {
    const { accessToken: bearer } = await auth.enrol('often@example.com')
    const ask = () => auth.get('/reauthenticate', { bearer })
    expect(await statusesOf(2, ask)).toEqual([200, 429])
  })

  test('may follow at once when the last one did its work', async () => {
    const person = { email: 'marc@example.com', password: PASSWORD }
    const ask = async () => [
      (await auth.post('/signup', person)).status,
      (await auth.post('/otp', person)).status,
    ]
    expect([await ask(), await ask()]).toEqual([
      [200, 200],
      [429, 429],
    ])
    await auth.follow(await auth.linkTo(person.email))
    expect(await ask()).toEqual([200, 200])
  })

  test('is not used up by a refused sign-up', async () => {
    const signUp = (password: string) => auth.post('/signup', { email: 'weak@example.com', password })
    expect([(await signUp('weak')).status, (await signUp(PASSWORD)).status]).toEqual([422, 200])
  })
})

describe('guesses', () => {
  const WRONG = 'Wrong-1!'
  type Guess = (email: string, bearer: string, address: string, guess?: string) => Promise<Answer>
  const tryPassword = (email: string, password: string, address = HERE) =>
    auth.post('/token?grant_type=password', { email, password }, from(address))
  const change =
    (guess: object): Guess =>
    (_email, bearer, address) =>
      auth.put('/user', { password: 'Other-2?', ...guess }, { bearer, ...from(address) })

  test.each<[string, Guess]>([
    [
      'a password, whose right one has to wait too',
      (email, _bearer, address, guess = WRONG) => tryPassword(email, guess, address),
    ],
    ['the present password, with a stolen session', change({ current_password: WRONG })],
    ['the code for a new password, with a stolen session', change({ nonce: '000000' })],
    [
      'a mailed code',
      (email, _bearer, address) =>
        auth.post('/verify', { type: 'email', email, token: '000000' }, from(address)),
    ],
  ])('at %s are five in a quarter of an hour, for each address they come from', async (what, ask) => {
    const { email, accessToken } = await auth.enrol(`${what.replaceAll(/\W/g, '-')}@example.com`)
    const guess = () => ask(email, accessToken, HERE)
    expect(await statusesOf(5, guess)).not.toContain(429)
    const sixth = await ask(email.toUpperCase(), accessToken, HERE, PASSWORD)
    expect(refusal(sixth)).toEqual([429, 'over_request_rate_limit', 'Request rate limit reached'])
    expect(waitOf(sixth)).toBeGreaterThan(850)
    expect((await ask(email, accessToken, STRANGER)).status).not.toBe(429)
    await letPass(901)
    expect((await guess()).status).not.toBe(429)
  })

  test('from everywhere slow an account down, and not where its owner is signed in', async () => {
    const { email } = await auth.enrol('besieged@example.com')
    await tryPassword(email, WRONG, STRANGER)
    // One attempt less than all strangers together may make.
    await auth.db.query('update platform.rate_limits set taken = 48 where key = $1', [`password:${email}`])
    for (const address of ['203.0.113.0', '203.0.113.1', '203.0.113.9'])
      expect((await tryPassword(email, WRONG, address)).status).toBe(400)
    const slowed = await tryPassword(email, PASSWORD, '203.0.113.2')
    expect(slowed.status).toBe(429)
    expect(waitOf(slowed)).toBeLessThanOrEqual(10)
    expect((await tryPassword(email, PASSWORD, HERE)).status).toBe(200)
    await letPass(11)
    expect((await tryPassword(email, PASSWORD, '203.0.113.2')).status).toBe(200)
  })

  test('at a second factor slow an account down, and not where a session of its owner was raised by it', async () => {
    const { client, factor, email } = await protect(auth, 'raised@example.com')
    const bearer = (await auth.signIn(email)).accessToken
    await auth.db.query(
      `insert into platform.rate_limits (key, taken, expires_at) values ($1, 60, now() + interval '15 min')
       on conflict (key) do update set taken = excluded.taken`,
      [`factor:${factor.id}`],
    )
    const guess = async (token: string, address: string) => {
      const more = { bearer: token, ...from(address) }
      const { body } = await auth.post(`/factors/${factor.id}/challenge`, {}, more)
      return auth.post(`/factors/${factor.id}/verify`, { challenge_id: body.id, code: '000000' }, more)
    }
    // The guesser also has a session from the IP address of the guesses.
    await auth.db.query(
      `update auth.sessions set ip = $1 where aal = 'aal1' and user_id in (
      select id from auth.users where email = $2)`,
      ['203.0.113.2', email],
    )
    expect((await guess(bearer, '203.0.113.2')).status).toBe(422)
    expect((await guess(bearer, '203.0.113.2')).status).toBe(429)
    expect((await guess(await tokenOf(client), HERE)).status).toBe(422)
  })

  test('make nobody wait longer because a clock was set back', async () => {
    const { email } = await auth.enrol('timeless@example.com')
    await times(6, () => tryPassword(email, WRONG))
    await letPass(-365 * 24 * 3600)
    expect((await tryPassword(email, PASSWORD)).status).toBe(200)
  })

  test.each(['known', 'unknown'])(
    'at a %s address count in full, however many come at once',
    async (kind) => {
      const email = `burst-${kind}@example.com`
      if (kind === 'known') await auth.enrol(email)
      const statuses = (await times(12, () => tryPassword(email, WRONG))).map(({ status }) => status)
      expect(statuses.sort()).toEqual([...Array(5).fill(400), ...Array(7).fill(429)])
    },
  )

  test('count in full also where others were counted while one waited for its turn', async () => {
    const email = 'late@example.com'
    await tryPassword(email, WRONG)
    const [late] = await auth.db.transaction(async (tx) => {
      await tx.query(`select from platform.rate_limits where key like 'password:%' for update`)
      const late = tryPassword(email, WRONG)
      if (auth.db.kind === 'postgres') await somebodyWaits(tx)
      await tx.query(`update platform.rate_limits set taken = 5, expires_at = clock_timestamp() + interval '15 min'
        where key like 'password:%'`)
      return [late]
    })
    expect((await late).status).toBe(429)
  })

  test('are forgotten by a right one, and one person does not slow another', async () => {
    const [{ email }, other] = [await auth.enrol('clumsy@example.com'), await auth.enrol('other@example.com')]
    for (const _round of [1, 2]) {
      await times(4, () => tryPassword(email, WRONG))
      expect((await tryPassword(email, PASSWORD)).status).toBe(200)
    }
    await times(6, () => tryPassword(email, WRONG))
    await expect(auth.signIn(other.email)).resolves.toBeDefined()
  })
})

describe('one client', () => {
  test.each([
    ['POST', '/signup'],
    ['POST', '/otp'],
    ['POST', '/recover'],
    ['POST', '/resend'],
    ['POST', '/verify'],
    ['GET', '/verify'],
    ['PUT', '/user'],
    ['GET', '/reauthenticate'],
    ['POST', '/factors/recovery-codes'],
    ['DELETE', '/factors/recovery-codes'],
    ['POST', '/factors/recovery-codes/regenerate'],
  ])('asks %s %s thirty times in five minutes, whatever it asks', async (method, path) => {
    const ask = () => auth.call(method, path, method === 'GET' ? undefined : {})
    const statuses = await statusesOf(30, ask)
    expect(statuses.every((status) => status < 429)).toBe(true)
    const last = await ask()
    expect(refusal(last)).toEqual([429, 'over_request_rate_limit', 'Request rate limit reached'])
    expect(waitOf(last)).toBeGreaterThan(250)
    await letPass(301)
    expect((await ask()).status).toBeLessThan(429)
  })

  test('asks for tokens a hundred and fifty times', async () => {
    const ask = () => auth.post('/token?grant_type=refresh_token', {})
    expect((await times(152, ask)).filter(({ status }) => status === 429)).toHaveLength(2)
  })

  test('a spent allowance is cleared away in passing', async () => {
    for (let number = 0; number < 5; number++)
      await auth.post('/recover', { email: `gone-${number}@example.com` })
    await letPass(3600)
    for (let number = 0; number < 3; number++)
      await auth.post('/token?grant_type=password', { email: 'x@example.com' })
    const keys = await auth.db.query('select key from platform.rate_limits order by key')
    const attempts = ['password:x@example.com', 'password:x@example.com:127.0.0.1']
    expect(keys.map(({ key }) => key)).toEqual([...attempts, expect.stringMatching(/^token:/)])
  })

  test('asks for one column no more than a hundred times', async () => {
    const ask = async (count: number) => {
      const select = Array.from({ length: count }, (_, i) => `c${i}:is_current`).join(',')
      const address = `${auth.url}/rest/v1/service_provider_data?select=${select}`
      const answer = await fetch(address, { headers: { apikey: auth.anonKey } })
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    expect([await ask(100), await ask(101)]).toEqual([
      [200, undefined],
      [400, 'PGRST100'],
    ])
  })
})

test('each wrong guess leaves a line with its address, also once they are refused, and no right one does', async () => {
  const person = await auth.enrol('guessed@example.com')
  const before = auth.logged.length
  const guess = (password: string) =>
    auth.post('/token?grant_type=password', { email: 'guessed@example.com', password }, from(STRANGER))
  const statuses = await statusesOf(7, () => guess('Wrong-horse-1!'))
  expect(statuses).toContain(429)
  await auth.post(
    '/token?grant_type=password',
    { email: 'guessed@example.com', password: PASSWORD },
    from('203.0.113.9'),
  )
  expect(person.accessToken).toBeDefined()
  const lines = auth.logged
    .slice(before)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'auth: a wrong guess')
  expect(lines).toEqual(
    statuses.map(() => expect.objectContaining({ level: 40, secret: 'password', address: STRANGER })),
  )
})
