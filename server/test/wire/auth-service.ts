// The auth API for tests, either behind a real server or in this process with the test's own settings.
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect } from 'vitest'
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
import { addAccount, newClient, PASSWORD, type TestServer, testDatabase, testServer } from '../harness.ts'

/** Resolves once a session in this Postgres waits for a lock that the transaction holds. */
export const somebodyWaits = (tx: Pick<Database, 'query'>) =>
  eventually(async () =>
    expect(
      await tx.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    ).not.toEqual([]),
  )

/** A hook of a project that refuses accounts. */
export const REFUSING_HOOK = '"public"."before_user_created"'
/** SQL that creates the hook, which refuses this address. */
export const refusingHook = (email: string) => `
  create or replace function ${REFUSING_HOOK}(p_event jsonb) returns jsonb language sql as $$
    select case p_event #>> '{user,email}' when '${email}'
      then '{"error": {"http_code": 403, "message": "Not you"}}' else '{}' end::jsonb
  $$`

const SITE = 'http://auth.test'
const SECRET = 'a secret for tests of the auth service only'

const ON_ITS_WAY = `select 1 from private.outgoing_mail
  where attempts > 0 and last_error is null and sent_at is null and given_up_at is null`

interface Target {
  url: string
  anonKey: string
  serviceKey: string
  db: Database
  tokens: Tokens
  logged: string[]
  fetch: typeof fetch
  outbox(): Promise<CapturedMail[]>
}
export type AuthTarget = Target & ReturnType<typeof waysTo>

/** Starts the auth API of a test file behind a real server. */
export async function testAuth(env: Record<string, string> = {}): Promise<AuthTarget & TestServer> {
  const target = { ...(await testServer(env)), fetch }
  return { ...target, ...waysTo(target) }
}

/**
 * Starts the auth API in this process, on the test file's own database or on `db`. By default it has no rate limits and
 * uses the built-in mail templates.
 */
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
    // Takes the place of the project's function `mail`.
    callFunction: async (_path, { body }) => Response.json({ ...JSON.parse(String(body)), html: '' }),
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
  const target: Target = {
    url: SITE,
    anonKey: keys.anon,
    serviceKey: keys.service,
    ...{ db, tokens, logged },
    fetch: async (input, init) => app.fetch(new Request(input, init)),
    outbox: async () => {
      await app.request('/outbox.json')
      // Another server on the same database may send the mail first.
      await eventually(async () => expect(await db.query(ON_ITS_WAY)).toEqual([]))
      return (await app.request('/outbox.json')).json() as Promise<CapturedMail[]>
    },
  }
  return { ...target, ...waysTo(target) }
}

export interface Answer {
  status: number
  headers: Headers
  /** The body's JSON, or null if the body is empty or not JSON. */
  body: Record<string, unknown>
}

export interface Call {
  key?: string | null
  bearer?: string
  headers?: Record<string, string>
}

export interface Person {
  id: string
  email: string
  accessToken: string
  refreshToken: string
}

/** Returns the status, code and message of a refusal. */
export const refusal = ({ status, body }: Answer) => [status, body.error_code, body.msg]
export const codeOfRefusal = ({ status, body }: Answer) => [status, body.error_code]
export const BANNED = `banned_until = now() + interval '1 day'`

