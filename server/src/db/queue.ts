// Runs work that the database queues: NOTIFY wakes each process, which does one run at a time.
import type { Database } from './database.ts'

export interface Queue {
  /** Runs now, and afterwards whenever there may be work. */
  start(): Promise<void>
  flush(): Promise<void>
  /** Starts no new run and waits for the current one. */
  close(): Promise<void>
}

interface QueueOptions {
  /** The NOTIFY channel that announces work. */
  channel: string
  /** Runs one batch of due work; returns true if there may be more. */
  work: () => Promise<boolean>
  onError: (error: unknown) => void
  /** Polling interval in ms, for work that becomes due without a notification. */
  pollMs?: number
}

export function openQueue(db: Database, { channel, work, onError, pollMs }: QueueOptions): Queue {
  let isWanted = false
  let isClosing = false
  let running: Promise<void> | undefined
  let stopListening: (() => Promise<void>) | undefined
  let poll: NodeJS.Timeout | undefined

  const wake = () => {
    isWanted = true
    running ??= run().finally(() => {
      running = undefined
      if (isWanted && !isClosing) wake()
    })
  }
  async function run(): Promise<void> {
    while (isWanted && !isClosing) {
      isWanted = false
      try {
        isWanted = (await work()) || isWanted
      } catch (error) {
        onError(error)
      }
    }
  }

  return {
    start: async () => {
      stopListening = await db.listen(channel, wake, wake)
      poll = pollMs === undefined ? undefined : setInterval(wake, pollMs).unref()
      wake()
    },
    flush: async () => {
      wake()
      await running
    },
    close: async () => {
      isClosing = true
      clearInterval(poll)
      await stopListening?.()
      await running
    },
  }
}

/** True if the database has the extension, so that this server need not replace it. */
export async function hasExtension(db: Database, name: string): Promise<boolean> {
  return (await db.query('select 1 from pg_extension where extname = $1', [name])).length > 0
}
