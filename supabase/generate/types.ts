// Writes database.types.ts from the migrations: npm run types
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { migrateTemplate } from '@potluck/server/test/template.ts'
import { renderTypes } from './render-types.ts'
import { describeSchema } from './schema-description.ts'

const db = await openPglite({})
await migrateTemplate(db)
await writeFile(resolve(import.meta.dirname, '../database.types.ts'), renderTypes(await describeSchema(db)))
await db.close()
