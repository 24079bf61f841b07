// The site's single rows: the catalogue and the settings; and providers that are switched off.
// Proves CREATE 17, CATALOG 08, API 25
import { expect, test } from 'vitest'
import { expectRefusal, rule } from '../answers.ts'
import { addPerson, ownDatabase } from '../people.ts'
import { approve, ask, found, setTheTable, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()

test('there is one current catalogue at most, which is a list, and one row of settings', async () => {
  await expectRefusal(sql`insert into app_settings default values`, { code: '23505' })
  const insert = (data: string) =>
    sql`insert into service_provider_data (data, is_current) values (${data}, true)`
  await expectRefusal(insert('[]'), { code: '23505' })
  await expectRefusal(insert('{}'), { code: '23514' })
})

test('a provider that is switched off is offered for nothing new, and places in its plans live on', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  const nina = await addPerson(db, 'Nina')
  const asked = await ask(db, nina, plan)
  await sql`insert into closed_providers (provider, reason) values ('Netflix', 'Its terms')`
  const closed = rule('Netflix is not available right now')
  await expectRefusal(ask(db, zoe, plan), closed)
  await expectRefusal(sharePlan(db, zoe), closed)
  await expectRefusal(olivia.sql`select invite_member(${plan.id}, 'new@potluck.example')`, closed)
  const offered = () => zoe.sql`select provider from count_available_plans()`
  expect(await offered()).toEqual([])
  expect((await found(zoe, 'p_full => true')).size).toBe(0)
  await approve(db, plan, asked)
  expect(await marc.sql`select subscription_id from my_seats() where ended_at is null`).toHaveLength(1)
  await sql`delete from closed_providers`
  expect(await offered()).toEqual([{ provider: 'Netflix' }])
  await ask(db, zoe, plan)
})
