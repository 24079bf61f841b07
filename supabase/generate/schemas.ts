// Reads the schema declared in `supabase/schemas/`, and finds an order in which its files can be applied.
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Database, DatabaseError } from '@potluck/server/db/database.ts'
import { OWNER_ROLE } from '@potluck/server/db/migrate.ts'

const SCHEMAS = resolve(import.meta.dirname, '../schemas')

export interface SchemaFile {
  /** The path inside the folder, such as `plans/catalogue.sql`. */
  path: string
  sql: string
}

export async function readSchemas(folder = SCHEMAS): Promise<SchemaFile[]> {
  const paths = (await readdir(folder, { recursive: true }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.sql'))
    .sort()
  return Promise.all(paths.map(async (path) => ({ path, sql: await readFile(join(folder, path), 'utf8') })))
}

/**
 * Applies the files to a database that has only the platform, and returns them in the order that worked. Files do not
 * declare their dependencies: a file that fails because an object is missing is retried after the others. Throws if an
 * object is still missing at the end.
 */
export async function applySchemas(db: Database, files: SchemaFile[]): Promise<SchemaFile[]> {
  const ordered: SchemaFile[] = []
  await db.transaction(
    async (tx) => {
      let waiting = files
      while (waiting.length > 0) {
        const lacking: SchemaFile[] = []
        let reason: unknown
        for (const file of waiting) {
          await tx.script('savepoint before_file')
          try {
            await tx.script(file.sql)
            ordered.push(file)
          } catch (problem) {
            if (!isMissing(problem)) throw new Error(file.path, { cause: problem })
            await tx.script('rollback to before_file')
            lacking.push(file)
            reason ??= new Error(file.path, { cause: problem })
          }
        }
        if (lacking.length === waiting.length) throw reason
        waiting = lacking
      }
    },
    { role: OWNER_ROLE },
  )
  return ordered
}

/** Returns whether the error is about a missing schema, table, column, function or other object. */
const isMissing = (problem: unknown) =>
  problem instanceof DatabaseError && ['3F000', '42P01', '42703', '42883', '42704'].includes(problem.code)
