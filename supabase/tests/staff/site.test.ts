// The site's single rows: the catalogue and the settings.
// Proves CREATE 17, CATALOG 08, API 25
import { test } from 'vitest'
import { expectRefusal } from '../answers.ts'
import { ownDatabase } from '../people.ts'

const { sql } = await ownDatabase()

test('there is one current catalogue at most, which is a list, and one row of settings', async () => {
  await expectRefusal(sql`insert into app_settings default values`, { code: '23505' })
  const insert = (data: string) =>
    sql`insert into service_provider_data (data, is_current) values (${data}, true)`
  await expectRefusal(insert('[]'), { code: '23505' })
  await expectRefusal(insert('{}'), { code: '23514' })
})
