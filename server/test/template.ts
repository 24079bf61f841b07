// The migrated, empty database from which every test starts. It is created once, and reused while its sources are
// unchanged.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Database } from '#db/database.ts'
import { migrate, readMigrations, readRepeatable } from '#db/migrate.ts'
import { openPglite } from '#db/pglite.ts'

export const TEMPLATE_DATABASE = 'potluck_template'

const ROOT = resolve(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/potluck')

const sources = async () => ({
  platform: await readMigrations(join(ROOT, 'server/src/platform')),
  migrations: await readMigrations(join(ROOT, 'supabase/migrations')),
  repeatable: await readRepeatable(join(ROOT, 'supabase/repeatable')),
})

/** Applies the platform, the migrations and the repeatable scripts, as a server does at its start. */
export async function migrateTemplate(db: Database): Promise<void> {
  await migrate(db, await sources())
}

// Every test database is loaded from this dump, so these statements remove what it does not need: leftovers of
// migrations, other databases and old WAL.
const SHRINK = [
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
  'vacuum full',
  'set wal_recycle = off',
  'select pg_switch_wal()',
  'checkpoint',
  'reset wal_recycle',
]

/** Returns a dump of the migrated PGlite database. */
export async function loadTemplate(): Promise<Blob> {
  const from = await readFile(join(ROOT, 'server/src/db/migrate.ts'), 'utf8')
  const key = createHash('sha256')
    .update(JSON.stringify(await sources()))
    .update(from)
    .update(SHRINK.join())
    .digest('hex')
    .slice(0, 24)
  const file = join(CACHE, `template-${key}.tar`)
  if (!existsSync(file)) {
    const db = await openPglite({})
    await migrateTemplate(db)
    for (const statement of SHRINK) await db.query(statement)
    const dump = await db.dump()
    await db.close()
    await mkdir(CACHE, { recursive: true })
    // Writes the file under another name first, so that a parallel suite never reads a half-written file.
    await writeFile(`${file}.${process.pid}`, new Uint8Array(await dump.arrayBuffer()))
    await rename(`${file}.${process.pid}`, file)
  }
  return new Blob([Uint8Array.from(await readFile(file))])
}
