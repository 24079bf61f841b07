// Copies an embedded database to DATA_DIR/backups once a day, because nothing else protects it from the loss of its
// folder.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import { PROJECT } from '#project.ts'
import { writeBackup } from './file.ts'

const KEPT = 7
/** Time in ms between two checks, and before the first one, so that no backup delays a starting server. */
const LOOK_EVERY = 60_000

export const backupsFolder = (dataDir: string): string => join(dataDir, 'backups')

/** When the newest daily backup was written; undefined if there is none. */
export async function newestBackup(dataDir: string): Promise<Date | undefined> {
  const newest = (await listBackups(backupsFolder(dataDir))).at(-1)
  return newest === undefined ? undefined : (await stat(join(backupsFolder(dataDir), newest))).mtime
}

/** The names of the daily backups in a folder, oldest first. */
const listBackups = async (folder: string): Promise<string[]> =>
  existsSync(folder)
    ? (await readdir(folder)).filter((name) => name.startsWith(`${PROJECT.name}-`)).sort()
    : []

/**
 * Writes the day's backup (UTC) unless it exists, and deletes all but the last seven backups. Requests wait until it is
 * written, because an embedded database has only one session.
 */
export async function backUpToday(db: Database, dataDir: string, now = new Date()): Promise<void> {
  const folder = backupsFolder(dataDir)
  const file = join(folder, `${PROJECT.name}-${now.toISOString().slice(0, 10)}.gz`)
  if (existsSync(file)) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeBackup(db, file)
  for (const name of (await listBackups(folder)).slice(0, -KEPT))
    await rm(join(folder, name), { force: true })
}

/**
 * Checks every minute whether the day's backup is due. Returns a function that stops the checks and waits for a running
 * backup.
 */
export function startDailyBackups(options: {
  db: Database
  dataDir: string
  log: Logger
}): () => Promise<void> {
  const { db, dataDir, log } = options
  let running = Promise.resolve()
  const look = () => {
    running = running
      .then(() => backUpToday(db, dataDir))
      .catch((error: unknown) => log.error({ err: error }, 'backup: the backup of the day was not written'))
  }
  const timer = setInterval(look, LOOK_EVERY).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
