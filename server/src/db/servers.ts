// Writes this server's state to platform.servers once a minute, for the project's page about the site.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { newestBackup } from '#copy/daily.ts'
import { PROJECT } from '#project.ts'
import type { Database } from './database.ts'
import { freeBytesOf } from './disk-reserve.ts'

const EVERY_MS = 60_000
/** In ms: a jump that moves deadlines visibly. A server that slept as long counts too. */
const JUMP_MS = 3_600_000

interface Options {
  db: Database
  dataDir: string
  log: Logger
  everyMs?: number
}

/** Returns a function that ends the reports and deletes this server's row. */
export async function reportServer({
  db,
  dataDir,
  log,
  everyMs = EVERY_MS,
}: Options): Promise<() => Promise<void>> {
  const id = randomUUID()
  const started = new Date()
  const begun = performance.now()
  /** The time by a clock that nobody can set, and that stands still while the machine sleeps. */
  const steady = () => started.getTime() + performance.now() - begun
  let drift = 0
  let jump: { at: Date; seconds: number } | undefined

  const report = async () => {
    const now = new Date()
    const change = now.getTime() - steady() - drift
    if (Math.abs(change) > JUMP_MS) {
      drift += change
      jump = { at: now, seconds: Math.round(change / 1000) }
      log.warn({ seconds: jump.seconds }, 'The clock of this machine jumped, or the machine slept')
    }
    const hasFolder = existsSync(dataDir)
    await db.query(
      `with gone as (delete from platform.servers where seen_at < now() - interval '1 hour')
       insert into platform.servers values ($1, $2, $3, now(), $4, $5, $6, $7)
       on conflict (id) do update set seen_at = excluded.seen_at, free_bytes = excluded.free_bytes,
         backed_up_at = excluded.backed_up_at, clock_jumped_at = excluded.clock_jumped_at,
         clock_jump_seconds = excluded.clock_jump_seconds`,
      [
        ...[id, PROJECT.version, started.toISOString()],
        hasFolder ? String(freeBytesOf(dataDir)()) : null,
        hasFolder ? ((await newestBackup(dataDir))?.toISOString() ?? null) : null,
        ...[jump?.at.toISOString() ?? null, jump ? String(jump.seconds) : null],
      ],
    )
  }
  const attempt = () =>
    report().catch((error: unknown) => log.warn({ err: error }, 'The state of this server was not written'))
  let running = attempt()
  const timer = setInterval(() => {
    running = running.then(attempt)
  }, everyMs).unref()
  await running
  return async () => {
    clearInterval(timer)
    await running
    await db
      .query('delete from platform.servers where id = $1', [id])
      .catch((error: unknown) => log.warn({ err: error }, 'The state of this server was not deleted'))
  }
}
