// The sign-in providers of this installation, ready for redirects and callbacks.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
} from 'openid-client'
import type { AuthSettings } from '../auth-settings.ts'
import { facebook } from './facebook.ts'
import { google } from './google.ts'
import { ANSWER_SECONDS, registerOpenid } from './openid.ts'
import type {
  KnownName,
  Profile,
  ProviderKind,
  ProviderName,
  ProviderSettings,
  Registration,
} from './provider.ts'
import { x } from './x.ts'

const KINDS: Record<KnownName, ProviderKind> = { google, facebook, x }

export interface SignedInElsewhere {
  profile: Profile
  accessToken: string
  refreshToken: string | undefined
}

export interface Provider {
  name: ProviderName
  /** Returns the URL of the provider's sign-in page. `wishes` never override parameters of the protocol. */
  signInPage(flow: Flow, wishes: { scopes: string[]; more: Record<string, string> }): Promise<string>
  /** Exchanges the provider's code for the person's tokens. Rejects if the provider refuses it. */
  exchange(flow: Flow, returned: Returned): Promise<ExchangedTokens>
}

/** Ties the callback to the redirect that started the flow. */
export interface Flow {
  state: string
  verifier: string
  /** Repeated in the ID token, so that a token from another flow is refused. */
  nonce: string
}

interface Returned {
  code: string
  /** The provider's issuer, if its response names it (RFC 9207). */
  issuer: string | null
}

interface ExchangedTokens {
  readProfile(): Promise<SignedInElsewhere>
}

/** Returns a function that finds a provider by the name in a request; `twitter` is the former name of X. */
export function createProviders(
  settings: Pick<AuthSettings, 'providers' | 'openidProviders' | 'apiUrl'>,
): (name: string) => Provider | undefined {
  const callback = `${settings.apiUrl}/auth/v1/callback`
  const opened = new Map<string, Provider>()
  for (const [key, own] of Object.entries(settings.providers)) {
    const name = key as KnownName
    opened.set(name, openProvider(name, registerKnown(KINDS[name], own), callback))
  }
  for (const own of settings.openidProviders)
    opened.set(own.id, openProvider(own.id, registerOpenid(own), callback))
  return (name) => opened.get(name === 'twitter' ? 'x' : name)
}

/** Sources of these providers' profile pictures, for the content security policy. */
export const pictureSources = ({ providers }: Pick<AuthSettings, 'providers'>): string[] =>
  Object.keys(providers).flatMap((name) => KINDS[name as KnownName].pictures)

function registerKnown(kind: ProviderKind, settings: ProviderSettings): Registration {
  const at = (host: string) => settings.url?.replace(/\/+$/, '') ?? host
  const endpoints = kind.endpoints(at)
  const configuration = new Configuration(
    endpoints,
    settings.clientId,
    undefined,
    kind.clientAuth(settings.secret),
  )
  configuration.timeout = ANSWER_SECONDS
  if (endpoints.issuer.startsWith('http:')) allowInsecureRequests(configuration)
  return {
    scopes: kind.scopes,
    idToken: kind.idToken,
    redirectUri: settings.redirectUri,
    configure: async () => configuration,
    readProfile: (_, tokens) => kind.readProfile({ configuration, settings, tokens, at }),
  }
}

function openProvider(name: ProviderName, registration: Registration, callback: string): Provider {
  const { idToken } = registration
  const redirectUri = registration.redirectUri ?? callback
  return {
    name,
    signInPage: async ({ state, verifier, nonce }, { scopes, more }) =>
      buildAuthorizationUrl(await registration.configure(), {
        ...more,
        ...registration.asks,
        redirect_uri: redirectUri,
        scope: [...registration.scopes, ...scopes].join(' '),
        state,
        ...(idToken && { nonce }),
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href,
    exchange: async ({ state, verifier, nonce }, { code, issuer }) => {
      const configuration = await registration.configure()
      const returned = new URL(redirectUri)
      returned.search = new URLSearchParams({
        code,
        state,
        ...(idToken && issuer !== null && { iss: issuer }),
      }).toString()
      const tokens = await authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        pkceCodeVerifier: verifier,
        idTokenExpected: idToken,
        ...(idToken && { expectedNonce: nonce }),
      })
      return {
        readProfile: async () => ({
          profile: {
            issuer: configuration.serverMetadata().issuer,
            ...(await registration.readProfile(configuration, tokens)),
          },
          accessToken: tokens.access_token,
          refreshToken: tokens.refresh_token,
        }),
      }
    },
  }
}
