// A payment that was refunded in full at the provider: the place is not renewed, staff are asked, and without an answer
// it ends.
import { beforeEach, describe, expect, test } from 'vitest'
import { setThePayingTable } from '../paying.ts'
import { addPerson, addStaff, denied, notFound, type Person, refusalOf, rule } from '../people.ts'

const { db, sql, till, who, seat, last, periods, told, enterAndPay, toBoundary } = await setThePayingTable()
const ENDED = { status: 'ended', end_reason: 'removed' }
let ada: Person
beforeEach(async () => {
  ada = await addStaff(db, 'Ada', 'admin')
})
const refund = async (amount: number) =>
  sql`select record_refund(null, ${`re_${(await last()).id}`}, 'succeeded', null, ${`pi ${(await last()).id}`}, ${amount})`
const decide = async (isGoodwill: boolean | null, by = ada) =>
  by.sql`select decide_returned_payment(${(await last()).id}, ${isGoodwill})`
const listed = () => ada.sql`select payment_id from list_returned_payments()`

describe.each([
  ['before anything is earned', '1 hour'],
  ['after a part is earned', '20 days'],
])('given back whole %s', (_when, time) => {
  beforeEach(async () => {
    await enterAndPay()
    await till.pass(time)
  })

  test('asks staff, tells both, earns and charges nothing meanwhile, and ends the place after 72 hours', async () => {
    const { olivia, marc } = who()
    const coins = await till.coins(olivia)
    await refund(5.5)
    expect(await listed()).toHaveLength(1)
    expect([
      await told(marc, 'payment-went-back'),
      await told(olivia, 'payment-of-member-went-back'),
      await told(ada, 'payment-refund-to-decide'),
    ]).toEqual([1, 1, 1])
    await till.pass('71 hours')
    expect(await seat()).toEqual({ status: 'active', end_reason: null })
    await till.pass('1 hour')
    expect(await seat()).toEqual(ENDED)
    expect([await told(marc, 'seat-ended'), await told(olivia, 'member-seat-ended')]).toEqual([1, 1])
    expect(await listed()).toEqual([])
    expect(await till.coins(olivia)).toBe(coins)
    expect(await periods()).toHaveLength(1)
  })

  test('ends at once if staff say so, and nobody decides twice or about their own', async () => {
    const { olivia, marc } = who()
    await refund(5.5)
    await sql`insert into user_roles (user_id, role) values (${olivia.id}, 'admin')`
    expect(await refusalOf(decide(false, olivia))).toEqual(
      denied('Someone else decides about a payment of yours'),
    )
    expect(await refusalOf(decide(null))).toEqual(rule('Please say whether the place ends or goes on'))
    expect(await refusalOf(decide(false, marc))).toMatchObject({ code: '42501' })
    await decide(false)
    expect(await seat()).toEqual(ENDED)
    expect(await refusalOf(decide(true))).toEqual({
      code: 'PT409',
      message: 'Someone already decided about this refund',
    })
  })

  test('goes on and renews as goodwill, and the owner loses nothing', async () => {
    const { olivia, marc } = who()
    await refund(5.5)
    await decide(true)
    expect([await told(marc, 'place-kept'), await told(olivia, 'member-back')]).toEqual([1, 1])
    await till.pass(await toBoundary())
    expect(await till.coins(olivia)).toBe(5)
    expect(await last()).toMatchObject({ number: 2, status: 'paid' })
  })
})

test('a part that is given back, or a month that is over, asks nothing', async () => {
  const { id } = await enterAndPay().then(last)
  await refund(3)
  expect(await listed()).toEqual([])
  await till.pass(await toBoundary())
  await sql`select record_refund(null, 're_late', 'succeeded', null, ${`pi ${id}`}, 2.5)`
  expect(await listed()).toEqual([])
  expect(await last()).toMatchObject({ number: 2, status: 'paid' })
  expect(await refusalOf(ada.sql`select decide_returned_payment(${id}, true)`)).toEqual(
    notFound('Payment not found'),
  )
  expect(await refusalOf((await addPerson(db, 'Zoe')).sql`select list_returned_payments()`)).toMatchObject({
    code: '42501',
  })
})
