// Opens the configured database and migrates it.
import { existsSync } from 'node:fs'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { PROJECT, toRun } from '../project.ts'
import { StartRefusal } from '../start-refusal.ts'
import { type AppSettings, type Database, DatabaseError, DISK_FULL } from './database.ts'
import { type FreeBytes, freeBytesOf } from './disk-reserve.ts'
import { lockFolder } from './folder-lock.ts'
import { type Migration, migrate, readMigrations, readRepeatable, readVersions } from './migrate.ts'
import { ensurePgliteFolder, openPglite } from './pglite.ts'
import { refuseSharedSessions } from './pooler.ts'
import { openPostgres } from './postgres.ts'
import { renewDatabase, unpackDatabase } from './ready-database.ts'

/** Thrown if other machines can reach the server and its database has demo accounts, whose passwords are public. */
export class DemoExposed extends StartRefusal {}

/** Thrown if root starts a server in another user's folder: it would leave files there that the owner cannot read. */
export class ForeignFolder extends StartRefusal {}

/** Thrown if a newer version has migrated the database: this version would bring back older functions. */
export class OlderThanDatabase extends StartRefusal {}

/** Thrown if an unreleased version created the database, from which no migration leads to this version. */
export class OlderThanReleases extends StartRefusal {}

/** Thrown if the disk is too full to set up or migrate the database. */
export class DiskFull extends StartRefusal {}

/** Thrown if there is no site in the database. */
export class NoSite extends StartRefusal {}

/** Thrown if Postgres cannot be reached, or refuses this role or database. */
export class Inaccessible extends StartRefusal {}

interface OpenOptions {
  onProgress?: (step: string) => void
  /** The versions of the migrations to apply; by default all of them. */
  versions?: readonly string[] | undefined
  /** Free bytes on the disk of the embedded database; by default those of its folder. */
  freeBytes?: FreeBytes
  /**
   * Throws NoSite for an empty database instead of setting it up. "as it is" also skips migrations, so that a site of
   * any earlier version can be read.
   */
  existing?: 'migrated' | 'as it is'
}

