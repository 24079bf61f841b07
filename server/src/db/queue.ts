// Work queued by the database and done by this server: woken by NOTIFY, one run at a time per process.
import type { Database } from './database.ts'

export interface Queue {
  /** Runs now, and from then on whenever there may be work. */
  start(): Promise<void>
  /** Does what is due now. */
  flush(): Promise<void>
  /** Starts nothing new and waits for the current run. */
  close(): Promise<void>
}

interface QueueOptions {
  /** The NOTIFY channel that announces work. */
  channel: string
  /** Does one batch of due work; returns whether there may be more. */
  work: () => Promise<boolean>
  onError: (error: unknown) => void
  /** Polling interval in milliseconds, for work that falls due without a notification. */
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

/** Whether the database has the extension itself, so that this server need not replace it. */
export async function hasExtension(db: Database, name: string): Promise<boolean> {
  return (await db.query('select 1 from pg_extension where extname = $1', [name])).length > 0
}
