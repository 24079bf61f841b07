// Any provider that speaks OpenID Connect, as the operator names it: what it can do it says itself, at its issuer's address.
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
/** How far its clock and ours may differ. */
const CLOCK_SECONDS = 60
const FRESH_MS = 3_600_000
/** Until the next question, after one that was not answered. */
const PAUSE_MS = 60_000

/** Signatures with a key that the provider alone has; with the client secret, anybody who has it could sign. */
const ALGORITHMS = /^(RS|PS|ES)(256|384|512)$|^Ed(DSA|25519)$/

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '')
const claims = z.object({
  // With an empty `sub` all people without one would be the same person.
  sub: z.string().min(1),
  email: text,
  // Some providers write it as a word.
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
      // The request's `hd` is only a hint; what counts is the provider's own signed word.
      if (own.domain && inToken.hd.toLowerCase() !== own.domain) {
        throw new AuthError(403, 'provider_account_refused', `Only accounts of ${own.domain} may sign in`)
      }
      // Address and verification from one source: they must not be about two addresses.
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
        // The content security policy would have to allow whatever host it names.
        picture: '',
        userName: about.preferred_username || inToken.preferred_username,
      }
    },
  }
}

/** Asks the provider when it is first needed, and again every hour; if it does not answer then, what it said before holds. */
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
  // The library overlooks a final slash, and lets one address of Microsoft stand for every company there is.
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
