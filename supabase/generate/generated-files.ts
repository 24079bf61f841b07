// The generated files and their paths.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readAuthSettings } from '@potluck/server/auth/auth-settings.ts'
import type { Database } from '@potluck/server/db/database.ts'
import type { OpenApi } from './promise.ts'
import { renderAuthMails, withSubjects } from './render-auth-mails.ts'
import { renderAuthorization } from './render-authorization.ts'
import { renderLimits } from './render-limits.ts'
import { renderOpenApi } from './render-openapi.ts'
import { renderTypes } from './render-types.ts'
import { describeSchema } from './schema-description.ts'
import { readSchemas } from './schemas.ts'

const SUPABASE = resolve(import.meta.dirname, '..')

/** The types that `npm run check` regenerates, which are not committed: absolute path and content. */
export const databaseTypes = async (
  db: Pick<Database, 'query'>,
): Promise<[path: string, content: string]> => [
  join(SUPABASE, 'database.types.ts'),
  renderTypes(await describeSchema(db)),
]

/** Committed files: absolute paths and contents. */
export async function generatedFiles(
  db: Pick<Database, 'query'>,
): Promise<[path: string, content: string][]> {
  const settings = await readFile(join(SUPABASE, 'config.toml'), 'utf8')
  const auth = readAuthSettings(settings, { projectRoot: join(SUPABASE, '..') })
  const catalogue: unknown[] = JSON.parse(await readFile(join(SUPABASE, 'provider-catalogue.json'), 'utf8'))
  const openApi = join(SUPABASE, '../web/public/openapi.json')
  const promised: OpenApi | undefined = existsSync(openApi)
    ? JSON.parse(await readFile(openApi, 'utf8'))
    : undefined
  const described = await renderOpenApi(db, await readSchemas(), promised)
  return [
    [openApi, `${JSON.stringify(described, null, 1)}\n`],
    [join(SUPABASE, '../docs/authorization.md'), await renderAuthorization(db)],
    [join(SUPABASE, 'functions/_shared/limits.ts'), await renderLimits(db, auth)],
    [join(SUPABASE, 'repeatable/provider-catalogue.sql'), renderCatalogue(catalogue)],
    [join(SUPABASE, 'config.toml'), withSubjects(settings)],
    ...renderAuthMails(auth.otpExpirySeconds / 3600).map(([file, html]): [string, string] => [
      join(SUPABASE, 'templates', file),
      html,
    ]),
  ]
}

/** The script that loads the catalogue into a database, a provider on each line. */
const renderCatalogue = (providers: unknown[]) =>
  `-- The catalogue that ships, from provider-catalogue.json by \`npm run types\`. It runs at every start of the server.
select private.load_catalogue('[
${providers.map((provider) => JSON.stringify(provider).replaceAll("'", "''")).join(',\n')}
]');
`
