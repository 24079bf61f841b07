// Builds the auth service of this installation from the project's settings.
import { dirname } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { type Config, readToml } from '#config.ts'
import { clientAddress } from '#http/client-address.ts'
import { readAuthSettings, unsupportedSettings, WITHOUT_LIMITS } from './auth-settings.ts'
import type { AuthParts } from './parts.ts'
import { pictureSources } from './providers/providers.ts'
import { authRoutes } from './routes.ts'

interface Auth {
  routes: Hono
  /** Hosts other than this site that serve profile pictures, for the content security policy. */
  pictureSources: string[]
}

/** Creates the auth service. Throws if supabase/config.toml, or a mail template that it names, is invalid. */
export async function createAuth({
  config,
  ...parts
}: Omit<AuthParts, 'settings' | 'clientAddress'> & { config: Config }): Promise<Auth> {
  const toml = readToml(config)
  const unsupported = unsupportedSettings(toml)
  if (unsupported.length > 0)
    parts.log.warn({ settings: unsupported }, 'config.toml asks for what this server does not do')
  const settings = readAuthSettings(toml, {
    projectRoot: dirname(config.supabaseDir),
    siteUrl: config.siteUrl,
    apiUrl: config.siteUrl,
    socialClients: config.socialClients,
    openidProviders: config.openidProviders,
    emailSignsUp: !config.openidOnly,
    ...(!config.rateLimits && { rateLimits: WITHOUT_LIMITS }),
  })
  const addressOf = (context: Context) =>
    clientAddress(config.trustProxy, (context.env as HttpBindings).incoming)
  return {
    routes: authRoutes({ ...parts, settings, clientAddress: addressOf }),
    pictureSources: pictureSources(settings),
  }
}
