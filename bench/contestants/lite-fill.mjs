// Fills the peer's database through its own connection. This is a separate process, because importing the package
// changes `process`: node lite-fill.mjs <postgres url or PGlite folder>
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPgliteConnection } from '@supabase/lite/pglite'
import { createPostgresConnection } from '@supabase/lite/postgres'

const [url = ''] = process.argv.slice(2)
const onPostgres = url.includes('://')
const connection = onPostgres ? createPostgresConnection({ url }) : await createPgliteConnection({ url })
const run = (sql) => (onPostgres ? connection.driver.unsafe(sql) : connection.driver.exec(sql))
// The provider catalogue has to be filled in first; our server loads it at startup.
const repeatable = join(import.meta.dirname, '../../supabase/repeatable')
for (const file of [
  ...readdirSync(repeatable)
    .toSorted()
    .map((name) => join(repeatable, name)),
  join(import.meta.dirname, '../data.sql'),
])
  await run(readFileSync(file, 'utf8'))
await run('vacuum analyze')
await connection.close()
