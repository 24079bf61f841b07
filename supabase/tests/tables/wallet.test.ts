import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../server/test/harness.ts'
import { addPerson, as, type Person, refusalOf, VISITOR } from '../people.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

async function withCoins(coins: number): Promise<Person> {
  const person = await addPerson(db, 'Olivia')
  await db.query(`select private.move_coins($1, 'earned', $2, 'A start')`, [person.id, String(coins)])
  return person
}
async function addAdmin(): Promise<Person> {
  const person = await addPerson(db, 'Ada')
  await db.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [person.id])
  return person
}
const withdraw = (person: Pick<Person, 'caller'>, amount: string | null) =>
  as<{ id: string; status: string }>(
    db,
    person,
    'insert into withdrawal_requests (amount) values ($1) returning id, status',
    [amount],
  )
const decide = (person: Pick<Person, 'caller'>, id: string, status: string, reason: string | null = null) =>
  as(
    db,
    person,
    'update withdrawal_requests set status = $1, rejection_reason = $2 where id = $3 returning status',
    [status, reason, id],
  )
const wallet = async (person: Person) =>
  (
    await as(
      db,
      person,
      'select coin_balance, total_earned, total_withdrawn from user_wallets where user_id = $1',
      [person.id],
    )
  )[0]

test('WALLET-14 DATA-19 what comes with a decision is dated by the database and not rewritten without one', async () => {
  const olivia = await withCoins(50)
  const ada = await addAdmin()
  const [asked] = await withdraw(olivia, '20')
  const set = (columns: string) =>
    as(
      db,
      ada,
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

describe('a wallet', () => {
  test('WALLET-17 DATA-17 DATA-18 is seen by its owner and by admins, with its transactions', async () => {
    const olivia = await withCoins(30)
    const [zoe, ada] = [await addPerson(db, 'Zoe'), await addAdmin()]
    for (const table of ['user_wallets', 'coin_transactions']) {
      const text = `select user_id from ${table} where user_id = $1`
      expect(await as(db, olivia, text, [olivia.id])).toHaveLength(1)
      expect(await as(db, ada, text, [olivia.id])).toHaveLength(1)
      expect(await as(db, zoe, text, [olivia.id])).toEqual([])
      expect(await refusalOf(as(db, VISITOR, text, [olivia.id]))).toMatchObject({ code: '42501' })
    }
  })

  test('API-37 WALLET-07 is never written by a client, admins included', async () => {
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
        expect(await refusalOf(as(db, person, text))).toMatchObject({ code: '42501' })
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
  ])('VALID-21 VALID-22 of %s is refused', async (amount, message) => {
    expect(await refusalOf(withdraw(await withCoins(50), amount))).toEqual({ code: '23514', message })
  })

  test('VALID-21 is a whole number of cents, also when the server itself records one', async () => {
    const olivia = await withCoins(50)
    expect(await withdraw(olivia, '20.500')).toHaveLength(1)
    const rest = { code: '23514', message: 'Maximum withdrawal amount is 29.50 coins' }
    expect(await refusalOf(withdraw(olivia, '29.51'))).toEqual(rest)
    for (const amount of ['20.001', 'NaN', '10000000000']) {
      const record = `insert into withdrawal_requests (user_id, amount, status) values ($1, $2, 'completed')`
      expect(await refusalOf(db.query(record, [olivia.id, amount]))).toMatchObject({ code: '23514' })
    }
  })

  test('ADMIN-40 WALLET-14 is not decided by the admin whose own it is', async () => {
    const [ada, other] = [await addAdmin(), await addAdmin()]
    await db.query(`select private.move_coins($1, 'earned', 30, 'A start')`, [ada.id])
    const [request] = await withdraw(ada, '30')
    const id = request?.id ?? ''
    const OWN = { code: '42501', message: 'Someone else decides about your own withdrawal' }
    expect(await refusalOf(decide(ada, id, 'processing'))).toEqual(OWN)
    expect(await refusalOf(decide(ada, id, 'rejected', 'Changed my mind'))).toEqual(OWN)
    await decide(other, id, 'processing')
    expect(await refusalOf(decide(ada, id, 'completed'))).toEqual(OWN)
    expect(await wallet(ada)).toMatchObject({ coin_balance: '30.00' })
    expect(await decide(other, id, 'completed')).toEqual([{ status: 'completed' }])
    expect(await wallet(ada)).toMatchObject({ coin_balance: '0.00' })
  })

  test('WALLET-11 reserves its coins while pending and processing, and frees them when rejected', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const [first] = await withdraw(olivia, '30')
    expect(first?.status).toBe('pending')
    const tooMuch = { code: '23514', message: 'Maximum withdrawal amount is 20.00 coins' }
    expect(await refusalOf(withdraw(olivia, '30'))).toEqual(tooMuch)
    await decide(ada, first?.id ?? '', 'processing')
    expect(await refusalOf(withdraw(olivia, '30'))).toEqual(tooMuch)
    const [second] = await withdraw(olivia, '20')
    expect(await decide(ada, second?.id ?? '', 'rejected', 'Unknown account')).toHaveLength(1)
    expect(await withdraw(olivia, '20')).toHaveLength(1)
    expect(await wallet(olivia)).toMatchObject({ coin_balance: '50.00' })
  })

  test('WALLET-14 ADMIN-38 NOTIF-11 lowers the balance when it is completed, and says so', async () => {
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
      await as(db, olivia, `select amount from coin_transactions where transaction_type = 'withdrawn'`),
    ).toEqual([{ amount: '30.00' }])
    expect(await as(db, olivia, 'select title from user_notifications order by created_at')).toEqual([
      { title: 'Withdrawal Processing' },
      { title: 'Withdrawal Completed' },
    ])
  })

  test.each([
    ['pending', 'completed'],
    ['processing', 'rejected'],
    ['rejected', 'processing'],
    ['completed', 'rejected'],
  ])('ADMIN-40 goes its way only: not from %s to %s', async (from, to) => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const [request] = await withdraw(olivia, '30')
    const id = request?.id ?? ''
    if (from === 'processing' || from === 'completed') await decide(ada, id, 'processing')
    if (from === 'completed') await decide(ada, id, 'completed')
    if (from === 'rejected') await decide(ada, id, 'rejected', 'No')
    expect(await refusalOf(decide(ada, id, to, 'Because'))).toEqual({
      code: '23514',
      message: `A ${from} withdrawal cannot become ${to}`,
    })
  })

  test('VALID-26 is rejected with a reason only', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const [request] = await withdraw(olivia, '30')
    expect(await refusalOf(decide(ada, request?.id ?? '', 'rejected', '  '))).toEqual({
      code: '23514',
      message: 'A rejection needs a reason',
    })
  })

  test('API-35 is decided by admins and asked for by the wallet owner', async () => {
    const olivia = await withCoins(50)
    const zoe = await addPerson(db, 'Zoe')
    const [request] = await withdraw(olivia, '30')
    expect(await decide(olivia, request?.id ?? '', 'processing')).toEqual([])
    expect(await decide(zoe, request?.id ?? '', 'processing')).toEqual([])
    const forOther = `insert into withdrawal_requests (user_id, amount) values ($1, 20)`
    expect(await refusalOf(as(db, zoe, forOther, [olivia.id]))).toEqual({
      code: '42501',
      message: 'You can only withdraw from your own wallet',
    })
    expect(await refusalOf(withdraw(VISITOR, '20'))).toMatchObject({ code: '42501' })
  })
})
