// A real OpenID provider on loopback that can be made to send false ID tokens, change its keys, and be unavailable.
import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload } from 'jose'
import { Provider } from 'oidc-provider'
import { listen } from '../free-port.ts'

export const CLIENT = { clientId: 'potluck', secret: 'known to both_of-them' }

/** Returns the ID token that the token endpoint sends in place of one with these claims. */
type Lie = (claims: JWTPayload, keys: Keys) => string | Promise<string>
type Keys = Awaited<ReturnType<typeof newKeys>>

export async function newKeys() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = randomUUID()
  return { privateKey, kid, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } }
}

/** Starts the provider. It serves a client once its redirect URI is known (`admit`). */
export async function startOpenidProvider() {
  let answer: RequestListener = () => undefined
  const server = createServer((request, response) => answer(request, response))
  const issuer = await listen(server)
  const world = {
    issuer,
    /** Accounts at the provider, by the login that people type into its form. */
    people: {} as Record<string, Record<string, unknown>>,
    lie: null as Lie | null,
    keys: await newKeys(),
    asked: [] as string[],
    away: false,
    redirectUri: '',
    admit(redirectUri: string) {
      world.redirectUri = redirectUri
      open()
    },
    async changeKeys() {
      world.keys = await newKeys()
      open()
    },
    signIn: (page: string, login: string) => signIn(issuer, page, login),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  const open = () => {
    const provider = new Provider(issuer, {
      clients: [
        { client_id: CLIENT.clientId, client_secret: CLIENT.secret, redirect_uris: [world.redirectUri] },
      ],
      jwks: { keys: [world.keys.jwk] },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username'],
      },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...world.people[id] }) }),
      cookies: { keys: ['of the tests'] },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    })
    provider.use(async (context, next) => {
      world.asked.push(context.path)
      if (world.away) {
        context.status = 503
        return
      }
      await next()
      const body = context.body as { id_token?: string } | undefined
      if (world.lie && body?.id_token) body.id_token = await world.lie(decodeJwt(body.id_token), world.keys)
    })
    answer = provider.callback()
  }
  return world
}

/** Fills in the provider's forms as a person would. Returns the URL to which the provider redirects the browser. */
async function signIn(issuer: string, page: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let [address, form]: [string, URLSearchParams | null] = [page, null]
  while (address.startsWith(issuer)) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const sent = form && { method: 'POST', body: form }
    const response: Response = await fetch(address, { redirect: 'manual', headers: { cookie }, ...sent })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const to = response.headers.get('location')
    const html = to ? '' : await response.text()
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(html) ?? []
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(html) ?? []
    if (!to && !action) throw new Error(`The provider shows no form at ${address}: ${html}`)
    address = new URL(to ?? action, address).href
    form = to ? null : new URLSearchParams({ prompt, login, password: 'any' })
  }
  return address
}
