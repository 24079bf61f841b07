// Opens the configured database and migrates it.
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { StartRefusal } from '../start-refusal.ts'
import type { AppSettings, Database } from './database.ts'
import { lockFolder } from './folder-lock.ts'
import { type Migration, migrate, readMigrations, readRepeatable } from './migrate.ts'
import { ensurePgliteFolder, openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

/** Demo accounts were loaded at some point, and their passwords are public. */
export class DemoExposed extends StartRefusal {}

/** Root opens a folder of somebody else, and would leave files in it that its owner cannot read. */
export class ForeignFolder extends StartRefusal {}

interface OpenOptions {
  onProgress?: (step: string) => void
  /** Migrates only up to this version; every applied migration must be known here. */
  versions?: readonly string[] | undefined
}

/** Opens, migrates and, if configured, seeds. Closing also releases the data folder. */
export async function openDatabase(
  config: Config,
  { onProgress = () => undefined, versions }: OpenOptions = {},
): Promise<Database> {
  const { db, release } = await connect(config)
  try {
    const migrations = await readMigrations(join(config.supabaseDir, 'migrations'))
    await migrate(db, {
      platform: await readMigrations(config.platformDir),
      migrations: migrations.filter(({ version }) => versions?.includes(version) ?? true),
      // Repeatable scripts expect the latest schema.
      repeatable: versions ? [] : await readRepeatable(join(config.supabaseDir, 'repeatable')),
      onApplied: ({ version, name }: Migration) => onProgress(`Applied migration ${version} ${name}`),
    })
    if (config.demo && (await seedOnce(db, join(config.supabaseDir, 'seed.sql'))))
      onProgress('Loaded the demo data')
    if (config.exposed && (await isSeeded(db))) {
      throw new DemoExposed(
        'This database holds demo accounts with public passwords. Use an empty DATA_DIR to serve others.',
      )
    }
  } catch (error) {
    await db.close()
    await release()
    throw error
  }
  return {
    ...db,
    close: async () => {
      await db.close()
      await release()
    },
  }
}

/** What the server tells the project's functions about itself. Only the session's owner can set it, never a request. */
export const appSettings = ({ sheltered, ownUrl }: Pick<Config, 'sheltered' | 'ownUrl'>): AppSettings => ({
  sheltered: sheltered ? 'on' : 'off',
  // The address at which SQL calls the project's functions.
  project_url: ownUrl,
})

async function connect(config: Config): Promise<{ db: Database; release: () => Promise<void> }> {
  const settings = appSettings(config)
  if (config.databaseUrl) {
    return {
      db: await openPostgres(config.databaseUrl, { max: config.databasePool, settings }),
      release: async () => undefined,
    }
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const release = await lockFolder(config.dataDir)
  const folder = join(config.dataDir, 'pglite')
  try {
    await ensurePgliteFolder(folder)
    await forbidForeign(folder)
    return { db: await openPglite({ dataDir: folder, settings }), release }
  } catch (error) {
    await release()
    throw error
  }
}

async function forbidForeign(folder: string): Promise<void> {
  const { uid } = await stat(folder)
  if (process.getuid?.() !== 0 || uid === 0) return
  throw new ForeignFolder(
    `${folder} belongs to the user ${uid}, who could no longer open it after root has. Run this as that user.`,
  )
}

async function isSeeded(db: Database): Promise<boolean> {
  return (await db.query("select 1 from platform.settings where key = 'seeded_at'")).length > 0
}

/** Loads the demo data into a database that has never had it, all or nothing. */
async function seedOnce(db: Database, file: string): Promise<boolean> {
  if (await isSeeded(db)) return false
  const sql = await readFile(file, 'utf8')
  await db.transaction(async (tx) => {
    await tx.script(sql)
    await tx.query("insert into platform.settings (key, value) values ('seeded_at', now()::text)")
  })
  return true
}
