// Brings a database up to date: first what hosted Supabase would have provided, then the project's migrations.
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

/** Reads the scripts that run at every start, in order of their names. A project may have none. */
export async function readRepeatable(folder: string): Promise<string[]> {
  const files = existsSync(folder)
    ? (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
    : []
  return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
}

/**
 * Applies the platform scripts, every migration not applied yet, and the repeatable scripts, each in one transaction;
 * the latter two run in a session of OWNER_ROLE, even where they begin and commit transactions of their own. Platform and repeatable scripts are written to be run at every start: they bring
 * about what they say and change nothing where it is so already. `exposeNewTables` chooses between hosted Supabase's two grant
 * regimes: whether new objects in `public` are open to the API roles before a migration says so.
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

/** The session is the owner's; only what has to be the server's is done with the server's rights. */
async function applyOnce(tx: Transaction, { version, name, sql }: Migration): Promise<boolean> {
  await takeTurn(tx)
  await tx.script('set local role none')
  const known = await tx.query('select 1 from supabase_migrations.schema_migrations where version = $1', [
    version,
  ])
  if (known.length > 0) return false
  await tx.script(`set local role ${OWNER_ROLE}`)
  await tx.script(sql)
  // Not for this transaction alone: the migration may have ended it.
  await tx.script('set role none')
  await tx.query('insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)', [
    version,
    name,
  ])
  return true
}

// Roles belong to all databases of a Postgres, and the lock below to one: two of them that are set up at once would both
// change the same roles. Only a superuser may lock them, and only a superuser sets up a database that has none yet.
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
