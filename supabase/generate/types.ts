// `npm run types`: writes all generated files anew or, with --database, only the types of the database.
import { writeFile } from 'node:fs/promises'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { migrateTemplate } from '@potluck/server/test/template.ts'
import { databaseTypes, generatedFiles } from './generated-files.ts'

const db = await openPglite({})
await migrateTemplate(db)
const kept = process.argv.includes('--database') ? [] : await generatedFiles(db)
for (const [path, content] of [await databaseTypes(db), ...kept]) await writeFile(path, content)
await db.close()
