import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Tokens } from '#identity/tokens.ts'
import type { Backlog, Reader } from './backlog.ts'
import type { Catalogue } from './catalogue.ts'
import type { Groups, Topics } from './groups.ts'
import type { Limits } from './limits.ts'
import type { Holder, Places } from './places.ts'
import type { Subscriptions } from './subscriptions.ts'

/** What the server does with a socket that is open. */
interface OpenSocket extends Holder, Reader {
  /** Of the performance clock, in ms. */
  readonly heardAt: number
  fail(): void
  close(code: number, reason: string): void
  terminate(): void
}

/** What every channel and socket of the server works with. */
export interface Shared {
  db: Database
  tokens: Tokens
  catalogue: Catalogue
  subscriptions: Subscriptions
  topics: Topics
  /** Channels by the id of their session, and by that of their person. */
  owners: Groups<{ endWithSession(): void }>
  places: Places<OpenSocket>
  backlog: Backlog<OpenSocket>
  limits: Limits
  log: Logger
}
