// Notifications of good news, each sent once: the person is in, a first month is over, the first coins are earned.
import { expect, test } from 'vitest'
import { setThePayingTable } from '../paying.ts'
import { addPerson } from '../people.ts'

const { db, sql, till, who, seatId, told, enterAndPay, toBoundary } = await setThePayingTable()

const months = async () => {
  const { olivia, marc } = who()
  return [await told(marc, 'first-month'), await told(olivia, 'member-first-month')]
}

test('a first month is told to both sides at its end, once, and mailed to nobody', async () => {
  const { olivia, marc, plan } = who()
  await enterAndPay()
  await till.pass(await toBoundary('-1 hour'))
  expect(await months()).toEqual([0, 0])
  await till.pass('2 hours')
  expect(await months()).toEqual([1, 1])
  await till.pass(await toBoundary())
  expect(await months()).toEqual([1, 1])
  expect(
    await marc.sql`select message, subscription_id from user_notifications where event = 'first-month'`,
  ).toEqual([{ message: 'Your first month in Netflix Premium is complete.', subscription_id: plan.id }])
  expect(await olivia.sql`select message from user_notifications where event = 'member-first-month'`).toEqual(
    [{ message: 'Marc has been in Netflix Premium for a whole month.' }],
  )
  expect(await sql`select from private.outgoing_mail where event like '%first-month'`).toEqual([])
})

test('nobody is told of a first month that ends with a problem, or unpaid', async () => {
  await enterAndPay()
  await till.pass(await toBoundary('-1 hour'))
  await who().marc.sql`select report_problem(${await seatId()}, 'password')`
  await till.pass('2 hours')
  expect(await months()).toEqual([0, 0])

  const nina = await addPerson(db, 'Nina')
  const { olivia, plan } = who()
  await sql`update shared_subscriptions set settlement = 'direct' where id = ${plan.id}`
  await till.enter(nina, plan, { access: false })
  await till.pass('32 days')
  expect(await nina.sql`select number, status from member_payments order by number`).toMatchObject([
    { number: 1 },
    { number: 2 },
  ])
  expect([await told(nina, 'first-month'), await told(olivia, 'member-first-month')]).toEqual([0, 0])
})

test('the first coins are told to who earned them, once, wherever they come from', async () => {
  const { olivia } = who()
  await enterAndPay()
  expect(await told(olivia, 'first-coins')).toBe(0)
  for (const _week of [1, 2]) {
    await till.pass('7 days')
    expect(await told(olivia, 'first-coins')).toBe(1)
  }
  const [first] =
    await olivia.sql`select amount from coin_transactions where transaction_type = 'earned' order by created_at`
  expect(
    await olivia.sql`select message, subscription_id from user_notifications where event = 'first-coins'`,
  ).toEqual([{ message: `Your first ${first?.amount} coins are in your wallet.`, subscription_id: null }])
})
