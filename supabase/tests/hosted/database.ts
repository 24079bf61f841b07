// A database like a hosted project's: the tables of Supabase's own auth service first, our migrations on top.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate, readMigrations } from '@potluck/server/db/migrate.ts'
import { emptyDatabase } from '../../../server/test/harness.ts'
import { statements } from '../people.ts'

const ROOT = join(import.meta.dirname, '../../..')

export async function hostedDatabase() {
  const db = await emptyDatabase()
  const [roles, ...others] = await readMigrations(join(ROOT, 'server/src/platform'))
  const auth = await readFile(join(import.meta.dirname, 'auth-schema.sql'), 'utf8')
  await migrate(db, {
    platform: [
      ...(roles ? [roles] : []),
      { version: '20', name: 'auth', sql: auth },
      ...others.filter(({ name }) => !name.startsWith('auth')),
    ],
    migrations: await readMigrations(join(ROOT, 'supabase/migrations')),
  })
  return { db, sql: statements(db).sql }
}
