import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Tokens } from '#identity/tokens.ts'
import type { Backlog } from './backlog.ts'
import type { Catalogue } from './catalogue.ts'
import type { Channel } from './channel.ts'
import type { Groups } from './groups.ts'
import type { Limits } from './limits.ts'
import type { Places } from './places.ts'
import type { Socket } from './socket.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { Topics } from './topics.ts'

/** What every channel and socket of the server works with. */
export interface Shared {
  db: Database
  tokens: Tokens
  catalogue: Catalogue
  subscriptions: Subscriptions
  topics: Topics
  /** Channels by the id of their session, and by that of their person. */
  owners: Groups<Channel>
  places: Places<Socket>
  backlog: Backlog<Socket>
  limits: Limits
  log: Logger
}
