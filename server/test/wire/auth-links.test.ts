// Mailed links and codes: for confirming an address, signing in, choosing a new password, and changing the address.
// Proves AUTH 07 20 33, API 03, ERR 03
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import { type AuthTarget, BANNED, openAuth, REFUSING_HOOK, refusingHook, testAuth } from './auth-service.ts'

const auth = await testAuth()
// The built-in mail templates contain the code; the project's own templates leave it out.
const coded = await openAuth({}, { db: auth.db })

/** Returns the link mailed to a new address that is waiting for confirmation. */
async function linkFor(email: string, redirectTo?: string) {
  const wish = redirectTo === undefined ? '' : `?redirect_to=${encodeURIComponent(redirectTo)}`
  await auth.post(`/otp${wish}`, { email })
  return auth.linkTo(email)
}
const typeOf = async (email: string, target: AuthTarget = auth) =>
  (await target.linkTo(email)).searchParams.get('type')
const open = (link: URL | string) => fetch(link, { redirect: 'manual' })
const changed = (link: URL, name: string, value: string) => {
  const other = new URL(link)
  other.searchParams.set(name, value)
  return other
}

const EXPIRED_LINK =
  '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb='

describe('following a link', () => {
  test('leads to the wanted page with the tokens in the fragment, in alphabetical order', async () => {
    const { status, to, fragment } = await auth.follow(
      await linkFor('olivia@example.com', `${auth.url}/auth-redirect`),
    )
    expect([status, to]).toEqual([303, `${auth.url}/auth-redirect`])
    const names = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'sb', 'token_type', 'type']
    expect([...fragment.keys()]).toEqual(names)
    const { access_token = '', refresh_token = '', ...fields } = Object.fromEntries(fragment)
    expect(fields).toMatchObject({ expires_in: '3600', sb: '', token_type: 'bearer', type: 'signup' })
    const claims = decodeJwt(access_token)
    expect(claims).toMatchObject({ email: 'olivia@example.com', amr: [{ method: 'otp' }] })
    expect(fields.expires_at).toBe(String(claims.exp))
    const { data, error } = await auth.client().auth.setSession({ access_token, refresh_token })
    expect(error).toBeNull()
    const verified = { email_verified: true }
    expect(data.user).toMatchObject({ email_confirmed_at: expect.any(String), user_metadata: verified })
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject(verified)
  })

  test('signs in once: a second click is told that the link is used up, and of two at once one is', async () => {
    const link = await linkFor('double@example.com')
    const arrived = await Promise.all([auth.refusedLink(link), auth.refusedLink(link)])
    expect(arrived.toSorted()).toEqual([null, 'otp_expired'])
    const again = await open(link)
    expect([again.status, again.headers.get('location')]).toEqual([303, `${auth.url}${EXPIRED_LINK}`])
  })

  test.each([
    [59, null],
    [61, 'otp_expired'],
  ])('is after %i minutes refused with %s', async (minutes, code) => {
    const email = `late-${minutes}@example.com`
    const link = await linkFor(email)
    await auth.ageTokens(email, minutes)
    expect(await auth.refusedLink(link)).toBe(code)
    const [user] = await auth.db.query('select email_confirmed_at from auth.users where email = $1', [email])
    expect(user?.email_confirmed_at === null).toBe(code !== null)
  })

  test('a guessed token, or the right token called something else, opens nothing, and to look at it uses nothing up', async () => {
    const link = await linkFor('guess@example.com')
    const guessed = await open(changed(link, 'token', '0'.repeat(56)))
    expect(guessed.headers.get('location')).toBe(`${auth.url}${EXPIRED_LINK}`)
    expect(await auth.refusedLink(changed(link, 'type', 'recovery'))).toBe('otp_expired')
    const unknown = await auth.follow(changed(link, 'type', 'nonsense'))
    expect(unknown.fragment.get('error')).toBe('invalid_request')
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(405)
    expect(await auth.refusedLink(link)).toBeNull()
  })

  test('someone banned is sent back with the reason', async () => {
    const link = await linkFor('banned@example.com')
    await auth.setUser('banned@example.com', BANNED)
    const reason = { error: 'access_denied', error_code: 'user_banned', sb: '' }
    expect(Object.fromEntries((await auth.follow(link)).fragment)).toMatchObject(reason)
  })
})

