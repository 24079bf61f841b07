// Runs due jobs, even if the database has pg_cron (platform/40_cron.sql).
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Metrics } from '#http/metrics.ts'

interface CronScheduler {
  /** Starts no new runs and waits for the running ones. */
  close(): Promise<void>
}

interface DueJob extends Record<string, unknown> {
  runid: number
  jobid: number
  command: string
  username: string
}

const AT_ONCE = 4
/** The longest run in ms; jobs work in batches, so they finish well within this time. */
const LONGEST_RUN = 120_000

/** Checks every second for due jobs. Any number of servers may share one database: each run happens on one of them. */
export async function startScheduler({
  db,
  log,
  jobs,
}: Pick<Metrics, 'jobs'> & { db: Database; log: Logger }): Promise<CronScheduler> {
  const closing = new AbortController()
  const running = new Set<Promise<void>>()

  async function look(): Promise<void> {
    const room = AT_ONCE - running.size
    if (room === 0) return
    const due = await db.query<DueJob>('select * from platform.take_due_jobs($1)', [String(room)])
    for (const job of due) {
      const run = carryOut(job).finally(() => running.delete(run))
      running.add(run)
    }
  }
  async function carryOut(job: DueJob): Promise<void> {
    const failure = await run(job).then(
      () => null,
      (error: Error) => error.message,
    )
    jobs.inc({ job: String(job.jobid), outcome: failure === null ? 'succeeded' : 'failed' })
    if (failure !== null) log.warn({ job: job.jobid, failure }, 'cron: a job failed')
    await db
      .query('select platform.end_run($1, $2)', [String(job.runid), failure])
      .catch((error: unknown) =>
        log.error({ err: error, job: job.jobid }, 'cron: an outcome was not recorded'),
      )
  }
  async function run({ jobid, command, username }: DueJob): Promise<void> {
    const role = `"${username.replaceAll('"', '""')}"`
    await db.transaction(
      async (tx) => {
        const [lock] = await tx.query<{ taken: boolean }>(
          `select pg_try_advisory_xact_lock(7333, $1) as taken, set_config('statement_timeout', $2, true)`,
          [String(jobid), String(LONGEST_RUN)],
        )
        if (!lock?.taken) throw new Error('An earlier run has not ended')
        await tx.script(command)
      },
      { role },
    )
  }
  async function poll(): Promise<void> {
    while (!closing.signal.aborted) {
      await look().catch((error: unknown) => log.error({ err: error }, 'cron: the jobs could not be read'))
      await pause(1_000 - (Date.now() % 1_000), undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  const polling = poll()
  return {
    close: async () => {
      closing.abort()
      await polling
      await Promise.all(running)
    },
  }
}
