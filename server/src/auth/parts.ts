import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Identify } from '#identity/caller.ts'
import type { Tokens } from '#identity/tokens.ts'
import type { OutgoingMail } from '#mail/outgoing.ts'
import type { AuthSettings } from './auth-settings.ts'

export interface AuthParts {
  db: Database
  tokens: Tokens
  identify: Identify
  outgoing: Pick<OutgoingMail, 'write'>
  settings: AuthSettings
  log: Logger
  /** Returns the client's IP address, which per-client limits count by. */
  clientAddress: (context: Context) => string
}
