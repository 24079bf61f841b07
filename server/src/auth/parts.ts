import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Identify } from '#identity/caller.ts'
import type { Tokens } from '#identity/tokens.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { AuthSettings } from './auth-settings.ts'

/** Everything the auth endpoints work with. */
export interface AuthParts {
  db: Database
  tokens: Tokens
  identify: Identify
  mailer: Mailer
  settings: AuthSettings
  log: Logger
  /** The address that limits per client count by. */
  clientAddress: (context: Context) => string
}
