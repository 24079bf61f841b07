import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { WITHOUT_LIMITS as unlimited } from '#auth/auth-settings.ts'
import {
  type AuthTarget,
  call,
  clientOf,
  codeTo,
  enrol,
  follow,
  linkTo,
  openAuth,
  refusal,
  signIn,
  signUp,
  testAuth,
} from './auth-service.ts'

const auth = await testAuth()
// Its built-in templates print the code, which the project's own leave out.
const coded = await openAuth({}, { db: auth.db })

const signUpFor = (email: string, redirectTo: string, target: AuthTarget = auth) =>
  call(target, 'POST', `/signup?redirect_to=${encodeURIComponent(redirectTo)}`, {
    email,
    password: 'Correct-horse-1!',
  })
/** Signs up, and gives the link that was mailed. */
const linkFor = async (email: string) => {
  await signUp(auth, email)
  return linkTo(auth, email)
}
const open = (link: URL | string) => fetch(link, { redirect: 'manual' })
const errorCode = async (link: URL) => (await follow(auth, link)).fragment.get('error_code')

const EXPIRED_LINK =
  '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb='

describe('following a link', () => {
  test('leads to the wanted page with the tokens in the fragment, in alphabetical order', async () => {
    await signUpFor('olivia@example.com', `${auth.url}/auth-redirect`)
    const { status, to, fragment } = await follow(auth, await linkTo(auth, 'olivia@example.com'))
    expect([status, to]).toEqual([303, `${auth.url}/auth-redirect`])
    const names = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'sb', 'token_type', 'type']
    expect([...fragment.keys()]).toEqual(names)
    const fields = Object.fromEntries(fragment)
    expect(fields).toMatchObject({ expires_in: '3600', sb: '', token_type: 'bearer', type: 'signup' })
    const claims = decodeJwt(fields.access_token ?? '')
    expect(claims).toMatchObject({ email: 'olivia@example.com', amr: [{ method: 'otp' }] })
    expect(fields.expires_at).toBe(String(claims.exp))
    const { data, error } = await clientOf(auth).auth.setSession({
      access_token: fields.access_token ?? '',
      refresh_token: fields.refresh_token ?? '',
    })
    expect(error).toBeNull()
    const verified = { email_verified: true }
    expect(data.user).toMatchObject({ email_confirmed_at: expect.any(String), user_metadata: verified })
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject(verified)
  })

  test('a second click is told that the link is used up', async () => {
    const link = await linkFor('marc@example.com')
    await open(link)
    const again = await open(link)
    expect(again.status).toBe(303)
    expect(again.headers.get('location')).toBe(`${auth.url}${EXPIRED_LINK}`)
  })

  test('two clicks at once sign in once', async () => {
    const link = await linkFor('double@example.com')
    const arrived = await Promise.all([follow(auth, link), follow(auth, link)])
    expect(arrived.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1)
    expect(arrived.filter(({ fragment }) => fragment.get('error_code') === 'otp_expired')).toHaveLength(1)
  })

  test('after an hour it is too late', async () => {
    const link = await linkFor('late@example.com')
    await auth.db.query(
      "update auth.one_time_tokens set created_at = created_at - interval '61 minutes' where email = 'late@example.com'",
    )
    expect(await errorCode(link)).toBe('otp_expired')
    await expect(signIn(auth, 'late@example.com')).rejects.toThrow('email_not_confirmed')
  })

  test('a program that only looks (HEAD) does not use it up', async () => {
    const link = await linkFor('scanned@example.com')
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(405)
    expect((await follow(auth, link)).fragment.has('access_token')).toBe(true)
  })

  test('a guessed token, or the right token called something else, opens nothing', async () => {
    const link = await linkFor('guess@example.com')
    const changed = (name: string, value: string) => {
      const other = new URL(link)
      other.searchParams.set(name, value)
      return other
    }
    const guessed = await open(changed('token', '0'.repeat(56)))
    expect(guessed.headers.get('location')).toBe(`${auth.url}${EXPIRED_LINK}`)
    expect(await errorCode(changed('type', 'recovery'))).toBe('otp_expired')
    const unknown = await follow(auth, changed('type', 'nonsense'))
    expect(unknown.fragment.get('error')).toBe('invalid_request')
    expect((await follow(auth, link)).fragment.has('access_token')).toBe(true)
  })

  test('someone banned is sent back with the reason', async () => {
    const link = await linkFor('banned@example.com')
    await auth.db.query(
      "update auth.users set banned_until = now() + interval '1 day' where email = 'banned@example.com'",
    )
    const { fragment } = await follow(auth, link)
    const reason = { error: 'access_denied', error_code: 'user_banned', sb: '' }
    expect(Object.fromEntries(fragment)).toMatchObject(reason)
  })

  test('the database holds neither the token nor the code', async () => {
    const email = 'secret@example.com'
    await signUp(coded, email)
    const token = (await linkTo(coded, email)).searchParams.get('token') ?? ''
    const [row] = await coded.db.query<{ row: string }>(
      'select to_jsonb(t)::text as row from auth.one_time_tokens t where email = $1',
      [email],
    )
    expect(row?.row).not.toContain(token)
    expect(row?.row).not.toContain(`"${await codeTo(coded, email)}"`)
  })
})

