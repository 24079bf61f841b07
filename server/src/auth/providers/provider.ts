// Types of sign-in providers, and the site's registrations with them, which are read from [auth.external.*] of
// config.toml and from the environment.
import type {
  ClientAuth,
  Configuration,
  ServerMetadata,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
} from 'openid-client'
import { z } from 'zod'

export const PROVIDER_NAMES = ['google', 'facebook', 'x'] as const
export type KnownName = (typeof PROVIDER_NAMES)[number]
/** A provider's name; the providers that the operator configured are named as on hosted Supabase. */
export type ProviderName = KnownName | `custom:${string}`

/** The site's registration with a provider. */
export interface ProviderSettings {
  clientId: string
  secret: string
  /** The URL to use in place of every host of the provider, as `url` in config.toml; for tests and stand-ins. */
  url?: string | undefined
  /** The redirect URI; the default is this server's own /callback. */
  redirectUri?: string | undefined
}

/** The person's profile at the provider; missing values are ''. */
export interface Profile {
  issuer: string
  subject: string
  email: string
  /** True if the provider has verified that the person owns `email`. */
  emailVerified: boolean
  name: string
  picture: string
  userName: string
}

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** A sign-in provider: one built into this server, or one with a discovery document. */
export interface Registration {
  scopes: readonly string[]
  /** True if every token response contains an ID token (OpenID Connect). */
  idToken: boolean
  redirectUri?: string | undefined
  /** Further parameters for the provider's sign-in page. */
  asks?: Record<string, string>
  /**
   * Returns the openid-client configuration. Rejects with AuthError if the configuration must be fetched and the
   * provider does not respond.
   */
  configure(): Promise<Configuration>
  readProfile(configuration: Configuration, tokens: Tokens): Promise<Omit<Profile, 'issuer'>>
}

/** The person's tokens from the provider, with the settings needed to read their profile. */
interface ProfileSource {
  configuration: Configuration
  settings: ProviderSettings
  tokens: Tokens
  /** Returns the `url` of the settings if there is one, otherwise the given host of the provider. */
  at: (host: string) => string
}

export interface ProviderKind {
  scopes: readonly string[]
  /** Sources of the provider's profile pictures, for the content security policy. */
  pictures: readonly string[]
  /** True if every token response contains an ID token (OpenID Connect). */
  idToken: boolean
  endpoints: (at: (host: string) => string) => ServerMetadata
  clientAuth: (secret: string) => ClientAuth
  readProfile: (source: ProfileSource) => Promise<Omit<Profile, 'issuer'>>
}

/** Registrations from the environment; each enables its provider. */
export type SocialClients = Partial<Record<KnownName, { clientId: string; secret: string }>>

const external = z.object({
  enabled: z.boolean().default(false),
  client_id: z.string().default(''),
  secret: z.string().default(''),
  url: z.string().optional(),
  redirect_uri: z.string().optional(),
})
export const externalSection = z.record(z.string(), external).default({})

/** Reads the providers' settings. Throws if a provider is enabled but has no credentials. */
export function readProviders(
  sections: z.infer<typeof externalSection>,
  clients: SocialClients,
): Partial<Record<KnownName, ProviderSettings>> {
  const providers: Partial<Record<KnownName, ProviderSettings>> = {}
  for (const name of PROVIDER_NAMES) {
    const section = sections[name]
    const client = clients[name] ?? (section?.enabled ? readClient(name, section) : undefined)
    if (!client) continue
    providers[name] = {
      ...client,
      url: section?.url || undefined,
      redirectUri: section?.redirect_uri || undefined,
    }
  }
  return providers
}

function readClient(name: KnownName, { client_id: clientId, secret }: z.infer<typeof external>) {
  for (const value of [clientId, secret]) {
    if (value !== '' && !/^env\(.*\)$/.test(value)) continue
    const variable = name.toUpperCase()
    throw new Error(
      `[auth.external.${name}] is enabled: set ${variable}_CLIENT_ID and ${variable}_CLIENT_SECRET.`,
    )
  }
  return { clientId, secret }
}
