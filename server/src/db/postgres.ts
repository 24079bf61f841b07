// Connects to any Postgres 15 or newer through a connection pool.
import { setTimeout as pause } from 'node:timers/promises'
import limitConcurrency from 'p-limit'
import pg from 'pg'
import { PROJECT } from '../project.ts'
import {
  type AppSettings,
  type Database,
  DatabaseError,
  DISK_FULL,
  inRole,
  type Patience,
  type Row,
  type Statement,
  type Transaction,
  toDatabaseError,
} from './database.ts'
import { runBatch } from './postgres-batch.ts'

const BEGIN: Statement = { text: 'begin' }
const COMMIT: Statement = { text: 'commit' }

// Statements stay prepared on their connection. They differ by shape, not by value, so a larger number means that
// somebody is probing the server; the rest are sent unprepared.
const MAX_PREPARED = 500
const LONGEST_WAIT_MS = 2_000

export interface PostgresOptions {
  /** The number of pooled connections; LISTEN uses one more. */
  max?: number
  /** Time in ms that a request waits for a connection before it is refused with 53300 or 08001. */
  waitMs?: number
  /** Interval in ms at which the listening connection sends a statement, the only way to detect that it is dead. */
  speakMs?: number
  settings?: AppSettings
  /** True if a standby will do; otherwise it counts as unreachable. */
  isReplica?: boolean
}

/** Time in ms for which Postgres counts as out of disk space after an error that says so. */
const DISK_FULL_MS = 60_000

/**
 * While another Postgres takes over, an address may lead to the former primary, which refuses writes. A connection stays on
 * the Postgres that it was opened to, and that cannot become a standby without a restart.
 */
const STANDBY = 'it is a standby, which refuses writes'

/** TCP keepalive: idle time in ms after which the system checks that the other side still exists. */
const REST_MS = 10_000

/** Connects to `url`. Broken connections are replaced; statements running on them fail with class 08 or 57. */
export async function openPostgres(
  url: string,
  {
    max = 10,
    waitMs = 5_000,
    speakMs = 15_000,
    settings: appSettings = {},
    isReplica = false,
  }: PostgresOptions = {},
): Promise<Database> {
  const settings: pg.PoolConfig = {
    connectionString: url,
    application_name: PROJECT.name,
    connectionTimeoutMillis: waitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: REST_MS,
  }
  // These are not startup parameters, because poolers refuse or drop those that they do not know.
  const sessionSettings = Object.entries(appSettings)
    .map(([name, value]) => `set app.settings.${name} = ${pg.escapeLiteral(value)};`)
    .concat('set TimeZone = UTC')
    .join(' ')
  const pool = new pg.Pool({ ...settings, max })
  // Errors on a connection are ignored here: if it is in use, the error reaches its caller through the query, and an
  // idle connection has no caller. In both cases the pool drops the connection.
  const ignore = () => undefined
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))

  let diskFullAt = Number.NEGATIVE_INFINITY
  let names = new Map<string, string>()
  let generation = 0
  const nameOf = (text: string): string | undefined => {
    const name = names.get(text) ?? `p${generation}_${names.size}`
    if (!names.has(text)) {
      if (names.size >= MAX_PREPARED) return undefined
      names.set(text, name)
    }
    return name
  }
  const send = (client: pg.PoolClient, statements: readonly Statement[]): Promise<Row[][]> =>
    runBatch(
      client,
      statements.map((statement) => ({ ...statement, name: nameOf(statement.text) })),
    )
  const ask = async (client: pg.PoolClient, statement: Statement): Promise<Row[]> =>
    (await send(client, [statement]))[0] ?? []

  const isReady = new WeakSet<pg.PoolClient>()
  // The pool's own hook for new connections is not used: if a connection breaks in it, the caller waits for good.
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect()
    if (isReady.has(client)) return client
    try {
      const answer = client.query(`${sessionSettings}; select pg_is_in_recovery() as is_standby`)
      // A script of several statements has a result for each.
      const results = await answeredWithin(waitMs, client, answer)
      if ([results].flat().at(-1)?.rows[0]?.is_standby && !isReplica) throw new Error(STANDBY)
    } catch (error) {
      client.release(true)
      throw error
    }
    isReady.add(client)
    return client
  }

  const onConnection = async <T>(
    work: (client: pg.PoolClient) => Promise<T>,
    silentMs?: number,
  ): Promise<T> => {
    const client = await connect().catch((error: unknown) => {
      throw unreachable(error)
    })
    try {
      const result = await answeredWithin(silentMs, client, work(client))
      client.release()
      return result
    } catch (error) {
      const refusal = toRefusal(error)
      if (refusal instanceof DatabaseError && refusal.code === DISK_FULL) diskFullAt = performance.now()
      // A connection that broke, or that Postgres is about to close, must not be reused.
      client.release(isLost(refusal))
      throw refusal
    }
  }
  /** Runs `work`. If a table has changed under a prepared statement, prepares all statements again and retries once. */
  const retryUnprepared = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError) || !error.message.startsWith('cached plan must not change'))
        throw error
      names = new Map()
      generation += 1
      return work()
    }
  }
  const inTransaction = async <T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isLost(toRefusal(error))) await client.query('rollback')
      throw error
    }
  }

  await onConnection((client) => client.query('select 1')).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  const listener = createListener({ ...settings }, speakMs)
  return {
    kind: 'postgres',
    places: max,
    query: <R extends Row>(
      text: string,
      values: readonly (string | null)[] = [],
      { silentMs }: Patience = {},
    ) =>
      retryUnprepared(() => onConnection((client) => ask(client, { text, values }), silentMs)) as Promise<
        R[]
      >,
    transaction: (work, { role, silentMs } = {}) =>
      onConnection((client) => {
        // The limit is per statement, since the time between statements is spent by this server.
        const answered = <T>(answer: Promise<T>) => refusedAlike(answeredWithin(silentMs, client, answer))
        const script = (text: string) => answered(client.query(text)).then(() => undefined)
        const query = ((text, values = []) => answered(ask(client, { text, values }))) as Transaction['query']
        return inRole(role, script, () =>
          inTransaction(client, async () => {
            await script('begin')
            const result = await work({ query, script })
            await script('commit')
            return result
          }),
        )
      }),
    batch: (statements, { beforeCommit, silentMs } = {}) =>
      retryUnprepared(() =>
        onConnection(async (client) => {
          if (!beforeCommit) return send(client, statements)
          return inTransaction(client, async () => {
            const rows = (await send(client, [BEGIN, ...statements])).slice(1)
            beforeCommit(rows)
            await send(client, [COMMIT])
            return rows
          })
        }, silentMs),
      ),
    listen: listener.listen,
    queryAsListener: listener.query,
    isDiskFull: () => performance.now() - diskFullAt < DISK_FULL_MS,
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await listener.close()
      await pool.end()
    },
  }
}

