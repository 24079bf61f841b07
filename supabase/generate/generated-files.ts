// Every file that is written from the migrations, and where it belongs.
import { join, resolve } from 'node:path'
import type { Database } from '@potluck/server/db/database.ts'
import { renderAuthMails } from './render-auth-mails.ts'
import { renderAuthorization } from './render-authorization.ts'
import { renderTypes } from './render-types.ts'
import { describeSchema } from './schema-description.ts'

const SUPABASE = resolve(import.meta.dirname, '..')

/** Absolute path and content. */
export async function generatedFiles(
  db: Pick<Database, 'query'>,
): Promise<[path: string, content: string][]> {
  const mails = await renderAuthMails(db)
  return [
    [join(SUPABASE, 'database.types.ts'), renderTypes(await describeSchema(db))],
    [join(SUPABASE, '../docs/authorization.md'), await renderAuthorization(db)],
    ...mails.map(([file, html]): [string, string] => [join(SUPABASE, 'templates', file), html]),
  ]
}
