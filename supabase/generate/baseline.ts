// Writes the schemas as one migration, file by file in an order that works.
import { resolve } from 'node:path'
import { migrate, readMigrations } from '@potluck/server/db/migrate.ts'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { applySchemas, readSchemas, type SchemaFile } from './schemas.ts'

const PLATFORM = resolve(import.meta.dirname, '../../server/src/platform')

export const baselineOf = (files: SchemaFile[]) =>
  [
    '-- Generated from supabase/schemas/ by `npm run migration`: file by file, in an order that works.\n',
    ...files.map(({ path, sql }) => `-- ${path}\n${sql}`),
  ].join('\n')

export async function readBaseline(): Promise<string> {
  const db = await openPglite({})
  await migrate(db, { platform: await readMigrations(PLATFORM), migrations: [] })
  const files = await applySchemas(db, await readSchemas())
  await db.close()
  return baselineOf(files)
}
