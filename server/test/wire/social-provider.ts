// A test double of Google, Facebook and X, with their sign-in page, token endpoint and profile endpoint. It is as
// strict as they are about client, redirect URI, code, code verifier and proof.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeEach, expect } from 'vitest'
import { freePort, listen } from '../free-port.ts'
import { type AuthTarget, openAuth } from './auth-service.ts'

interface Person {
  id: string
  name: string
  email?: string
  /** Only Google sends `verified`; the other providers return only confirmed addresses. */
  verified?: boolean
}

interface Grant {
  challenge: string
  redirectUri: string
  clientId: string
  nonce: string | null
  person: Person
}

const SECRET = 'shared with the provider only'
export const CLIENT_ID = 'potluck-at-the-provider'
export const PICTURE = 'https://lh3.googleusercontent.com/a/olivia'

interface SocialProvider {
  url: string
  /** The person signed in at the provider, or null for a person who presses "cancel". */
  person: Person | null
  /** The parameters of the last sign-in page. */
  asked: URLSearchParams
  /** The endpoint that fails, if any. */
  broken: 'token' | 'profile' | null
  close(): Promise<void>
}

async function startSocialProvider(port: number): Promise<SocialProvider> {
  const url = `http://127.0.0.1:${port}`
  const key = await generateKeyPair('RS256')
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, Person>()
  const app = new Hono()
  const provider: SocialProvider = {
    url,
    person: null,
    asked: new URLSearchParams(),
    broken: null,
    close: () => new Promise((done) => server.close(() => done())),
  }

  const signInPage = (context: Context) => {
    const asked = new URL(context.req.url).searchParams
    provider.asked = asked
    const redirectUri = asked.get('redirect_uri') ?? ''
    if (asked.get('client_id') !== CLIENT_ID || asked.get('response_type') !== 'code')
      return context.text('bad client', 400)
    if (asked.get('code_challenge_method') !== 'S256' || !asked.get('state'))
      return context.text('no proof', 400)
    const back = new URL(redirectUri)
    back.searchParams.set('state', asked.get('state') ?? '')
    if (!provider.person) {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The user denied the request')
    } else {
      const code = randomBytes(16).toString('hex')
      const challenge = asked.get('code_challenge') ?? ''
      const nonce = asked.get('nonce')
      grants.set(code, { challenge, redirectUri, clientId: CLIENT_ID, nonce, person: provider.person })
      back.searchParams.set('code', code)
    }
    return context.redirect(back.href, 302)
  }

  const token = (kind: 'google' | 'facebook' | 'x') => async (context: Context) => {
    if (provider.broken === 'token') return context.json({ error: 'invalid_grant' }, 400)
    const form = new URLSearchParams(await context.req.text())
    if (!knowsSecret(kind, context, form)) return context.json({ error: 'invalid_client' }, 401)
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return context.json({ error: 'invalid_grant' }, 400)
    const accessToken = `${kind}-${randomBytes(8).toString('hex')}`
    tokens.set(accessToken, grant.person)
    return context.json({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: 3600,
      ...(kind === 'google' && { id_token: await statement(grant), refresh_token: 'google-refresh' }),
    })
  }

  const statement = ({ person, clientId, nonce }: Grant) =>
    new SignJWT({ email: person.email, nonce })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(url)
      .setAudience(clientId)
      .setSubject(person.id)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key.privateKey)

  const bearerOf = ({ req }: Context) => req.header('authorization')?.replace(/^Bearer /, '') ?? ''
  const profile = (write: (person: Person, context: Context) => unknown) => (context: Context) => {
    const person = tokens.get(bearerOf(context))
    if (!person || provider.broken === 'profile') return context.json({ error: 'invalid_token' }, 401)
    const about = write(person, context)
    return about === null ? context.json({ error: 'bad proof' }, 400) : context.json(about)
  }

  app.get('/o/oauth2/v2/auth', signInPage)
  app.get('/dialog/oauth', signInPage)
  app.get('/i/oauth2/authorize', signInPage)
  app.post('/token', token('google'))
  app.post('/oauth/access_token', token('facebook'))
  app.post('/2/oauth2/token', token('x'))
  app.get(
    '/v1/userinfo',
    profile(({ id, name, email, verified = true }) => ({
      sub: id,
      name,
      picture: PICTURE,
      ...(email && { email, email_verified: verified }),
    })),
  )
  app.get(
    '/me',
    profile(({ id, name, email }, context) => {
      const proof = createHmac('sha256', SECRET).update(bearerOf(context)).digest('hex')
      if (context.req.query('appsecret_proof') !== proof) return null
      return { id, name, picture: { data: { url: PICTURE } }, ...(email && { email }) }
    }),
  )
  app.get(
    '/2/users/me',
    profile(({ id, name, email }) => ({
      data: {
        id,
        name,
        username: name.toLowerCase(),
        profile_image_url: PICTURE,
        ...(email && { confirmed_email: email }),
      },
    })),
  )

  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await listen(server, port)
  return provider
}

