// Supports any OpenID Connect provider that the operator configures. The issuer's discovery document says what the
// provider can do.
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import { z } from 'zod'
import type { OpenidProvider } from '#config.ts'
import { AuthError } from '../errors.ts'
import type { Registration } from './provider.ts'

export const ANSWER_SECONDS = 10
/** The largest difference between the provider's clock and ours, in seconds. */
const CLOCK_SECONDS = 60
const FRESH_MS = 3_600_000
/** Pause in ms after a request to which the provider did not respond. */
const PAUSE_MS = 60_000

/**
 * Algorithms that sign with the provider's private key. Those that sign with the client secret are refused, because
 * anybody who has the secret could sign.
 */
const ALGORITHMS = /^(RS|PS|ES)(256|384|512)$|^Ed(DSA|25519)$/

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '')
const claims = z.object({
  // An empty `sub` is refused, because all people without one would share an account.
  sub: z.string().min(1),
  email: text,
  // Some providers send this boolean as a string.
  email_verified: z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]).nullish(),
  name: text,
  preferred_username: text,
  hd: text,
})

/** https://openid.net/specs/openid-connect-core-1_0.html */
export function registerOpenid(own: OpenidProvider): Registration {
  return {
    scopes: ['openid', 'email', 'profile'],
    idToken: true,
    ...(own.domain && { asks: { hd: own.domain } }),
    configure: rememberConfiguration(own),
    readProfile: async (configuration, tokens) => {
      const inToken = claims.parse(tokens.claims())
      // The request's `hd` is only a hint; the signed claim counts.
      if (own.domain && inToken.hd.toLowerCase() !== own.domain) {
        throw new AuthError(403, 'provider_account_refused', `Only accounts of ${own.domain} may sign in`)
      }
      // The address and the statement that it is verified must come from one source, so that both are about the same
      // address.
      const complete = inToken.email !== '' && typeof inToken.email_verified === 'boolean'
      const about =
        complete || !configuration.serverMetadata().userinfo_endpoint
          ? inToken
          : claims.parse(await fetchUserInfo(configuration, tokens.access_token, inToken.sub))
      return {
        subject: inToken.sub,
        email: about.email || inToken.email,
        emailVerified: own.trustsEmail || (about.email !== '' && about.email_verified === true),
        name: about.name || inToken.name,
        // There is no picture, because the content security policy would have to allow any host that the provider
        // names.
        picture: '',
        userName: about.preferred_username || inToken.preferred_username,
      }
    },
  }
}

/**
 * Reads the provider's configuration on first use, and again every hour; if that fails, the previous one stays valid.
 */
function rememberConfiguration(own: OpenidProvider): () => Promise<Configuration> {
  let known: Configuration | undefined
  let fresh = 0
  let asking: Promise<Configuration> | undefined
  const ask = async () => {
    try {
      known = await discover(own)
      fresh = Date.now() + FRESH_MS
    } catch (error) {
      if (!known) {
        throw new AuthError(503, 'provider_unavailable', `${own.name} cannot be reached`, { cause: error })
      }
      fresh = Date.now() + PAUSE_MS
    }
    return known
  }
  return async () => {
    if (known && Date.now() < fresh) return known
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}

async function discover({ issuer, clientId, secret }: OpenidProvider): Promise<Configuration> {
  const plain = issuer.startsWith('http:')
  const found = await discovery(new URL(issuer), clientId, undefined, undefined, {
    timeout: ANSWER_SECONDS,
    execute: plain ? [allowInsecureRequests] : [],
  })
  const metadata = { ...found.serverMetadata() }
  // Checked here because the library ignores a trailing slash, and accepts one issuer for all companies at Microsoft.
  if (metadata.issuer !== issuer) throw new Error(`The issuer calls itself ${metadata.issuer}, not ${issuer}`)
  metadata.id_token_signing_alg_values_supported = (
    metadata.id_token_signing_alg_values_supported ?? ['RS256']
  ).filter((algorithm) => ALGORITHMS.test(algorithm))
  const post = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')
  const configuration = new Configuration(
    metadata,
    clientId,
    { [clockTolerance]: CLOCK_SECONDS },
    post ? ClientSecretPost(secret) : ClientSecretBasic(secret),
  )
  configuration.timeout = ANSWER_SECONDS
  if (plain) allowInsecureRequests(configuration)
  enableNonRepudiationChecks(configuration)
  return configuration
}
