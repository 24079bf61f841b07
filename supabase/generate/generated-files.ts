// Every generated file, and where it belongs.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Database } from '@potluck/server/db/database.ts'
import { renderAuthMails } from './render-auth-mails.ts'
import { renderAuthorization } from './render-authorization.ts'
import { renderCatalogue } from './render-catalogue.ts'
import { renderTypes } from './render-types.ts'
import { describeSchema } from './schema-description.ts'

const SUPABASE = resolve(import.meta.dirname, '..')

/** Absolute path and content. */
export async function generatedFiles(
  db: Pick<Database, 'query'>,
): Promise<[path: string, content: string][]> {
  const mails = await renderAuthMails(db)
  const [terms] = await db.query<{ rate: number }>('select private.first_fee_rate()::float8 as rate')
  const catalogue = await readFile(join(SUPABASE, 'provider-catalogue.json'), 'utf8')
  return [
    [join(SUPABASE, 'database.types.ts'), renderTypes(await describeSchema(db))],
    [join(SUPABASE, '../docs/authorization.md'), await renderAuthorization(db)],
    [join(SUPABASE, 'first-terms.json'), `{ "feeRate": ${terms?.rate} }\n`],
    [join(SUPABASE, 'repeatable/provider-catalogue.sql'), renderCatalogue(catalogue)],
    ...mails.map(([file, html]): [string, string] => [join(SUPABASE, 'templates', file), html]),
  ]
}
