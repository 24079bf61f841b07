// The providers this installation is registered with, ready for redirects and callbacks.
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
import type { Profile, ProviderKind, ProviderName, ProviderSettings } from './provider.ts'
import { x } from './x.ts'

const KINDS: Record<ProviderName, ProviderKind> = { google, facebook, x }

const ANSWER_SECONDS = 10

export interface SignedInElsewhere {
  profile: Profile
  accessToken: string
  refreshToken: string | undefined
}

export interface Provider {
  name: ProviderName
  /** The URL of the provider's sign-in page. `wishes` never override what the protocol needs. */
  signInPage(flow: Flow, wishes: { scopes: string[]; more: Record<string, string> }): Promise<string>
  /** Exchanges the returned code for the person's tokens. Rejects if the provider does not accept it. */
  exchange(flow: Flow, code: string): Promise<Access>
}

/** Ties the callback to the redirect that started the flow. */
export interface Flow {
  state: string
  verifier: string
}

interface Access {
  readProfile(): Promise<SignedInElsewhere>
}

/** Looks up a provider by the name in a request; `twitter` is the former name of X. */
export function createProviders(
  settings: Pick<AuthSettings, 'providers' | 'apiUrl'>,
): (name: string) => Provider | undefined {
  const opened = new Map<string, Provider>()
  for (const [name, own] of Object.entries(settings.providers)) {
    opened.set(name, openProvider(name as ProviderName, own, `${settings.apiUrl}/auth/v1/callback`))
  }
  return (name) => opened.get(name === 'twitter' ? 'x' : name)
}

/** Where profile pictures of these providers are loaded from, for the content security policy. */
export const pictureSources = ({ providers }: Pick<AuthSettings, 'providers'>): string[] =>
  Object.keys(providers).flatMap((name) => KINDS[name as ProviderName].pictures)

function openProvider(name: ProviderName, settings: ProviderSettings, callback: string): Provider {
  const kind = KINDS[name]
  const redirectUri = settings.redirectUri ?? callback
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
    name,
    signInPage: async ({ state, verifier }, { scopes, more }) =>
      buildAuthorizationUrl(configuration, {
        ...more,
        redirect_uri: redirectUri,
        scope: [...kind.scopes, ...scopes].join(' '),
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href,
    exchange: async ({ state, verifier }, code) => {
      const returned = new URL(redirectUri)
      returned.search = new URLSearchParams({ code, state }).toString()
      const tokens = await authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        pkceCodeVerifier: verifier,
        idTokenExpected: kind.idToken,
      })
      return {
        readProfile: async () => ({
          profile: {
            issuer: endpoints.issuer,
            ...(await kind.readProfile({ configuration, settings, tokens, at })),
          },
          accessToken: tokens.access_token,
          refreshToken: tokens.refresh_token,
        }),
      }
    },
  }
}
