// Sign-in with a provider that the operator configured, against a real provider: which accounts people get, and which
// claims are refused.
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { registerOpenid } from '#auth/providers/openid.ts'
import { openAuth } from './auth-service.ts'
import { CLIENT, newKeys, startOpenidProvider } from './openid-provider.ts'
import { browse, WANTED } from './social-provider.ts'

const world = await startOpenidProvider()
world.admit('http://auth.test/auth/v1/callback')
const own = { ...CLIENT, issuer: world.issuer, trustsEmail: false, domain: undefined }
const KITE = { ...own, id: 'custom:kite', name: 'Kite Club' } as const
const auth = await openAuth({
  openidProviders: [
    KITE,
    { ...own, id: 'custom:trusted', name: 'Trusted', trustsEmail: true },
    { ...own, id: 'custom:work', name: 'Work', domain: 'work.example' },
    { ...own, id: 'custom:slash', name: 'Slash', issuer: `${world.issuer}/` },
  ],
})
const { leave, comeBack } = browse(auth)

afterAll(() => world.close())
afterEach(() => {
  vi.useRealTimers()
  Object.assign(world, { lie: null, away: false })
})

const through = async (login: string, provider = 'custom:kite') =>
  comeBack(await world.signIn(await leave(provider), login))
/** Signs a person in at the provider and then here. Returns their account. */
async function arrive(login: string, email: string, provider?: string) {
  world.people[login] = { email, email_verified: true, name: 'Olivia' }
  const { fragment } = await through(login, provider)
  return (await auth.getUser(fragment.access_token ?? '')).body
}