/** Opens, migrates and, if configured, seeds the database. Closing it also releases the data folder. */
export async function openDatabase(
  config: Config,
  { onProgress = () => undefined, versions, existing, freeBytes }: OpenOptions = {},
): Promise<Database> {
  if (existing && config.databaseUrl === undefined && !existsSync(embeddedFolder(config)))
    throw noSite(config)
  const { db, release } = await connect(config, freeBytes)
  try {
    const migrations = await readMigrations(join(config.supabaseDir, 'migrations'))
    const applied = await readApplied(db)
    if (existing && !applied) throw noSite(config)
    if (applied && config.readyDatabase) await renewDatabase(db)
    if (applied) refuseForeign(config, applied, migrations, existing)
    const wanted = migrations.filter(({ version }) => versions?.includes(version) ?? true)
    // The scripts that a release ships never change, so a database that this release has set up is left as it is.
    const isSetUp =
      config.readyDatabase !== undefined &&
      applied?.server === PROJECT.version &&
      wanted.every(({ version }) => applied.versions.includes(version))
    const setUp = async () => {
      if (!isSetUp)
        await migrate(db, {
          platform: await readMigrations(config.platformDir),
          migrations: wanted,
          // Repeatable scripts expect the latest schema.
          repeatable: versions ? [] : await readRepeatable(join(config.supabaseDir, 'repeatable')),
          onApplied: ({ version, name }: Migration) => onProgress(`Applied migration ${version} ${name}`),
        })
      if (!versions) await recordVersion(db)
      if (config.demo && (await seedOnce(db, join(config.supabaseDir, 'seed.sql'))))
        onProgress('Loaded the demo data')
    }
    if (existing !== 'as it is')
      await setUp().catch((error: unknown) => {
        if (!(error instanceof DatabaseError) || error.code !== DISK_FULL) throw error
        const isCurrent = wanted.every(({ version }) => applied?.versions.includes(version))
        if (!isCurrent)
          throw new DiskFull(
            `The disk of ${describeDatabase(config)} is full, and it has to be migrated first.`,
          )
        onProgress('The disk is full: reads work, and nothing can be written until there is room')
      })
    if (config.exposed && (await isSeeded(db))) {
      throw new DemoExposed(
        `There are demo accounts with public passwords in ${describeDatabase(config)}. To serve others, use ${config.databaseUrl ? 'another database in DATABASE_URL' : 'an empty DATA_DIR'}.`,
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

/** Facts about the server that the project's SQL can read. Only the server sets them, never a request. */
export const appSettings = ({ sheltered, ownUrl }: Pick<Config, 'sheltered' | 'ownUrl'>): AppSettings => ({
  sheltered: sheltered ? 'on' : 'off',
  // The URL at which SQL calls the project's functions.
  project_url: ownUrl,
})

async function connect(
  config: Config,
  freeBytes = freeBytesOf(config.dataDir),
): Promise<{ db: Database; release: () => Promise<void> }> {
  const settings = appSettings(config)
  if (config.databaseUrl) {
    const db = await openPostgres(config.databaseUrl, { max: config.databasePool, settings }).catch(
      refuseAccess,
    )
    try {
      await refuseSharedSessions(config.databaseUrl)
    } catch (error) {
      await db.close()
      throw error
    }
    return { db, release: async () => undefined }
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const release = await lockFolder(config.dataDir)
  const folder = embeddedFolder(config)
  try {
    if (config.readyDatabase) await unpackDatabase(config.readyDatabase, folder)
    await ensurePgliteFolder(folder)
    await forbidForeign(folder)
    return { db: await openPglite({ dataDir: folder, settings, freeBytes }), release }
  } catch (error) {
    await release()
    throw error
  }
}

const embeddedFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'pglite')

/** Describes the database to an operator, without the password. */
export function describeDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return `the embedded database in ${dataDir}`
  const { host, pathname } = new URL(databaseUrl)
  return `the database ${pathname.slice(1)} at ${host}`
}

const noSite = (config: Config) =>
  new NoSite(
    `There is no site in ${describeDatabase(config)}. Run this with the server's variables: DATABASE_URL, or DATA_DIR with the embedded database.`,
  )

/** Throws an Inaccessible error that tells the operator how to fix a refused connection; rethrows other errors. */
export function refuseAccess(error: unknown): never {
  if (!(error instanceof DatabaseError) || !/^(08001|28|3D000|42501)/.test(error.code)) throw error
  // If a host name has several addresses, all of them were tried. Each attempt has its own error, and the error that
  // contains them has no message.
  const { message: why, code: name } = (error.cause ?? error) as NodeJS.ErrnoException
  const advice = error.code === '3D000' ? ' Create it, or correct its name.' : ''
  throw new Inaccessible(
    `The database at DATABASE_URL cannot be ${error.code === '08001' ? 'reached' : 'used'}: ${why || name}.${advice}`,
  )
}

interface Applied {
  versions: string[]
  /** The version of the last server that started on the database; undefined before 1.1.0. */
  server: string | undefined
}

/** Returns the migrations that the database has, or undefined if no server has set it up yet. */
async function readApplied(db: Database): Promise<Applied | undefined> {
  const [here] = await db.query<{ set_up: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null and to_regclass('platform.settings') is not null as set_up",
  )
  if (!here?.set_up) return undefined
  const [known] = await db.query<{ server: string | null }>(
    `select (select value from platform.settings where key = 'version') as server`,
  )
  return { versions: await readVersions(db), server: known?.server ?? undefined }
}

function refuseForeign(
  config: Config,
  { versions, server }: Applied,
  migrations: readonly Migration[],
  existing: OpenOptions['existing'],
): void {
  const unknown = versions.filter((version) => migrations.every((known) => known.version !== version)).at(-1)
  if (unknown === undefined) return
  if (migrations.some(({ version }) => version > unknown)) {
    if (existing === 'as it is') return
    throw new OlderThanReleases(
      `An unreleased version made the site in ${describeDatabase(config)} (migration ${unknown}). \`${toRun('backup')}\` still exports it; to run this version, set up a new one.`,
    )
  }
  const needed = server && server !== PROJECT.version ? `version ${server}` : undefined
  throw new OlderThanDatabase(
    `This is ${PROJECT.displayName} ${PROJECT.version}, and the database was migrated by ${needed ?? 'a newer one'} (migration ${unknown}). Start ${needed ? `${needed} or newer` : 'that one'}, or restore a backup from before.`,
  )
}

async function recordVersion(db: Database): Promise<void> {
  await db.query(
    `insert into platform.settings (key, value) values ('version', $1)
     on conflict (key) do update set value = excluded.value where settings.value <> excluded.value`,
    [PROJECT.version],
  )
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

/**
 * Loads the demo data in one transaction, unless it was loaded into this database before. Returns whether it was loaded
 * now.
 */
async function seedOnce(db: Database, file: string): Promise<boolean> {
  if (await isSeeded(db)) return false
  const sql = await readFile(file, 'utf8')
  await db.transaction(async (tx) => {
    await tx.script(sql)
    await tx.query("insert into platform.settings (key, value) values ('seeded_at', now()::text)")
  })
  return true
}
