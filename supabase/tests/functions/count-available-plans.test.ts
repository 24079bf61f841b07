import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../server/test/harness.ts'
import { addPerson, as, VISITOR } from '../people.ts'
import { join, sharePlan } from '../plans.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('BROWSE-01 counts active plans by category and provider, and those with a place left', async () => {
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

test('BROWSE-01 counts nothing for visitors', async () => {
  await expect(as(db, VISITOR, 'select * from count_available_plans()')).rejects.toThrow(/permission denied/)
})
