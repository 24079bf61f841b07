// Writes every generated file anew: npm run types
import { writeFile } from 'node:fs/promises'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { migrateTemplate } from '@potluck/server/test/template.ts'
import { generatedFiles } from './generated-files.ts'

const db = await openPglite({})
await migrateTemplate(db)
for (const [path, content] of await generatedFiles(db)) await writeFile(path, content)
await db.close()
