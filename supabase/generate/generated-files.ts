// The generated files and their paths.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readAuthSettings } from '@potluck/server/auth/auth-settings.ts'
import type { Database } from '@potluck/server/db/database.ts'
import { drawMarks } from '../../web/build/art/provider-marks.mjs'
import type { OpenApi } from './promise.ts'
import { renderAuthMails, withSubjects } from './render-auth-mails.ts'
import { renderAuthorization } from './render-authorization.ts'
import { renderCatalogue, renderProviderMarks } from './render-catalogue.ts'
import { renderLimits, renderTerms } from './render-limits.ts'
import { renderOpenApi, withScopes } from './render-openapi.ts'
import { renderTypes } from './render-types.ts'
import { describeSchema } from './schema-description.ts'
import { readSchemas } from './schemas.ts'

const SUPABASE = resolve(import.meta.dirname, '..')
const MARKS = join(SUPABASE, '../web/src/features/plans/providers')

/** Returns the path and content of the database types. They are not committed; `npm run check` regenerates them. */
export const databaseTypes = async (
  db: Pick<Database, 'query'>,
): Promise<[path: string, content: string]> => [
  join(SUPABASE, 'database.types.ts'),
  renderTypes(await describeSchema(db)),
]

/** Returns the absolute paths and contents of the generated files that are committed. */
export async function generatedFiles(
  db: Pick<Database, 'query'>,
): Promise<[path: string, content: string][]> {
  const settings = await readFile(join(SUPABASE, 'config.toml'), 'utf8')
  const auth = readAuthSettings(settings, { projectRoot: join(SUPABASE, '..') })
  const openApi = join(SUPABASE, '../web/public/openapi.json')
  const promised: OpenApi | undefined = existsSync(openApi)
    ? JSON.parse(await readFile(openApi, 'utf8'))
    : undefined
  const api = join(SUPABASE, '../docs/api.md')
  const described = await renderOpenApi(db, await readSchemas(), promised)
  return [
    [openApi, `${JSON.stringify(described, null, 1)}\n`],
    [api, withScopes(await readFile(api, 'utf8'))],
    [join(SUPABASE, '../docs/authorization.md'), await renderAuthorization(db)],
    [join(SUPABASE, 'functions/_shared/limits.ts'), await renderLimits(db, auth)],
    [join(SUPABASE, 'functions/_shared/terms.ts'), await renderTerms(db)],
    [join(SUPABASE, 'repeatable/provider-catalogue.sql'), renderCatalogue()],
    [join(MARKS, 'provider-marks.ts'), renderProviderMarks()],
    [join(MARKS, 'provider-marks.svg'), drawMarks()],
    [join(SUPABASE, 'config.toml'), withSubjects(settings)],
    ...renderAuthMails(auth.otpExpirySeconds / 3600).map(([file, html]): [string, string] => [
      join(SUPABASE, 'templates', file),
      html,
    ]),
  ]
}
