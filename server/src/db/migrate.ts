// Migrates a database: first the platform that hosted Supabase would provide, then the project's migrations.
import { existsSync } from 'node:fs'
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

/** Reads the scripts that run at every start, sorted by name. A project may have none. */
export async function readRepeatable(folder: string): Promise<string[]> {
  const files = existsSync(folder)
    ? (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
    : []
  return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
}

/**
 * Applies the platform scripts, every pending migration, and the repeatable scripts, each in one transaction; the latter two
 * run in a session of OWNER_ROLE, even if they begin and commit transactions themselves. Platform and repeatable scripts run
 * at every start, so they are idempotent. `exposeNewTables` chooses between hosted Supabase's two grant regimes: whether new
 * objects in `public` are open to the API roles by default.
 */
export async function migrate(
  db: Database,
  options: {
    platform: Migration[]
    migrations: Migration[]
    repeatable?: string[]
    exposeNewTables?: boolean
    onApplied?: (migration: Migration) => void
  },
): Promise<void> {
  await db.transaction(async (tx) => {
    await takeTurn(tx)
    await tx.script(TAKE_TURN_WITH_ROLES)
    for (const { sql } of options.platform) await tx.script(sql)
    await tx.script(defaultPrivileges(options.exposeNewTables ?? false))
  })
  for (const migration of options.migrations) {
    const applied = await db.transaction((tx) => applyOnce(tx, migration), { role: OWNER_ROLE })
    if (applied) options.onApplied?.(migration)
  }
  for (const script of options.repeatable ?? []) {
    const run = async (tx: Transaction) => {
      await takeTurn(tx)
      await tx.script(script)
    }
    await db.transaction(run, { role: OWNER_ROLE })
  }
}

/** The session runs as the owner; only what needs the server's rights uses them. */
async function applyOnce(tx: Transaction, { version, name, sql }: Migration): Promise<boolean> {
  await takeTurn(tx)
  await tx.script('set local role none')
  const known = await tx.query('select 1 from supabase_migrations.schema_migrations where version = $1', [
    version,
  ])
  if (known.length > 0) return false
  await tx.script(`set local role ${OWNER_ROLE}`)
  await tx.script(sql)
  // Not SET LOCAL: the migration may have ended the transaction.
  await tx.script('set role none')
  await tx.query('insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)', [
    version,
    name,
  ])
  return true
}

// Roles are shared by all databases of a Postgres, but the lock below is per database: two databases set up at once would
// change the same roles. Only a superuser can lock them, and only a superuser sets up a database without them.
const TAKE_TURN_WITH_ROLES = `do $$ begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    lock table pg_catalog.pg_authid in share row exclusive mode;
  end if;
end $$`

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
