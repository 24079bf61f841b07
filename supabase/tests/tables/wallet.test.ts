import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import {
  type Asker,
  addPerson,
  DENIED,
  denied,
  type Person,
  refusalOf,
  rule,
  statements,
  visitor,
} from '../people.ts'

const db = await testDatabase()
const { sql } = statements(db)
const VISITOR = visitor(db)

async function withCoins(coins: number): Promise<Person> {
  const person = await addPerson(db, 'Olivia')
  await sql`select private.move_coins(${person.id}, 'earned', ${coins}, 'A start')`
  return person
}
async function addAdmin(): Promise<Person> {
  const person = await addPerson(db, 'Ada')
  await sql`insert into user_roles (user_id, role) values (${person.id}, 'admin')`
  return person
}
const withdraw = (person: Asker, amount: string | null) =>
  person.sql<{
    id: string
    status: string
  }>`insert into withdrawal_requests (amount) values (${amount}) returning id, status`
const decide = (person: Asker, id: string, status: string, reason: string | null = null) =>
  person.sql`update withdrawal_requests set status = ${status}, rejection_reason = ${reason} where id = ${id} returning status`
const wallet = async (person: Person) =>
  (
    await person.sql`select coin_balance, total_earned, total_withdrawn from user_wallets where user_id = ${person.id}`
  )[0]

test('what comes with a decision is dated by the database and not rewritten without one', async () => {
  const olivia = await withCoins(50)
  const ada = await addAdmin()
  const [asked] = await withdraw(olivia, '20')
  const set = (columns: string) =>
    ada.run(
      `update withdrawal_requests set ${columns} where id = $1
       returning processed_at > '2026-01-01' as processed, completed_at is not null as completed, rejection_reason`,
      [asked?.id ?? ''],
    )
  const long = `'2000-01-01'`
  expect(await refusalOf(set(`completed_at = ${long}`))).toMatchObject({ code: '23514' })
  expect(
    await set(
      `status = 'processing', processed_at = ${long}, completed_at = ${long}, rejection_reason = 'none'`,
    ),
  ).toEqual([{ processed: true, completed: false, rejection_reason: null }])
  expect(await refusalOf(set(`stripe_transfer_id = 'tr_2'`))).toMatchObject({ code: '23514' })
  await set(`status = 'completed'`)
  expect(await refusalOf(set(`bank_account_last4 = '0000'`))).toMatchObject({ code: '23514' })
})

test.each([
  [
    'user_wallets',
    ['user_id', 'coin_balance', 'total_earned', 'total_withdrawn', 'created_at', 'updated_at'],
  ],
  ['coin_transactions', ['id', 'user_id', 'transaction_type', 'amount', 'description', 'created_at']],
  [
    'withdrawal_requests',
    [
      ...['id', 'user_id', 'amount', 'status', 'requested_at', 'processed_at', 'completed_at'],
      ...['rejection_reason', 'stripe_transfer_id', 'bank_account_last4'],
    ],
  ],
])('the columns of %s', async (table, columns) => {
  const found = await sql<{ name: string }>`select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = ${table} order by ordinal_position`
  expect(found.map(({ name }) => name)).toEqual(columns)
})

