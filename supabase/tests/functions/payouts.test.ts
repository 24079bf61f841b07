// The way of coins to the bank, and back.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import {
  addPerson,
  addStaff,
  denied,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
  signedInWith,
  taken,
} from '../people.ts'
import { race } from '../race.ts'

const { db, sql } = await ownDatabase()
let [ada, anton, amelie]: Person[] = []
const admin = (one: Person | undefined): Person => {
  if (!one) throw new Error('Nobody is there yet')
  return one
}
beforeAll(async () => {
  ;[ada, anton, amelie] = await Promise.all(
    ['Ada', 'Anton', 'Amelie'].map((name) => addStaff(db, name, 'admin')),
  )
})

async function withCoins(name: string, coins = 50): Promise<Person> {
  const person = await addPerson(db, name)
  await moveCoins(db, person, 'earned', coins)
  return person
}
const withdraw = async (person: Person, amount = '30') =>
  String((await person.insert('withdrawal_requests', { amount })).id)
const decide = (who: Person | undefined, id: string, status: string, last4: string | null = null) =>
  admin(who).sql`update withdrawal_requests set status = ${status}, bank_account_last4 = ${last4},
    rejection_reason = ${status === 'rejected' ? 'Unknown account' : null} where id = ${id} returning status`
const file = async (who: Person | undefined, ...ids: string[]) =>
  Number((await admin(who).sql`select create_payout_file(${`{${ids.join()}}`}) as id`)[0]?.id)
const voidFile = (who: Person | undefined, id: number, reason = 'The bank was closed') =>
  admin(who).sql`select void_payout_file(${id}, ${reason})`
const giveBack = (who: Person | undefined, id: string, reason = 'Account closed') =>
  admin(who).sql`select return_withdrawal(${id}, ${reason})`

describe('the bank account of a withdrawal', () => {
  test('is the one its person has when asking, and stays it', async () => {
    const olivia = await withCoins('Olivia')
    await addBankAccount(db, olivia)
    const id = await withdraw(olivia, '20')
    await addBankAccount(db, olivia, { last4: '2606' })
    await withdraw(olivia, '25')
    const named =
      await olivia.sql`select amount, bank_account_last4 as last4 from withdrawal_requests order by amount`
    expect(named).toEqual([
      { amount: '20', last4: '3000' },
      { amount: '25', last4: '2606' },
    ])
    expect((await olivia.sql`select get_bank_account() as a`)[0]?.a).toMatchObject({ last4: '2606' })
    expect(await refusalOf(decide(ada, id, 'processing', '2606'))).toEqual(
      rule('This withdrawal goes to the account ending in 3000'),
    )
    expect(await decide(ada, id, 'processing', '3000')).toEqual([{ status: 'processing' }])
  })

  test('is paid from 24 hours after it was added', async () => {
    const olivia = await withCoins('Olivia')
    const account = await addBankAccount(db, olivia, { hoursAgo: 22.5 })
    const id = await withdraw(olivia)
    expect(await refusalOf(decide(ada, id, 'processing'))).toEqual(
      rule('This bank account is new: it can be paid in 2 hours'),
    )
    await sql`update private.bank_accounts set created_at = now() - interval '24 hours' where id = ${account}`
    expect(await decide(ada, id, 'processing')).toEqual([{ status: 'processing' }])
  })

  test('is stored by its person alone, who has just shown who they are', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await sql`update auth.users set encrypted_password = 'something' where id = ${olivia.id}`
    expect(await olivia.sql`select get_bank_account() as a`).toEqual([{ a: null }])
    const save = (who: Pick<Person, 'sql'>, version = 1, key: string | null = null) =>
      who.sql`select save_bank_account(gen_random_uuid(), ${version}, '3000', 'v1.a.b', ${key}) as a`
    const [stale, mere] = [signedInWith(db, olivia, ['totp'], 601), signedInWith(db, olivia, ['otp'])]
    const CONFIRM = { code: 'PT403', message: 'Please confirm that it is you.' }
    expect(await refusalOf(save(stale))).toEqual(CONFIRM)
    expect(await refusalOf(save(mere))).toEqual(CONFIRM)
    expect(await refusalOf(stale.sql`select prepare_bank_account()`)).toEqual(CONFIRM)
    expect((await olivia.sql`select prepare_bank_account() as a`)[0]?.a).toEqual({
      owner: { kind: 'person', id: olivia.id },
      version: 1,
      key: null,
    })
    await save(olivia)
    expect(await refusalOf(save(olivia))).toEqual({
      code: 'PT409',
      message: 'Something else was stored at the same moment. Please try again.',
    })
    expect(await refusalOf(save(olivia, 2, '{"wrapped": "v1.a.b", "siteKey": "made up"}'))).toEqual({
      code: 'PT409',
      message: 'The vault is getting a new key. Please try again.',
    })
  })
})

