// Which periods a payment can be for, and that each is paid once.

import { expect, test } from 'vitest'
import { DENIED, ownDatabase, refusalOf, rule } from '../people.ts'
import { month, setTheTable } from '../plans.ts'

const { db, sql } = await ownDatabase()
// Marc joined two months ago.
const { olivia, marc, plan } = await setTheTable(db)
await sql`update subscription_members set joined_at = now() - interval '2 months' where user_id = ${marc.id}`
const pay = (period: string | null) =>
  sql`select period from record_member_payment(${plan.id}, ${marc.id}, ${period})`

const FIRST = 'A period is named by the first day of its month'
test.each([
  [null, FIRST],
  [month().replace(/01$/, '02'), FIRST],
  [month(-5).replace(/01$/, '28'), FIRST],
  ['infinity', FIRST],
  ['-infinity', FIRST],
  [month(-3), 'Nobody pays for a time before they joined'],
  ['1970-01-01', 'Nobody pays for a time before they joined'],
  [month(2), 'A payment is for the coming month at the latest'],
  ['9999-12-01', 'A payment is for the coming month at the latest'],
])('a payment for %s is refused', async (period, refusal) => {
  expect(await refusalOf(pay(period))).toEqual(rule(refusal))
  expect(await sql`select id from member_payments`).toEqual([])
})

test('a payment is for any month from that of joining to the coming one, once, and outlives the plan', async () => {
  const months = [month(-2), month(-1), month(), month(1)]
  for (const period of months) {
    expect(await pay(period)).toEqual([{ period }])
    expect(await refusalOf(pay(period))).toMatchObject({ code: '23505' })
  }
  await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  expect(await marc.sql`select subscription_id, period from member_payments order by period`).toEqual(
    months.map((period) => ({ subscription_id: plan.id, period })),
  )
  const again = `insert into member_payments (subscription_id, member_id, owner_id, share, fee, period)
    select subscription_id, member_id, owner_id, share, fee, period from member_payments`
  expect(await refusalOf(db.query(again))).toMatchObject({ code: '23505' })
  expect(await refusalOf(olivia.run(again))).toMatchObject(DENIED)
})
