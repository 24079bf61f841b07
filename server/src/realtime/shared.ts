import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Tokens } from '#identity/tokens.ts'
import type { Backlog, Reader } from './backlog.ts'
import type { Catalogue } from './catalogue.ts'
import type { Groups, Topics } from './groups.ts'
import type { Limits } from './limits.ts'
import type { Holder, Places } from './places.ts'
import type { Subscriptions } from './subscriptions.ts'

/** The server's view of an open socket. */
interface OpenSocket extends Holder, Reader {
  /** The time of the last message, from performance.now(). */
  readonly heardAt: number
  fail(): void
  close(code: number, reason: string): void
  terminate(): void
}

/** Dependencies of every channel and socket of the server. */
export interface Shared {
  db: Database
  tokens: Tokens
  catalogue: Catalogue
  subscriptions: Subscriptions
  topics: Topics
  /** Channels by the ids of their session and person. */
  owners: Groups<{ endWithSession(): void }>
  places: Places<OpenSocket>
  backlog: Backlog<OpenSocket>
  limits: Limits
  log: Logger
}
