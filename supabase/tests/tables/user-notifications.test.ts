import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../server/test/harness.ts'
import { as, refusalOf, VISITOR } from '../people.ts'
import { setTheTable } from '../plans.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('NOTIF-10 API-17 people read their own notifications only', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  const all = 'select user_id, title, read, subscription_id from user_notifications'
  expect(await as(db, olivia, all)).toEqual([
    { user_id: olivia.id, title: 'New Join Request', read: false, subscription_id: plan.id },
  ])
  expect(await as(db, marc, all)).toEqual([
    { user_id: marc.id, title: 'Request Approved', read: false, subscription_id: plan.id },
  ])
  expect(await as(db, zoe, all)).toEqual([])
  expect(await refusalOf(as(db, VISITOR, all))).toMatchObject({ code: '42501' })
})

test('NOTIF-11 only the server writes them', async () => {
  const { marc } = await setTheTable(db)
  for (const text of [
    `insert into user_notifications (user_id, type, title, message) values ('${marc.id}', 'info', 'a', 'b')`,
    `update user_notifications set title = 'mine'`,
    'update user_notifications set read = true',
    'delete from user_notifications where read',
  ]) {
    expect(await refusalOf(as(db, marc, text))).toMatchObject({ code: '42501' })
  }
})

test('NOTIF-11 a notification outlives its plan', async () => {
  const { olivia, marc, plan } = await setTheTable(db)
  await as(db, olivia, 'delete from shared_subscriptions where id = $1', [plan.id])
  expect(
    await as(db, marc, `select subscription_id from user_notifications where title = 'Request Approved'`),
  ).toEqual([{ subscription_id: null }])
})
