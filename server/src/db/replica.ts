// A read replica, for reads that may be a moment old. The primary answers whenever the replica cannot.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Database, DatabaseError } from './database.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'

/** The database methods that reads need. */
export type Reads = Pick<Database, 'batch'>

export interface Replica extends Reads {
  close(): Promise<void>
}

/**
 * The interval of checks in ms, and the longest that a check may take. A check succeeds if the replica has everything
 * that the primary had written at the previous check. While checks are quick, reads are at most three intervals old:
 * one until the check, one until the next check, and one until that check counts as failed. Each of two slow checks
 * adds one interval.
 */
const LOOK_MS = 1_000

const SAME_CLUSTER = 'select system_identifier::text as id from pg_control_system()'
const WRITTEN = 'select pg_current_wal_lsn()::text as written'
const REPLAYED = 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as fresh'

/**
 * Starts to use a replica, without waiting for it. Reads go to the replica while checks find it up to date, and to the
 * primary at all other times.
 */
export function openReplica(
  { db, url, log }: { db: Database; url: string; log: Logger },
  options: PostgresOptions = {},
): Replica {
  const closing = new AbortController()
  let replica: Database | undefined
  let written: string | undefined
  let fresh = false

  const connect = async (): Promise<Database> => {
    const opened = await openPostgres(url, { ...options, waitMs: LOOK_MS, isReplica: true })
    const [there, here] = await Promise.all([opened.query(SAME_CLUSTER), db.query(SAME_CLUSTER)])
    if (there[0]?.id === here[0]?.id) return opened
    await opened.close()
    throw new Error('DATABASE_READ_URL is no replica of the database at DATABASE_URL')
  }
  const look = async (): Promise<boolean> => {
    const began = performance.now()
    replica ??= await connect()
    const before = written
    written = undefined
    const [now] = await db.query<{ written: string }>(WRITTEN)
    const [row] = before ? await replica.query<{ fresh: boolean }>(REPLAYED, [before]) : []
    // After a check that took longer, the next one would compare with a position that is too old.
    if (performance.now() - began >= LOOK_MS) return false
    written = now?.written
    return row?.fresh === true
  }
  const say = (now: boolean, err?: unknown) => {
    if (now !== fresh) log.warn({ err }, `Reads of visitors go to the ${now ? 'replica' : 'primary'}`)
    fresh = now
  }
  let looking: Promise<void> | undefined
  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      // A slow check goes on, since it may still be connecting, and no other check starts before it ends.
      looking ??= look()
        .then(say, (error: unknown) => say(false, error))
        .finally(() => {
          looking = undefined
        })
      const late = await Promise.race([looking, pause(LOOK_MS, 'late', { ref: false })])
      if (late) say(false)
      await pause(LOOK_MS, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  const watching = watch()

  return {
    batch: async (statements, how) => {
      if (!fresh || !replica) return db.batch(statements, how)
      try {
        return await replica.batch(statements, how)
      } catch (error) {
        // A statement that timed out on the replica would time out on the primary as well.
        if (error instanceof DatabaseError && error.code === '57014') throw error
        return db.batch(statements, how)
      }
    },
    close: async () => {
      closing.abort()
      await watching
      await looking
      await replica?.close()
    },
  }
}