/** X requires the secret in a header; the other providers require it in the form. */
function knowsSecret(kind: string, context: Context, form: URLSearchParams): boolean {
  if (kind !== 'x') return form.get('client_id') === CLIENT_ID && form.get('client_secret') === SECRET
  return context.req.header('authorization') === `Basic ${btoa(`${CLIENT_ID}:${encodeURIComponent(SECRET)}`)}`
}

export const PROVIDERS = ['google', 'facebook', 'x'] as const
/** The page to which people return after signing in, in these tests. */
export const WANTED = 'http://auth.test/auth-redirect'

const locationOf = (response: Response) => response.headers.get('location') ?? ''

/** Starts the auth API of a test file with all providers. Returns it with a browser's steps through them. */
export async function openSocialAuth() {
  const world = await startSocialProvider(await freePort())
  afterAll(() => world.close())
  beforeEach(() => {
    world.broken = null
  })
  const client = { clientId: CLIENT_ID, secret: SECRET, url: world.url }
  const auth = await openAuth({ providers: { google: client, facebook: client, x: client } })
  const browser = browse(auth)
  const { leave, comeBack } = browser
  /** Signs in at the provider. Returns the URL to which the provider redirects the browser. */
  const signInThere = async (page: string) => locationOf(await fetch(page, { redirect: 'manual' }))
  const goThrough = async (provider: string, query: Record<string, string> = {}, target: AuthTarget = auth) =>
    comeBack(await signInThere(await leave(provider, query, target)), target)
  return { world, client, auth, ...browser, signInThere, goThrough }
}

/** Returns a browser's steps to a provider and back. */
export function browse(auth: AuthTarget) {
  /** The browser's cookies for this site, which another browser would lack. */
  const cookies = new Map<string, string>()
  const keep = (response: Response) => {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/max-age=0/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  /** Presses the button. Returns the URL of the provider's sign-in page. */
  async function leave(provider: string, query: Record<string, string> = {}, target: AuthTarget = auth) {
    const asked = new URLSearchParams({ provider, redirect_to: WANTED, ...query })
    return open(`${auth.url}/auth/v1/authorize?${asked}`, target)
  }
  /** Opens a URL at which this site redirects, and stores its cookies. Returns the destination. */
  async function open(address: string, target: AuthTarget = auth) {
    const response = keep(await target.fetch(address, { redirect: 'manual' }))
    expect(response.status).toBe(302)
    return locationOf(response)
  }
  /** Returns from the provider to the site, and reports the destination. */
  async function comeBack(callback: string, target: AuthTarget = auth) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = keep(await target.fetch(callback, { redirect: 'manual', headers: { cookie } }))
    const to = new URL(locationOf(response))
    const fragment = Object.fromEntries(new URLSearchParams(to.hash.slice(1)))
    const error = [fragment.error, fragment.error_code, fragment.error_description]
    const page = `${to.origin}${to.pathname}`
    return { status: response.status, page, query: to.searchParams, fragment, error }
  }
  return { cookies, leave, open, comeBack }
}