describe('a payment file', () => {
  let ids: string[]
  let olivia: Person
  beforeEach(async () => {
    olivia = await withCoins('Olivia', 100)
    await addBankAccount(db, olivia)
    ids = [await withdraw(olivia), await withdraw(olivia)]
    for (const id of ids) await decide(ada, id, 'processing')
  })

  test('holds withdrawals that are processing, each of them in no other file', async () => {
    const [first, second] = ids as [string, string]
    const number = await file(anton, first)
    expect(await refusalOf(file(anton, second, first))).toEqual(
      taken('This withdrawal is in another payment file'),
    )
    expect(await refusalOf(decide(ada, first, 'rejected'))).toEqual(
      rule('This withdrawal is in a payment file. Void the file first.'),
    )
    expect(await refusalOf(voidFile(anton, number, ' '))).toEqual(rule('Say why the file is void'))
    await voidFile(anton, number)
    expect(await refusalOf(voidFile(anton, number))).toEqual(rule('This payment file is void'))
    const again = await file(anton, first, second)
    await decide(anton, first, 'completed')
    expect(await refusalOf(voidFile(anton, again))).toEqual(
      rule('A payment of this file is completed, so the bank has had it'),
    )
    const listed = await admin(ada)
      .sql`select payments, completed, amount, void_reason, voided_by_name from list_payout_files()
      where id in (${number}, ${again}) order by id`
    expect(listed).toEqual([
      {
        payments: 1,
        completed: 0,
        amount: '30.00',
        void_reason: 'The bank was closed',
        voided_by_name: 'Anton',
      },
      { payments: 2, completed: 1, amount: '60.00', void_reason: null, voided_by_name: null },
    ])
  })

  test('takes all it is given, or none', async () => {
    const [first] = ids as [string]
    const [pending, nameless] = [await withdraw(olivia, '20'), await withCoins('Nina')]
    const [{ id: unnamed } = { id: '' }] = await sql<{
      id: string
    }>`insert into withdrawal_requests (user_id, amount) values (${nameless.id}, 20) returning id`
    await decide(ada, unnamed, 'processing')
    const NONE = rule('A payment file holds 1 to 1000 withdrawals')
    const attempts: [string[], object][] = [
      [[], NONE],
      [Array(1001).fill(first), NONE],
      [[first, pending], rule('A pending withdrawal cannot be paid by a file')],
      [[first, unnamed], rule('A withdrawal without a bank account cannot be paid by a file')],
      [[first, first], notFound('Withdrawal not found')],
      [[first, admin(ada).id], notFound('Withdrawal not found')],
    ]
    const files = () => sql`select count(*)::integer as n from private.payout_files`
    const before = await files()
    for (const [chosen, refusal] of attempts) expect(await refusalOf(file(anton, ...chosen))).toEqual(refusal)
    expect(await files()).toEqual(before)
  })

  test('is written once by ten admins who choose the same at once', async () => {
    expect(
      await race(Array.from({ length: 10 }, (_, n) => () => file([ada, anton, amelie][n % 3], ...ids))),
    ).toEqual({
      done: 1,
      '23505: This withdrawal is in another payment file': 9,
    })
  })
})

