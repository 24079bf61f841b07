import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../server/test/harness.ts'
import { renderTypes } from '../generate/render-types.ts'
import { describeSchema } from '../generate/schema-description.ts'

test('database.types.ts is what `npm run types` writes from the migrations', async () => {
  const db = await openTestDatabase()
  const rendered = renderTypes(await describeSchema(db))
  await db.close()
  expect(await readFile(resolve(import.meta.dirname, '../database.types.ts'), 'utf8')).toBe(rendered)
})
