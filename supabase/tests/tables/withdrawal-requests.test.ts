import { describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import {
  type Asker,
  addPerson,
  addStaff,
  denied,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'

const { db } = await ownDatabase()

async function withCoins(coins: number): Promise<Person> {
  const person = await addPerson(db, 'Olivia')
  await moveCoins(db, person, 'earned', coins)
  await addBankAccount(db, person)
  return person
}
const addAdmin = () => addStaff(db, 'Ada', 'admin')
const withdraw = (person: Asker, amount: string | null) => person.insert('withdrawal_requests', { amount })
const decide = (person: Asker, id: string, status: string, reason: string | null = null) =>
  person.sql`update withdrawal_requests set status = ${status}, rejection_reason = ${reason} where id = ${id} returning status`
const wallet = async (person: Person) =>
  (
    await person.sql`select coin_balance, total_earned, total_withdrawn from user_wallets where user_id = ${person.id}`
  )[0]

describe('a withdrawal', () => {
  test('names a bank account, so that nobody asks without one', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await moveCoins(db, olivia, 'earned', 50)
    const missing = rule('Add the bank account that your coins are to be paid to')
    expect(await refusalOf(withdraw(olivia, '20'))).toEqual(missing)
    const account = await addBankAccount(db, olivia)
    expect(await withdraw(olivia, '20')).toMatchObject({
      bank_account_id: account,
      bank_account_last4: '3000',
    })
    await db.query('update private.bank_accounts set taken_back_at = now() where id = $1', [account])
    expect(await refusalOf(withdraw(olivia, '20'))).toEqual(missing)
  })

  test.each([
    ['0', 'Please enter a valid amount'],
    ['-20', 'Please enter a valid amount'],
    ['NaN', 'Please enter a valid amount'],
    ['1e308', 'Maximum withdrawal amount is 50.00 coins'],
    ['-0', 'Please enter a valid amount'],
    ['0.001', 'Please enter a valid amount'],
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
    expect(await withdraw(olivia, '20.500')).toMatchObject({ amount: '20.500' })
    const rest = rule('Maximum withdrawal amount is 29.50 coins')
    expect(await refusalOf(withdraw(olivia, '29.51'))).toEqual(rest)
    for (const amount of ['20.001', 'NaN', '10000000000']) {
      const record = `insert into withdrawal_requests (user_id, amount, status) values ($1, $2, 'completed')`
      expect(await refusalOf(db.query(record, [olivia.id, amount]))).toMatchObject({ code: '23514' })
    }
  })

  test('is not decided by the admin whose own it is', async () => {
    const [ada, other] = [await addAdmin(), await addAdmin()]
    await moveCoins(db, ada, 'earned', 30)
    await addBankAccount(db, ada)
    const request = await withdraw(ada, '30')
    const id = request.id
    const OWN = denied('Someone else decides about your own withdrawal')
    expect(await refusalOf(decide(ada, id, 'processing'))).toEqual(OWN)
    expect(await refusalOf(decide(ada, id, 'rejected', 'Changed my mind'))).toEqual(OWN)
    await decide(other, id, 'processing')
    expect(await refusalOf(decide(ada, id, 'completed'))).toEqual(OWN)
    expect(await wallet(ada)).toMatchObject({ coin_balance: '30.00' })
    expect(await decide(await addAdmin(), id, 'completed')).toEqual([{ status: 'completed' }])
    expect(await wallet(ada)).toMatchObject({ coin_balance: '0.00' })
  })

  test('reserves its coins while pending and processing, and frees them when rejected', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const first = await withdraw(olivia, '30')
    expect(first.status).toBe('pending')
    const tooMuch = rule('Maximum withdrawal amount is 20.00 coins')
    expect(await refusalOf(withdraw(olivia, '30'))).toEqual(tooMuch)
    await decide(ada, first.id, 'processing')
    expect(await refusalOf(withdraw(olivia, '30'))).toEqual(tooMuch)
    const second = await withdraw(olivia, '20')
    expect(await decide(ada, second.id, 'rejected', 'Unknown account')).toHaveLength(1)
    await withdraw(olivia, '20')
    expect(await wallet(olivia)).toMatchObject({ coin_balance: '50.00' })
  })

  test('moves no coins when it is rejected, and is not completed without them', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const history = () =>
      olivia.sql`select transaction_type, amount from coin_transactions order by created_at`
    const start = [{ transaction_type: 'earned', amount: '50.00' }]
    const first = await withdraw(olivia, '50')
    await decide(ada, first.id, 'rejected', 'Unknown account')
    expect(await history()).toEqual(start)
    expect(await wallet(olivia)).toEqual({
      coin_balance: '50.00',
      total_earned: '50.00',
      total_withdrawn: '0.00',
    })
    const second = await withdraw(olivia, '50')
    await decide(ada, second.id, 'processing')
    await moveCoins(db, olivia, 'withdrawn', 0.01, 'A correction')
    expect(await refusalOf(decide(await addAdmin(), second.id, 'completed'))).toEqual(
      rule('The balance cannot go below zero'),
    )
    expect(await olivia.sql`select status from withdrawal_requests where id = ${second.id}`).toEqual([
      { status: 'processing' },
    ])
    expect(await history()).toEqual([...start, { transaction_type: 'withdrawn', amount: '0.01' }])
    // More is spoken for than there is: nothing is available, which is not less than nothing.
    expect(await refusalOf(withdraw(olivia, '20'))).toEqual(rule('Maximum withdrawal amount is 0.00 coins'))
  })

  test('lowers the balance when it is completed, and says so', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const request = await withdraw(olivia, '30')
    await decide(ada, request.id, 'processing')
    await decide(await addAdmin(), request.id, 'completed')
    expect(await wallet(olivia)).toEqual({
      coin_balance: '20.00',
      total_earned: '50.00',
      total_withdrawn: '30.00',
    })
    expect(
      await olivia.sql`select amount from coin_transactions where transaction_type = 'withdrawn'`,
    ).toEqual([{ amount: '30.00' }])
    expect(await olivia.sql`select title from user_notifications order by created_at`).toEqual([
      { title: 'First Coins' },
      { title: 'Withdrawal Processing' },
      { title: 'Withdrawal Completed' },
    ])
  })

  test('names its account by itself, needs no transfer id, and takes one at the end', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    await withdraw(olivia, '30')
    const set = (who: Person, changes: string) =>
      who.run(
        `update withdrawal_requests set ${changes} where user_id = $1
         returning stripe_transfer_id as transfer, bank_account_last4 as last4`,
        [olivia.id],
      )
    expect(await set(ada, `status = 'processing'`)).toEqual([{ transfer: null, last4: '3000' }])
    expect(await set(await addAdmin(), `status = 'completed', stripe_transfer_id = 'tr_2'`)).toEqual([
      { transfer: 'tr_2', last4: '3000' },
    ])
  })

  test.each([
    ['pending', 'completed'],
    ['processing', 'pending'],
    ['rejected', 'processing'],
    ['completed', 'rejected'],
  ])('goes its way only: not from %s to %s', async (from, to) => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const request = await withdraw(olivia, '30')
    const id = request.id
    if (from === 'processing' || from === 'completed') await decide(ada, id, 'processing')
    if (from === 'completed') await decide(await addAdmin(), id, 'completed')
    if (from === 'rejected') await decide(ada, id, 'rejected', 'No')
    expect(await refusalOf(decide(ada, id, to, 'Because'))).toEqual(
      rule(`A ${from} withdrawal cannot become ${to}`),
    )
  })

  test('is rejected with a reason only', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const request = await withdraw(olivia, '30')
    expect(await refusalOf(decide(ada, request.id, 'rejected', '  '))).toEqual(
      rule('A rejection needs a reason'),
    )
  })

  test('takes user and amount from the one who asks, and the rest from an admin', async () => {
    const [olivia, ada] = [await withCoins(50), await addAdmin()]
    const text = 'insert into withdrawal_requests (user_id, amount) values ($1, 20) returning *'
    const [asked] = await olivia.run<{ id: string }>(text, [olivia.id])
    const nothing = { processed_at: null, completed_at: null, rejection_reason: null }
    const none = { stripe_transfer_id: null, bank_account_last4: '3000' }
    const row = { user_id: olivia.id, amount: '20', status: 'pending', ...nothing, ...none }
    expect(asked).toMatchObject(row)
    for (const column of ['id', 'status', 'requested_at', ...Object.keys({ ...nothing, ...none })]) {
      const insert = `insert into withdrawal_requests (amount, ${column}) values (20, default)`
      expect([column, await refusalOf(olivia.run(insert))]).toMatchObject([column, { code: '42501' }])
    }
    const set = (who: Person, changes: string) =>
      who.run(`update withdrawal_requests set ${changes} where id = $1 returning *`, [asked?.id ?? ''])
    const details = { stripe_transfer_id: 'tr_1' }
    expect(
      await set(
        ada,
        `status = 'processing', processed_at = now(), stripe_transfer_id = 'tr_1', bank_account_last4 = '3000'`,
      ),
    ).toMatchObject([{ ...row, ...details, status: 'processing', processed_at: expect.anything() }])
    expect(
      await set(
        await addAdmin(),
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
    const other = await withdraw(olivia, '20')
    expect(
      await ada.sql`update withdrawal_requests set status = 'rejected', processed_at = now(), rejection_reason = 'Unknown account'
         where id = ${other.id} returning status, rejection_reason, processed_at is not null as processed, completed_at`,
    ).toEqual([
      { status: 'rejected', rejection_reason: 'Unknown account', processed: true, completed_at: null },
    ])
  })

  test('has its decisions dated by the database, and not rewritten without one', async () => {
    const olivia = await withCoins(50)
    const ada = await addAdmin()
    const asked = await withdraw(olivia, '20')
    const set = (columns: string, who = ada) =>
      who.run(
        `update withdrawal_requests set ${columns} where id = $1
         returning processed_at > '2026-01-01' as processed, completed_at is not null as completed, rejection_reason`,
        [asked.id],
      )
    const long = `'2000-01-01'`
    expect(await refusalOf(set(`completed_at = ${long}`))).toMatchObject({ code: '23514' })
    expect(await refusalOf(set(`status = 'processing', bank_account_last4 = '12345'`))).toMatchObject({
      code: '23514',
      message: 'Enter the last 4 digits, such as 3000',
    })
    expect(
      await set(
        `status = 'processing', processed_at = ${long}, completed_at = ${long}, rejection_reason = ''`,
      ),
    ).toEqual([{ processed: true, completed: false, rejection_reason: null }])
    expect(await refusalOf(set(`stripe_transfer_id = 'tr_2'`))).toMatchObject({ code: '23514' })
    await set(`status = 'completed'`, await addAdmin())
    expect(await refusalOf(set(`bank_account_last4 = '0000'`))).toMatchObject({ code: '23514' })
  })
})
