// Coins on their way to a bank: the amounts that may be requested, the deciding staff, and the wallet after each step.
// Proves NOTIF 03 04 10 11, ROLE 06 07 13, CREATE 15 17, WALLET 08 11 14, ADMIN 27 34-40 42-44 47 50, DATA
// 19, API 22-24 35 37 47 48 50, VALID 21 22 26 28 29, BOOKS 05, PAYOUT 01 05
import { beforeAll, describe, expect, test } from 'vitest'
import { addBankAccount, addPayee } from '../bank-accounts.ts'
import { forgetMoney, moveCoins } from '../coins.ts'
import { addPerson, addStaff, DENIED, denied, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { race, times } from '../race.ts'

const { db, sql } = await ownDatabase()
let [ada, anton]: Person[] = []
beforeAll(async () => {
  ;[ada, anton] = await Promise.all(['Ada', 'Anton'].map((name) => addStaff(db, name, 'admin')))
})

const withdraw = (person: Person, amount: string | null) => person.insert('withdrawal_requests', { amount })
const change = (who: Person | undefined, { id }: { id: string }, changes: string) =>
  (who as Person).run(`update withdrawal_requests set ${changes} where id = $1 returning *`, [id])
const REJECT = `status = 'rejected', rejection_reason = 'Unknown account'`

/** Creates a withdrawal of 30 out of 50 coins with this status: Ada approves it, Anton rejects or completes it. */
async function asked(status = 'pending') {
  const olivia = await addPayee(db, 50)
  const request = await withdraw(olivia, '30')
  if (status === 'processing' || status === 'completed') await change(ada, request, `status = 'processing'`)
  if (status === 'completed') await change(anton, request, `status = 'completed'`)
  if (status === 'rejected') await change(anton, request, REJECT)
  return { olivia, request }
}
const wallet = async (person: Person) =>
  (
    await person.sql`select coin_balance as coins, total_earned as earned, total_withdrawn as withdrawn from user_wallets
    where user_id = ${person.id}`
  )[0]
const movements = async (person: Person) =>
  (
    await person.sql`select transaction_type as type, amount, created_by from coin_transactions
    where user_id = ${person.id} order by created_at`
  ).slice(1)

describe('asking for a withdrawal', () => {
  const validate = async (person: Person, amount: string | null) =>
    (await person.sql`select validate_withdrawal_request(${person.id}, ${amount}) as answer`)[0]?.answer

  test.each([
    [null, 'Please enter a valid amount'],
    ['0', 'Please enter a valid amount'],
    ['-20', 'Please enter a valid amount'],
    ['NaN', 'Please enter a valid amount'],
    ['20.001', 'Please enter a valid amount'],
    ['19.99', 'Minimum withdrawal amount is 20 coins'],
    ['50.01', 'Maximum withdrawal amount is 50.00 coins'],
    ['Infinity', 'Maximum withdrawal amount is 50.00 coins'],
  ])('of %s out of 50 coins is refused, which can be asked before', async (amount, error) => {
    const olivia = await addPayee(db, 50)
    expect(await validate(olivia, amount)).toMatchObject({ valid: false, error, message: error })
    expect(await refusalOf(withdraw(olivia, amount))).toEqual(rule(error))
    expect(await olivia.sql`select 1 from withdrawal_requests`).toEqual([])
  })

  test.each(['20', '20.500', '50'])('of %s is accepted', async (amount) => {
    const olivia = await addPayee(db, 50)
    expect(await validate(olivia, amount)).toEqual({ valid: true, error: null })
    const { requested_at, ...row } = await withdraw(olivia, amount)
    expect(row).toMatchObject({ user_id: olivia.id, amount, status: 'pending', bank_account_last4: '3000' })
    expect(row).toMatchObject({ processed_at: null, completed_at: null, closes_account: false })
  })

  test('of what is no amount is refused, also when the server itself records one', async () => {
    const olivia = await addPayee(db, 50)
    for (const amount of ['twenty', '']) {
      expect(await refusalOf(withdraw(olivia, amount))).toMatchObject({ code: '22P02' })
      expect(await refusalOf(validate(olivia, amount))).toMatchObject({ code: '22P02' })
    }
    const record = `insert into withdrawal_requests (user_id, amount, status) values ($1, $2, 'completed')`
    for (const amount of ['19.99', '20.001', 'NaN', '10000000000'])
      expect(await refusalOf(db.query(record, [olivia.id, amount]))).toMatchObject({ code: '23514' })
  })

  test('needs a bank account that was not taken back', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await moveCoins(db, olivia, 'earned', 50)
    const missing = rule('Add the bank account to pay your coins to')
    expect(await refusalOf(withdraw(olivia, '20'))).toEqual(missing)
    const account = await addBankAccount(db, olivia)
    expect(await withdraw(olivia, '20')).toMatchObject({ bank_account_id: account })
    await db.query('update private.bank_accounts set taken_back_at = now() where id = $1', [account])
    expect(await refusalOf(withdraw(olivia, '20'))).toEqual(missing)
  })

  test('is for the own wallet, and says nothing else', async () => {
    const olivia = await addPayee(db, 50)
    const insert = (column: string, value = 'default') =>
      refusalOf(olivia.run(`insert into withdrawal_requests (amount, ${column}) values (20, ${value})`))
    expect(await insert('user_id', `'${ada?.id}'`)).toEqual(
      denied('You can only withdraw from your own wallet'),
    )
    for (const column of ['status', 'requested_at', 'processed_at', 'completed_at', 'bank_account_last4'])
      expect([column, await insert(column)]).toMatchObject([column, DENIED])
  })

  test('a hundred times at once, of coins that are enough for five: five are taken', async () => {
    const olivia = await addPayee(db, 119.99)
    expect(await race(times(100, () => withdraw(olivia, '20')))).toEqual({
      done: 5,
      '23514: Maximum withdrawal amount is 19.99 coins': 95,
    })
  })
})

