// Writes database.types.ts from the migrations, and docs/authorization.md from them and its cells: npm run types
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { migrateTemplate } from '@potluck/server/test/template.ts'
import { renderAuthorization } from './render-authorization.ts'
import { renderTypes } from './render-types.ts'
import { describeSchema } from './schema-description.ts'

const db = await openPglite({})
await migrateTemplate(db)
await writeFile(resolve(import.meta.dirname, '../database.types.ts'), renderTypes(await describeSchema(db)))
await writeFile(resolve(import.meta.dirname, '../../docs/authorization.md'), await renderAuthorization(db))
await db.close()