/**
 * Closes a connection on which nothing arrives for `ms`. The other side may be stopped or gone without notice, and the
 * operating system retransmits for a quarter of an hour before it gives up.
 */
async function answeredWithin<T>(
  ms: number | undefined,
  { connection: { stream } }: Pick<pg.Client, 'connection'>,
  answer: Promise<T>,
): Promise<T> {
  if (ms === undefined) return answer
  const timer = setTimeout(() => stream.destroy(), ms)
  const hear = () => timer.refresh()
  stream.on('data', hear)
  try {
    return await answer
  } finally {
    stream.off('data', hear)
    clearTimeout(timer)
  }
}

const refusedAlike = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toRefusal(error)
  })

/** Turns a broken connection into class 08, "connection failure"; errors from Postgres stay as they are. */
function toRefusal(error: unknown): unknown {
  if (!isConnectionError(error)) return toDatabaseError(error)
  return connectionBroke()
}

const connectionBroke = () =>
  new DatabaseError({
    code: '08006',
    message: 'The connection to the database broke',
    hint: 'A change may have been made all the same: look before you try again.',
  })

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    'syscall' in error || /^(Connection terminated|Client (was closed|has encountered))/.test(error.message)
  )
}

function unreachable(error: unknown): unknown {
  if (error instanceof Error && error.message.startsWith('timeout exceeded'))
    return new DatabaseError({ code: '53300', message: 'Every connection to the database is busy' })
  const refusal = toDatabaseError(error)
  if (refusal instanceof DatabaseError) return refusal
  // The cause contains addresses, so it is only for the operator.
  return Object.assign(new DatabaseError({ code: '08001', message: 'The database cannot be reached' }), {
    cause: error,
  })
}

/** True for class 08, a broken connection, and 57P, which Postgres reports before it closes one. */
function isLost(error: unknown): boolean {
  return error instanceof DatabaseError && /^(08|57P)/.test(error.code)
}

interface Listener {
  channel: string
  hear: (payload: string) => void
  missed: () => void
}

interface Listening {
  client: pg.Client
  /** Sends a query once the ones before it are answered. Without an answer in time, the connection is replaced. */
  ask<T>(query: () => Promise<T>): Promise<T>
}

/**
 * Uses one connection for every LISTEN. If it breaks, it is replaced, and every listener is told that it may have
 * missed notifications.
 */
function createListener(settings: pg.ClientConfig, speakMs: number) {
  const listeners = new Set<Listener>()
  let connected: Listening | undefined
  let connecting: Promise<Listening> | undefined
  const closing = new AbortController()

  const quote = (channel: string) => pg.escapeIdentifier(channel)
  async function connect(): Promise<Listening> {
    const client = new pg.Client(settings)
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners) if (listener.channel === channel) listener.hear(payload)
    })
    client.on('error', () => undefined)
    await client.connect()
    for (const channel of new Set([...listeners].map((listener) => listener.channel)))
      await client.query(`listen ${quote(channel)}`)
    const inTurn = limitConcurrency(1)
    const ask: Listening['ask'] = (query) => inTurn(() => answeredWithin(speakMs, client, query()))
    const speaking = setInterval(() => {
      // If the connection is broken, the handler below replaces it.
      ask(() => client.query('select 1')).catch(() => undefined)
    }, speakMs)
    connected = { client, ask }
    client.once('end', () => {
      clearInterval(speaking)
      connected = undefined
      if (!closing.signal.aborted) connecting = reconnect()
    })
    return connected
  }
  async function reconnect(): Promise<Listening> {
    for (let wait = 50; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      await pause(wait, undefined, { signal: closing.signal })
      try {
        const listening = await connect()
        for (const listener of listeners) listener.missed()
        return listening
      } catch {
        // There is no connection yet. In the meantime, callers get the pool's errors.
      }
    }
  }
  return {
    listen: async (channel: string, hear: Listener['hear'], missed: Listener['missed'] = () => undefined) => {
      const listener = { channel, hear, missed }
      listeners.add(listener)
      connecting ??= connect()
      const { client, ask } = await connecting
      await ask(() => client.query(`listen ${quote(channel)}`))
      return async () => {
        listeners.delete(listener)
      }
    },
    query: async <R extends Row>(text: string, values: readonly (string | null)[] = []): Promise<R[]> => {
      if (!connected) throw connectionBroke()
      const { client, ask } = connected
      const [rows = []] = await refusedAlike(ask(() => runBatch(client, [{ text, values, name: undefined }])))
      return rows as R[]
    },
    close: async () => {
      closing.abort()
      await (await connecting?.catch(() => undefined))?.client.end()
    },
  }
}
