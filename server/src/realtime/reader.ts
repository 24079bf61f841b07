// Reads changes from the table to which triggers write them (platform/30_realtime.sql): every few milliseconds while
// there are changes, and otherwise when a writer rings the bell.
import type { Logger } from 'pino'
import type { Database, Row } from '#db/database.ts'
import type { ChangeType } from './changes.ts'

/** A change as `realtime.read_changes` returns it. The rows are JSON text. */
export interface ChangeRow extends Row {
  schema: string
  table: string
  type: ChangeType
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  record: string | null
  old: string | null
  gone: string | null
}

interface Reader {
  close(): Promise<void>
}

interface ReaderOptions {
  db: Database
  log: Logger
  /** Receives changes in commit order; no more are read until the returned promise is fulfilled. */
  hear(changes: readonly ChangeRow[]): Promise<void>
  /** Called whenever changes may have been missed, and at the start; later changes are heard. */
  missed(): void
  /** The interval of deletions in ms: of two, the second deletes what was read before the first. */
  sweepMs?: number
}

/** In ms: the time between two reads while awake, and for how long a reader stays awake without changes. */
const POLL_MS = 15
const AWAKE_MS = 100
const RETRY_MS = 1_000
/** The largest number of changes read at once, so that one large transaction does not fill the memory. */
const PAGE = 1_000

/** Starts to read, and calls `missed` for the first time. */
export async function startReader({
  db,
  log,
  hear,
  missed,
  // Longer than it takes to notice that a connection is dead, so that a slow reader finds its changes.
  sweepMs = 60_000,
}: ReaderOptions): Promise<Reader> {
  /** Everything that snapshot `from` sees was read, and of what `until` sees, the ids up to `after`. */
  let position: { from: string; until: string | null; after: string } | undefined
  /** The number of the lock that is held while asleep. */
  let lock: string | null = null
  let lastChangeAt = 0
  let swept = { snapshot: '', at: 0 }
  let isRung = false
  let isClosing = false
  let endWait = () => {}

  const stopListening = await db.listen(
    'realtime_bell',
    () => {
      isRung = true
      // While this reader is awake, the bell rings for others.
      if (lock !== null) endWait()
    },
    () => {
      // The lock has ended with its connection. After a crash or a failover, transaction ids may be used again.
      lock = null
      position = undefined
      endWait()
    },
  )

  async function begin(): Promise<void> {
    const [row] = await db.queryAsListener<{ now: string }>('select pg_current_snapshot()::text as now')
    const from = row?.now ?? ''
    position = { from, until: null, after: '0' }
    swept = { snapshot: from, at: performance.now() }
    lastChangeAt = performance.now()
    missed()
  }

  /** Reads once. Returns the time in ms until the next turn. */
  async function turn(): Promise<number> {
    if (!position) await begin()
    const before = position
    if (!before) return 0
    const rows = await db.queryAsListener<ChangeRow & { until: string; id: number | null }>(
      'select * from realtime.read_changes($1, $2, $3, $4)',
      [before.from, before.until, before.after, String(PAGE)],
    )
    // The connection was replaced meanwhile.
    if (position !== before) return 0
    const last = rows.at(-1)
    const isPart = rows.length === PAGE
    const next = isPart
      ? { from: before.from, until: last?.until ?? null, after: String(last?.id) }
      : { from: last?.until ?? before.from, until: null, after: '0' }
    position = next
    const changes = rows.filter(({ id }) => id !== null)
    if (changes.length > 0) await hear(changes)
    if (isPart || position !== next) return 0
    if (performance.now() - swept.at >= sweepMs) sweep(next.from)
    return changes.length > 0 ? stayAwake() : fallAsleep()
  }

  async function stayAwake(): Promise<number> {
    lastChangeAt = performance.now()
    if (lock !== null) await db.queryAsListener('select realtime.wake_up($1)', [lock])
    lock = null
    return POLL_MS
  }

  async function fallAsleep(): Promise<number> {
    if (lock !== null) return sweepMs
    if (performance.now() - lastChangeAt < AWAKE_MS) return POLL_MS
    const [row] = await db.queryAsListener<{ lock: number | null }>('select realtime.fall_asleep() as lock')
    lock = row?.lock == null ? null : String(row.lock)
    // A change may have been committed since the last read.
    return lock === null ? POLL_MS : 0
  }

  /** Deletes changes that every server has read, in the background. */
  function sweep(snapshot: string): void {
    db.query('delete from realtime.changes where xid < pg_snapshot_xmin($1)', [swept.snapshot]).catch(
      (error: unknown) => log.warn({ err: error }, 'realtime: old changes could not be deleted'),
    )
    swept = { snapshot, at: performance.now() }
  }

  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
      if (isClosing || (isRung && lock !== null)) endWait()
    })

  async function run(): Promise<void> {
    while (!isClosing) {
      isRung = false
      try {
        const ms = await turn()
        if (position) await wait(ms)
      } catch (error) {
        if (position) log.error({ err: error }, 'realtime: the changes could not be read')
        position = undefined
        await wait(RETRY_MS)
      }
    }
  }

  await begin()
  const running = run()
  return {
    close: async () => {
      isClosing = true
      endWait()
      await stopListening()
      await running
    },
  }
}
