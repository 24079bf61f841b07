// `npm run migration -- <name>`: compares the result of the migrations with the schemas on throwaway databases, and
// writes the difference as the next migration, after testing on a third that it works and keeps the rows.
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Database } from '@potluck/server/db/database.ts'
import { migrate, OWNER_ROLE, readMigrations } from '@potluck/server/db/migrate.ts'
import { openPostgres } from '@potluck/server/db/postgres.ts'
import { startCluster, urlOf } from '@potluck/server/test/cluster.ts'
import { extract, isDestructiveAction, plan, provePlan, renderPlanFiles } from '@supabase/pg-delta'
import pg from 'pg'
import { ensurePostgres, findPostgres } from '../../scripts/postgres.mjs'
import { compareCatalogs, readCatalog } from './catalog.ts'
import { applySchemas, readSchemas } from './schemas.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MIGRATIONS = join(ROOT, 'supabase/migrations')

// The migrating role owns what it creates; on hosted Supabase it has another name.
const OWNERSHIP = new RegExp(
  `^(?:ALTER .* OWNER TO|(?:GRANT|REVOKE) .* (?:TO|FROM)) "${OWNER_ROLE}";\\n+`,
  'gm',
)
// Closed before it is opened to some roles: with open default grants, the plan (1.0.0-alpha.34) revokes column rights last.
const NEW_TABLE = /^CREATE (?:TABLE|VIEW) ("(?:public|private)"\."\w+") [^;]*;$/gm
const NEW_FUNCTION = /^(REVOKE ALL ON FUNCTION "public"\..*) FROM PUBLIC;$/gm
// As Postgres 15 spells it, to which later ones add a privilege.
const ALL_OF_A_TABLE = 'GRANT DELETE, INSERT, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON'
const EVERYBODY = 'PUBLIC, anon, authenticated, service_role'

const name = process.argv.at(-1) ?? ''
if (!/^[a-z][a-z0-9_]*$/.test(name))
  throw new Error('npm run migration -- <name>, in lower case with underscores')
ensurePostgres()
const bin = findPostgres()
if (!bin) throw new Error('This needs a Postgres of 15 or newer on this machine')

const cluster = await startCluster(bin)

async function write(): Promise<void> {
  console.log('What the migrations give, and what the schemas declare')
  const platform = await readMigrations(join(ROOT, 'server/src/platform'))
  // New objects are closed by default, or open as in some hosted Supabase projects.
  for (const [suffix, exposeNewTables] of [
    ['', false],
    ['_open', true],
  ] as const) {
    await withDatabase(`given${suffix}`, async (db) =>
      migrate(db, { platform, exposeNewTables, migrations: await readMigrations(MIGRATIONS) }),
    )
    await withDatabase(`declared${suffix}`, async (db) => {
      await migrate(db, { platform, exposeNewTables, migrations: [] })
      await applySchemas(db, await readSchemas())
    })
  }
  const [given, declared] = [await extracted('given'), await extracted('declared')]
  const change = plan(given, declared)
  const sql = renderPlanFiles(change, { allowDrops: true })
    .files.map(({ contents }) => contents)
    .join('\n')
    .replace(OWNERSHIP, '')
    .replaceAll(ALL_OF_A_TABLE, 'GRANT ALL ON')
    .replace(NEW_TABLE, `$&\n\nREVOKE ALL ON TABLE $1 FROM ${EVERYBODY};`)
    .replace(NEW_FUNCTION, `$1 FROM ${EVERYBODY};`)
  if (sql !== '') {
    console.log('Whether the difference leads there')
    const verdict = await withPool('proved', 'given', (pool) => provePlan(change, pool, declared))
    if (!verdict.ok) throw new Error('It does not', { cause: verdict })
  }

  // Also for rows, jobs and role settings, which a schema plan does not cover.
  const wanted = await withDatabase('declared_open', readCatalog)
  const left = await withDatabase(
    'migrated_open',
    async (db) => {
      if (sql !== '') await db.transaction((tx) => tx.script(sql), { role: OWNER_ROLE })
      return compareCatalogs(await readCatalog(db), wanted)
    },
    'given_open',
  )
  if (sql === '' && left.length === 0) return console.log('The migrations give what the schemas declare.')
  const file = join(MIGRATIONS, `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_${name}.sql`)
  await writeFile(file, `${sql}${left.map((object) => `-- To be written by hand: ${object}\n`).join('')}`)
  console.log(`Wrote ${file}`)
  for (const action of change.actions.filter(isDestructiveAction))
    console.log(`Loses what is there: ${action.sql}`)
  for (const object of left) console.log(`To be written by hand: ${object}`)
}

/** Works in a database, creating it if necessary: empty, or as a copy of another one. */
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
