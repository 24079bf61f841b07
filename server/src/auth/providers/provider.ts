// What this server has to know of a service that people may sign in with.
import type { ClientAuth, Configuration, ServerMetadata, TokenEndpointResponseHelpers } from 'openid-client'

export const PROVIDER_NAMES = ['google', 'facebook', 'twitter'] as const
export type ProviderName = (typeof PROVIDER_NAMES)[number]

/** The site's registration with a provider. */
export interface ProviderSettings {
  clientId: string
  secret: string
  /** Stands for every host of the provider, as `url` of config.toml does; for tests and stand-ins. */
  url?: string | undefined
  /** Where the provider sends people back to; this server's own /callback unless set. */
  redirectUri?: string | undefined
}

/** Who signed in, as the provider tells it; '' where it tells nothing. */
export interface Profile {
  issuer: string
  subject: string
  email: string
  /** Whether the provider vouches that the person reads mail at `email`. */
  emailVerified: boolean
  name: string
  picture: string
  userName: string
}

/** A person's access at the provider, to ask who they are. */
interface ProviderAccess {
  configuration: Configuration
  settings: ProviderSettings
  tokens: { access_token: string } & TokenEndpointResponseHelpers
  /** The provider's host, or what stands for it. */
  at: (host: string) => string
}

export interface ProviderKind {
  scopes: readonly string[]
  /** From where its profile pictures are loaded. */
  pictures: readonly string[]
  /** Whether every token answer holds a signed statement of who it is about (OpenID Connect). */
  idToken: boolean
  endpoints: (at: (host: string) => string) => ServerMetadata
  clientAuth: (secret: string) => ClientAuth
  readProfile: (access: ProviderAccess) => Promise<Omit<Profile, 'issuer'>>
}
