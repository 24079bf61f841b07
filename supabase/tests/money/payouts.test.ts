// Coins to the bank and back: the destination account, the payment file, and returned payments.
// Proves PAYOUT 02 05 06, SAFE 07
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addBankAccount, addPayee } from '../bank-accounts.ts'
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

const { db, sql, VISITOR } = await ownDatabase()
let ada: Person
let anton: Person
let amelie: Person
beforeAll(async () => {
  ada = await addStaff(db, 'Ada', 'admin')
  anton = await addStaff(db, 'Anton', 'admin')
  amelie = await addStaff(db, 'Amelie', 'admin')
})

const withdraw = async (person: Person, amount = '30') =>
  String((await person.insert('withdrawal_requests', { amount })).id)
const decide = (who: Person, id: string, status: string) =>
  who.sql`update withdrawal_requests set status = ${status},
    rejection_reason = ${status === 'rejected' ? 'Unknown account' : null} where id = ${id} returning status`
const file = async (who: Person, ...ids: string[]) =>
  Number((await who.sql`select create_payout_file(${`{${ids.join()}}`}) as id`)[0]?.id)
const voidFile = (who: Person, id: number, reason = 'The bank was closed') =>
  who.sql`select void_payout_file(${id}, ${reason})`
const giveBack = (who: Person, id: string, reason = 'Account closed') =>
  who.sql`select return_withdrawal(${id}, ${reason})`
async function completed(): Promise<[Person, string]> {
  const olivia = await addPayee(db, 50)
  const id = await withdraw(olivia)
  await decide(ada, id, 'processing')
  await decide(anton, id, 'completed')
  return [olivia, id]
}

describe('the bank account of a withdrawal', () => {
  test('is the one its person has when asking, and stays it', async () => {
    const olivia = await addPayee(db, 50)
    await withdraw(olivia, '20')
    await addBankAccount(db, olivia, { last4: '2606' })
    await withdraw(olivia, '25')
    expect(
      await olivia.sql`select amount, bank_account_last4 as last4 from withdrawal_requests order by amount`,
    ).toEqual([
      { amount: '20', last4: '3000' },
      { amount: '25', last4: '2606' },
    ])
    expect((await olivia.sql`select get_bank_account() as a`)[0]?.a).toMatchObject({ last4: '2606' })
  })

  test.each([
    ['22 hours 30 minutes', '2 hours.'],
    ['23 hours 59 minutes', '1 hours.'],
    ['24 hours', undefined],
  ])('that was added %s ago %s', async (ago, refusal) => {
    const olivia = await addPayee(db, 50)
    const id = await withdraw(olivia)
    await sql`update private.bank_accounts set created_at = now() - ${ago}::interval where user_id = ${olivia.id}`
    const decided = decide(ada, id, 'processing')
    if (refusal)
      expect(await refusalOf(decided)).toEqual(
        rule(`This bank account is new. You can pay to it in ${refusal}`),
      )
    else expect(await decided).toEqual([{ status: 'processing' }])
  })

  test('is stored by its person alone, who has just shown who they are', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await sql`update auth.users set encrypted_password = 'something' where id = ${olivia.id}`
    expect(await olivia.sql`select get_bank_account() as a`).toEqual([{ a: null }])
    const save = (who: Pick<Person, 'sql'>, version = 1, key: string | null = null) =>
      who.sql`select save_bank_account(${olivia.id}, gen_random_uuid(), ${version}, '3000', 'v1.a.b', ${key}) as a`
    for (const who of [signedInWith(db, olivia, ['totp'], 601), signedInWith(db, olivia, ['otp'])])
      expect(await refusalOf(who.sql`select prepare_bank_account()`)).toEqual({
        ...{ code: 'PT403', message: 'Confirm it’s you.' },
      })
    // A bank account that the function `vault` did not seal cannot be stored.
    expect(await refusalOf(save(olivia))).toMatchObject({ code: '42501' })
    const owner = { kind: 'person', id: olivia.id }
    expect(await olivia.sql`select prepare_bank_account() as a`).toEqual([
      { a: { owner, version: 1, key: null } },
    ])
    await save({ sql })
    expect(await refusalOf(save({ sql }))).toEqual({
      code: 'PT409',
      message: 'Something else changed at the same moment. Please try again.',
    })
    expect(await refusalOf(save({ sql }, 2, '{"wrapped": "v1.a.b", "siteKey": "made up"}'))).toEqual({
      code: 'PT409',
      message: 'The vault is being updated. Please try again.',
    })
  })

  test.each(['a visitor', 'the person'])(
    'that a thief put there is taken back by %s with the link of the mail',
    async (who) => {
      const olivia = await addPayee(db, 90)
      const before = await withdraw(olivia)
      await addBankAccount(db, olivia, { last4: '6666' })
      const [pending, processing] = [await withdraw(olivia), await withdraw(olivia)]
      await sql`update withdrawal_requests set status = 'processing' where id = ${processing}`
      const [mail] = await sql<{ path: string }>`select path from private.outgoing_mail
      where recipient = ${olivia.email} and event = 'account-bank-account' order by created_at desc limit 1`
      const token = /token=([0-9a-f]{64})/.exec(mail?.path ?? '')?.[1]
      await (who === 'a visitor' ? VISITOR : olivia).sql`select undo_account_change(${token})`
      const reason = 'You undid adding this bank account.'
      expect(
        await sql`select id, status, rejection_reason as reason from withdrawal_requests
        where user_id = ${olivia.id} order by requested_at`,
      ).toEqual([
        { id: before, status: 'pending', reason: null },
        { id: pending, status: 'rejected', reason },
        { id: processing, status: 'rejected', reason },
      ])
      expect(await olivia.sql`select get_bank_account() ->> 'last4' as last4`).toEqual([{ last4: '3000' }])
      expect(await sql`select private.available_coins(${olivia.id}) as coins`).toEqual([{ coins: '60.00' }])
    },
  )
})