const STEP = (from: string, to: string) => rule(`A ${from} withdrawal cannot become ${to}`)
const REASON = rule('Please give a reason')
test.each([
  ['pending', 'Ada', `status = 'completed'`, STEP('pending', 'completed')],
  ['processing', 'Ada', `status = 'pending'`, STEP('processing', 'pending')],
  ['rejected', 'Ada', `status = 'processing'`, STEP('rejected', 'processing')],
  ['completed', 'Ada', REJECT, STEP('completed', 'rejected')],
  ['processing', 'Ada', `status = 'completed'`, denied('You approved this, so another admin completes it')],
  ['processing', 'Ada', `status = 'completed', processed_by = null`, DENIED],
  ['processing', 'Anton', `status = 'completed', completed_by = user_id`, DENIED],
  ['pending', 'Anton', `status = 'rejected', rejection_reason = '  '`, REASON],
  ['processing', 'Anton', `status = 'rejected'`, REASON],
  ['pending', 'Ada', `status = 'processing', rejection_reason = 'No'`, rule('Only a rejection has a reason')],
  [
    ...['pending', 'Ada', `status = 'processing', bank_account_last4 = '12345'`],
    rule('Enter the last 4 digits, such as 3000'),
  ],
  [
    ...['pending', 'Ada', `status = 'processing', bank_account_last4 = '2606'`],
    rule('This withdrawal goes to the account ending in 3000'),
  ],
  ['pending', 'Ada', `completed_at = '2000-01-01'`, STEP('pending', 'pending')],
  ['processing', 'Anton', `stripe_transfer_id = 'tr_2'`, STEP('processing', 'processing')],
  ['completed', 'Ada', `bank_account_last4 = '0000'`, STEP('completed', 'completed')],
] as [string, string, string, object][])(
  'when it is %s, %s is refused: %s',
  async (status, who, set, refusal) => {
    const { olivia, request } = await asked(status)
    const everything = async () => [
      await db.query('select * from withdrawal_requests where user_id = $1', [olivia.id]),
      await db.query('select * from coin_transactions where user_id = $1', [olivia.id]),
    ]
    const before = await everything()
    expect(await refusalOf(change(who === 'Ada' ? ada : anton, request, set))).toMatchObject(refusal)
    expect(await everything()).toEqual(before)
  },
)

