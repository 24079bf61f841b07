import { expect, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import { addPerson, as, type Person, VISITOR } from '../people.ts'
import { join, type SharedPlan, sharePlan } from '../plans.ts'

const db = await testDatabase()

test('counts active plans by category and provider, and those with a place left', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const marc = await addPerson(db, 'Marc')
  const zoe = await addPerson(db, 'Zoe')
  const small = await sharePlan(db, olivia, { places: 2 })
  await sharePlan(db, marc, { places: 3 })
  await sharePlan(db, marc, { catalogueId: 'spotify-premium-family', places: 2 })
  const hidden = await sharePlan(db, zoe)
  await db.query(`update shared_subscriptions set status = 'pending' where id = $1`, [hidden.id])
  await join(db, zoe, small)

  const counts = await as(db, zoe, 'select * from count_available_plans() order by provider')

  expect(counts).toEqual([
    { category: 'streaming', provider: 'Netflix', plans: 2, open: 1 },
    { category: 'music', provider: 'Spotify', plans: 1, open: 1 },
  ])
})

test('keeps counting while places are taken, freed, opened and closed and plans come and go', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const marc = await addPerson(db, 'Marc')
  const plan = await sharePlan(db, olivia, { catalogueId: 'deezer-family', places: 2 })
  const second = await sharePlan(db, marc, { catalogueId: 'deezer-family', places: 3 })
  const counts = async () =>
    (await as(db, marc, `select plans, open from count_available_plans() where provider = 'Deezer'`))[0]
  const places = (person: Person, { id }: SharedPlan, count: number) =>
    as(db, person, 'update shared_subscriptions set owner_max_members = $2 where id = $1', [
      id,
      String(count),
    ])
  const decide = (status: string) =>
    db.query('update shared_subscriptions set status = $2 where id = $1', [second.id, status])

  expect(await counts()).toEqual({ plans: 2, open: 2 })
  await join(db, marc, plan)
  expect(await counts()).toEqual({ plans: 2, open: 1 })
  await places(olivia, plan, 3)
  expect(await counts()).toEqual({ plans: 2, open: 2 })
  await places(olivia, plan, 2)
  expect(await counts()).toEqual({ plans: 2, open: 1 })
  await as(db, marc, 'delete from subscription_members where subscription_id = $1 and user_id = $2', [
    plan.id,
    marc.id,
  ])
  expect(await counts()).toEqual({ plans: 2, open: 2 })
  await decide('rejected')
  expect(await counts()).toEqual({ plans: 1, open: 1 })
  await decide('active')
  expect(await counts()).toEqual({ plans: 2, open: 2 })
  await db.query('delete from auth.users where id = $1', [marc.id])
  expect(await as(db, olivia, `select plans from count_available_plans() where provider = 'Deezer'`)).toEqual(
    [{ plans: 1 }],
  )
  await as(db, olivia, 'delete from shared_subscriptions where id = $1', [plan.id])
  expect(await as(db, olivia, `select from count_available_plans() where provider = 'Deezer'`)).toEqual([])
})

test('counts nothing for visitors', async () => {
  await expect(as(db, VISITOR, 'select * from count_available_plans()')).rejects.toThrow(/permission denied/)
})