/** Returns functions with which tests use the auth API, and others that change its data directly. */
function waysTo(target: Target) {
  const { url, anonKey, db } = target

  /** Sends one raw request below /auth/v1; redirects are not followed. */
  async function call(
    method: string,
    path: string,
    body?: unknown,
    { key = anonKey, bearer, headers = {} }: Call = {},
  ): Promise<Answer> {
    const response = await target.fetch(`${url}/auth/v1${path}`, {
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
  const get = (path: string, more?: Call) => call('GET', path, undefined, more)
  const post = (path: string, body?: unknown, more?: Call) => call('POST', path, body, more)
  const put = (path: string, body: unknown, more?: Call) => call('PUT', path, body, more)

  const client = ({ flowType = 'implicit' as 'implicit' | 'pkce', key = anonKey } = {}) =>
    newClient(target, key, undefined, {
      global: { fetch: target.fetch },
      auth: { flowType, experimental: { recoveryCodes: true } },
    })
  async function clientOf({ accessToken, refreshToken }: Pick<Person, 'accessToken' | 'refreshToken'>) {
    const own = client()
    await own.auth.setSession({ access_token: accessToken, refresh_token: refreshToken })
    return own
  }

  /** Returns the mails to the address, newest first. Waits for at least `least` mails, since sending takes a moment. */
  const mailsTo = (email: string, least = 0) =>
    eventually(async () => {
      const mails = (await target.outbox()).filter(({ to }) => to === email)
      if (mails.length < least) throw new Error(`${mails.length} of ${least} mails came to ${email}`)
      return mails
    })
  /** Returns the pattern's match in the newest mail to the address. */
  const mailed = (email: string, pattern: RegExp): Promise<string> =>
    eventually(async () => {
      const found = pattern.exec((await mailsTo(email))[0]?.text ?? '')?.[0]
      if (!found) throw new Error(`Nothing like ${pattern} was mailed to ${email}`)
      return found
    })
  /**
   * Returns a mailed link as one to the auth service itself; the project's mails link to a page of the site with the
   * same parameters.
   */
  const linkTo = async (email: string) => {
    const link = new URL(
      await mailed(email, /https?:\/\/[^\s"<>]*\/(auth\/v1\/verify|auth-redirect#)[^\s"<>]*/),
    )
    if (link.hash === '') return link
    const carried = new URLSearchParams(link.hash.slice(1))
    const names = { token: 'token_hash', type: 'type', redirect_to: 'to' }
    const asked = new URLSearchParams()
    for (const [name, from] of Object.entries(names)) asked.set(name, carried.get(from) ?? '')
    return new URL(`/auth/v1/verify?${asked}`, link)
  }
  const codeTo = (email: string) => mailed(email, /\b\d{6}\b/)
  /** Follows a mailed link as a browser would. Returns the link's destination. */
  async function follow(link: URL | string) {
    const response = await target.fetch(link.toString(), { redirect: 'manual' })
    const [to = '', fragment = ''] = (response.headers.get('location') ?? '').split('#')
    return { status: response.status, to, fragment: new URLSearchParams(fragment) }
  }

  return {
    ...{ call, get, post, put, client, clientOf, mailsTo, linkTo, codeTo, follow },
    signUp: (email: string, more: object = {}) => post('/signup', { email, password: PASSWORD, ...more }),
    getUser: (bearer: string) => get('/user', { bearer }),
    /** Returns the error at a link's destination, or null if the link works. */
    refusedLink: async (link: URL | string) => (await follow(link)).fragment.get('error_code'),
    /** Creates a person with a confirmed address, a password and a session, not over HTTP. */
    async enrol(email: string, data: Record<string, unknown> = {}): Promise<Person> {
      const { id, session } = await addAccount(target, email, { data })
      return { id, email, accessToken: session.access_token, refreshToken: session.refresh_token }
    },
    async signIn(email: string, password = PASSWORD): Promise<Person> {
      const { status, body } = await post('/token?grant_type=password', { email, password })
      if (status !== 200) throw new Error(`Sign-in failed: ${JSON.stringify(body)}`)
      const { id } = body.user as { id: string }
      return { id, email, accessToken: String(body.access_token), refreshToken: String(body.refresh_token) }
    },
    accountsOf: (email: string) => db.query('select id from auth.users where email = $1', [email]),
    /** Changes the account with an address, for example `email_confirmed_at = null`. */
    setUser: (email: string, change: string) =>
      db.query(`update auth.users set ${change} where email = $1`, [email]),
    /** Ages the mailed links and codes of an address. */
    ageTokens: (email: string, minutes: number) =>
      db.query(
        'update auth.one_time_tokens set created_at = created_at - make_interval(mins => $2::int) where email = $1',
        [email, String(minutes)],
      ),
  }
}