describe('a wallet', () => {
  test('is made with zeros for whoever reads it first, and left as it is when it is there', async () => {
    const [zoe, marc] = [await addPerson(db, 'Zoe'), await addPerson(db, 'Marc')]
    const opened = (person: Asker) =>
      person.sql`select user_id, coin_balance, total_earned, total_withdrawn from open_own_wallet()`
    const own = { user_id: zoe.id, coin_balance: '0.00', total_earned: '0.00', total_withdrawn: '0.00' }
    expect(await opened(zoe)).toEqual([own])
    await sql`select private.move_coins(${zoe.id}, 'earned', 7, 'A share')`
    expect(await opened(zoe)).toEqual([{ ...own, coin_balance: '7.00', total_earned: '7.00' }])
    expect(await sql`select user_id from user_wallets where user_id = ${marc.id}`).toEqual([])
    expect(await refusalOf(opened(VISITOR))).toMatchObject(DENIED)
  })

  test('moves in four ways, each with its sign, and in no fifth', async () => {
    const olivia = await withCoins(50)
    const after = async (type: string) => {
      await sql`select private.move_coins(${olivia.id}, ${type}, 10, 'A move')`
      return await wallet(olivia)
    }
    const figures = (coin_balance: string, total_earned: string, total_withdrawn: string) => ({
      coin_balance,
      total_earned,
      total_withdrawn,
    })
    expect(await after('earned')).toEqual(figures('60.00', '60.00', '0.00'))
    expect(await after('spent')).toEqual(figures('50.00', '60.00', '0.00'))
    expect(await after('withdrawn')).toEqual(figures('40.00', '60.00', '10.00'))
    expect(await after('refunded')).toEqual(figures('50.00', '60.00', '10.00'))
    expect(await refusalOf(after('won'))).toMatchObject({ code: '23514' })
    const types = await olivia.sql`select transaction_type as type from coin_transactions order by created_at`
    expect(types.map(({ type }) => type)).toEqual(['earned', 'earned', 'spent', 'withdrawn', 'refunded'])
    expect(await wallet(olivia)).toEqual(figures('50.00', '60.00', '10.00'))
  })

  test('keeps the order of its movements, whatever the clock says', async () => {
    const olivia = await withCoins(1)
    await db.query(
      `update coin_transactions set created_at = clock_timestamp() + interval '1 hour' where user_id = $1`,
      [olivia.id],
    )
    await db.query(`select private.move_coins($1, 'earned', 1, 'A share')`, [olivia.id])
    const moves = await db.query(
      'select description from coin_transactions where user_id = $1 order by created_at',
      [olivia.id],
    )
    expect(moves).toEqual([{ description: 'A start' }, { description: 'A share' }])
  })

  test('is seen by its owner and by admins, with transactions and withdrawals', async () => {
    const olivia = await withCoins(30)
    await withdraw(olivia, '20')
    const [zoe, ada] = [await addPerson(db, 'Zoe'), await addAdmin()]
    for (const table of ['user_wallets', 'coin_transactions', 'withdrawal_requests']) {
      const text = `select user_id from ${table} where user_id = $1`
      expect(await olivia.run(text, [olivia.id])).toHaveLength(1)
      expect(await ada.run(text, [olivia.id])).toHaveLength(1)
      expect(await zoe.run(text, [olivia.id])).toEqual([])
      expect(await refusalOf(VISITOR.run(text, [olivia.id]))).toMatchObject(DENIED)
    }
  })

  test('is never written by a client, admins included', async () => {
    const olivia = await withCoins(30)
    const ada = await addAdmin()
    for (const person of [olivia, ada]) {
      for (const text of [
        'update user_wallets set coin_balance = 1000',
        `insert into user_wallets (user_id, coin_balance) values ('${person.id}', 5)`,
        `insert into coin_transactions (user_id, transaction_type, amount, description)
         values ('${person.id}', 'earned', 5, 'mine')`,
        'delete from coin_transactions where true',
      ]) {
        expect(await refusalOf(person.run(text))).toMatchObject(DENIED)
      }
    }
  })
})

