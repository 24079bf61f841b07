// Builds the auth service of this installation: the project's settings and the routes.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context, Hono } from 'hono'
import type { Config } from '#config.ts'
import { readAuthSettings, WITHOUT_LIMITS } from './auth-settings.ts'
import type { AuthParts } from './parts.ts'
import { pictureSources } from './providers/providers.ts'
import { authRoutes } from './routes.ts'

interface Auth {
  routes: Hono
  /** From where people's pictures may come, beside this site. */
  pictureSources: string[]
}

/** Reads supabase/config.toml; throws when it, or a mail template it names, cannot be used. */
export async function createAuth({
  config,
  ...parts
}: Omit<AuthParts, 'settings' | 'clientAddress'> & { config: Config }): Promise<Auth> {
  const file = join(config.supabaseDir, 'config.toml')
  const settings = readAuthSettings(existsSync(file) ? readFileSync(file, 'utf8') : '', {
    projectRoot: dirname(config.supabaseDir),
    siteUrl: config.siteUrl,
    apiUrl: config.siteUrl,
    socialClients: config.socialClients,
    ...(!config.rateLimits && { rateLimits: WITHOUT_LIMITS }),
  })
  const clientAddress = createClientAddress(config.trustProxy)
  return {
    routes: authRoutes({ ...parts, settings, clientAddress }),
    pictureSources: pictureSources(settings),
  }
}

/** Behind a trusted proxy the last X-Forwarded-For entry, which that proxy wrote; else the socket's peer. */
function createClientAddress(trustProxy: boolean): (context: Context) => string {
  return (context) => {
    const forwarded = trustProxy
      ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
      : undefined
    return forwarded || (getConnInfo(context).remote.address ?? 'unknown')
  }
}
