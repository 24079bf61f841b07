// Refusals of the auth API, with their messages. No refused request creates or changes an account, or sends a mail.
// Proves AUTH 24, ADMIN 25, DATA 14, API 04, ERR 06 08, LIMIT 03
import { describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { PASSWORD } from '../harness.ts'
import { type AuthTarget, BANNED, type Call, openAuth, refusal, testAuth } from './auth-service.ts'

const auth = await testAuth()
const olivia = await auth.enrol('olivia@example.com')
await auth.enrol('taken@example.com')
const banned = await auth.enrol('banned@example.com')
await auth.setUser(banned.email, BANNED)
const gone = await auth.enrol('gone@example.com')
await auth.db.query('delete from auth.users where id = $1', [gone.id])
const unproven = await auth.enrol('unproven@example.com')
await auth.setUser(unproven.email, 'email_confirmed_at = null')

const { session_id } = await auth.tokens.verify(olivia.accessToken)
const sign = async (claims: object, seconds = 60) => ({
  bearer: await auth.tokens.sign({ sub: olivia.id, role: 'authenticated', ...claims }, seconds),
})

const closed = await openAuth({ signupEnabled: false }, { db: auth.db })
const mailless = await openAuth({ emailEnabled: false }, { db: auth.db })
// A server without second factors and passkeys.
const bare = await openAuth({}, { db: auth.db })
const { accessToken: bareBearer } = await bare.enrol('bare@example.com')

const P = `"password":"${PASSWORD}"`
const LONG = 'aA1!'.repeat(18)
const FORMAT = '400 validation_failed | Unable to validate email address: invalid format'
const TYPES = '400 validation_failed | Missing one of these types: signup, email_change, sms, phone_change'
const TOO_LONG = '400 validation_failed | Password cannot be longer than 72 characters'
const NOT_ENABLED = '400 validation_failed | Unsupported provider: provider is not enabled'
const NO_PASSKEYS = '404 passkey_disabled | Passkeys are disabled'
const PAGE = '400 validation_failed | Bad Pagination Parameters:'
const NOBODY = '00000000-0000-4000-8000-000000000000'

const CASES: Record<string, [who: Call & { target?: AuthTarget }, told: string]> = {
  'a visitor': [
    {},
    String.raw`
    POST /signup |  | 400 bad_json | Could not parse request body as JSON: the body is empty
    POST /signup | { | 400 bad_json | Could not parse request body as JSON: it is not valid JSON
    POST /signup | [] | 400 bad_json | Could not parse request body as JSON: …
    POST /signup | {"email":5,"password":"x"} | 400 bad_json | Could not parse request body as JSON: email…
    POST /signup | {"email":"a@b.c","data":[1]} | 400 bad_json | Could not parse request body as JSON: data…
    POST /signup | {"email":"a@example.com","password":null} | 400 validation_failed | Signup requires a valid password
    POST /signup | {${P}} | 422 anonymous_provider_disabled | Anonymous sign-ins are disabled
    POST /signup | {"phone":"+491701234567",${P}} | 400 phone_provider_disabled | Phone signups are disabled
    POST /signup | {"email":"a@example.com","phone":"+491701234567",${P}} | 400 validation_failed | Only an email address or phone number should be provided on signup.
    POST /signup | {"email":"a@example.com",${P},"code_challenge":"${'a'.repeat(42)}","code_challenge_method":"s256"} | 400 validation_failed | code challenge has to be 43 to 128…
    POST /signup | {"email":"a@example.com",${P},"code_challenge":"${'a'.repeat(129)}","code_challenge_method":"s256"} | 400 validation_failed | code challenge has to be 43 to 128…
    POST /recover | {"email":"a@example.com","code_challenge":"${'a'.repeat(43)}"} | 400 validation_failed | PKCE flow requires code_challenge_method and code_challenge
    POST /otp | {"email":"a@example.com","code_challenge_method":"s256"} | 400 validation_failed | PKCE flow requires code_challenge_method and code_challenge
    POST /otp | {"email":"a@example.com","code_challenge":"${'a'.repeat(128)}","code_challenge_method":"md5"} | 400 validation_failed | unsupported code_challenge method
    POST /signup | {"email":"a@example.com","password":"${LONG}x"} | ${TOO_LONG}
    POST /signup | {"email":"a@example.com","password":"aA1!${'漢'.repeat(23)}"} | ${TOO_LONG}
    POST /signup | {"email":"a@example.com",${P},"data":{"name":"a\u0000b"}} | 400 validation_failed | The request holds text that cannot be stored
    POST /signup | {"email":"no-at-sign",${P}} | ${FORMAT}
    POST /signup | {"email":"olga@example.com\r\nBcc: all@example.com",${P}} | ${FORMAT}
    POST /signup | {"email":"\u212Aelvin@example.com",${P}} | ${FORMAT}
    POST /signup | {"email":"${'a'.repeat(244)}@example.com",${P}} | 400 validation_failed | An email address is too long
    POST /otp | {} | 400 validation_failed | One of email or phone must be set
    POST /otp | {"email":"olivia＠example.com"} | ${FORMAT}
    POST /otp | {"phone":"+4917"} | 400 phone_provider_disabled | Unsupported phone provider
    POST /otp | {"email":"a@example.com","phone":"+4917"} | 400 validation_failed | Only an email address or phone number should be provided
    POST /recover | {} | 400 validation_failed | Password recovery requires an email
    POST /recover | {"email":"@"} | ${FORMAT}
    POST /resend | {"email":"a@example.com"} | ${TYPES}
    POST /resend | {"type":"recovery","email":"a@example.com"} | ${TYPES}
    POST /resend | {"type":"signup"} | 400 validation_failed | Type provided requires an email address
    POST /resend | {"type":"sms","phone":"+4917"} | 400 phone_provider_disabled | Phone logins are disabled
    POST /resend | {"type":"sms","email":"a@example.com"} | 400 validation_failed | Type provided requires a phone number
    POST /resend | {"type":"phone_change"} | 400 validation_failed | Missing email address or phone number
    POST /resend | {"type":"signup","email":"a@example.com","phone":"+4917"} | 400 validation_failed | Only an email address or phone number should be provided.
    POST /verify | {"token":"123456","email":"a@example.com"} | 400 validation_failed | Verify requires a verification type
    POST /verify | {"type":"email"} | 400 validation_failed | Verify requires either a token or a token hash
    POST /verify | {"type":"email","token":"1","token_hash":"2"} | 400 validation_failed | Verify requires either a token or a token hash
    POST /verify | {"type":"email","token_hash":"x","email":"a@example.com"} | 400 validation_failed | Only the token_hash and type should be provided
    POST /verify | {"type":"email","token":"1"} | 400 validation_failed | Only an email address or phone number should be provided on verify
    POST /verify | {"type":"sms","token":"1","phone":"+4917"} | 403 otp_expired | Token has expired or is invalid
    POST /verify | {"type":"toString","token":"1","email":"a@example.com"} | 400 validation_failed | Invalid email verification type
    GET /verify?type=signup | | 400 validation_failed | Verify requires a token or a token hash
    GET /verify?token=abc | | 400 validation_failed | Verify requires a verification type
    POST /verify | {"type":"sms","token":"1","phone":"+49-17"} | 400 validation_failed | Invalid phone number format (E.164 required)
    POST /sso | {} | 404 saml_provider_disabled | SAML 2.0 is disabled
    GET /user/identities/authorize | | 404 manual_linking_disabled | Manual linking is disabled
    POST /oauth/token | {} | 404 feature_disabled | OAuth server is disabled
    GET /authorize | | ${NOT_ENABLED}
    GET /authorize?provider=google | | ${NOT_ENABLED}
    POST /token?grant_type=password | {${P}} | 400 validation_failed | missing email or phone
    POST /token?grant_type=password | {"phone":"+4917",${P}} | 422 phone_provider_disabled | Phone logins are disabled
    POST /token?grant_type=password | {"email":"a@example.com","phone":"+4917",${P}} | 400 validation_failed | Only an email address or phone number should be provided on login.
    POST /token?grant_type=password | {"email":"olivia@example.com","password":"${PASSWORD}x"} | 400 invalid_credentials | Invalid login credentials
    POST /token?grant_type= | {"auth_code":"x"} | 400 invalid_credentials | unsupported_grant_type
    POST /token?grant_type=constructor | {} | 400 invalid_credentials | unsupported_grant_type
    POST /token?grant_type=web3 | {} | 422 web3_provider_disabled | Web3 provider is disabled
    POST /token?grant_type=id_token | {} | 400 provider_disabled | Sign-in with an ID token is not enabled
    POST /token?grant_type=pkce | {"auth_code":"x"} | 400 validation_failed | invalid request: both auth code and code verifier should be non-empty
    POST /token?grant_type=pkce | {"auth_code":"x","code_verifier":"y"} | 404 flow_state_not_found | invalid flow state, no valid flow state found
    POST /token?grant_type=refresh_token | {"refresh_token":""} | 400 validation_failed | Refresh token is not valid
    POST /token?grant_type=refresh_token | {"refresh_token":"../../etc/passwd"} | 400 validation_failed | Refresh token is not valid
    POST /token?grant_type=refresh_token | {"refresh_token":"aaaaaaaaaaaa"} | 400 refresh_token_not_found | Invalid Refresh Token: Refresh Token Not Found
    POST /logout | | 401 no_authorization | This endpoint requires a valid Bearer token
    GET /admin/users | | 403 not_admin | User not allowed
    GET /nothing | | 404 unknown | Not found
    DELETE /user | | 405 unknown | Method not allowed`,
  ],
  Olivia: [
    { bearer: olivia.accessToken },
    `
    PUT /user | {${P}} | 400 current_password_required | Current password required when setting new password.
    PUT /user | {${P},"current_password":"${PASSWORD}"} | 422 same_password | New password should be different from the old password.
    PUT /user | {"password":""} | 422 weak_password | Password should be at least 8 characters. …
    PUT /user | {"password":"${LONG}x"} | ${TOO_LONG}
    PUT /user | {"password":"Brand-new-2?","current_password":"wrong"} | 400 current_password_invalid | The current password is not correct.
    PUT /user | {"password":"Brand-new-2?","nonce":"000000"} | 422 reauthentication_not_valid | Nonce has expired or is invalid
    PUT /user | {"phone":"+491701234567"} | 400 phone_provider_disabled | Unsupported phone provider
    PUT /user | {"email":"nonsense"} | ${FORMAT}
    PUT /user | {"data":"text"} | 400 bad_json | Could not parse request body as JSON: data…
    POST /logout?scope=everyone | | 400 validation_failed | Unsupported logout scope "everyone"
    GET /admin/users | | 403 not_admin | User not allowed
    POST /admin/users | {} | 403 not_admin | User not allowed
    GET /admin/users/${olivia.id} | | 403 not_admin | User not allowed
    POST /invite | {} | 403 not_admin | User not allowed
    POST /admin/generate_link | {} | 403 not_admin | User not allowed
    PUT /admin/users/${olivia.id} | {} | 403 not_admin | User not allowed
    DELETE /admin/users/${olivia.id} | {} | 403 not_admin | User not allowed
    GET /admin/users/${olivia.id}/factors | | 403 not_admin | User not allowed`,
  ],
  'somebody with a header that is no bearer token': [
    { headers: { authorization: 'Basic x' } },
    `
    GET /user | | 401 no_authorization | This endpoint requires a valid Bearer token
    GET /admin/users | | 401 no_authorization | This endpoint requires a valid Bearer token`,
  ],
  'somebody with garbage for a token': [
    { bearer: 'garbage' },
    `
    GET /user | | 403 bad_jwt | invalid JWT: unable to parse or verify signature, JWT could not be verified
    GET /admin/users | | 403 bad_jwt | invalid JWT: unable to parse or verify signature, JWT could not be verified`,
  ],
  'somebody whose token has expired': [
    await sign({}, -60),
    `GET /user | | 403 bad_jwt | invalid JWT: unable to parse or verify signature, JWT expired`,
  ],
  'somebody whose token names no account': [
    await sign({ sub: 'x' }),
    `GET /user | | 403 bad_jwt | invalid claim: sub claim must be a UUID`,
  ],
  'somebody whose token names no session': [
    await sign({ session_id: 'x' }),
    `GET /user | | 403 bad_jwt | invalid claim: session_id claim must be a UUID`,
  ],
  'somebody whose token names an unknown account': [
    await sign({ sub: crypto.randomUUID() }),
    `GET /user | | 403 user_not_found | User from sub claim in JWT does not exist`,
  ],
  'somebody whose token names the session of somebody else': [
    await sign({ sub: unproven.id, session_id }),
    `GET /user | | 403 session_not_found | Session from session_id claim in JWT does not exist`,
  ],
  'somebody whose account is gone': [
    { bearer: gone.accessToken },
    `GET /user | | 403 user_not_found | User from sub claim in JWT does not exist`,
  ],
  'somebody banned': [{ bearer: banned.accessToken }, `GET /user | | 403 user_banned | User is banned`],
  'somebody whose address is not proven': [
    { bearer: unproven.accessToken },
    `GET /reauthenticate | | 422 email_not_confirmed | Please verify your email first.`,
  ],
  'the service': [
    { key: auth.serviceKey },
    `
    GET /user | | 401 no_authorization | This endpoint requires a valid Bearer token
    POST /admin/users | {"email":"TAKEN@example.com"} | 422 email_exists | A user with this email address has already been registered
    POST /admin/users | {"email":"x@example.com","id":"${olivia.id}"} | 422 user_already_exists | User already registered
    POST /admin/users | {${P}} | 400 validation_failed | Cannot create a user without either an email or phone
    POST /admin/users | {"email":"nonsense"} | ${FORMAT}
    POST /admin/users | {"email":"x@example.com","id":"seven"} | 400 validation_failed | ID must conform to the uuid v4 format
    POST /admin/users | {"email":"x@example.com","password":"${LONG}x"} | ${TOO_LONG}
    POST /admin/users | {"email":"x@example.com","ban_duration":"soon"} | 400 validation_failed | invalid format for ban duration: "soon"
    PUT /admin/users/${olivia.id} | {"email":"taken@example.com"} | 422 email_exists | A user with this email address has already been registered
    PUT /admin/users/${olivia.id} | {"password":"weak"} | 422 weak_password | Password should be at least 8 characters. …
    GET /admin/users/seven | | 404 validation_failed | user_id must be an UUID
    DELETE /admin/users/${NOBODY} | {} | 404 user_not_found | User not found
    GET /admin/users?page=0 | | ${PAGE} page must be a positive number
    GET /admin/users?page=9999999999 | | ${PAGE} page must be a positive number
    GET /admin/users?per_page=x | | ${PAGE} per_page must be a positive number
    GET /admin/users?sort=created_at;drop | | 400 validation_failed | Bad Sort Parameters: only "created_at asc" and "created_at desc" are allowed`,
  ],
  'a visitor where sign-ups are closed': [
    { target: closed },
    `
    POST /signup | {"email":"late@example.com",${P}} | 422 signup_disabled | Signups not allowed for this instance`,
  ],
  'a visitor where sign-in by e-mail is off': [
    { target: mailless },
    `
    POST /signup | {"email":"late@example.com",${P}} | 400 email_provider_disabled | Email signups are disabled
    POST /otp | {"email":"late@example.com"} | 422 email_provider_disabled | Email logins are disabled
    POST /resend | {"email":"late@example.com","type":"signup"} | 400 email_provider_disabled | Email logins are disabled
    POST /token?grant_type=password | {"email":"olivia@example.com",${P}} | 422 email_provider_disabled | Email logins are disabled`,
  ],
  'somebody where second factors and passkeys are off': [
    { target: bare, bearer: bareBearer },
    `
    POST /factors | {"factor_type":"totp"} | 422 mfa_totp_enroll_not_enabled | MFA enroll is disabled for TOTP
    POST /factors | {"factor_type":"sms"} | 400 validation_failed | factor_type needs to be totp, phone, or webauthn
    POST /factors | {"factor_type":"phone"} | 422 mfa_phone_enroll_not_enabled | MFA enroll is disabled for Phone
    POST /factors | {"factor_type":"webauthn"} | 422 mfa_webauthn_enroll_not_enabled | MFA enroll is disabled for WebAuthn
    POST /factors/x/challenge | {} | 422 mfa_totp_verify_not_enabled | MFA verification is disabled for TOTP
    POST /factors/x/verify | {} | 422 mfa_totp_verify_not_enabled | MFA verification is disabled for TOTP
    GET /passkeys | | ${NO_PASSKEYS}
    DELETE /passkeys/${NOBODY} | | ${NO_PASSKEYS}
    POST /passkeys/registration/options | | ${NO_PASSKEYS}
    POST /passkeys/authentication/verify | | ${NO_PASSKEYS}`,
  ],
  'the service where they are off': [
    { target: bare, key: bare.serviceKey },
    `
    GET /admin/users/${NOBODY}/passkeys | | ${NO_PASSKEYS}`,
  ],
}

const kept = () =>
  auth.db.query(`select jsonb_agg(u order by id) as accounts, (select count(*) from private.outgoing_mail) as mails
    from (select id, email, encrypted_password from auth.users) as u`)

describe.each(Object.entries(CASES))('%s', (_who, [{ target = auth, ...more }, told]) => {
  test.each(cases(told))(
    'asking %s with %s is told %s: %s',
    async (request = '', body, what, message = '') => {
      const [method = '', path = ''] = request.split(' ')
      const before = await kept()
      const answer = await target.call(method, path, method === 'GET' ? undefined : body, more)
      const [status, code, said] = refusal(answer)
      expect(`${status} ${code}`).toBe(what)
      if (message.endsWith('…')) expect(said).toContain(message.slice(0, -1))
      else expect(said).toBe(message)
      expect(await kept()).toEqual(before)
    },
  )
})

test('what was refused leaves the next request alone, and the log empty', async () => {
  expect((await auth.post('/otp', { email: 'next@example.com' })).status).toBe(200)
  expect(auth.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([])
})

const deep = (levels: number) =>
  `{"email":"deep@example.com","data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
test.each([
  ['at fifty levels', deep(49), 200],
  ['at fifty-one levels', deep(50), 400],
  ['without end', '['.repeat(800_000), 400],
])('JSON is read no deeper than fifty levels: %s', async (_how, body, status) => {
  const answer = await auth.post('/otp', body)
  expect([answer.status, answer.body.error_code]).toEqual([status, status === 400 ? 'bad_json' : undefined])
})

test('more than 1 MB is a 413, whether its length is announced or not', async () => {
  const big = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(1024 * 1024) })
  const sent = { method: 'POST', headers: { apikey: auth.anonKey }, duplex: 'half' }
  for (const body of [big, new Blob([big]).stream()]) {
    const answer = await fetch(`${auth.url}/auth/v1/signup`, { ...sent, body } as RequestInit)
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error_code: 'request_entity_too_large' })
  }
})

describe('the two forms of an error', () => {
  const VERSION = 'X-Supabase-Api-Version'
  const old = { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' }
  const fresh = { code: 'invalid_credentials', message: 'Invalid login credentials' }
  test.each([
    [{}, old, null],
    [{ [VERSION]: '2023-12-31' }, old, null],
    [{ [VERSION]: 'newest' }, old, null],
    [{ [VERSION]: '2024-01-01' }, fresh, '2024-01-01'],
    [{ [VERSION]: '2026-05-05' }, fresh, '2024-01-01'],
  ])('under %j', async (headers, form, version) => {
    const person = { email: 'not an address', password: 'x' }
    const answer = await auth.post('/token?grant_type=password', person, { headers })
    expect(answer.body).toEqual(form)
    expect(answer.headers.get('x-sb-error-code')).toBe('invalid_credentials')
    expect(answer.headers.get(VERSION)).toBe(version)
  })

  test('a weak password carries its reasons in both', async () => {
    const person = { email: 'a@example.com', password: 'aA1!' }
    const reasons = { weak_password: { reasons: ['length'] } }
    const before = await auth.post('/signup', person)
    expect(before.body).toMatchObject({ code: 422, error_code: 'weak_password', ...reasons })
    expect(before.headers.get('x-sb-error-code')).toBe('weak_password')
    const since = await auth.post('/signup', person, { headers: { [VERSION]: '2024-01-01' } })
    const message = 'Password should be at least 8 characters.'
    expect(since.body).toEqual({ code: 'weak_password', message, ...reasons })
    expect(since.headers.has('x-sb-error-code')).toBe(false)
  })
})

const get = (path: string, more: Call = {}) => auth.get(path, more)

describe('the key', () => {
  test.each([
    [null, 'No API key found in request', 'No `apikey` request header or url param was found.'],
    ['wrong', 'Invalid API key', 'Double check your Supabase `anon` or `service_role` API key.'],
  ])('%s is refused', async (key, message, hint) => {
    const { status, body } = await get('/settings', { key })
    expect([status, body]).toEqual([401, { message, hint }])
  })

  test('may come in the address, and a stale token beside it does not matter where none is needed', async () => {
    expect((await get(`/settings?apikey=${auth.anonKey}`, { key: null })).status).toBe(200)
    expect((await get('/settings', { bearer: 'stale' })).status).toBe(200)
  })

  test.each([
    ['/verify?token=x&type=signup', 303],
    ['/authorize', 400],
    ['/callback', 303],
    ['/.well-known/jwks.json', 200],
  ])('is not asked of a browser that opens %s', async (path, status) => {
    expect((await get(path, { key: null })).status).toBe(status)
  })
})

describe('what the service says of itself', () => {
  test('GET /settings tells what a sign-in screen may offer', async () => {
    const { body } = await get('/settings')
    expect(body).toMatchObject({
      external: { email: true, google: false, facebook: false, twitter: false, x: false, phone: false },
      ...{ disable_signup: false, mailer_autoconfirm: false, phone_autoconfirm: false },
      ...{ sms_provider: '', saml_enabled: false },
    })
    expect((await bare.get('/settings')).body.passkeys_enabled).toBe(false)
  })

  test('GET /health names the service and its version', async () => {
    const about = { version: expect.stringMatching(/^v\d/), name: 'GoTrue', description: expect.any(String) }
    expect((await get('/health')).body).toEqual(about)
  })

  test('no secret is published as a key, what is there may be kept for ten minutes, and getClaims asks', async () => {
    const { body, headers } = await get('/.well-known/jwks.json', { key: null })
    expect(body).toEqual({ keys: [] })
    expect(headers.get('cache-control')).toBe('public, max-age=600')
    const { data } = await auth.client().auth.getClaims(olivia.accessToken)
    expect(data?.claims).toMatchObject({ email: olivia.email, role: 'authenticated' })
  })

  test('a known path asked in another way is told which ways there are', async () => {
    expect((await auth.call('DELETE', '/user')).headers.get('allow')).toBe('GET, HEAD, PUT')
  })

  test.each([
    ['GET', '?code=x&state=y', 'bad_oauth_state', 'OAuth callback with invalid state'],
    ['GET', '', 'bad_oauth_callback', 'OAuth state parameter missing'],
    ['POST', '', 'bad_oauth_state', 'OAuth callback with invalid state'],
  ])('%s /callback%s goes back to the site with %s', async (method, query, error_code, error_description) => {
    const body = method === 'POST' ? 'state=y' : undefined
    const { status, headers } = await auth.call(method, `/callback${query}`, body, { key: null })
    const to = new URL(headers.get('location') ?? '')
    expect([status, to.origin]).toEqual([303, auth.url])
    const said = { error: 'invalid_request', error_code, error_description }
    expect(Object.fromEntries(to.searchParams)).toEqual(said)
  })
})

test.each([
  ['57014', 'has run out of time', [503, '1']],
  // The client does not show the message of a 503, so a full disk gets a 507; but for a refresh it stays a 503, since
  // any other status would end the session.
  ['53100', 'has no room left on its disk', [507, null]],
])('a database that says %s, because it %s, is to be tried again: %o', async (sqlState, _why, answer) => {
  const tired = await auth.enrol(`tired-${sqlState}@example.com`)
  const script = (sql: string) => auth.db.transaction((tx) => tx.script(sql))
  await script(`create function public.tire() returns trigger language plpgsql as $$
      begin raise exception 'not now' using errcode = '${sqlState}'; end $$;
    create trigger tire before insert or update on auth.users for each row execute function public.tire();
    create trigger tire before insert or update on auth.sessions for each row execute function public.tire();
    create trigger tire before insert on auth.one_time_tokens for each row execute function public.tire();`)
  const person = { email: tired.email, password: PASSWORD }
  const answers = []
  for (const [method, path, body] of [
    ['POST', '/token?grant_type=password', person],
    ['POST', '/token?grant_type=refresh_token', { refresh_token: tired.refreshToken }],
    ['POST', '/signup', { ...person, email: 'new@example.com' }],
    ['POST', '/otp', { email: 'new@example.com' }],
    ['POST', '/recover', person],
    ['PUT', '/user', { data: { name: 'Tired' } }],
  ] as const)
    answers.push(await auth.call(method, path, body, { bearer: tired.accessToken }))
  await script('drop function public.tire() cascade')
  const told = answers.map(({ status, headers }) => [status, headers.get('retry-after')])
  expect(told).toEqual([answer, [503, '1'], answer, answer, answer, answer])
})
