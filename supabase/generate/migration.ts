// `npm run migration`: rewrites the single migration of the coming version, and tests it on throwaway databases. Before
// the first release, the migration is the baseline: the schemas file by file. After that, it is the difference between
// the released migrations and the schemas, and its parts above PLAN and below BY_HAND are kept.
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Database } from '@potluck/server/db/database.ts'
import { migrate, OWNER_ROLE, readMigrations } from '@potluck/server/db/migrate.ts'
import { openPostgres } from '@potluck/server/db/postgres.ts'
import { startCluster, urlOf } from '@potluck/server/test/cluster.ts'
import { extract, isDestructiveAction, plan, provePlan, renderPlanFiles } from '@supabase/pg-delta'
import pg from 'pg'
import { ensurePostgres, findPostgres } from '../../scripts/postgres.mjs'
import { baselineOf } from './baseline.ts'
import { compareCatalogs, readCatalog } from './catalog.ts'
import { readReleases } from './releases.ts'
import { applySchemas, readSchemas, type SchemaFile } from './schemas.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MIGRATIONS = join(ROOT, 'supabase/migrations')
// The changes below this line are written by hand, because no schema plan contains them: jobs, settings of roles, rows
// that ship with the schema, and changes of stored rows.
const BY_HAND = '-- By hand\n'
// Above this line are the changes that the plan starts from, because no plan contains them either: a table or column that
// gets another name and keeps its rows.
const PLAN = '-- After the changes by hand\n'

// The migrating role owns the objects it creates. Its name differs on hosted Supabase, so statements that name an owner
// are removed.
const OWNERSHIP = new RegExp(
  `^(?:ALTER .* OWNER TO|(?:GRANT|REVOKE) .* (?:TO|FROM)) "${OWNER_ROLE}";\\n+`,
  'gm',
)
// Statements after which a REVOKE is added, so that rights are revoked before they are granted to some roles: with open
// default grants, the plan (1.0.0-alpha.34) revokes column rights last.
const NEW_TABLE = /^CREATE (?:TABLE|VIEW) ("(?:public|private)"\."\w+") [^;]*;$/gm
const NEW_FUNCTION = /^(REVOKE ALL ON FUNCTION "public"\..*) FROM PUBLIC;$/gm
// The privileges of a table in Postgres 15, written out; later versions add one.
const ALL_OF_A_TABLE = 'GRANT DELETE, INSERT, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON'
const EVERYBODY = 'PUBLIC, anon, authenticated, service_role'

/** The two kinds of default rights: new objects are closed, or they are open, as in some hosted Supabase projects. */
const GRANTS = [
  ['', false],
  ['_open', true],
] as const

ensurePostgres()
const bin = findPostgres()
if (!bin) throw new Error('This needs a Postgres of 15 or newer on this machine')
const cluster = await startCluster(bin)

async function write(): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS)
  const names = [...(await readReleases()).values()].flatMap((digests) => Object.keys(digests))
  const released = migrations.filter(({ version, name }) => names.includes(`${version}_${name}.sql`))
  const unreleased = migrations.filter((migration) => !released.includes(migration))

  console.log('What the released migrations give, and what the schemas declare')
  const platform = await readMigrations(join(ROOT, 'server/src/platform'))
  let files: SchemaFile[] = []
  const first = unreleased.flatMap(({ sql }) => sql.split(PLAN).slice(0, -1)).join('')
  const before = first === '' ? [] : [{ version: '99991230000000', name: 'first', sql: first }]
  for (const [suffix, exposeNewTables] of GRANTS) {
    await withDatabase(`given${suffix}`, (db) =>
      migrate(db, { platform, exposeNewTables, migrations: [...released, ...before] }),
    )
    await withDatabase(`declared${suffix}`, async (db) => {
      await migrate(db, { platform, exposeNewTables, migrations: [] })
      files = await applySchemas(db, await readSchemas())
    })
  }
  const byHand = unreleased.flatMap(({ sql }) => sql.split(BY_HAND).slice(1)).join('')
  const sql =
    released.length === 0
      ? baselineOf(files)
      : `${first === '' ? '' : `${first}${PLAN}`}${await planned()}${byHand === '' ? '' : `\n${BY_HAND}${byHand}`}`

  console.log('Whether the migration leads there')
  const missing = new Set<string>()
  const coming = sql === '' ? [] : [{ version: '99991231000000', name: 'coming', sql }]
  for (const [suffix, exposeNewTables] of GRANTS) {
    const declared = await withDatabase(`declared${suffix}`, readCatalog)
    const migrated = await withDatabase(`migrated${suffix}`, async (db) => {
      await migrate(db, { platform, exposeNewTables, migrations: [...released, ...coming] })
      return readCatalog(db)
    })
    for (const object of compareCatalogs(migrated, declared)) missing.add(object)
  }
  for (const object of missing) console.log(`To be written below "${BY_HAND.trim()}": ${object}`)
  if (missing.size > 0) process.exitCode = 1

  if (sql === unreleased.map((migration) => migration.sql).join(''))
    return console.log('Nothing has changed.')
  for (const { version, name } of unreleased) await rm(join(MIGRATIONS, `${version}_${name}.sql`))
  if (sql === '') return
  // A changed migration gets a new version, so that a database that has run an earlier text of it is refused instead of
  // being treated as up to date.
  const version = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const file = `${version}_${released.length === 0 ? 'baseline' : 'unreleased'}.sql`
  await writeFile(join(MIGRATIONS, file), sql)
  console.log(`Wrote supabase/migrations/${file}`)
}

/** Returns the SQL that leads from the released migrations to the schemas. */
async function planned(): Promise<string> {
  const [given, declared] = [await extracted('given'), await extracted('declared')]
  const change = plan(given, declared)
  const sql = renderPlanFiles(change, { allowDrops: true })
    .files.map(({ contents }) => contents)
    .join('\n')
    .replace(OWNERSHIP, '')
    .replaceAll(ALL_OF_A_TABLE, 'GRANT ALL ON')
    .replace(NEW_TABLE, `$&\n\nREVOKE ALL ON TABLE $1 FROM ${EVERYBODY};`)
    .replace(NEW_FUNCTION, `$1 FROM ${EVERYBODY};`)
  if (sql === '') return ''
  const verdict = await withPool('proved', 'given', (pool) => provePlan(change, pool, declared))
  if (!verdict.ok) throw new Error('The plan does not lead to the schemas', { cause: verdict })
  for (const action of change.actions.filter(isDestructiveAction))
    console.log(`Loses what is there: ${action.sql}`)
  return sql
}

/** Runs `work` in a database, which is created if necessary: empty, or as a copy of another one. */
async function withDatabase<T>(
  name: string,
  work: (db: Database) => Promise<T>,
  copyOf = 'template1',
): Promise<T> {
  const admin = await openPostgres(cluster.url, { max: 1 })
  const known = await admin.query('select from pg_database where datname = $1', [name])
  if (known.length === 0) await admin.query(`create database ${name} template ${copyOf}`)
  await admin.close()
  const db = await openPostgres(urlOf(cluster.url, name), { max: 1 })
  return work(db).finally(() => db.close())
}

async function withPool<T>(name: string, copyOf: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  await withDatabase(name, async () => undefined, copyOf)
  const pool = new pg.Pool({ connectionString: urlOf(cluster.url, name), max: 1 })
  return work(pool).finally(() => pool.end())
}

const extracted = (name: string) => withPool(name, name, async (pool) => (await extract(pool)).factBase)

try {
  await write()
} finally {
  await cluster.stop()
}
