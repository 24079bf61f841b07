import { expect, test } from 'vitest'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { join, type SharedPlan, sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()

test('counts active plans by category and provider, and those with a place left', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const marc = await addPerson(db, 'Marc')
  const zoe = await addPerson(db, 'Zoe')
  const small = await sharePlan(db, olivia, { places: 2 })
  await sharePlan(db, marc, { places: 3 })
  await sharePlan(db, marc, { catalogueId: 'spotify-premium-family', places: 2 })
  const hidden = await sharePlan(db, zoe)
  await sql`update shared_subscriptions set status = 'pending' where id = ${hidden.id}`
  await join(db, zoe, small)

  const counts = await zoe.sql`select * from count_available_plans() order by provider`

  expect(counts).toEqual([
    { category: 'streaming', provider: 'Netflix', plans: 2, open: 1 },
    { category: 'music', provider: 'Spotify', plans: 1, open: 1 },
  ])
})

test('keeps counting while places are taken, freed, opened and closed and plans come and go', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const marc = await addPerson(db, 'Marc')
  const plan = await sharePlan(db, olivia, { catalogueId: 'deezer-family', places: 2 })
  const zoe = await addPerson(db, 'Zoe')
  const second = await sharePlan(db, zoe, { catalogueId: 'deezer-family', places: 3 })
  const counts = async () =>
    (await marc.sql`select plans, open from count_available_plans() where provider = 'Deezer'`)[0]
  const places = (person: Person, { id }: SharedPlan, count: number) =>
    person.sql`update shared_subscriptions set owner_max_members = ${count} where id = ${id}`
  const decide = (status: string) =>
    sql`update shared_subscriptions set status = ${status} where id = ${second.id}`

  expect(await counts()).toEqual({ plans: 2, open: 2 })
  await join(db, marc, plan)
  expect(await counts()).toEqual({ plans: 2, open: 1 })
  await places(olivia, plan, 3)
  expect(await counts()).toEqual({ plans: 2, open: 2 })
  await places(olivia, plan, 2)
  expect(await counts()).toEqual({ plans: 2, open: 1 })
  await marc.sql`delete from subscription_members where subscription_id = ${plan.id} and user_id = ${marc.id}`
  expect(await counts()).toEqual({ plans: 2, open: 2 })
  await decide('rejected')
  expect(await counts()).toEqual({ plans: 1, open: 1 })
  await decide('active')
  expect(await counts()).toEqual({ plans: 2, open: 2 })
  await sql`delete from auth.users where id = ${zoe.id}`
  expect(await olivia.sql`select plans from count_available_plans() where provider = 'Deezer'`).toEqual([
    { plans: 1 },
  ])
  await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  expect(await olivia.sql`select from count_available_plans() where provider = 'Deezer'`).toEqual([])
})