test('its people get an account, and later the same one, whatever their address is by then', async () => {
  const first = await arrive('olivia', 'Olivia@Kite.example')
  const app_metadata = { provider: 'custom:kite', providers: ['custom:kite'] }
  expect(first).toMatchObject({
    email: 'olivia@kite.example',
    app_metadata,
    user_metadata: { name: 'Olivia' },
  })
  expect(await arrive('olivia', 'moved@kite.example')).toMatchObject({ id: first.id, email: first.email })
  // The same id at another provider means another person.
  expect((await arrive('olivia', 'other@kite.example', 'custom:trusted')).id).not.toBe(first.id)
  const page = new URL(await leave('custom:kite', { scopes: 'groups', nonce: 'evil' }))
  expect(Object.fromEntries(page.searchParams)).toMatchObject({
    scope: 'openid email profile groups',
    code_challenge_method: 'S256',
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('an account with the same address is theirs if the provider has verified it, and stays closed otherwise', async () => {
  const { id, email } = await auth.enrol('linked@kite.example')
  const refused = [
    'access_denied',
    'provider_email_needs_verification',
    expect.stringContaining('custom:kite'),
  ]
  for (const [place, unsure] of [{ email, email_verified: false }, { email }].entries()) {
    world.people[`thief-${place}`] = unsure
    expect((await through(`thief-${place}`)).error).toEqual(refused)
    // A verified address proves nothing about another address in the same token.
    world.lie = (claims, keys) => sign({ ...claims, email }, keys)
    world.people[`thief-${place}`] = { email_verified: true }
    expect((await through(`thief-${place}`)).error).toEqual(refused)
    world.lie = null
  }
  expect(await arrive('linked', email)).toMatchObject({
    id,
    app_metadata: { providers: ['email', 'custom:kite'] },
  })
  await expect(auth.signIn(email)).resolves.toMatchObject({ id })
  // An operator may trust the addresses of a provider that does not verify them.
  world.people.vouched = { email, email_verified: false }
  const { fragment } = await through('vouched', 'custom:trusted')
  expect(decodeJwt(fragment.access_token ?? '').sub).toBe(id)
  world.people.nobody = {}
  expect((await through('nobody', 'custom:trusted')).error[2]).toMatch('Error getting user email')
})

test('of a Google Workspace only its own people are let in, and the ID token is enough', async () => {
  world.lie = ({ ...claims }, keys) =>
    sign({ ...claims, email: `${claims.sub}@work.example`, email_verified: 'true', hd: claims.sub }, keys)
  expect(new URL(await leave('custom:work')).searchParams.get('hd')).toBe('work.example')
  world.asked = []
  expect((await through('Work.example', 'custom:work')).fragment).toHaveProperty('access_token')
  expect(world.asked).not.toContain('/me')
  const refused = ['access_denied', 'provider_account_refused', 'Only accounts of work.example may sign in']
  expect((await through('evil.example', 'custom:work')).error).toEqual(refused)
})

type Keys = typeof world.keys
const sign = (claims: JWTPayload, { privateKey, kid }: Pick<Keys, 'privateKey' | 'kid'>) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
const now = () => Math.floor(Date.now() / 1000)
const others = await newKeys()

describe('an ID token', () => {
  const ago = (seconds: number) => ({ iat: now() - 600, exp: now() - seconds })
  test.each<[string, (claims: JWTPayload, keys: Keys) => string | Promise<string>]>([
    ['of another flow', (claims, keys) => sign({ ...claims, nonce: 'another' }, keys)],
    ['without a nonce', ({ nonce: _, ...claims }, keys) => sign(claims, keys)],
    ['for another client', (claims, keys) => sign({ ...claims, aud: 'another' }, keys)],
    ['for another party', (claims, keys) => sign({ ...claims, aud: ['potluck', 'b'], azp: 'b' }, keys)],
    ['of another issuer', (claims, keys) => sign({ ...claims, iss: `${claims.iss}/` }, keys)],
    ['that has expired', (claims, keys) => sign({ ...claims, ...ago(62) }, keys)],
    ['without a signature', (claims) => new UnsecuredJWT(claims).encode()],
    [
      'signed with the client secret',
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT.secret)),
    ],
    ['signed by somebody else', (claims, { kid }) => sign(claims, { ...others, kid })],
  ])('%s opens nothing, and the log says why without any secret', async (what, lie) => {
    const login = what.replaceAll(' ', '-')
    world.people[login] = { email: `${login}@kite.example`, email_verified: true }
    world.lie = lie
    const logged = auth.logged.length
    const said = 'Unable to exchange external code'
    expect((await through(login)).error).toEqual(['server_error', 'unexpected_failure', said])
    expect(auth.logged.slice(logged).join()).toMatch(/JWT|JWS|signature/)
    expect(auth.logged.slice(logged).join()).not.toMatch(/eyJ|code=|known to/)
    expect(await auth.accountsOf(`${login}@kite.example`)).toEqual([])
    // The same person is accepted with a true token, even from a provider whose clock is a little slow.
    world.lie = (claims, keys) => sign({ ...claims, ...ago(55) }, keys)
    expect((await through(login)).fragment).toHaveProperty('access_token')
  })
})

test('who has no name of their own at the provider is nobody', async () => {
  world.people.unnamed = { email: 'unnamed@kite.example', email_verified: true }
  world.lie = (claims, keys) => sign({ ...claims, sub: '', ...world.people.unnamed }, keys)
  expect((await through('unnamed')).error).toEqual([
    'server_error',
    'unexpected_failure',
    'Error getting user profile from external provider',
  ])
  expect(await auth.accountsOf('unnamed@kite.example')).toEqual([])
})

test('a provider may change its keys: they are asked for once a minute at most', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  await world.changeKeys()
  world.asked = []
  expect(await arrive('rotated', 'rotated@kite.example')).toHaveProperty('id')
  expect(world.asked.filter((path) => path === '/jwks')).toHaveLength(1)
  await world.changeKeys()
  world.asked = []
  expect((await through('rotated')).error).toContain('Unable to exchange external code')
  expect(world.asked).not.toContain('/jwks')
})

test('where it is the only way in, mail makes no account, and whoever has one can still prove that it is them', async () => {
  const only = await openAuth({ openidProviders: [KITE], emailSignsUp: false }, { db: auth.db })
  const unknown = { email: 'unknown@kite.example', password: 'Any-password-1!' }
  expect((await only.post('/signup', unknown)).body.error_code).toBe('email_provider_disabled')
  expect((await only.post('/otp', unknown)).status).toBe(200)
  expect(await auth.accountsOf(unknown.email)).toEqual([])
  const { id, email } = await auth.enrol('only@kite.example')
  await expect(only.signIn(email)).resolves.toMatchObject({ id })
  world.people.only = { email: 'first@kite.example', email_verified: true }
  const arrived = await comeBack(await world.signIn(await leave('custom:kite', {}, only), 'only'), only)
  expect(arrived.fragment).toHaveProperty('access_token')
})

test('a provider that is away, or not who it should be, leaves people where the other ways in are', async () => {
  const anew = await openAuth({ openidProviders: [KITE] }, { db: auth.db })
  const place = (address: string) => address.replace(/\?.*/s, '')
  const failed = async (provider: string, target = anew) => {
    const to = new URL(await leave(provider, {}, target))
    return [place(to.href), to.searchParams.get('error'), to.searchParams.get('error_code')]
  }
  const away = [WANTED, 'temporarily_unavailable', 'provider_unavailable']
  world.away = true
  expect(await failed('custom:kite')).toEqual(away)
  expect(anew.logged.join()).toContain('unexpected HTTP response status code')
  world.asked = []
  const { configure } = registerOpenid(KITE)
  await Promise.allSettled([configure(), configure()])
  expect(world.asked).toHaveLength(1)
  world.away = false
  expect(await failed('custom:slash', auth)).toEqual(away)
  expect(auth.logged.join()).toContain(`The issuer calls itself ${world.issuer}, not ${world.issuer}/`)
  // If the provider does not respond an hour later, the configuration that was read before stays valid.
  expect(place(await leave('custom:kite', {}, anew))).toBe(`${world.issuer}/auth`)
  world.away = true
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_601_000 })
  world.asked = []
  for (let time = 0; time < 2; time++)
    expect(place(await leave('custom:kite', {}, anew))).toBe(`${world.issuer}/auth`)
  expect(world.asked).toHaveLength(1)
})
