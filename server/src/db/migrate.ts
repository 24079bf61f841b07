// Migrates a database: first the platform that hosted Supabase would provide, then the project's migrations.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StartRefusal } from '../start-refusal.ts'
import { type Database, DatabaseError, type Transaction } from './database.ts'
import { PRE_REQUEST } from './pre-request.ts'

/** The role that owns the project's objects, as `postgres` does on hosted Supabase. It is not a superuser. */
export const OWNER_ROLE = 'project_owner'

/** Thrown if the connection's role lacks rights that the first start needs. */
export class MissingRights extends StartRefusal {}

export interface Migration {
  version: string
  name: string
  sql: string
}

/** Reads the `<version>_<name>.sql` files of a folder in order. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d+_.*\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const [, version = '', name = ''] = /^(\d+)_(.*)\.sql$/.exec(basename(file)) ?? []
      return { version, name, sql: await readFile(join(folder, file), 'utf8') }
    }),
  )
}

/** Reads the scripts that run at every start, sorted by name; none if the folder is missing. */
export async function readRepeatable(folder: string): Promise<string[]> {
  const files = existsSync(folder)
    ? (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
    : []
  return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
}

/** Returns the versions of the applied migrations, in order. */
export async function readVersions(db: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await db.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  )
  return rows.map(({ version }) => version)
}

/**
 * Applies the platform scripts, every pending migration, and the repeatable scripts, each in one transaction.
 * Migrations and repeatable scripts run in a session of OWNER_ROLE, even if they begin and commit transactions
 * themselves. Platform and repeatable scripts run at every start, so they are idempotent. `exposeNewTables` says
 * whether new objects in `public` are open to the API roles by default; hosted Supabase has both kinds of projects.
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
  const setUp = async (tx: Transaction) => {
    await takeTurn(tx)
    await tx.script(TAKE_TURN_WITH_ROLES)
    for (const { sql } of options.platform) await tx.script(sql)
    await tx.script(defaultPrivileges(options.exposeNewTables ?? false))
  }
  await db.transaction(setUp).catch((error: unknown) => {
    throw error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE
      ? missingRights(error)
      : error
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
  await db.transaction(async (tx) => {
    await takeTurn(tx)
    await tx.query('select platform.open_tables()')
  })
}

/** Applies a migration unless it was applied before. The server's own rights are used only where they are needed. */
async function applyOnce(tx: Transaction, { version, name, sql }: Migration): Promise<boolean> {
  await takeTurn(tx)
  await tx.script('set local role none')
  const known = await tx.query('select 1 from supabase_migrations.schema_migrations where version = $1', [
    version,
  ])
  if (known.length > 0) return false
  await tx.script(`set local role ${OWNER_ROLE}`)
  await tx.script(await withSettings(tx, sql))
  // This is not SET LOCAL, because the migration may have ended the transaction.
  await tx.script('set role none')
  await keepPreRequest(tx)
  await tx.query('insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)', [
    version,
    name,
  ])
  return true
}

/**
 * Hosted Supabase stores the name of the function that the Data API calls before each request as a setting of the role
 * authenticator. A managed Postgres refuses to store the setting (42501), so the migration sets it only for its
 * transaction, in which keepPreRequest reads it.
 */
async function withSettings(tx: Transaction, sql: string): Promise<string> {
  const [right] = await tx.query<{ set: boolean }>(
    `select has_parameter_privilege('${PRE_REQUEST}', 'set') as set`,
  )
  return right?.set ? sql : sql.replaceAll(/\balter role authenticator set (?=pgrst\.)/gi, 'set local ')
}

async function keepPreRequest(tx: Transaction): Promise<void> {
  await tx.query(
    `insert into platform.settings (key, value)
     select '${PRE_REQUEST}', value from current_setting('${PRE_REQUEST}', true) as value where value <> ''
     on conflict (key) do update set value = excluded.value`,
  )
}

const INSUFFICIENT_PRIVILEGE = '42501'

const missingRights = ({ message }: DatabaseError) =>
  new MissingRights(
    `The role of DATABASE_URL may not set up this database: ${message}. It has to own the database and, for the first start, to have CREATEROLE: docs/operate.md, "The role of the server".`,
  )

// Roles are shared by all databases of a Postgres, but the lock below is per database: two servers that set up two
// databases at the same time would change the same roles. Only a superuser can lock the roles. A server with any other
// role changes roles only at its first start on a database; two such starts must not happen at the same time.
const TAKE_TURN_WITH_ROLES = `do $$ begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    lock table pg_catalog.pg_authid in share row exclusive mode;
  end if;
end $$`

// Two servers that start together on one Postgres must not migrate at the same time.
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
