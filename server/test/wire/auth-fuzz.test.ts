// The auth service responds to any nearly valid body in Supabase's format, and without an internal error.
import fc, { type Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import { askBare } from '../fuzz/ask.ts'
import { fuzz, LONG, nasty, nastyJson } from '../fuzz/fuzz.ts'
import { addUser, PASSWORD, testServer } from '../harness.ts'

const server = await testServer()
const olivia = await addUser(server, 'olivia@potluck.example')

const ROUTES = `POST /signup|POST /token?grant_type=password|POST /token?grant_type=refresh_token|POST /token?grant_type=pkce
POST /token?grant_type=id_token|POST /otp|POST /recover|POST /resend|POST /verify|GET /verify|GET /user
PUT /user|POST /factors|POST /factors/ID/challenge|POST /factors/ID/verify|DELETE /factors/ID|GET /factors/recovery-codes
POST /factors/recovery-codes/verify|GET /reauthenticate|GET /authorize|GET /callback|POST /callback|GET /admin/users
POST /admin/users|GET /admin/users/ID|PUT /admin/users/ID|DELETE /admin/users/ID|GET /admin/users/ID/factors|GET /settings
POST /passkeys/registration/options|POST /passkeys/registration/verify|POST /passkeys/authentication/options
POST /passkeys/authentication/verify|GET /passkeys|PATCH /passkeys/ID|DELETE /passkeys/ID|POST /nowhere`
const USUAL: Record<string, unknown[]> = {
  email: [olivia.email, 'nobody@potluck.example', 'OLIVIA@potluck.example', 'a@b', 'x@y.example'],
  password: [PASSWORD, 'short', 'x'.repeat(80)],
  phone: ['+4930123456'],
  token: ['123456', 'pkce_x'],
  token_hash: ['pkce_x', 'a'.repeat(56)],
  type: ['signup', 'email', 'recovery', 'magiclink', 'email_change', 'invite', 'odd'],
  code: ['123456', ''],
  code_challenge: ['a'.repeat(43)],
  code_challenge_method: ['s256', 'plain'],
  auth_code: ['00000000-0000-4000-8000-000000000000'],
  code_verifier: ['b'.repeat(43)],
  refresh_token: ['abcdefabcdef'],
  provider: ['google', 'x', 'nowhere'],
  redirect_to: ['/', 'http://elsewhere.example/', 'javascript:alert(1)'],
  data: [{ name: 'Olivia' }, {}],
  factor_type: ['totp', 'webauthn', 'phone'],
  friendly_name: ['phone'],
  challenge_id: ['00000000-0000-4000-8000-000000000000'],
  nonce: ['123456'],
  create_user: [true, false],
  user_metadata: [{ a: 1 }],
  app_metadata: [{ role: 'x' }],
  ban_duration: ['1h', 'none', '-1h'],
  credential: [{ id: 'a', rawId: 'a', type: 'public-key', response: {} }],
  state: ['x'],
  page: ['0', '1', '9999999999999999999'],
  per_page: ['0', '5', '-1'],
}
const IDS = ['00000000-0000-4000-8000-000000000000', 'x', '%00', '%ff', '..', "'", '']

const usually = <T>(usual: Arbitrary<T>): Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: nastyJson })
const fields = fc
  .array(
    fc
      .constantFrom(...Object.keys(USUAL))
      .chain((name) => fc.tuple(fc.constant(name), usually(fc.constantFrom(...(USUAL[name] ?? []))))),
    { maxLength: 5 },
  )
  .map((entries) => Object.fromEntries(entries))
const body = fc.oneof(
  { weight: 12, arbitrary: fields.map((json) => JSON.stringify(json)) },
  { weight: 1, arbitrary: nastyJson.map((json) => JSON.stringify(json)) },
  { weight: 1, arbitrary: nasty },
  {
    weight: 1,
    arbitrary: fc.constantFrom('['.repeat(50_000), '{"a":'.repeat(9_000), `"${'x'.repeat(1_100_000)}"`),
  },
)
const bearer = fc.constantFrom(
  olivia.accessToken,
  olivia.accessToken,
  server.serviceKey,
  server.anonKey,
  'x.y.z',
  '',
)

test('a body that is nearly right is answered', LONG, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ROUTES.split(/[|\n]/)),
      ...([fields, body, bearer, fc.constantFrom(...IDS)] as const),
      async (route, query, sent, token, id) => {
        const [method = '', path = ''] = route.split(' ')
        const asked = new URLSearchParams()
        for (const [name, value] of Object.entries(query))
          asked.set(name, typeof value === 'string' ? value : JSON.stringify(value))
        const address = `/auth/v1${path.replace('ID', id)}${path.includes('?') ? '&' : '?'}${asked}`
        const headers = { apikey: server.anonKey, ...(token !== '' && { authorization: `Bearer ${token}` }) }
        const answer = await askBare(server.url, {
          method,
          address,
          headers,
          body: method === 'GET' ? undefined : sent,
        })
        expect(answer.status, `${route}: ${answer.text}`).toBeLessThan(500)
        if (answer.status < 400 || answer.status === 431) return
        expect(answer.type).toMatch(/^application\/json/)
        expect(JSON.parse(answer.text)).toMatchObject(
          answer.status === 401 && !answer.text.includes('error_code')
            ? { message: expect.any(String) }
            : { code: answer.status, error_code: expect.any(String), msg: expect.any(String) },
        )
      },
    ),
    fuzz(60),
  )
  const signedIn = await olivia.client.auth.signInWithPassword({ email: olivia.email, password: PASSWORD })
  expect(server.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  expect(signedIn.error?.code).not.toBe('unexpected_failure')
})