describe('where a link may lead', () => {
  // For the redirects that are allowed, see src/auth/redirects.test.ts.
  test.each(['https://evil.example/steal', 'javascript:alert(1)', 'http://127.0.0.1/a\r\nX'])(
    '%j becomes the site itself, when mailed and when followed',
    async (wanted) => {
      const link = await linkFor(`bad-${wanted.length}@example.com`, wanted)
      expect(link.searchParams.get('redirect_to')).toBe(auth.url)
      const { to, fragment } = await auth.follow(changed(link, 'redirect_to', wanted))
      expect([to, fragment.has('access_token')]).toEqual([auth.url, true])
    },
  )

  test('without a wish it is the page that asked', async () => {
    const headers = { referer: `${auth.url}/sign-up` }
    await auth.post('/otp', { email: 'referred@example.com' }, { headers })
    const { searchParams } = await auth.linkTo('referred@example.com')
    expect(searchParams.get('redirect_to')).toBe(`${auth.url}/sign-up`)
  })

  test('a fragment of its own gives way to the tokens', async () => {
    const { headers } = await open(await linkFor('hash@example.com', `${auth.url}/page?x=1#section`))
    expect(headers.get('location')).toMatch(/\/page\?x=1#access_token=[^#]*$/)
  })
})

test('a code signs in once, whom it was mailed to', async () => {
  const email = 'typed@example.com'
  await coded.post('/otp', { email })
  const token = await coded.codeTo(email)
  await coded.post('/otp', { email: 'other@example.com' })
  expect((await coded.post('/verify', { type: 'email', email: 'other@example.com', token })).status).toBe(403)
  const { auth: client } = coded.client()
  const { data, error } = await client.verifyOtp({ email: 'Typed@example.com', token, type: 'email' })
  expect([error, data.session?.user.email]).toEqual([null, email])
  const again = await client.verifyOtp({ email, token, type: 'signup' })
  const used = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' }
  expect(again.error).toMatchObject(used)
})

describe('a magic link', () => {
  test('makes an account for a new address and signs in by the confirmation mail', async () => {
    const emailRedirectTo = `${auth.url}/auth-redirect`
    const options = { shouldCreateUser: true, emailRedirectTo, data: { name: 'Ben' } }
    const { error } = await auth.client().auth.signInWithOtp({ email: 'Ben@example.com', options })
    expect(error).toBeNull()
    expect(await typeOf('ben@example.com')).toBe('signup')
    const { to, fragment } = await auth.follow(await auth.linkTo('ben@example.com'))
    expect(to).toBe(emailRedirectTo)
    const { body } = await auth.getUser(fragment.get('access_token') ?? '')
    const user_metadata = { name: 'Ben', email_verified: true }
    expect(body).toMatchObject({ email: 'ben@example.com', user_metadata })
  })

  test('signs somebody in who is confirmed, by a magic-link mail, and leaves the password', async () => {
    const { id, email } = await auth.enrol('marc@example.com')
    const answer = await auth.post('/otp', { email })
    expect([answer.status, answer.body]).toEqual([200, {}])
    expect(await typeOf(email)).toBe('magiclink')
    const { fragment } = await auth.follow(await auth.linkTo(email))
    expect(fragment.get('type')).toBe('magiclink')
    expect((await auth.getUser(fragment.get('access_token') ?? '')).body.id).toBe(id)
    await expect(auth.signIn(email)).resolves.toBeDefined()
  })

  test('takes away a password that someone set before the address was proven', async () => {
    const email = 'victim@example.com'
    await auth.signUp(email)
    await auth.post('/otp', { email })
    // Requesting the first mail again must not make its link valid again.
    await auth.post('/resend', { type: 'signup', email })
    expect(await auth.refusedLink(await auth.linkTo(email))).toBeNull()
    await expect(auth.signIn(email)).rejects.toThrow('invalid_credentials')
  })

  test('to an unknown address that the project’s hook refuses; an account cannot be told from none', async () => {
    const [stranger, { email: known }] = ['refused@example.com', await auth.enrol('known@example.com')]
    const asked = await openAuth({ beforeUserCreated: REFUSING_HOOK }, { db: auth.db })
    for (const email of [known, stranger]) {
      await auth.db.query(refusingHook(email))
      const link = await asked.post('/otp', { email })
      expect([link.status, link.body]).toEqual([200, {}])
      const account = await asked.post('/signup', { email, password: PASSWORD })
      expect([account.status, account.body]).toMatchObject([403, { error_code: 'unknown', msg: 'Not you' }])
    }
    expect(await asked.mailsTo(stranger)).toEqual([])
    expect(await auth.accountsOf(stranger)).toEqual([])
    expect(await typeOf(known, asked)).toBe('magiclink')
    // Another address gets its account.
    expect((await asked.post('/otp', { email: 'welcome@example.com' })).status).toBe(200)
    expect(await auth.accountsOf('welcome@example.com')).toHaveLength(1)
  })

  const closed = { signupEnabled: false }
  test.each([
    ['that may not become an account', {}, '/otp', { create_user: false }, null],
    ['where sign-ups are closed', closed, '/otp', {}, null],
    ['where nothing is confirmed', { confirmations: false }, '/otp', {}, 'magiclink'],
  ])('to an unknown address %s', async (what, settings, path, more, type) => {
    const email = `${what.replaceAll(/\W/g, '-')}@example.com`
    const target = await openAuth(settings, { db: auth.db })
    const { status, body } = await target.post(path, { email, ...more })
    expect([status, body]).toEqual([200, {}])
    expect(await auth.accountsOf(email)).toHaveLength(type ? 1 : 0)
    if (type) expect(await typeOf(email, target)).toBe(type)
    else expect(await target.mailsTo(email)).toEqual([])
  })
})

describe('recovering a password', () => {
  test('the link signs in, the new password works and the old one does not', async () => {
    const { email } = await auth.enrol('forgetful@example.com')
    const redirectTo = `${auth.url}/reset-password`
    expect((await auth.client().auth.resetPasswordForEmail(email, { redirectTo })).error).toBeNull()
    const { to, fragment } = await auth.follow(await auth.linkTo(email))
    expect([to, fragment.get('type')]).toEqual([redirectTo, 'recovery'])
    const { access_token: accessToken = '', refresh_token: refreshToken = '' } = Object.fromEntries(fragment)
    const own = await auth.clientOf({ accessToken, refreshToken })
    expect((await own.auth.updateUser({ password: 'Brand-new-2?' })).error).toBeNull()
    await expect(auth.signIn(email, 'Brand-new-2?')).resolves.toBeDefined()
    await expect(auth.signIn(email)).rejects.toThrow('invalid_credentials')
  })

  test('takes a password away that was set before the address was proven', async () => {
    const { email } = await auth.enrol('recovered@example.com')
    await auth.setUser(email, 'email_confirmed_at = null')
    await auth.post('/recover', { email })
    expect(await auth.refusedLink(await auth.linkTo(email))).toBeNull()
    await expect(auth.signIn(email)).rejects.toThrow('invalid_credentials')
  })
})

test('the confirmation of a sign-up is mailed once more, and keeps its password', async () => {
  const email = 'again@example.com'
  await auth.signUp(email)
  // Waits until the mail has been sent, because the next one would replace it before that.
  await auth.mailsTo(email, 1)
  expect((await auth.client().auth.resend({ type: 'signup', email })).error).toBeNull()
  expect(await auth.mailsTo(email, 2)).toHaveLength(2)
  await auth.follow(await auth.linkTo(email))
  await expect(auth.signIn(email)).resolves.toBeDefined()
})

describe('a change of the address', () => {
  const CONFIRMED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
  const move = async (from: string, email: string, target: AuthTarget = auth) => {
    const person = await target.enrol(from)
    const asked = await target.put('/user', { email }, { bearer: person.accessToken })
    return { ...person, asked }
  }

  test('happens once both boxes have agreed', async () => {
    const { accessToken, id, asked } = await move('before@example.com', 'After@example.com')
    expect(asked.body).toMatchObject({ email: 'before@example.com', new_email: 'after@example.com' })
    const [oldLink, newLink] = [
      await auth.linkTo('before@example.com'),
      await auth.linkTo('after@example.com'),
    ]
    for (const link of [oldLink, newLink]) expect(link.searchParams.get('type')).toBe('email_change')

    const half = await auth.follow(newLink)
    expect(Object.fromEntries(half.fragment)).toEqual({ message: CONFIRMED, sb: '' })
    expect((await auth.getUser(accessToken)).body.email).toBe('before@example.com')
    expect(await auth.refusedLink(newLink)).toBe('otp_expired')

    const done = await auth.follow(oldLink)
    const { body } = await auth.getUser(done.fragment.get('access_token') ?? '')
    const email = 'after@example.com'
    expect(body).toMatchObject({ id, email, user_metadata: { email } })
    expect(body).not.toHaveProperty('new_email')
    expect(body.identities).toMatchObject([{ email, identity_data: { email_verified: true } }])
    await expect(auth.signIn(email)).resolves.toMatchObject({ id })
    await expect(auth.signIn('before@example.com')).rejects.toThrow('invalid_credentials')
  })

  test('works by code, and says when the other half is missing', async () => {
    await move('one@example.com', 'two@example.com', coded)
    const verify = async (email: string) =>
      coded.post('/verify', { type: 'email_change', email, token: await coded.codeTo(email) })
    expect((await verify('one@example.com')).body).toEqual({ msg: CONFIRMED, code: '200' })
    expect((await verify('two@example.com')).body.user).toMatchObject({ email: 'two@example.com' })
  })

  test('can be mailed again while it waits', async () => {
    await move('slow@example.com', 'fast@example.com')
    const stale = await auth.linkTo('fast@example.com')
    await auth.post('/resend', { type: 'email_change', email: 'slow@example.com' })
    expect(await auth.mailsTo('fast@example.com', 2)).toHaveLength(2)
    expect(await auth.refusedLink(stale)).toBe('otp_expired')
  })

  test('is refused when somebody took the address meanwhile', async () => {
    const { accessToken } = await move('first@example.com', 'wanted@example.com')
    const link = await auth.linkTo('wanted@example.com')
    await auth.enrol('wanted@example.com')
    await auth.follow(await auth.linkTo('first@example.com'))
    expect(await auth.refusedLink(link)).toBe('email_exists')
    expect((await auth.getUser(accessToken)).body.email).toBe('first@example.com')
  })

  test('with one-sided changes only the new box is asked; without confirmations, none', async () => {
    const oneSided = await openAuth({ doubleConfirmChanges: false }, { db: auth.db })
    await move('left@example.com', 'right@example.com', oneSided)
    expect(await oneSided.mailsTo('left@example.com')).toEqual([])
    expect(await oneSided.refusedLink(await oneSided.linkTo('right@example.com'))).toBeNull()
    const trusting = await openAuth({ confirmations: false }, { db: auth.db })
    const { asked } = await move('crooked@example.com', 'straight@example.com', trusting)
    expect(asked.body.email).toBe('straight@example.com')
  })
})

describe('a link by the service key', () => {
  const { admin } = auth.client({ key: auth.serviceKey }).auth
  const make = async (link: Parameters<typeof admin.generateLink>[0]) => {
    const { data, error } = await admin.generateLink(link)
    return { ...data, error, link: data.properties?.action_link ?? '' }
  }

  test('is mailed as an invitation to a new account, and no longer once that is confirmed', async () => {
    const email = 'invited@example.com'
    const { data } = await admin.inviteUserByEmail(email, { data: { name: 'Ivy' } })
    expect(data.user).toMatchObject({ email, invited_at: expect.any(String), user_metadata: { name: 'Ivy' } })
    expect(await typeOf(email)).toBe('invite')
    expect(await auth.refusedLink(await auth.linkTo(email))).toBeNull()
    expect((await admin.inviteUserByEmail(email)).error).toMatchObject({ code: 'email_exists', status: 422 })
  })

  test('is handed over, mails nothing, and works as the one that is mailed', async () => {
    const email = 'handed@example.com'
    expect((await make({ type: 'recovery', email })).error).toMatchObject({ code: 'user_not_found' })
    const first = await make({ type: 'signup', email, password: 'Another-one-1!' })
    const signUp = await make({ type: 'signup', email, password: PASSWORD })
    expect(await auth.refusedLink(first.link)).toBe('otp_expired')
    expect(await auth.refusedLink(signUp.link)).toBeNull()
    await expect(auth.signIn(email)).resolves.toMatchObject({ id: signUp.user?.id })
    const { properties } = await make({ type: 'magiclink', email })
    const code = { type: 'email' as const, email, token: properties?.email_otp ?? '' }
    expect((await auth.client().auth.verifyOtp(code)).error).toBeNull()
    expect(await auth.refusedLink((await make({ type: 'recovery', email })).link)).toBeNull()
    expect(await auth.mailsTo(email)).toEqual([])
    const unknown = await make({ type: 'magiclink', email: 'unheard@example.com' })
    expect(unknown.properties?.verification_type).toBe('signup')
  })

  test('takes away a password that a stranger may have set', async () => {
    const email = 'squatted@example.com'
    await auth.signUp(email)
    expect(await auth.refusedLink((await make({ type: 'invite', email })).link)).toBeNull()
    await expect(auth.signIn(email)).rejects.toThrow('invalid_credentials')
  })

  test('moves an account only together with that of the other address', async () => {
    const [email, newEmail] = ['here@example.com', 'there@example.com']
    const { accessToken } = await auth.enrol(email)
    const ours = await make({ type: 'email_change_current', email, newEmail })
    await auth.follow(ours.link)
    expect((await auth.getUser(accessToken)).body.email).toBe(email)
    for (const type of ['email_change_new', 'email_change_current'] as const)
      await auth.follow((await make({ type, email, newEmail })).link)
    await expect(auth.signIn(newEmail)).rejects.toThrow('invalid_credentials')
    const both = [
      await make({ type: 'email_change_current', email, newEmail }),
      await make({ type: 'email_change_new', email, newEmail }),
    ]
    for (const { link } of both) expect(await auth.refusedLink(link)).toBeNull()
    await expect(auth.signIn(newEmail)).resolves.toBeDefined()
  })
})

test('neither a password nor a token nor a code reaches the log, and no answer sets a cookie', async () => {
  const { email, refreshToken: first } = await auth.enrol('quiet@example.com')
  const link = await linkFor(email)
  const answers = [
    await auth.post('/signup', { email, password: PASSWORD }),
    await auth.get(`/verify${link.search}`, { key: null }),
    await auth.get(`/verify${link.search}`, { key: null }),
    await auth.post('/token?grant_type=password', { email, password: PASSWORD }),
    await auth.post('/token?grant_type=refresh_token', { refresh_token: first }),
    await auth.post('/token?grant_type=refresh_token', { refresh_token: `${first}_` }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 303, 303, 200, 200, 400])
  expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toEqual([])
  const token = String(answers[3]?.body.access_token)
  const secrets = [PASSWORD, link.searchParams.get('token') ?? '', first, token, token.split('.')[2] ?? '']
  expect(secrets.every((secret) => secret.length > 8)).toBe(true)
  for (const secret of secrets) expect(auth.logged.join('\n')).not.toContain(secret)
})