describe('a payment file', () => {
  let first: string
  let second: string
  let olivia: Person
  beforeEach(async () => {
    olivia = await addPayee(db, 100)
    first = await withdraw(olivia)
    second = await withdraw(olivia)
    for (const id of [first, second]) await decide(ada, id, 'processing')
  })

  test('holds withdrawals that are processing, each of them in no other file', async () => {
    const number = await file(anton, first)
    const attempts: [() => Promise<unknown>, object][] = [
      [() => file(anton, second, first), taken('This withdrawal is in another payment file')],
      [
        () => decide(ada, first, 'rejected'),
        rule('This withdrawal is in a payment file. Void the file first.'),
      ],
      [() => voidFile(anton, number, ' '), rule('Please say why the file is void')],
      [() => voidFile(anton, 0), notFound('Payment file not found')],
      [() => anton.sql`select open_payout_file(0)`, notFound('Payment file not found')],
    ]
    for (const [attempt, refusal] of attempts) expect(await refusalOf(attempt())).toEqual(refusal)
    await voidFile(anton, number)
    expect(await refusalOf(voidFile(anton, number))).toEqual(rule('This payment file is void'))
    const again = await file(anton, first, second)
    await decide(anton, first, 'completed')
    expect(await refusalOf(voidFile(anton, again))).toEqual(
      rule('A payment in this file is completed, so the bank has received it'),
    )
    expect(
      await ada.sql`select payments, completed, amount, void_reason, voided_by_name as by from list_payout_files()
        where id in (${number}, ${again}) order by id`,
    ).toEqual([
      { payments: 1, completed: 0, amount: '30.00', void_reason: 'The bank was closed', by: 'Anton' },
      { payments: 2, completed: 1, amount: '60.00', void_reason: null, by: null },
    ])
  })

  test('takes all it is given, or none', async () => {
    const [pending, unnamed] = [await withdraw(olivia, '20'), await withdraw(await addPayee(db, 50), '20')]
    await decide(ada, unnamed, 'processing')
    await sql`update withdrawal_requests set bank_account_id = null where id = ${unnamed}`
    const NONE = rule('A payment file takes 1 to 1000 withdrawals')
    const attempts: [string[], object][] = [
      [[], NONE],
      [Array(1001).fill(first), NONE],
      [Array(1000).fill(first), notFound('Withdrawal not found')],
      [[first, pending], rule('A pending withdrawal cannot be paid by a file')],
      [[first, unnamed], rule('A withdrawal without a bank account cannot be paid by a file')],
      [[first, ada.id], notFound('Withdrawal not found')],
    ]
    const files = () => sql`select id from private.payout_files`
    const before = await files()
    for (const [chosen, refusal] of attempts) expect(await refusalOf(file(anton, ...chosen))).toEqual(refusal)
    expect(await files()).toEqual(before)
  })

  test('is written once by ten admins who choose the same at once', async () => {
    const work = Array.from({ length: 10 }, (_, n) => () => file(n % 2 ? ada : anton, first, second))
    expect(await race(work)).toEqual({ done: 1, '23505: This withdrawal is in another payment file': 9 })
  })
})

