// Makes embedded Postgres read-only before the disk is full: on a full disk it hangs for good, together with its
// process.
import { statfsSync } from 'node:fs'
import { DatabaseError, DISK_FULL } from './database.ts'

/** The reserve in bytes: four segments of the write-ahead log, enough for writes in progress. */
const RESERVE = 64 * 1024 * 1024
const READ_ONLY_TRANSACTION = '25006'

/** Returns the number of free bytes on the disk. */
export type FreeBytes = () => number

export const freeBytesOf =
  (folder: string): FreeBytes =>
  () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }

export interface Reserve {
  /** Called before each turn at the database. Makes it read-only, or writable again, by a script passed to `say`. */
  look(say: (sql: string) => Promise<void>): Promise<void>
  /** Called before each statement. Throws 53100 if a writing turn has used up the reserve. */
  keep(): void
  isFull(): boolean
  /**
   * Returns the error to report in place of `error`: 53100 if a write was refused because the database is read-only.
   */
  explain(error: unknown): unknown
}

export function createReserve(freeBytes: FreeBytes): Reserve {
  let full = false
  const isFull = () => freeBytes() < RESERVE
  return {
    isFull,
    look: async (say) => {
      if (isFull() === full) return
      await say(`set default_transaction_read_only = ${full ? 'off' : 'on'}`)
      full = !full
    },
    keep: () => {
      if (!full && isFull()) throw diskFull()
    },
    explain: (error) =>
      full && error instanceof DatabaseError && error.code === READ_ONLY_TRANSACTION ? diskFull() : error,
  }
}

const diskFull = () =>
  new DatabaseError({
    code: DISK_FULL,
    message: 'The disk is nearly full: nothing can be written until there is room',
  })
