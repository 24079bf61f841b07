// Reads changes from the table to which triggers write them (platform/30_realtime.sql): every few milliseconds while
// there are changes, and otherwise when a writer rings the bell.
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { ChangeType } from './changes.ts'

/** A change as `realtime.read_changes` returns it. The rows are JSON text. */
export interface ChangeRow {
  schema: string
  table: string
  type: ChangeType
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  record: string | null
  old: string | null
  gone: string | null
}

export interface Reader {
  close(): Promise<void>
}

interface ReaderOptions {
  db: Database
  log: Logger
  /** Receives changes in commit order; the next ones come once the returned promise is fulfilled. */
  hear(changes: readonly ChangeRow[]): Promise<void>
  /** Called at the start, and whenever changes may have been missed; changes from then on are heard. */
  missed(): void
  /** How long a server that is awake waits between two reads, and for how long it stays awake without changes, in ms. */
  pollMs?: number
  awakeMs?: number
  /** The interval of deletions in ms. A change is deleted at the second deletion after its commit. */
  sweepMs?: number
}

const PAGE = 1_000
const RETRY_MS = 1_000

/** Starts to read, and calls `missed` for the first time. */
export async function startReader({
  db,
  log,
  hear,
  missed,
  pollMs = 15,
  awakeMs = 100,
  sweepMs = 60_000,
}: ReaderOptions): Promise<Reader> {
  /** What has been read: all that snapshot `from` sees, and of what `until` sees, the ids up to `after`. */
  let position: { from: string; until: string | null; after: string } | undefined
  /** The lock that is held while asleep. */
  let lock: string | null = null
  let lastChangeAt = 0
  let swept = { snapshot: '', at: 0 }
  let isRung = false
  let isClosing = false
  let endWait = () => {}

  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      if (isRung || isClosing) return resolve()
      const timer = setTimeout(resolve, ms)
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const ring = () => {
    isRung = true
    endWait()
  }
  const stopListening = await db.listen('realtime_bell', ring, () => {
    // The lock has ended with its connection. The database may have crashed, so that its transaction ids begin anew.
    position = undefined
    lock = null
    ring()
  })

  async function begin(): Promise<void> {
    const [row] = await db.queryAsListener<{ snapshot: string }>(
      'select pg_current_snapshot()::text as snapshot',
    )
    const snapshot = row?.snapshot ?? ''
    position = { from: snapshot, until: null, after: '0' }
    swept = { snapshot, at: performance.now() }
    lastChangeAt = performance.now()
    missed()
  }

  /** Reads once; returns how long to wait for the next turn. */
  async function turn(): Promise<number> {
    if (!position) await begin()
    const before = position
    if (!before) return 0
    const { from, until, after } = before
    const rows = await db.queryAsListener<ChangeRow & { until: string; id: number | null }>(
      'select * from realtime.read_changes($1, $2, $3)',
      [from, until, after],
    )
    // The connection was replaced meanwhile.
    if (position !== before) return 0
    const last = rows.at(-1)
    const isPart = rows.length === PAGE
    const next = isPart
      ? { from, until: last?.until ?? null, after: String(last?.id) }
      : { from: last?.until ?? from, until: null, after: '0' }
    position = next
    const changes = rows.filter(({ id }) => id !== null)
    if (changes.length > 0) await hear(changes)
    if (isPart || position !== next) return 0
    if (performance.now() - swept.at >= sweepMs) await sweep(next.from)
    return rest(changes.length > 0)
  }

  async function rest(isBusy: boolean): Promise<number> {
    if (isBusy) lastChangeAt = performance.now()
    if (isBusy && lock !== null) {
      await db.queryAsListener('select realtime.wake_up($1)', [lock])
      lock = null
    }
    if (lock !== null) return sweepMs
    if (performance.now() - lastChangeAt < awakeMs) return pollMs
    const [row] = await db.queryAsListener<{ lock: number | null }>('select realtime.fall_asleep() as lock')
    lock = row?.lock == null ? null : String(row.lock)
    // One more read after falling asleep.
    return lock === null ? pollMs : 0
  }

  /** Deletes changes that were read at the last deletion, and so by the other servers too. */
  async function sweep(snapshot: string): Promise<void> {
    await db.queryAsListener('delete from realtime.changes where xid < pg_snapshot_xmin($1)', [
      swept.snapshot,
    ])
    swept = { snapshot, at: performance.now() }
  }

  async function run(): Promise<void> {
    while (!isClosing) {
      isRung = false
      try {
        await wait(await turn())
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