describe('a withdrawal that the bank sends back', () => {
  test('gives the coins back, says when and why, and once, from ten returns at the same moment', async () => {
    const [olivia, id] = await completed()
    const work = Array.from({ length: 10 }, (_, n) => () => giveBack(n % 2 ? ada : amelie, id))
    expect(await race(work)).toEqual({
      done: 1,
      '23514: Only a completed withdrawal can be returned, and only once': 9,
    })
    expect(
      await olivia.sql`select coin_balance, total_withdrawn, status, return_reason, returned_at > completed_at as dated
        from user_wallets natural join withdrawal_requests`,
    ).toEqual([
      {
        coin_balance: '50.00',
        total_withdrawn: '0.00',
        status: 'completed',
        return_reason: 'Account closed',
        dated: true,
      },
    ])
    expect(
      await olivia.sql`select transaction_type as type, amount, description from coin_transactions order by created_at desc limit 1`,
    ).toEqual([
      { type: 'refunded', amount: '30.00', description: 'Withdrawal returned by the bank: Account closed' },
    ])
    expect(await olivia.sql`select title from user_notifications order by created_at desc limit 1`).toEqual([
      { title: 'Withdrawal Returned' },
    ])
    expect(await withdraw(olivia, '50')).not.toBe('')
  })

  test('is noted by another admin than the one who completed it, with the bank’s reason', async () => {
    const [olivia, id] = await completed()
    const attempts: [() => Promise<unknown>, object][] = [
      [() => giveBack(anton, id), denied('You completed this, so another admin records its return')],
      [() => giveBack(ada, id, '  '), rule('Please enter the bank’s reason')],
      [() => giveBack(olivia, id), denied('Only admins can do this')],
      [() => giveBack(ada, ada.id), notFound('Withdrawal not found')],
    ]
    for (const [attempt, refusal] of attempts) expect(await refusalOf(attempt())).toEqual(refusal)
    expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '20.00' }])
  })
})

test('whoever adjusted a wallet takes no part in its withdrawals', async () => {
  const olivia = await addPayee(db, 100)
  const [pending, processing, paid] = [await withdraw(olivia), await withdraw(olivia), await withdraw(olivia)]
  for (const id of [processing, paid]) await decide(ada, id, 'processing')
  await decide(anton, paid, 'completed')
  const number = await file(ada, processing)
  const agnes = await addStaff(db, 'Agnes', 'admin')
  await agnes.sql`select adjust_wallet(${olivia.id}, 5, 'Counted twice')`
  for (const attempt of [
    () => decide(agnes, pending, 'processing'),
    () => decide(agnes, pending, 'rejected'),
    () => decide(agnes, processing, 'completed'),
    () => file(agnes, processing),
    () => giveBack(agnes, paid),
    () => agnes.sql`select open_payout_file(${number})`,
  ])
    expect(await refusalOf(attempt())).toEqual(
      denied('You adjusted this wallet, so another admin processes its withdrawals'),
    )
})