describe('a withdrawal', () => {
  test('reserves its coins until it is rejected, and moves them when it is completed', async () => {
    const { olivia, request } = await asked()
    const left = (coins: string) => rule(`Maximum withdrawal amount is ${coins} coins`)
    expect(await refusalOf(withdraw(olivia, '20.01'))).toEqual(left('20.00'))
    await change(ada, request, `status = 'processing'`)
    expect(await refusalOf(withdraw(olivia, '20.01'))).toEqual(left('20.00'))
    const second = await withdraw(olivia, '20')
    await change(ada, second, REJECT)
    expect(await movements(olivia)).toEqual([])
    expect(await wallet(olivia)).toEqual({ coins: '50.00', earned: '50.00', withdrawn: '0.00' })
    expect(await withdraw(olivia, '20')).toMatchObject({ status: 'pending' })
    await change(anton, request, `status = 'completed'`)
    expect(await movements(olivia)).toEqual([{ type: 'withdrawn', amount: '30.00', created_by: anton?.id }])
    expect(await wallet(olivia)).toEqual({ coins: '20.00', earned: '50.00', withdrawn: '30.00' })
  })

  test('is not completed without its coins', async () => {
    const { olivia, request } = await asked('processing')
    await moveCoins(db, olivia, 'withdrawn', 20.01, 'A correction')
    expect(await refusalOf(change(anton, request, `status = 'completed'`))).toEqual(
      rule('The balance cannot go below zero'),
    )
    expect(await wallet(olivia)).toMatchObject({ coins: '29.99' })
    // More coins are reserved than the wallet holds: the available amount is zero, not negative.
    expect(await refusalOf(withdraw(olivia, '20'))).toEqual(rule('Maximum withdrawal amount is 0.00 coins'))
  })

  test.each(['ada', 'anton'])(
    'that is processing is rejected by %s too, which frees its coins',
    async (who) => {
      const { olivia, request } = await asked('processing')
      const by = who === 'ada' ? ada : anton
      expect(await change(by, request, REJECT)).toMatchObject([
        {
          ...{ status: 'rejected', rejection_reason: 'Unknown account' },
          ...{ processed_by: by?.id, completed_at: null, completed_by: null },
        },
      ])
      expect(await withdraw(olivia, '50')).toMatchObject({ status: 'pending' })
    },
  )

  test('is not decided by the admin whose own it is', async () => {
    const own = await addStaff(db, 'Amelie', 'admin')
    await moveCoins(db, own, 'earned', 30)
    await addBankAccount(db, own)
    const request = await withdraw(own, '30')
    const OWN = denied('Someone else decides on your own withdrawal')
    for (const set of [`status = 'processing'`, REJECT])
      expect(await refusalOf(change(own, request, set))).toEqual(OWN)
    await change(ada, request, `status = 'processing'`)
    expect(await refusalOf(change(own, request, `status = 'completed'`))).toEqual(OWN)
    expect(await wallet(own)).toMatchObject({ coins: '30.00' })
  })

  test('has its decisions dated and signed by the database, and keeps what it was given before', async () => {
    const { request } = await asked()
    const OLD = `'2000-01-01'`
    const [processing] = await change(
      ada,
      request,
      `status = 'processing', processed_at = ${OLD}, completed_at = ${OLD}, rejection_reason = '', stripe_transfer_id = 'tr_1'`,
    )
    const [completed] = await change(
      anton,
      request,
      `status = 'completed', processed_at = ${OLD}, completed_at = ${OLD}, stripe_transfer_id = ' ', bank_account_last4 = ''`,
    )
    const kept = { stripe_transfer_id: 'tr_1', bank_account_last4: '3000', processed_by: ada?.id }
    expect(processing).toMatchObject({
      ...{ ...kept, status: 'processing', rejection_reason: null, completed_at: null, completed_by: null },
    })
    expect(completed).toMatchObject({ ...kept, status: 'completed', completed_by: anton?.id })
    expect(completed?.processed_at).toEqual(processing?.processed_at)
    const [dated] = await sql`select processed_at >= requested_at and completed_at > processed_at as dated
      from withdrawal_requests where id = ${request.id}`
    expect(dated).toEqual({ dated: true })
  })

  test('takes its transfer id at the end as well, and is completed by the server whoever approved it', async () => {
    const [first, second] = [await asked('processing'), await asked('processing')]
    await change(anton, first.request, `status = 'completed', stripe_transfer_id = 'tr_2'`)
    await sql`update withdrawal_requests set status = 'completed' where id = ${second.request.id}`
    expect(
      await sql`select stripe_transfer_id as transfer, processed_by, completed_by from withdrawal_requests
        where user_id in (${first.olivia.id}, ${second.olivia.id}) order by requested_at`,
    ).toEqual([
      { transfer: 'tr_2', processed_by: ada?.id, completed_by: anton?.id },
      { transfer: null, processed_by: ada?.id, completed_by: null },
    ])
  })

  test('that two admins complete ten times at once is paid once', async () => {
    const { olivia, request } = await asked('processing')
    const complete = (who: Person | undefined) => times(5, () => change(who, request, `status = 'completed'`))
    const amelie = await addStaff(db, 'Amelie', 'admin')
    expect(await race([...complete(amelie), ...complete(anton)])).toEqual({
      done: 1,
      '23514: A completed withdrawal cannot become completed': 9,
    })
    expect(await wallet(olivia)).toEqual({ coins: '20.00', earned: '50.00', withdrawn: '30.00' })
    expect(await movements(olivia)).toMatchObject([{ type: 'withdrawn', amount: '30.00' }])
  })
})