describe('a withdrawal that the bank sends back', () => {
  async function completed(): Promise<[Person, string]> {
    const olivia = await withCoins('Olivia')
    await addBankAccount(db, olivia)
    const id = await withdraw(olivia)
    await decide(ada, id, 'processing')
    await decide(anton, id, 'completed')
    return [olivia, id]
  }

  test('gives the coins back, says when and why, and once', async () => {
    const [olivia, id] = await completed()
    await giveBack(ada, id)
    expect(await olivia.sql`select coin_balance, total_withdrawn from user_wallets`).toEqual([
      { coin_balance: '50.00', total_withdrawn: '30.00' },
    ])
    expect(
      await olivia.sql`select transaction_type as type, amount, description from coin_transactions order by created_at desc limit 1`,
    ).toEqual([
      { type: 'refunded', amount: '30.00', description: 'Withdrawal returned by the bank: Account closed' },
    ])
    expect(
      await olivia.sql`select status, return_reason, returned_at > completed_at as dated from withdrawal_requests`,
    ).toEqual([{ status: 'completed', return_reason: 'Account closed', dated: true }])
    expect(await olivia.sql`select title from user_notifications order by created_at desc limit 1`).toEqual([
      { title: 'Withdrawal Returned' },
    ])
    expect(await refusalOf(giveBack(amelie, id))).toEqual(
      rule('Only a completed withdrawal can come back, and once'),
    )
    expect((await withdraw(olivia, '50')).length).toBeGreaterThan(0)
  })

  test('comes back once from ten returns at the same moment', async () => {
    const [olivia, id] = await completed()
    const outcome = await race(Array.from({ length: 10 }, (_, n) => () => giveBack([ada, amelie][n % 2], id)))
    expect(outcome).toEqual({ done: 1, '23514: Only a completed withdrawal can come back, and once': 9 })
    expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '50.00' }])
  })

  test('is noted by another admin than the one who completed it, with the bank’s reason', async () => {
    const [olivia, id] = await completed()
    expect(await refusalOf(giveBack(anton, id))).toEqual(
      denied('Another admin notes the return of what you completed'),
    )
    expect(await refusalOf(giveBack(ada, id, '  '))).toEqual(rule('A return needs the reason the bank gave'))
    expect(await refusalOf(giveBack(olivia, id))).toEqual(denied('Only an admin can do this'))
    expect(await refusalOf(giveBack(ada, admin(ada).id))).toEqual(notFound('Withdrawal not found'))
    expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '20.00' }])
  })
})

test('whoever adjusted a wallet takes no part in its withdrawals', async () => {
  const olivia = await withCoins('Olivia', 100)
  await addBankAccount(db, olivia)
  const [pending, processing, completed] = [
    await withdraw(olivia),
    await withdraw(olivia),
    await withdraw(olivia),
  ]
  for (const id of [processing, completed]) await decide(ada, id, 'processing')
  await decide(anton, completed, 'completed')
  const agnes = await addStaff(db, 'Agnes', 'admin')
  await agnes.sql`select adjust_wallet(${olivia.id}, 5, 'Counted twice')`
  const attempts = [
    () => decide(agnes, pending, 'processing'),
    () => decide(agnes, pending, 'rejected'),
    () => decide(agnes, processing, 'completed'),
    () => file(agnes, processing),
    () => giveBack(agnes, completed),
  ]
  for (const attempt of attempts)
    expect(await refusalOf(attempt())).toEqual(
      denied('You have adjusted this wallet: another admin processes its withdrawals'),
    )
  const number = await file(ada, processing)
  expect(await refusalOf(agnes.sql`select open_payout_file(${number})`)).toMatchObject({ code: '42501' })
})
