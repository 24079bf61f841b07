// What the auth API refuses for how it is asked: nothing of it makes an account or sends a mail.
import { describe, expect, test } from 'vitest'
import { cases } from '../cases.ts'
import { PASSWORD } from '../harness.ts'
import { call, enrol, refusal, testAuth } from './auth-service.ts'

const auth = await testAuth()
const olivia = await enrol(auth, 'olivia@example.com')
await enrol(auth, 'taken@example.com')

const P = `"password":"${PASSWORD}"`
const LONG = 'aA1!'.repeat(19)
const FORMAT = '400 validation_failed | Unable to validate email address: invalid format'
const TYPES = 'Missing one of these types: signup, email_change, sms, phone_change'
const NOBODY = '00000000-0000-4000-8000-000000000000'

const CASES = {
  'a visitor': String.raw`
    POST /signup |  | 400 bad_json | Could not parse request body as JSON: the body is empty
    POST /signup | { | 400 bad_json | Could not parse request body as JSON: it is not valid JSON
    POST /signup | [] | 400 bad_json | Could not parse request body as JSON: …
    POST /signup | null | 400 bad_json | Could not parse request body as JSON: …
    POST /signup | "text" | 400 bad_json | Could not parse request body as JSON: …
    POST /signup | {"email":5,"password":"x"} | 400 bad_json | Could not parse request body as JSON: email…
    POST /signup | {"email":"a@b.c","data":[1]} | 400 bad_json | Could not parse request body as JSON: data…
    POST /signup | {"email":"a@example.com"} | 400 validation_failed | Signup requires a valid password
    POST /signup | {"email":"a@example.com","password":null} | 400 validation_failed | Signup requires a valid password
    POST /signup | {${P}} | 422 anonymous_provider_disabled | Anonymous sign-ins are disabled
    POST /signup | {"phone":"+491701234567",${P}} | 400 phone_provider_disabled | Phone signups are disabled
    POST /signup | {"email":"a@example.com",${P},"code_challenge":"abc","code_challenge_method":"s256"} | 400 validation_failed | code challenge has to be 43 to 128…
    POST /recover | {"email":"a@example.com","code_challenge":"${'a'.repeat(43)}"} | 400 validation_failed | PKCE flow requires code_challenge_method and code_challenge
    POST /otp | {"email":"a@example.com","code_challenge_method":"s256"} | 400 validation_failed | PKCE flow requires code_challenge_method and code_challenge
    POST /magiclink | {"email":"a@example.com","code_challenge":"${'a'.repeat(43)}","code_challenge_method":"md5"} | 400 validation_failed | unsupported code_challenge method
    POST /signup | {"email":"a@example.com","password":"${LONG}"} | 400 validation_failed | Password cannot be longer than 72 characters
    POST /signup | {"email":"a@example.com","password":"aA1!${'漢'.repeat(23)}"} | 400 validation_failed | Password cannot be longer than 72 characters
    POST /signup | {"email":"a@example.com",${P},"data":{"name":"a\u0000b"}} | 400 validation_failed | The request holds text that cannot be stored
    POST /signup | {"email":"no-at-sign",${P}} | ${FORMAT}
    POST /signup | {"email":"two@@example.com",${P}} | ${FORMAT}
    POST /signup | {"email":" space@example.com",${P}} | ${FORMAT}
    POST /signup | {"email":"jürgen@example.com",${P}} | ${FORMAT}
    POST /signup | {"email":"olga@exämple.com",${P}} | ${FORMAT}
    POST /signup | {"email":"ｏｌｉｖｉａ@example.com",${P}} | ${FORMAT}
    POST /otp | {"email":"olivia＠example.com"} | ${FORMAT}
    POST /recover | {"email":"olivia@Kiosk.com"} | ${FORMAT}
    POST /signup | {"email":"olga@example.com\r\nBcc: all@example.com",${P}} | ${FORMAT}
    POST /signup | {"email":"\u212Aelvin@example.com",${P}} | ${FORMAT}
    POST /signup | {"email":"olga@-example.com",${P}} | ${FORMAT}
    POST /signup | {"email":"${'a'.repeat(256)}@example.com",${P}} | 400 validation_failed | An email address is too long
    POST /otp | {} | 400 validation_failed | One of email or phone must be set
    POST /otp | {"email":"nonsense"} | ${FORMAT}
    POST /otp | {"phone":"+4917"} | 400 phone_provider_disabled | Unsupported phone provider
    POST /otp | {"email":"a@example.com","phone":"+4917"} | 400 validation_failed | Only an email address or phone number should be provided
    POST /magiclink | {} | 422 validation_failed | Password recovery requires an email
    POST /recover | {} | 400 validation_failed | Password recovery requires an email
    POST /recover | {"email":"@"} | ${FORMAT}
    POST /resend | {"email":"a@example.com"} | 400 validation_failed | ${TYPES}
    POST /resend | {"type":"recovery","email":"a@example.com"} | 400 validation_failed | ${TYPES}
    POST /resend | {"type":"signup"} | 400 validation_failed | Type provided requires an email address
    POST /resend | {"type":"sms","phone":"+4917"} | 400 phone_provider_disabled | Phone logins are disabled
    POST /verify | {"token":"123456","email":"a@example.com"} | 400 validation_failed | Verify requires a verification type
    POST /verify | {"type":"email"} | 400 validation_failed | Verify requires either a token or a token hash
    POST /verify | {"type":"email","token":"1","token_hash":"2"} | 400 validation_failed | Verify requires either a token or a token hash
    POST /verify | {"type":"email","token_hash":"x","email":"a@example.com"} | 400 validation_failed | Only the token_hash and type should be provided
    POST /verify | {"type":"email","token":"1"} | 400 validation_failed | Only an email address or phone number should be provided on verify
    POST /verify | {"type":"toString","token":"1","email":"a@example.com"} | 400 validation_failed | Invalid email verification type
    GET /verify?type=signup | | 400 validation_failed | Verify requires a token or a token hash
    GET /verify?token=abc | | 400 validation_failed | Verify requires a verification type
    GET /verify | | 400 validation_failed | Verify requires a verification type
    GET /authorize | | 400 validation_failed | Unsupported provider: provider is not enabled
    GET /authorize?provider=google | | 400 validation_failed | Unsupported provider: provider is not enabled
    GET /authorize?provider=facebook | | 400 validation_failed | Unsupported provider: provider is not enabled
    GET /authorize?provider=twitter | | 400 validation_failed | Unsupported provider: provider is not enabled
    GET /authorize?provider=nonsense | | 400 validation_failed | Unsupported provider: provider is not enabled
    POST /token?grant_type=password | {${P}} | 400 validation_failed | missing email or phone
    POST /token?grant_type=password | {"phone":"+4917",${P}} | 400 phone_provider_disabled | Phone logins are disabled
    POST /token?grant_type=password | {"email":"olivia@example.com","password":""} | 400 invalid_credentials | Invalid login credentials
    POST /token?grant_type=password | {"email":"olivia@example.com","password":"${PASSWORD}x"} | 400 invalid_credentials | Invalid login credentials
    POST /token?grant_type=password | {"email":"olivia@example.com","password":"${PASSWORD.repeat(9)}"} | 400 invalid_credentials | Invalid login credentials
    POST /token?grant_type= | {"auth_code":"x"} | 400 invalid_credentials | unsupported_grant_type
    POST /token?grant_type=pkce | {"auth_code":"x"} | 400 validation_failed | invalid request: both auth code and code verifier should be non-empty
    POST /token?grant_type=pkce | {"auth_code":"x","code_verifier":"y"} | 404 flow_state_not_found | invalid flow state, no valid flow state found
    POST /token?grant_type=id_token | {} | 400 invalid_credentials | unsupported_grant_type
    POST /token?grant_type=constructor | {} | 400 invalid_credentials | unsupported_grant_type
    POST /token?grant_type=refresh_token | {"refresh_token":""} | 400 validation_failed | Refresh token is not valid
    POST /token?grant_type=refresh_token | {"refresh_token":"not a token!"} | 400 validation_failed | Refresh token is not valid
    POST /token?grant_type=refresh_token | {"refresh_token":"../../etc/passwd"} | 400 validation_failed | Refresh token is not valid
    POST /token?grant_type=refresh_token | {"refresh_token":"ü"} | 400 validation_failed | Refresh token is not valid
    POST /token?grant_type=refresh_token | {"refresh_token":"aaaaaaaaaaaa"} | 400 refresh_token_not_found | Invalid Refresh Token: Refresh Token Not Found
    POST /logout | | 403 bad_jwt | invalid claim: missing sub claim
    GET /nothing | | 404 unknown | Not found
    DELETE /user | | 405 unknown | Method not allowed`,
  Olivia: `
    PUT /user | {${P}} | 400 current_password_required | Current password required when setting new password.
    PUT /user | {${P},"current_password":"${PASSWORD}"} | 422 same_password | New password should be different from the old password.
    PUT /user | {"password":"weak"} | 422 weak_password | Password should be at least 8 characters. …
    PUT /user | {"password":""} | 422 weak_password | Password should be at least 8 characters. …
    PUT /user | {"password":"${LONG}"} | 400 validation_failed | Password cannot be longer than 72 characters
    PUT /user | {"password":"Brand-new-2?","current_password":"wrong"} | 400 current_password_invalid | The current password is not correct.
    PUT /user | {"password":"Brand-new-2?","nonce":"000000"} | 422 reauthentication_not_valid | Nonce has expired or is invalid
    PUT /user | {"email":"nonsense"} | ${FORMAT}
    PUT /user | {"data":"text"} | 400 bad_json | Could not parse request body as JSON: data…
    POST /logout?scope=everyone | | 400 validation_failed | Unsupported logout scope "everyone"`,
  'the service': `
    POST /admin/users | {"email":"TAKEN@example.com"} | 422 email_exists | A user with this email address has already been registered
    POST /admin/users | {${P}} | 400 validation_failed | Cannot create a user without either an email or phone
    POST /admin/users | {"email":"nonsense"} | ${FORMAT}
    POST /admin/users | {"email":"x@example.com","id":"seven"} | 400 validation_failed | ID must conform to the uuid v4 format
    POST /admin/users | {"email":"x@example.com","password":"${LONG}"} | 400 validation_failed | Password cannot be longer than 72 characters
    POST /admin/users | {"email":"x@example.com","ban_duration":"soon"} | 400 validation_failed | invalid format for ban duration: "soon"
    GET /admin/users/seven | | 404 validation_failed | user_id must be an UUID
    PUT /admin/users/seven | {} | 404 validation_failed | user_id must be an UUID
    DELETE /admin/users/${NOBODY} | {} | 404 user_not_found | User not found
    GET /admin/users?page=0 | | 400 validation_failed | Bad Pagination Parameters: page must be a positive number
    GET /admin/users?page=-1 | | 400 validation_failed | Bad Pagination Parameters: page must be a positive number
    GET /admin/users?page=99999999999 | | 400 validation_failed | Bad Pagination Parameters: page must be a positive number
    GET /admin/users?per_page=x | | 400 validation_failed | Bad Pagination Parameters: per_page must be a positive number
    GET /admin/users?sort=password | | 400 validation_failed | Bad Sort Parameters: only "created_at asc" and "created_at desc" are allowed
    GET /admin/users?sort=created_at;drop | | 400 validation_failed | Bad Sort Parameters: only "created_at asc" and "created_at desc" are allowed`,
}
const WITH = {
  'a visitor': {},
  Olivia: { bearer: olivia.accessToken },
  'the service': { key: auth.serviceKey },
}