describe('what admins see of them', () => {
  const list = (rest: string) => (ada as Person).run(`select * from list_withdrawals(${rest})`)

  test('the list has all, newest first, with who asked and who decided, page after page', async () => {
    await forgetMoney(db)
    const { olivia } = await asked('completed')
    const { olivia: marc } = await asked()
    await olivia.sql`update user_profiles set full_name = 'Olivia Oak' where user_id = ${olivia.id}`
    await marc.sql`update user_profiles set display_name = 'Marc' where user_id = ${marc.id}`
    await withdraw(olivia, '20')
    expect(await list('')).toMatchObject([
      { user_id: olivia.id, full_name: 'Olivia Oak', amount: '20', status: 'pending', has_account: true },
      { user_id: marc.id, display_name: 'Marc', full_name: null, amount: '30', processed_by_name: null },
      {
        ...{ user_id: olivia.id, display_name: 'Olivia', amount: '30', status: 'completed' },
        ...{
          processed_by: ada?.id,
          processed_by_name: 'Ada',
          completed_by: anton?.id,
          completed_by_name: 'Anton',
        },
        ...{ avatar_url: null, bank_account_last4: '3000', payout_file_id: null, stripe_transfer_id: null },
        ...{ rejection_reason: null, returned_at: null, return_reason: null },
      },
    ])
    for (const [some, amounts] of [
      ['p_after => (select jsonb_build_array(requested_at, id) from list_withdrawals(2) offset 1)', ['30']],
      [`50, 'completed'`, ['30']],
      [`50, null, '${olivia.id}'`, ['20', '30']],
    ] as const)
      expect((await list(some)).map(({ amount }) => amount)).toEqual(amounts)
  })

  test('the figures count and add up each status', async () => {
    await forgetMoney(db)
    const figures = async () =>
      (await (ada as Person).sql`select * from withdrawal_statistics()`).map((row) => Object.values(row))
    const STATUSES = ['pending', 'processing', 'completed', 'rejected']
    expect(await figures()).toEqual(STATUSES.map((status) => [status, 0, '0.00']))
    for (const status of STATUSES) await asked(status)
    await withdraw(await addPayee(db, 50), '20.1')
    expect(await figures()).toEqual([
      ['pending', 2, '50.10'],
      ...STATUSES.slice(1).map((status) => [status, 1, '30.00']),
    ])
  })
})
