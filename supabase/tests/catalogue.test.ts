import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../server/test/harness.ts'
import { CATALOGUE_FILE, CATALOGUE_MIGRATION, catalogueSql } from '../generate/catalogue-sql.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const bundled = () => readFile(CATALOGUE_FILE, 'utf8')

test('the catalogue migration is what the generator writes from the catalogue file', async () => {
  expect(await readFile(CATALOGUE_MIGRATION, 'utf8')).toBe(catalogueSql(await bundled()))
})

test('CATALOG-08 the current row of service_provider_data is the catalogue file, and it is the only current one', async () => {
  const rows = await db.query('select data from public.service_provider_data where is_current')
  expect(rows).toEqual([{ data: JSON.parse(await bundled()) }])
})

test('a catalogue that would end its own quoting is refused', () => {
  expect(() => catalogueSql('["$catalogue$; drop schema public"]')).toThrow('contains $catalogue$')
})
