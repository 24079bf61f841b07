// Whoever is signed in chooses a new password: with the present one, with a code from a fresh mail, or fresh from a mail.
import { describe, expect, test } from 'vitest'
import { WITHOUT_LIMITS as unlimited } from '#auth/auth-settings.ts'
import { PASSWORD } from '../harness.ts'
import {
  call,
  clientOf,
  codeTo,
  enrol,
  follow,
  linkTo,
  mailsTo,
  openAuth,
  type Person,
  refusal,
  signIn,
  testAuth,
} from './auth-service.ts'

const auth = await testAuth()
const NEW = 'Brand-new-2?'
const NEEDED = '400 reauthentication_needed'
const REQUIRED = '400 current_password_required'

const change = (person: Person, more: object = {}, target: Parameters<typeof call>[0] = auth) =>
  call(target, 'PUT', '/user', { password: NEW, ...more }, { bearer: person.accessToken })
const askForCode = (person: Person, target: Parameters<typeof call>[0] = auth) =>
  call(target, 'GET', '/reauthenticate', undefined, { bearer: person.accessToken })

test.each([
  ['password', 'fresh', 'nothing', REQUIRED],
  ['password', 'fresh', 'the present one', '200 undefined'],
  ['password', 'fresh', 'a wrong one', '400 current_password_invalid'],
  ['password', 'fresh', 'a mailed code', '200 undefined'],
  ['password', 'fresh', 'a made-up code', '422 reauthentication_not_valid'],
  ['password', 'day-old', 'nothing', NEEDED],
  ['password', 'day-old', 'the present one', '200 undefined'],
  ['password', 'day-old', 'a mailed code', '200 undefined'],
  ['otp', 'fresh', 'nothing', '200 undefined'],
  ['otp', 'day-old', 'nothing', NEEDED],
  ['oauth', 'fresh', 'nothing', REQUIRED],
])('somebody whose %s session is %s and who shows %s is answered %s', async (method, age, shown, answer) => {
  const email = `${method}-${age}-${shown.replaceAll(' ', '-')}@example.com`
  const olivia = await enrol(auth, email)
  await auth.db.query(
    `update auth.sessions set amr = jsonb_set(amr, '{0,method}', to_jsonb($2::text)),
       created_at = now() - make_interval(hours => $3::int) where user_id = $1`,
    [olivia.id, method, age === 'fresh' ? '23' : '25'],
  )
  if (shown === 'a mailed code') expect((await askForCode(olivia)).body).toEqual({})
  const proof = {
    nothing: {},
    'the present one': { current_password: PASSWORD },
    'a wrong one': { current_password: NEW },
    'a mailed code': { nonce: shown === 'a mailed code' && (await codeTo(auth, email)) },
    'a made-up code': { nonce: '000000' },
  }[shown]
  const { status, body } = await change(olivia, proof)
  expect(`${status} ${body.error_code}`).toBe(answer)
  await expect(signIn(auth, email, status === 200 ? NEW : PASSWORD)).resolves.toBeDefined()
})

test('whoever has no password yet, and came in by another provider, just sets one', async () => {
  const { id, ...olivia } = await enrol(auth, 'first@example.com')
  await auth.db.query('update auth.users set encrypted_password = null where id = $1', [id])
  expect((await change({ id, ...olivia })).status).toBe(200)
})

describe('the mailed code', () => {
  test('is what the client asks for and hands in, and has a mail without a link that signs in', async () => {
    const { email } = await enrol(auth, 'client@example.com')
    const client = clientOf(auth)
    await client.auth.signInWithPassword({ email, password: PASSWORD })
    expect((await client.auth.reauthenticate()).error).toBeNull()
    const [mail] = await mailsTo(auth, email)
    expect([mail?.subject, mail?.text]).toEqual([
      'Your code for a new Potluck password',
      expect.not.stringContaining('/verify'),
    ])
    const { data, error } = await client.auth.updateUser({ password: NEW, nonce: await codeTo(auth, email) })
    expect([error, data.user?.email]).toEqual([null, email])
  })

  test('works once, for its own account, and not for signing in', async () => {
    const [olivia, zoe] = [await enrol(auth, 'olivia@example.com'), await enrol(auth, 'zoe@example.com')]
    await askForCode(olivia)
    const nonce = await codeTo(auth, olivia.email)
    expect(refusal(await change(zoe, { nonce }))[1]).toBe('reauthentication_not_valid')
    const verify = { type: 'email', email: olivia.email, token: nonce }
    expect((await call(auth, 'POST', '/verify', verify)).status).toBe(403)
    // A refused wish leaves it good.
    expect(refusal(await change(olivia, { nonce, password: PASSWORD }))[1]).toBe('same_password')
    expect((await change(olivia, { nonce })).status).toBe(200)
    const again = await change(olivia, { nonce, password: 'Another-3!' })
    expect(refusal(again)[1]).toBe('reauthentication_not_valid')
  })

  test('is worth nothing after an hour', async () => {
    const olivia = await enrol(auth, 'late@example.com')
    await askForCode(olivia)
    await auth.db.query("update auth.one_time_tokens set created_at = created_at - interval '61 minutes'")
    const answer = await change(olivia, { nonce: await codeTo(auth, olivia.email) })
    expect(refusal(answer).slice(0, 2)).toEqual([422, 'reauthentication_not_valid'])
  })

  test('is mailed once a minute, to a confirmed address', async () => {
    const rateLimits = { ...unlimited, mailInterval: { count: 1, seconds: 60 } }
    const limited = await openAuth({ rateLimits }, { db: auth.db })
    const olivia = await enrol(limited, 'often@example.com')
    expect([(await askForCode(olivia, limited)).status, (await askForCode(olivia, limited)).status]).toEqual([
      200, 429,
    ])
    await auth.db.query('update auth.users set email_confirmed_at = null where id = $1', [olivia.id])
    const unproven = [422, 'email_not_confirmed', 'Please verify your email first.']
    expect(refusal(await askForCode(olivia, limited))).toEqual(unproven)
  })
})

test('a stolen session can guess neither the password nor the code', async () => {
  const rateLimits = { ...unlimited, failedAttempts: { count: 5, seconds: 900 } }
  const secure = await openAuth({ rateLimits, securePasswordChange: true }, { db: auth.db })
  const olivia = await enrol(secure, 'robbed@example.com')
  for (const guess of [{ current_password: 'Guess-1!' }, { nonce: '000000' }]) {
    const statuses = []
    for (let tries = 0; tries < 6; tries++) statuses.push((await change(olivia, guess, secure)).status)
    expect(statuses.pop()).toBe(429)
    expect(statuses).not.toContain(429)
  }
})

test('a new password makes earlier links to a new password useless', async () => {
  const olivia = await enrol(auth, 'linked@example.com')
  await call(auth, 'POST', '/recover', { email: olivia.email })
  const link = await linkTo(auth, olivia.email)
  await change(olivia, { current_password: PASSWORD })
  expect((await follow(auth, link)).fragment.get('error_code')).toBe('otp_expired')
})
