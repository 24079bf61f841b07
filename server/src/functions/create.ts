// Builds the Edge Functions of this installation from the project's settings and bundles.
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { type Config, readToml } from '#config.ts'
import type { Database } from '#db/database.ts'
import type { Metrics } from '#http/metrics.ts'
import type { ProjectKeys } from '#identity/caller.ts'
import type { Tokens } from '#identity/tokens.ts'
import { readFunctionSettings } from './function-settings.ts'
import { generateSecrets } from './generated-secrets.ts'
import { type Functions, serveFunctions } from './serve.ts'

interface Parts {
  config: Config
  /** The URL at which functions call this server. */
  innerUrl: string
  db: Database
  keys: ProjectKeys
  tokens: Tokens
  onBehalf: string
  failures: Metrics['failures']
  log: Logger
}

/** The script that runs an Edge Function in a thread. */
export const functionScript = ({ platformDir }: Config): string =>
  resolve(platformDir, '../functions/worker.mjs')

/** Reads supabase/config.toml; throws if it is invalid. */
export function createFunctions({
  config,
  innerUrl,
  db,
  keys,
  tokens,
  onBehalf,
  failures,
  log,
}: Parts): Functions {
  return serveFunctions({
    folder: config.functionsDir,
    script: functionScript(config),
    settings: readFunctionSettings(readToml(config), config.environment),
    generated: generateSecrets(config),
    env: {
      SUPABASE_URL: innerUrl,
      SITE_URL: config.siteUrl,
      ON_BEHALF_KEY: onBehalf,
      ...(config.sheltered && { SHELTERED: 'on' }),
      SUPABASE_ANON_KEY: keys.anon,
      SUPABASE_SERVICE_ROLE_KEY: keys.service,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.publishable }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secret }),
      // Symmetric keys are never published.
      SUPABASE_JWKS: JSON.stringify({ keys: [] }),
      ...(config.databaseUrl !== undefined && { SUPABASE_DB_URL: config.databaseUrl }),
    },
    trustProxy: config.trustProxy,
    db,
    tokens,
    onFailure: (name) => failures.inc({ function: name }),
    log,
  })
}
