// The auth API as tests meet it: behind a real server, or in process with settings of the test's own.
import { randomBytes } from 'node:crypto'
import { createClient, type SupabaseClient, type WebSocketLikeConstructor } from '@supabase/supabase-js'
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect } from 'vitest'
import WebSocket from 'ws'
import { type AuthSettings, readAuthSettings, WITHOUT_LIMITS } from '#auth/auth-settings.ts'
import { authRoutes } from '#auth/routes.ts'
import type { Database } from '#db/database.ts'
import { Turns, turnLimits } from '#db/turns.ts'
import { createMetrics } from '#http/metrics.ts'
import { requestIds } from '#http/request-id.ts'
import { createIdentify } from '#identity/caller.ts'
import { createTokens, type Tokens } from '#identity/tokens.ts'
import { createMailer } from '#mail/mailer.ts'
import { type CapturedMail, outboxRoutes } from '#mail/outbox-routes.ts'
import { openOutgoingMail } from '#mail/outgoing.ts'
import { deriveKeys } from '../../src/secrets.ts'
import { eventually } from '../eventually.ts'
import { addAccount, PASSWORD, type TestServer, testDatabase, testServer } from '../harness.ts'

const SITE = 'http://auth.test'
const SECRET = 'a secret for tests of the auth service only'

const ON_ITS_WAY = `select 1 from private.outgoing_mail
  where attempts > 0 and last_error is null and sent_at is null and given_up_at is null`

export interface AuthTarget {
  url: string
  anonKey: string
  serviceKey: string
  db: Database
  tokens: Tokens
  logged: string[]
  fetch: typeof fetch
  outbox(): Promise<CapturedMail[]>
}

/** The auth API behind the server of a test file. */
export async function testAuth(env: Record<string, string> = {}): Promise<AuthTarget & TestServer> {
  return { ...(await testServer(env)), fetch }
}

/** The auth API in process, on the test file's own database or on `db`. Limits are off and templates built in unless set. */
export async function openAuth(
  settings: Partial<AuthSettings> = {},
  more: { db?: Database; smtpUrl?: string } = {},
): Promise<AuthTarget> {
  const db = more.db ?? (await testDatabase())
  const tokens = createTokens(SECRET)
  const keys = await deriveKeys(SECRET)
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => logged.push(line) })
  const mailer = createMailer({ db, smtpUrl: more.smtpUrl, from: 'Tests <tests@auth.test>' })
  const outgoing = await openOutgoingMail({
    db,
    mailer,
    siteUrl: SITE,
    log,
    ...createMetrics(db, new Turns(turnLimits(1))),
  })
  const app = new Hono().use(requestIds(false))
  app.route(
    '/auth/v1',
    authRoutes({
      db,
      tokens,
      identify: createIdentify(tokens, keys),
      outgoing,
      settings: readAuthSettings('', { siteUrl: SITE, rateLimits: WITHOUT_LIMITS, ...settings }),
      log,
      clientAddress: (context) => context.req.header('x-test-address') ?? '192.0.2.1',
    }),
  )
  app.route('/', outboxRoutes({ db, outgoing }))
  return {
    url: SITE,
    anonKey: keys.anon,
    serviceKey: keys.service,
    db,
    tokens,
    logged,
    fetch: async (input, init) => app.fetch(new Request(input, init)),
    outbox: async () => {
      await app.request('/outbox.json')
      // The server of the same database may have taken a mail before this one could.
      await eventually(async () => expect(await db.query(ON_ITS_WAY)).toEqual([]))
      return (await app.request('/outbox.json')).json() as Promise<CapturedMail[]>
    },
  }
}

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON, or null for an empty or other body. */
  body: Record<string, unknown>
}

export interface Call {
  key?: string | null
  bearer?: string
  headers?: Record<string, string>
}

