// Writes the catalogue migration: node scripts/run.mjs supabase/generate/catalogue.ts
import { readFile, writeFile } from 'node:fs/promises'
import { CATALOGUE_FILE, CATALOGUE_MIGRATION, catalogueSql } from './catalogue-sql.ts'

await writeFile(CATALOGUE_MIGRATION, catalogueSql(await readFile(CATALOGUE_FILE, 'utf8')))
