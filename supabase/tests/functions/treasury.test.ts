// What admins see of everybody's coins, and the one change they make to a wallet.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CoinType, forgetMoney, moveCoins } from '../coins.ts'
import {
  type Asker,
  addPerson,
  addStaff,
  DENIED,
  denied,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'

const { db, sql, VISITOR } = await ownDatabase()
let ada: Person
let sofia: Person
let mona: Person
let olivia: Person
let marc: Person
beforeAll(async () => {
  ada = await addStaff(db, 'Ada', 'admin')
  sofia = await addStaff(db, 'Sofia', 'super-admin')
  mona = await addStaff(db, 'Mona', 'moderator')
})
beforeEach(async () => {
  await forgetMoney(db)
  olivia = await addPerson(db, 'Olivia')
  marc = await addPerson(db, 'Marc')
})

const move = (person: Person, type: CoinType, amount: string, hoursAgo = 0) =>
  moveCoins(db, person, type, amount, 'Moved').then(
    (id) =>
      sql`update coin_transactions set created_at = now() - make_interval(hours => ${hoursAgo}) where id = ${id}`,
  )
const withdraw = (person: Person, amount: number, daysAgo = 0) =>
  sql`insert into withdrawal_requests (user_id, amount, requested_at)
     values (${person.id}, ${amount}, now() - make_interval(days => ${daysAgo})) returning id`
const decide = (set: string, person: Person, by = ada) =>
  by.run(`update withdrawal_requests set ${set} where user_id = $1 and status <> 'completed'`, [person.id])

describe('list_withdrawals', () => {
  test('gives all, newest requested first, with who asked', async () => {
    await olivia.sql`update user_profiles set full_name = 'Olivia Oak' where user_id = ${olivia.id}`
    await move(olivia, 'earned', '100')
    await move(marc, 'earned', '100')
    await withdraw(olivia, 20, 3)
    await withdraw(marc, 30.5, 1)
    await withdraw(olivia, 25, 2)
    const list = (limit: number, offset: number) =>
      ada.sql`select * from list_withdrawals(${limit}, ${offset})`
    expect(await list(50, 0)).toMatchObject([
      { user_id: marc.id, display_name: 'Marc', full_name: null, amount: '30.5' },
      { user_id: olivia.id, display_name: 'Olivia', full_name: 'Olivia Oak', amount: '25' },
      { user_id: olivia.id, display_name: 'Olivia', full_name: 'Olivia Oak', amount: '20' },
    ])
    expect((await list(2, 2)).map(({ amount }) => amount)).toEqual(['20'])
    expect(Object.keys((await list(1, 0))[0] ?? {}).sort()).toEqual([
      ...['amount', 'avatar_url', 'bank_account_last4', 'completed_at', 'completed_by'],
      ...[
        'completed_by_name',
        'display_name',
        'full_name',
        'has_account',
        'id',
        'payout_file_id',
        'processed_at',
      ],
      ...[
        'processed_by',
        'processed_by_name',
        'rejection_reason',
        'requested_at',
        'return_reason',
        'returned_at',
        'status',
      ],
      ...['stripe_transfer_id', 'user_id'],
    ])
  })
})

test('withdrawal_statistics counts and adds up each status', async () => {
  const statistics = () => ada.sql`select * from withdrawal_statistics()`
  const none = { requests: 0, amount: '0.00' }
  expect(await statistics()).toEqual([
    { status: 'pending', ...none },
    { status: 'processing', ...none },
    { status: 'completed', ...none },
    { status: 'rejected', ...none },
  ])
  await move(olivia, 'earned', '200')
  await move(marc, 'earned', '200')
  await withdraw(olivia, 20.1)
  await decide(`status = 'processing'`, olivia)
  await decide(`status = 'completed'`, olivia, sofia)
  await withdraw(olivia, 30)
  await decide(`status = 'processing'`, olivia)
  await withdraw(marc, 40)
  await decide(`status = 'rejected', rejection_reason = 'Unknown account'`, marc)
  await withdraw(marc, 20.1)
  await withdraw(marc, 20.2)
  expect(await statistics()).toEqual([
    { status: 'pending', requests: 2, amount: '40.30' },
    { status: 'processing', requests: 1, amount: '30.00' },
    { status: 'completed', requests: 1, amount: '20.10' },
    { status: 'rejected', requests: 1, amount: '40.00' },
  ])
})

describe('adjust_wallet', () => {
  const adjust = (who: Asker, of: Person, amount: string | null, reason: string | null) =>
    who.sql`select * from adjust_wallet(${of.id}, ${amount}, ${reason})`
  const wallet = async () =>
    (
      await sql`select coin_balance, total_earned, total_withdrawn from user_wallets where user_id = ${olivia.id}`
    )[0]
  const transactions = () =>
    sql`select transaction_type, amount, description from coin_transactions where user_id = ${olivia.id} order by created_at`

  test('adds what is positive and takes what is negative, each with its transaction', async () => {
    expect(await adjust(ada, olivia, '12.34', '  A missed month \n')).toMatchObject([
      {
        user_id: olivia.id,
        transaction_type: 'earned',
        amount: '12.34',
        description: 'Admin adjustment: A missed month',
      },
    ])
    await adjust(sofia, olivia, '-2.3', 'Counted twice')
    expect(await wallet()).toEqual({ coin_balance: '10.04', total_earned: '12.34', total_withdrawn: '0.00' })
    expect(await transactions()).toEqual([
      { transaction_type: 'earned', amount: '12.34', description: 'Admin adjustment: A missed month' },
      { transaction_type: 'spent', amount: '2.30', description: 'Admin adjustment: Counted twice' },
    ])
  })

  test.each([
    ['-10.01', 'Too much', 'The balance cannot go below zero'],
    ['0', 'Nothing', 'Please enter a valid adjustment amount'],
    ['0.004', 'Less than a cent', 'Please enter a valid adjustment amount'],
    ['NaN', 'No number', 'Please enter a valid adjustment amount'],
    ['Infinity', 'No end', 'Please enter a valid adjustment amount'],
    ['-Infinity', 'No end', 'Please enter a valid adjustment amount'],
    ['9999999999.99', 'More than a wallet holds', 'Please enter a valid adjustment amount'],
    [null, 'No amount', 'Please enter a valid adjustment amount'],
    ['5', ' \n\t', 'An adjustment needs a reason'],
    ['5', null, 'An adjustment needs a reason'],
    ['5', 'x'.repeat(481), 'The reason can be at most 480 characters'],
  ])('of %s is refused and changes nothing', async (amount, reason, message) => {
    await move(olivia, 'earned', '10')
    expect(await refusalOf(adjust(ada, olivia, amount, reason))).toEqual(rule(message))
    expect(await wallet()).toMatchObject({ coin_balance: '10.00' })
    expect(await transactions()).toHaveLength(1)
  })

  test('takes all there is, and a reason as long as may be', async () => {
    await move(olivia, 'earned', '10')
    await adjust(ada, olivia, '-10', 'x'.repeat(480))
    expect(await wallet()).toMatchObject({ coin_balance: '0.00' })
  })

  test('is for admins, and never for the own wallet', async () => {
    const OTHERS = denied('Only an admin can do this')
    for (const person of [mona, olivia, marc])
      expect(await refusalOf(adjust(person, olivia, '5', 'A gift'))).toEqual(OTHERS)
    expect(await refusalOf(adjust(VISITOR, olivia, '5', 'A gift'))).toMatchObject(DENIED)
    for (const person of [ada, sofia])
      expect(await refusalOf(adjust(person, person, '5', 'A gift'))).toEqual(
        denied('Someone else adjusts your own wallet'),
      )
    expect(await sql`select * from coin_transactions`).toEqual([])
  })
})

describe('the figures', () => {
  const overview = async () => (await ada.sql`select * from wallet_overview()`)[0]

  test('of no wallet at all are zeros', async () => {
    expect(await overview()).toMatchObject({
      wallets: 0,
      circulation: '0',
      net_flow: '0',
      coins_vs_withdrawals: '0.0',
      average: '0.00',
      recent_transactions: 0,
    })
  })

  test('of all wallets are exact sums, those of 30 days apart', async () => {
    const day = 24
    for (const _cent of [1, 2, 3]) await move(olivia, 'earned', '0.10', 31 * day)
    await move(olivia, 'earned', '60', 29 * day)
    await move(olivia, 'withdrawn', '20', 2)
    await move(marc, 'earned', '9.70', 1)
    await move(marc, 'spent', '4', 1)
    await move(marc, 'refunded', '1.01', 1)
    expect(await overview()).toEqual({
      wallets: 2,
      circulation: '47.01',
      earned: '70.00',
      withdrawn: '20.00',
      net_flow: '50.00',
      coins_vs_withdrawals: '235.1',
      average: '23.51',
      recent_transactions: 5,
      recent_earned: '69.70',
      recent_spent: '4.00',
      recent_withdrawn: '20.00',
      recent_refunded: '1.01',
    })
  })

  test('divide by 1 at least', async () => {
    await move(olivia, 'earned', '40.50')
    expect(await overview()).toMatchObject({ withdrawn: '0.00', coins_vs_withdrawals: '4050.0' })
    await move(olivia, 'withdrawn', '0.50')
    expect(await overview()).toMatchObject({ coins_vs_withdrawals: '4000.0' })
  })

  test('of transactions cover 24 hours, 7 days and all time', async () => {
    await move(olivia, 'earned', '100', 24 * 8)
    await move(olivia, 'earned', '10', 24 * 7 - 1)
    await move(olivia, 'withdrawn', '20', 25)
    await move(marc, 'earned', '3', 23)
    await move(marc, 'spent', '1')
    await move(marc, 'refunded', '0.50')
    expect(await ada.sql`select * from transaction_statistics()`).toEqual([
      { period: '1d', transactions: 3, earned: '3.00', spent: '1.00', withdrawn: '0', refunded: '0.50' },
      { period: '7d', transactions: 5, earned: '13.00', spent: '1.00', withdrawn: '20.00', refunded: '0.50' },
      {
        period: 'all',
        transactions: 6,
        earned: '113.00',
        spent: '1.00',
        withdrawn: '20.00',
        refunded: '0.50',
      },
    ])
  })

  test('of days are those of the last 30, today last, in UTC', async () => {
    await move(olivia, 'earned', '100', 24 * 31)
    await move(olivia, 'earned', '10')
    await move(marc, 'earned', '2.50')
    await move(olivia, 'withdrawn', '5')
    await move(marc, 'refunded', '1')
    await sql`update coin_transactions set created_at = (date_trunc('day', now() at time zone 'utc') at time zone 'utc') - interval '1 second'
      where transaction_type = 'refunded'`
    const days =
      await ada.sql`select day = (now() at time zone 'utc')::date as today, earned, spent, withdrawn, refunded
      from coins_by_day()`
    const none = { today: false, earned: '0', spent: '0', withdrawn: '0', refunded: '0' }
    expect(days).toEqual([
      ...Array.from({ length: 28 }, () => none),
      { ...none, refunded: '1.00' },
      { ...none, today: true, earned: '12.50', withdrawn: '5.00' },
    ])
  })
})
