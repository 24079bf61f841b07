// Work that the database queues and this server does: woken by NOTIFY, never twice at once in one process.
import type { Database } from './database.ts'

export interface Queue {
  /** Works at once, and from then on whenever there may be something to do. */
  start(): Promise<void>
  /** Does what is due now. */
  flush(): Promise<void>
  /** Starts nothing new and waits for what is under way. */
  close(): Promise<void>
}

interface QueueOptions {
  /** NOTIFY on it means that there is work. */
  channel: string
  /** Does one batch of what is due, and says whether there may be more. */
  work: () => Promise<boolean>
  onError: (error: unknown) => void
  /** Looks by itself as often, in milliseconds, for what falls due without being announced. */
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

/** Whether the database has the extension itself, so that this server need not stand in for it. */
export async function hasExtension(db: Database, name: string): Promise<boolean> {
  return (await db.query('select 1 from pg_extension where extname = $1', [name])).length > 0
}
