// Realtime: the change feed, broadcasts, and their sockets.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import { type Database, forPeople } from '#db/database.ts'
import type { Identify } from '#identity/caller.ts'
import type { Tokens } from '#identity/tokens.ts'
import { Backlog } from './backlog.ts'
import { broadcastRoutes } from './broadcast-routes.ts'
import { openCatalogue } from './catalogue.ts'
import { createFeed } from './feed.ts'
import { Groups, Topics } from './groups.ts'
import { admit, HandshakeRefused, refuse } from './handshake.ts'
import type { Limits } from './limits.ts'
import { Places } from './places.ts'
import { startReader } from './reader.ts'
import type { Shared } from './shared.ts'
import { RealtimeSocket } from './socket.ts'
import { Subscriptions } from './subscriptions.ts'

export interface Realtime {
  /** Routes to mount at /realtime/v1. */
  routes: Hono
  /** Handles every HTTP upgrade of the server; those for other paths are refused with 404. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** The number of open sockets. */
  sockets(): number
  /** Closes every socket and stops listening; the database stays open. */
  close(): Promise<void>
}

interface RealtimeParts {
  db: Database
  identify: Identify
  tokens: Tokens
  log: Logger
  trustProxy: boolean
  limits: Limits
}

const GOING_AWAY = 1001

/** Attaches the triggers that record changes, starts to read changes, and prepares to accept sockets. */
export async function startRealtime({
  db,
  identify,
  tokens,
  log,
  trustProxy,
  limits,
}: RealtimeParts): Promise<Realtime> {
  const shared: Shared = {
    ...{ db: forPeople(db), tokens, limits, log },
    catalogue: await openCatalogue(db),
    subscriptions: new Subscriptions(),
    topics: new Topics(),
    owners: new Groups(),
    backlog: new Backlog(limits.backlogBytes),
    places: new Places(limits),
  }
  const { catalogue, subscriptions, owners, places } = shared
  const refresh = () => void reload(shared)
  const feed = createFeed({ db, catalogue, subscriptions, log, onStale: refresh })
  const stopListening = [
    await db.listen('realtime_ends', (id) => {
      for (const channel of owners.of(id)) channel.endWithSession()
    }),
    await db.listen(
      'pgrst',
      (payload) => {
        if (['', 'reload schema', 'reload config'].includes(payload)) refresh()
      },
      refresh,
    ),
  ]
  const reader = await startReader({
    ...{ db, log, hear: feed.hear },
    // Missed changes cannot be recovered, so everybody rejoins, if still allowed, and reloads.
    missed: () => {
      for (const socket of places) socket.fail()
    },
  })
  const { upgrade, refuseAll } = acceptSockets(shared, { identify, trustProxy })
  const sweep = setInterval(() => {
    for (const socket of places) if (performance.now() - socket.heardAt > limits.silentMs) socket.terminate()
  }, limits.sweepMs).unref()

  return {
    routes: broadcastRoutes({ identify, ...shared }),
    upgrade,
    sockets: () => places.size,
    close: async () => {
      clearInterval(sweep)
      refuseAll()
      for (const socket of places) socket.close(GOING_AWAY, 'server is stopping')
      for (const stop of stopListening) await stop()
      await reader.close()
      await catalogue.settled()
    },
  }
}

// A changed schema may change the meaning of a filter or the readers of a column, so everybody subscribes again.
async function reload({ catalogue, subscriptions, log }: Shared): Promise<void> {
  try {
    if (await catalogue.reload()) subscriptions.fail()
  } catch (error) {
    log.error({ err: error }, 'realtime: the published tables could not be read')
  }
}

function acceptSockets(shared: Shared, parts: Pick<RealtimeParts, 'identify' | 'trustProxy'>) {
  const { limits, log, places } = shared
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: limits.frameBytes })
  let isClosing = false

  async function accept(request: IncomingMessage, duplex: Duplex, head: Buffer): Promise<void> {
    const admission = await admit(request, parts)
    if (isClosing) throw new HandshakeRefused(503, 'The server is stopping')
    if (!places.hasRoom(admission.network)) throw new HandshakeRefused(429, 'Too many connected users')
    if (duplex.destroyed) return
    server.handleUpgrade(request, duplex, head, (ws) => new RealtimeSocket(shared, ws, admission))
  }

  return {
    refuseAll: () => {
      isClosing = true
    },
    upgrade: (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
      const hearError = (error: Error) => log.warn({ err: error }, 'realtime: a handshake broke off')
      duplex.on('error', hearError)
      accept(request, duplex, head).then(
        () => duplex.off('error', hearError),
        (error: unknown) => {
          const isExpected = error instanceof HandshakeRefused
          log[isExpected ? 'warn' : 'error']({ err: error }, 'realtime: a handshake was refused')
          refuse(duplex, isExpected ? error : { status: 500, message: 'Internal server error' })
        },
      )
    },
  }
}
