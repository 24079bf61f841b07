// Embedded Postgres that meets a full disk never answers again, and nothing else in its process does. So it is stopped
// before: while little is left it only reads.
import { statfsSync } from 'node:fs'
import { DatabaseError } from './database.ts'

/** Enough to write down what is on its way: four segments of the write-ahead log. In bytes. */
const RESERVE = 64 * 1024 * 1024
const READ_ONLY_TRANSACTION = '25006'

/** How many bytes may still be written to the disk of a folder. */
export type FreeBytes = () => number

export const freeBytesOf =
  (folder: string): FreeBytes =>
  () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }

export interface Reserve {
  /** Before a turn at the database: says by `say` whether it may write. */
  look(say: (sql: string) => Promise<void>): Promise<void>
  /** Before each statement: throws 53100 when a turn that could write has used up the room. */
  keep(): void
  /** What is to be told in place of `error`. */
  explain(error: unknown): unknown
}

export function createReserve(freeBytes: FreeBytes): Reserve {
  let full = false
  const isFull = () => freeBytes() < RESERVE
  return {
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
    code: '53100',
    message: 'The disk is nearly full: nothing can be written until there is room',
  })