describe.each(Object.keys(CASES) as (keyof typeof CASES)[])('%s who asks for', (who) => {
  test.each(cases(CASES[who]))(
    '%s with %s is told %s: %s',
    async (request = '', body, what = '', message = '') => {
      const [method = '', path = ''] = request.split(' ')
      const accounts = await auth.db.query('select id, email, encrypted_password from auth.users order by id')
      const answer = await call(auth, method, path, method === 'GET' ? undefined : body, WITH[who])
      const [status, code, said] = refusal(answer)
      expect(`${status} ${code}`).toBe(what)
      if (message.endsWith('…')) expect(said).toContain(message.slice(0, -1))
      else expect(said).toBe(message)
      expect(await auth.db.query('select id, email, encrypted_password from auth.users order by id')).toEqual(
        accounts,
      )
      expect(await auth.outbox()).toEqual([])
    },
  )
})

test('what was refused leaves the next request alone, and the log empty', async () => {
  expect((await call(auth, 'POST', '/otp', { email: 'next@example.com' })).status).toBe(200)
  expect(auth.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([])
})

test('bottomless JSON is bad_json, not a crash', async () => {
  const nested = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  for (const body of ['[['.repeat(400_000), `{"email":"deep@example.com",${P},"data":${nested}}`]) {
    const answer = await call(auth, 'POST', '/signup', body)
    expect([answer.status, answer.body.error_code]).toEqual([400, 'bad_json'])
  }
})

test('more than 1 MB is a 413, whether its length is announced or not', async () => {
  const big = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(1024 * 1024) })
  const announced = await call(auth, 'POST', '/signup', big)
  expect([announced.status, announced.body.error_code]).toEqual([413, 'request_entity_too_large'])
  const streamed = await fetch(`${auth.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: auth.anonKey },
    body: new Blob([big]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(streamed.status).toBe(413)
  expect(await streamed.json()).toMatchObject({ error_code: 'request_entity_too_large' })
})
