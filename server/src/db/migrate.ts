// Brings a database up to date: first what hosted Supabase would have provided, then the project's migrations.
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Database, Transaction } from './database.ts'

/** The role that owns the project's objects, as `postgres` does on hosted Supabase: not a superuser. */
export const OWNER_ROLE = 'project_owner'

export interface Migration {
  version: string
  name: string
  sql: string
}

/** Reads `<version>_<name>.sql` files in order. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d+_.*\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const [, version = '', name = ''] = /^(\d+)_(.*)\.sql$/.exec(basename(file)) ?? []
      return { version, name, sql: await readFile(join(folder, file), 'utf8') }
    }),
  )
}

/**
 * Applies the platform scripts (written to be run at every start) and every migration not applied yet, each in
 * one transaction; migrations run as OWNER_ROLE. `exposeNewTables` chooses between hosted Supabase's two grant
 * regimes: whether new objects in `public` are open to the API roles before a migration says so.
 */
export async function migrate(
  db: Database,
  options: {
    platform: Migration[]
    migrations: Migration[]
    exposeNewTables?: boolean
    onApplied?: (migration: Migration) => void
  },
): Promise<void> {
  await db.transaction(async (tx) => {
    await takeTurn(tx)
    for (const { sql } of options.platform) await tx.script(sql)
    await tx.script(defaultPrivileges(options.exposeNewTables ?? false))
  })
  for (const migration of options.migrations) {
    const applied = await db.transaction((tx) => applyOnce(tx, migration))
    if (applied) options.onApplied?.(migration)
  }
}

async function applyOnce(tx: Transaction, { version, name, sql }: Migration): Promise<boolean> {
  await takeTurn(tx)
  const known = await tx.query('select 1 from supabase_migrations.schema_migrations where version = $1', [
    version,
  ])
  if (known.length > 0) return false
  await tx.script(`set local role ${OWNER_ROLE}`)
  await tx.script(sql)
  await tx.script('reset role')
  await tx.query('insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)', [
    version,
    name,
  ])
  return true
}

// Two servers that start together on one Postgres must not migrate at once.
async function takeTurn(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(7331)')
}

function defaultPrivileges(exposeNewTables: boolean): string {
  const roles = 'anon, authenticated, service_role'
  return ['tables', 'sequences', 'functions']
    .map((kind) =>
      exposeNewTables
        ? `alter default privileges for role ${OWNER_ROLE} in schema public grant all on ${kind} to ${roles};`
        : `alter default privileges for role ${OWNER_ROLE} in schema public revoke all on ${kind} from ${roles};`,
    )
    .join('\n')
}