describe('a withdrawal', () => {
  test.each([
    ['0', 'Please enter a valid amount'],
    ['-20', 'Please enter a valid amount'],
    ['NaN', 'Please enter a valid amount'],
    [null, 'Please enter a valid amount'],
    ['20.001', 'Please enter a valid amount'],
    ['19.999', 'Please enter a valid amount'],
    ['1e-30', 'Please enter a valid amount'],
    ['19.99', 'Minimum withdrawal amount is 20 coins'],
    ['50.01', 'Maximum withdrawal amount is 50.00 coins'],
  ])('of %s is refused', async (amount, message) => {
    expect(await refusalOf(withdraw(await withCoins(50), amount))).toEqual(rule(message))
  })

  test('is a whole number of cents, also when the server itself records one', async () => {
    const olivia = await withCoins(50)
    expect(await withdraw(olivia, '20.500')).toHaveLength(1)
    const rest = rule('Maximum withdrawal amount is 29.50 coins')
    expect(await refusalOf(withdraw(olivia, '29.51'))).toEqual(rest)
    for (const amount of ['20.001', 'NaN', '10000000000']) {
      const record = `insert into withdrawal_requests (user_id, amount, status) values ($1, $2, 'completed')`
      expect(await refusalOf(db.query(record, [olivia.id, amount]))).toMatchObject({ code: '23514' })
    }
  })

  test('is not decided by the admin whose own it is', async () => {
    const [ada, other] = [await addAdmin(), await addAdmin()]
    await sql`select private.move_coins(${ada.id}, 'earned', 30, 'A start')`
    const [request] = await withdraw(ada, '30')
    const id = request?.id ?? ''
    const OWN = denied('Someone else decides about your own withdrawal')
    expect(await refusalOf(decide(ada, id, 'processing'))).toEqual(OWN)
    expect(await refusalOf(decide(ada, id, 'rejected', 'Changed my mind'))).toEqual(OWN)
    await decide(other, id, 'processing')
    expect(await refusalOf(decide(ada, id, 'completed'))).toEqual(OWN)
    expect(await wallet(ada)).toMatchObject({ coin_balance: '30.00' })
    expect(await decide(other, id, 'completed')).toEqual([{ status: 'completed' }])
    expect(await wallet(ada)).toMatchObject({ coin_balance: '0.00' })
  })

  test('reserves its coins while pending and processing, and frees them when rejected', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const [first] = await withdraw(olivia, '30')
    expect(first?.status).toBe('pending')
    const tooMuch = rule('Maximum withdrawal amount is 20.00 coins')
    expect(await refusalOf(withdraw(olivia, '30'))).toEqual(tooMuch)
    await decide(ada, first?.id ?? '', 'processing')
    expect(await refusalOf(withdraw(olivia, '30'))).toEqual(tooMuch)
    const [second] = await withdraw(olivia, '20')
    expect(await decide(ada, second?.id ?? '', 'rejected', 'Unknown account')).toHaveLength(1)
    expect(await withdraw(olivia, '20')).toHaveLength(1)
    expect(await wallet(olivia)).toMatchObject({ coin_balance: '50.00' })
  })

  test('moves no coins when it is rejected, and is not completed without them', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const history = () =>
      olivia.sql`select transaction_type, amount from coin_transactions order by created_at`
    const start = [{ transaction_type: 'earned', amount: '50.00' }]
    const [first] = await withdraw(olivia, '50')
    await decide(ada, first?.id ?? '', 'rejected', 'Unknown account')
    expect(await history()).toEqual(start)
    expect(await wallet(olivia)).toEqual({
      coin_balance: '50.00',
      total_earned: '50.00',
      total_withdrawn: '0.00',
    })
    const [second] = await withdraw(olivia, '50')
    await decide(ada, second?.id ?? '', 'processing')
    await sql`select private.move_coins(${olivia.id}, 'spent', 0.01, 'A correction')`
    expect(await refusalOf(decide(ada, second?.id ?? '', 'completed'))).toEqual(
      rule('The balance cannot go below zero'),
    )
    expect(await olivia.sql`select status from withdrawal_requests where id = ${second?.id ?? ''}`).toEqual([
      { status: 'processing' },
    ])
    expect(await history()).toEqual([...start, { transaction_type: 'spent', amount: '0.01' }])
    // More is spoken for than there is: nothing is available, which is not less than nothing.
    expect(await refusalOf(withdraw(olivia, '20'))).toEqual(rule('Maximum withdrawal amount is 0.00 coins'))
  })

  test('lowers the balance when it is completed, and says so', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const [request] = await withdraw(olivia, '30')
    await decide(ada, request?.id ?? '', 'processing')
    await decide(ada, request?.id ?? '', 'completed')
    expect(await wallet(olivia)).toEqual({
      coin_balance: '20.00',
      total_earned: '50.00',
      total_withdrawn: '30.00',
    })
    expect(
      await olivia.sql`select amount from coin_transactions where transaction_type = 'withdrawn'`,
    ).toEqual([{ amount: '30.00' }])
    expect(await olivia.sql`select title from user_notifications order by created_at`).toEqual([
      { title: 'Withdrawal Processing' },
      { title: 'Withdrawal Completed' },
    ])
  })

  test.each([
    ['pending', 'completed'],
    ['processing', 'rejected'],
    ['rejected', 'processing'],
    ['completed', 'rejected'],
  ])('goes its way only: not from %s to %s', async (from, to) => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const [request] = await withdraw(olivia, '30')
    const id = request?.id ?? ''
    if (from === 'processing' || from === 'completed') await decide(ada, id, 'processing')
    if (from === 'completed') await decide(ada, id, 'completed')
    if (from === 'rejected') await decide(ada, id, 'rejected', 'No')
    expect(await refusalOf(decide(ada, id, to, 'Because'))).toEqual(
      rule(`A ${from} withdrawal cannot become ${to}`),
    )
  })

  test('is rejected with a reason only', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const [request] = await withdraw(olivia, '30')
    expect(await refusalOf(decide(ada, request?.id ?? '', 'rejected', '  '))).toEqual(
      rule('A rejection needs a reason'),
    )
  })

  test('takes user and amount from the one who asks, and the rest from an admin', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const text = 'insert into withdrawal_requests (user_id, amount) values ($1, 20) returning *'
    const [asked] = await olivia.run<{ id: string }>(text, [olivia.id])
    const nothing = { processed_at: null, completed_at: null, rejection_reason: null }
    const none = { stripe_transfer_id: null, bank_account_last4: null }
    const row = { user_id: olivia.id, amount: '20', status: 'pending', ...nothing, ...none }
    expect(asked).toMatchObject(row)
    for (const column of ['id', 'status', 'requested_at', ...Object.keys({ ...nothing, ...none })]) {
      const insert = `insert into withdrawal_requests (amount, ${column}) values (20, default)`
      expect([column, await refusalOf(olivia.run(insert))]).toMatchObject([column, { code: '42501' }])
    }
    const set = (changes: string) =>
      ada.run(`update withdrawal_requests set ${changes} where id = $1 returning *`, [asked?.id ?? ''])
    const details = { stripe_transfer_id: 'tr_1', bank_account_last4: '4821' }
    expect(
      await set(
        `status = 'processing', processed_at = now(), stripe_transfer_id = 'tr_1', bank_account_last4 = '4821'`,
      ),
    ).toMatchObject([{ ...row, ...details, status: 'processing', processed_at: expect.anything() }])
    expect(
      await set(
        `status = 'completed', completed_at = now(), stripe_transfer_id = null, bank_account_last4 = ''`,
      ),
    ).toMatchObject([
      {
        ...row,
        ...details,
        status: 'completed',
        processed_at: expect.anything(),
        completed_at: expect.anything(),
      },
    ])
    const [other] = await withdraw(olivia, '20')
    expect(
      await ada.sql`update withdrawal_requests set status = 'rejected', processed_at = now(), rejection_reason = 'Unknown account'
         where id = ${other?.id ?? ''} returning status, rejection_reason, processed_at is not null as processed, completed_at`,
    ).toEqual([
      { status: 'rejected', rejection_reason: 'Unknown account', processed: true, completed_at: null },
    ])
  })

  test('is decided by admins and asked for by the wallet owner', async () => {
    const olivia = await withCoins(50)
    const zoe = await addPerson(db, 'Zoe')
    const [request] = await withdraw(olivia, '30')
    expect(await decide(olivia, request?.id ?? '', 'processing')).toEqual([])
    expect(await decide(zoe, request?.id ?? '', 'processing')).toEqual([])
    const forOther = `insert into withdrawal_requests (user_id, amount) values ($1, 20)`
    expect(await refusalOf(zoe.run(forOther, [olivia.id]))).toEqual(
      denied('You can only withdraw from your own wallet'),
    )
    expect(await refusalOf(withdraw(VISITOR, '20'))).toMatchObject(DENIED)
  })
})
