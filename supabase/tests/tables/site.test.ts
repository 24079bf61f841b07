// Tables of which a client only ever reads a little: the catalogue, the settings and invitations.

import { expect, test } from 'vitest'
import { DENIED, ownDatabase, refusalOf } from '../people.ts'
import { setTheTable } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

test('everybody reads the current catalogue and no other, nobody writes it', async () => {
  const { zoe } = await setTheTable(db)
  await sql`insert into service_provider_data (data) values ('[]')`
  const text = 'select is_current from service_provider_data'
  expect(await VISITOR.run(text)).toEqual([{ is_current: true }])
  expect(await zoe.run(text)).toEqual([{ is_current: true }])
  for (const person of [zoe, VISITOR]) {
    expect(await refusalOf(person.sql`insert into service_provider_data (data) values ('[]')`)).toMatchObject(
      DENIED,
    )
    expect(await refusalOf(person.sql`update service_provider_data set is_current = false`)).toMatchObject(
      DENIED,
    )
  }
})

test('there is one current catalogue at most, and it is a list', async () => {
  const insert = (data: string) =>
    refusalOf(sql`insert into service_provider_data (data, is_current) values (${data}, true)`)
  expect(await insert('[]')).toMatchObject({ code: '23505' })
  expect(await insert('{}')).toMatchObject({ code: '23514' })
})

test('the settings are one row, and nothing for people to read or write', async () => {
  const { zoe } = await setTheTable(db)
  expect(await zoe.sql`select * from app_settings`).toEqual([])
  expect(await refusalOf(VISITOR.sql`select * from app_settings`)).toMatchObject(DENIED)
  const change = 'update app_settings set review_new_plans = true'
  expect(await zoe.run(`${change} returning id`)).toEqual([])
  expect(await refusalOf(sql`insert into app_settings default values`)).toMatchObject({
    code: '23505',
  })
})