/** One raw request below /auth/v1; redirects are not followed. */
export async function call(
  target: AuthTarget,
  method: string,
  path: string,
  body?: unknown,
  { key = target.anonKey, bearer, headers = {} }: Call = {},
): Promise<Answer> {
  const response = await target.fetch(`${target.url}/auth/v1${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { apikey: key }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : { text } }
}

export const post = (target: AuthTarget, path: string, body: unknown, more?: Call) =>
  call(target, 'POST', path, body, more)

/** Status, code and words of a refusal. */
export const refusal = ({ status, body }: Answer) => [status, body.error_code, body.msg]
export const codeOfRefusal = ({ status, body }: Answer) => [status, body.error_code]

export const signUp = (target: AuthTarget, email: string, more: object = {}) =>
  call(target, 'POST', '/signup', { email, password: PASSWORD, ...more })

export const getUser = (target: AuthTarget, bearer: string) =>
  call(target, 'GET', '/user', undefined, { bearer })

/** Changes the person's account behind the service's back: `email_confirmed_at = null`, say. */
export const setUser = ({ db }: AuthTarget, id: string, change: string) =>
  db.query(`update auth.users set ${change} where id = $1`, [id])
export const BANNED = `banned_until = now() + interval '1 day'`

/** Lets the mailed links and codes grow older. */
export const ageTokens = ({ db }: AuthTarget, email: string, age: string) =>
  db.query('update auth.one_time_tokens set created_at = created_at - $2::interval where email = $1', [
    email,
    age,
  ])

export const accountsOf = ({ db }: AuthTarget, email: string) =>
  db.query('select id from auth.users where email = $1', [email])

export function clientOf(target: AuthTarget, flowType: 'implicit' | 'pkce' = 'implicit'): SupabaseClient {
  return createClient(target.url, target.anonKey, {
    global: { fetch: target.fetch },
    auth: {
      flowType,
      persistSession: false,
      autoRefreshToken: false,
      storageKey: randomBytes(8).toString('hex'),
      experimental: { recoveryCodes: true },
    },
    realtime: { transport: WebSocket as unknown as WebSocketLikeConstructor },
  })
}

export async function mailsTo(target: AuthTarget, email: string): Promise<CapturedMail[]> {
  return (await target.outbox()).filter(({ to }) => to === email)
}

/** The link in the newest mail to the address. */
export async function linkTo(target: AuthTarget, email: string): Promise<URL> {
  const [mail] = await mailsTo(target, email)
  const link = /https?:\/\/[^\s"<>]*\/auth\/v1\/verify[^\s"<>]*/.exec(mail?.text ?? '')?.[0]
  if (!link) throw new Error(`No link was mailed to ${email}`)
  return new URL(link)
}

/** The six digits in the newest mail to the address. */
export async function codeTo(target: AuthTarget, email: string): Promise<string> {
  const [mail] = await mailsTo(target, email)
  const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
  if (!code) throw new Error(`No code was mailed to ${email}`)
  return code
}

/** Follows a mailed link as a browser does, and says where it leads. */
export async function follow(
  target: AuthTarget,
  link: URL | string,
): Promise<{ status: number; to: string; fragment: URLSearchParams }> {
  const response = await target.fetch(link.toString(), { redirect: 'manual' })
  const location = response.headers.get('location') ?? ''
  const [to = '', fragment = ''] = location.split('#')
  return { status: response.status, to, fragment: new URLSearchParams(fragment) }
}

/** What following the newest link to the address is refused with; null when it signs in. */
export const refusedLink = async (target: AuthTarget, link: URL | string) =>
  (await follow(target, link)).fragment.get('error_code')

export interface Person {
  id: string
  email: string
  accessToken: string
  refreshToken: string
}

/** Somebody with a confirmed address, a password and a session, without a word over the wire. */
export async function enrol(
  target: AuthTarget,
  email: string,
  data: Record<string, unknown> = {},
): Promise<Person> {
  const { id, session } = await addAccount(target, email, { data })
  return { id, email, accessToken: session.access_token, refreshToken: session.refresh_token }
}

export async function signIn(target: AuthTarget, email: string, password = PASSWORD): Promise<Person> {
  const { status, body } = await call(target, 'POST', '/token?grant_type=password', { email, password })
  if (status !== 200) throw new Error(`Sign-in failed: ${JSON.stringify(body)}`)
  const { id } = body.user as { id: string }
  return { id, email, accessToken: String(body.access_token), refreshToken: String(body.refresh_token) }
}
