// The schemas and the migrations give the same result, object by object and row by row.
import { resolve } from 'node:path'
import { migrate, readMigrations, readRepeatable } from '@potluck/server/db/migrate.ts'
import { emptyDatabase } from '@potluck/server/test/harness.ts'
import { expect, test } from 'vitest'
import { compareCatalogs, readCatalog } from '../generate/catalog.ts'
import { applySchemas, readSchemas } from '../generate/schemas.ts'
import { ownDatabase } from './people.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const { db: migrated } = await ownDatabase()

test('migrations and schemas give the same, and a change of one alone is noticed', async () => {
  const declared = await emptyDatabase()
  await migrate(declared, { platform: await readMigrations(`${ROOT}/server/src/platform`), migrations: [] })
  await applySchemas(declared, await readSchemas())
  await migrate(declared, {
    platform: [],
    migrations: [],
    repeatable: await readRepeatable(`${ROOT}/supabase/repeatable`),
  })
  const before = await readCatalog(migrated)
  expect(before.size).toBeGreaterThan(2000)
  expect(compareCatalogs(before, await readCatalog(declared))).toEqual([])

  await declared.query("update private.rate_limits set attempts = 21 where action = 'approval'")
  await declared.query('drop policy "Requesters cancel" on subscription_requests')
  await declared.query('alter table messages add column mood text, alter content set default $$$$')
  expect(compareCatalogs(before, await readCatalog(declared))).toEqual([
    '~ column messages.content',
    '+ column messages.mood',
    '- policy public.subscription_requests Requesters cancel',
    '~ rows of private.rate_limits',
  ])
})