describe('where a link may lead', () => {
  test.each([
    'https://evil.example/steal',
    'http://2130706433/',
    'javascript:alert(1)',
    '//evil.example',
    'http://evil.example\\@127.0.0.1/',
    'not a url',
  ])('%s becomes the site itself, when mailed and when followed', async (wanted) => {
    const email = `bad-${Buffer.from(wanted).toString('hex').slice(0, 40)}@example.com`
    await signUpFor(email, wanted)
    const link = await linkTo(auth, email)
    expect(link.searchParams.get('redirect_to')).toBe(auth.url)
    link.searchParams.set('redirect_to', wanted)
    const { to, fragment } = await follow(auth, link)
    expect(to).toBe(auth.url)
    expect(fragment.has('access_token')).toBe(true)
  })

  test('without a wish it is the page that asked', async () => {
    const person = { email: 'referred@example.com', password: 'Correct-horse-1!' }
    await call(auth, 'POST', '/signup', person, { headers: { referer: `${auth.url}/sign-up` } })
    const { searchParams } = await linkTo(auth, person.email)
    expect(searchParams.get('redirect_to')).toBe(`${auth.url}/sign-up`)
  })

  test('a fragment of its own gives way to the tokens', async () => {
    await signUpFor('hash@example.com', `${auth.url}/page?x=1#section`)
    const response = await open(await linkTo(auth, 'hash@example.com'))
    expect(response.headers.get('location')).toMatch(/\/page\?x=1#access_token=[^#]*$/)
  })
})

describe('typing the code', () => {
  const verify = (body: unknown, target = coded) => call(target, 'POST', '/verify', body)

  test('signs the client in, once', async () => {
    const email = 'typed@example.com'
    await signUp(coded, email)
    const token = await codeTo(coded, email)
    const client = clientOf(coded)
    const { data, error } = await client.auth.verifyOtp({ email: 'Typed@example.com', token, type: 'email' })
    expect(error).toBeNull()
    expect(data.session?.user.email).toBe(email)
    const again = await client.auth.verifyOtp({ email, token, type: 'signup' })
    const used = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' }
    expect(again.error).toMatchObject(used)
  })

  test('signs in by token hash too', async () => {
    await signUp(coded, 'hashed@example.com')
    const token_hash = (await linkTo(coded, 'hashed@example.com')).searchParams.get('token') ?? ''
    const { data, error } = await clientOf(coded).auth.verifyOtp({ token_hash, type: 'signup' })
    expect(error).toBeNull()
    expect(data.session).not.toBeNull()
    const again = refusal(await verify({ token_hash, type: 'signup' }))
    expect(again).toEqual([403, 'otp_expired', 'Email link is invalid or has expired'])
  })

  test('does not work for another', async () => {
    await signUp(coded, 'zoe@example.com')
    await signUp(coded, 'ben@example.com')
    const token = await codeTo(coded, 'zoe@example.com')
    expect((await verify({ type: 'email', email: 'ben@example.com', token })).status).toBe(403)
  })

  test('has to wait after five wrong ones', async () => {
    const rateLimits = { ...unlimited, failedAttempts: { count: 5, seconds: 900 } }
    const limited = await openAuth({ rateLimits }, { db: coded.db })
    const { email } = await enrol(limited, 'target@example.com')
    const guess = () => verify({ type: 'email', email, token: '000000' }, limited)
    for (let tries = 0; tries < 5; tries++) expect((await guess()).status).toBe(403)
    const sixth = await guess()
    expect(refusal(sixth).slice(0, 2)).toEqual([429, 'over_request_rate_limit'])
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(800)
  })
})
