// Work that the database queues and this server does: woken by NOTIFY, never twice at once in one process.
import type { Database } from './database.ts'

export interface Queue {
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

/** Works at once, and from then on whenever there may be something to do. */
export async function startQueue(
  db: Database,
  { channel, work, onError, pollMs }: QueueOptions,
): Promise<Queue> {
  let isWanted = false
  let isClosing = false
  let running: Promise<void> | undefined

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

  const stopListening = await db.listen(channel, wake, wake)
  const poll = pollMs === undefined ? undefined : setInterval(wake, pollMs).unref()
  wake()
  return {
    close: async () => {
      isClosing = true
      clearInterval(poll)
      await stopListening()
      await running
    },
  }
}

/** Whether the database has the extension itself, so that this server need not stand in for it. */
export async function hasExtension(db: Database, name: string): Promise<boolean> {
  return (await db.query('select 1 from pg_extension where extname = $1', [name])).length > 0
}
