// Tables of which a client only ever reads a little: the catalogue, the settings and invitations.

import { expect, test } from 'vitest'
import { addPerson, DENIED, ownDatabase, refusalOf, rule } from '../people.ts'
import { approve, ask, setTheTable, sharePlan } from '../plans.ts'

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

test('a provider that is switched off is offered for nothing new, and places in its plans live on', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  const nina = await addPerson(db, 'Nina')
  const asked = await ask(db, nina, plan)
  await sql`insert into closed_providers (provider, reason) values ('Netflix', 'Its terms')`
  const closed = rule('Netflix is not offered here at the moment')
  expect(await refusalOf(ask(db, zoe, plan))).toEqual(closed)
  expect(await refusalOf(sharePlan(db, zoe))).toEqual(closed)
  expect(await refusalOf(olivia.sql`select invite_member(${plan.id}, 'new@potluck.example')`)).toEqual(closed)
  const offered = () => zoe.sql`select provider from count_available_plans()`
  expect(await offered()).toEqual([])
  expect(await zoe.sql`select id from search_plans('Netflix')`).toEqual([])
  await approve(db, plan, asked)
  expect(await marc.sql`select subscription_id from my_seats() where ended_at is null`).toHaveLength(1)
  await sql`delete from closed_providers`
  expect(await offered()).toEqual([{ provider: 'Netflix' }])
  await ask(db, zoe, plan)
})
