// Wallets: how coins move in them, what staff may add or take, and the settings that limit it.
// Proves CREATE 17, WALLET 05 07 11 14 15, ADMIN 34-36 38 40 42-44 47 50, DATA 17-19, API 22-24 35 37, VALID
// 28 29, BOOKS 05, PAYOUT 05
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { type CoinType, forgetMoney, moveCoins } from '../coins.ts'
import { addPerson, addStaff, DENIED, denied, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { race, times } from '../race.ts'

const { db, sql, VISITOR } = await ownDatabase()
const staff: Record<string, Person> = {}
let olivia: Person
beforeAll(async () => {
  await sql`insert into system_roles (name, permissions) values ('editor', '{settings.edit}')`
  const roles = { Ada: 'admin', Anton: 'admin', Sofia: 'super-admin', Mona: 'moderator', Edith: 'editor' }
  for (const [name, role] of Object.entries(roles)) staff[name] = await addStaff(db, name, role)
})
// Olivia has 50 coins, and has requested 30 of them.
beforeEach(async () => {
  await sql`update app_settings set review_new_plans = false, adjustment_ceiling = 100`
  olivia = await addPerson(db, 'Olivia')
  await moveCoins(db, olivia, 'earned', 50)
  await addBankAccount(db, olivia)
  await olivia.insert('withdrawal_requests', { amount: '30' })
})

const named = (name: string): Person => {
  const person = name === 'Olivia' ? olivia : staff[name]
  if (!person) throw new Error(`There is no ${name}`)
  return person
}
const as = (name: string, text: string, values: (string | null)[] = []) =>
  named(name).run(text.replaceAll(':olivia', `'${olivia.id}'`), values)
const adjust = (name: string, amount: string | null, reason: string | null = 'Counted twice') =>
  as(name, 'select * from adjust_wallet(:olivia, $1, $2)', [amount, reason])
const set = (name: string, changes: string) => as(name, `update app_settings set ${changes} returning *`)
const figures = async (person = olivia) =>
  Object.values(
    (
      await sql`select coin_balance, total_earned, total_withdrawn from user_wallets where user_id = ${person.id}`
    )[0] ?? {},
  )
const movements = () =>
  olivia.sql`select transaction_type as type, amount, description, created_by as by from coin_transactions order by created_at`

test.each([
  ['user_wallets', 'user_id coin_balance total_earned total_withdrawn created_at updated_at'],
  ['coin_transactions', 'id user_id transaction_type amount description created_at created_by'],
  [
    'withdrawal_requests',
    `id user_id amount closes_account status requested_at processed_at completed_at rejection_reason stripe_transfer_id
     bank_account_last4 processed_by completed_by bank_account_id returned_at returned_by return_reason`,
  ],
])('the columns of %s', async (table, columns) => {
  const found = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by ordinal_position`
  expect(found.map(({ name }) => name)).toEqual(columns.split(/\s+/))
})

describe('a wallet', () => {
  test('is made with zeros for whoever reads it first, and left as it is when it is there', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const opened = async () => {
      const [{ user_id, created_at, updated_at, ...rest } = {}] =
        await zoe.sql`select * from open_own_wallet()`
      return [user_id, ...Object.values(rest)]
    }
    expect(await opened()).toEqual([zoe.id, '0.00', '0.00', '0.00'])
    await moveCoins(db, zoe, 'earned', 7)
    expect(await opened()).toEqual([zoe.id, '7.00', '7.00', '0.00'])
    expect(await refusalOf(VISITOR.sql`select open_own_wallet()`)).toMatchObject(DENIED)
  })

  test.each<[CoinType, string[]]>([
    ['earned', ['60.00', '60.00', '0.00']],
    ['spent', ['40.00', '50.00', '0.00']],
    ['withdrawn', ['40.00', '50.00', '10.00']],
    ['refunded', ['60.00', '50.00', '0.00']],
  ])('of 50 coins in which 10 are %s', async (type, after) => {
    await moveCoins(db, olivia, type, 10, 'A move')
    expect(await figures()).toEqual(after)
    expect((await movements()).at(-1)).toEqual({ type, amount: '10.00', description: 'A move', by: null })
  })

  test('moves in no fifth way, and keeps the order of its movements, whatever the clock says', async () => {
    const won = sql`select private.transfer('won', private.ledger_account('outside'), private.ledger_account('wallet', ${olivia.id}), 1, 'cost')`
    expect(await refusalOf(won)).toEqual(rule('A cost does not move coins in'))
    await sql`update coin_transactions set created_at = clock_timestamp() + interval '1 hour' where user_id = ${olivia.id}`
    await moveCoins(db, olivia, 'earned', 1, 'A share')
    expect((await movements()).map(({ description }) => description)).toEqual(['A start', 'A share'])
  })
})

const INVALID = rule('Please enter a valid adjustment amount')
const NO_REASON = rule('Please give a reason')
const ADMINS = denied('Only admins can do this')
describe('an adjustment', () => {
  test.each<[string, string | null, string | null, object]>([
    ['Ada', '0', 'No', INVALID],
    ['Ada', '0.004', 'No', INVALID],
    ['Ada', 'NaN', 'No', INVALID],
    ['Ada', '-Infinity', 'No', INVALID],
    ['Ada', '9999999999.99', 'More than a wallet holds', INVALID],
    ['Ada', null, 'No', INVALID],
    ['Ada', 'five', 'No', { code: '22P02' }],
    ['Ada', '5', ' \n\t', NO_REASON],
    ['Ada', '5', null, NO_REASON],
    ['Ada', '5', 'x'.repeat(481), rule('The reason can be at most 480 characters')],
    [
      ...(['Anton', '-20.01', 'Twice'] as const),
      rule('Only 20.00 coins are available. The rest is waiting to be paid out.'),
    ],
    ['Anton', '-50.01', 'Twice', rule('The balance cannot go below zero')],
    ['Ada', '100.01', 'Much', rule('One adjustment can move at most 100.00 coins')],
    ['Sofia', '-100.01', 'Much', rule('One adjustment can move at most 100.00 coins')],
    ['Edith', '1', 'A gift', ADMINS],
    ['Mona', '1', 'A gift', ADMINS],
    ['Olivia', '1', 'A gift', ADMINS],
  ])('by %s of %j for %j is refused and changes nothing', async (who, amount, reason, refusal) => {
    expect(await refusalOf(adjust(who, amount, reason))).toMatchObject(refusal)
    expect([await figures(), (await movements()).length]).toEqual([['50.00', '50.00', '0.00'], 1])
  })

  test('is made by no admin to the own wallet', async () => {
    for (const { id, sql } of [named('Ada'), named('Sofia')])
      expect(await refusalOf(sql`select adjust_wallet(${id}, 5, 'A gift')`)).toEqual(
        denied('Someone else adjusts your own wallet'),
      )
  })

  test('adds what is positive and takes what is negative, up to the ceiling, and says why and by whom', async () => {
    const LONG = 'x'.repeat(480)
    const by = named('Ada').id
    expect(await adjust('Ada', '100', '  A missed month \n')).toMatchObject([
      { user_id: olivia.id, transaction_type: 'earned', amount: '100.00', created_by: by },
    ])
    await adjust('Anton', '-2.3')
    await adjust('Ada', '-100', LONG)
    expect(await figures()).toEqual(['47.70', '150.00', '0.00'])
    const description = (reason: string) => `Admin adjustment: ${reason}`
    expect((await movements()).slice(1)).toEqual([
      { type: 'earned', amount: '100.00', description: description('A missed month'), by },
      { type: 'spent', amount: '2.30', description: description('Counted twice'), by: named('Anton').id },
      { type: 'spent', amount: '100.00', description: description(LONG), by },
    ])
    expect(
      await olivia.sql`select message from user_notifications where title = 'Wallet Adjusted' order by created_at limit 2`,
    ).toEqual([
      { message: '100.00 coins were added to your wallet: A missed month' },
      { message: '2.30 coins were taken from your wallet: Counted twice' },
    ])
  })

  test('made ten times at once takes no more than there is, and not what is asked for meanwhile', async () => {
    const zoe = await addPerson(db, 'Zoe')
    await moveCoins(db, zoe, 'earned', 50)
    const take = () => named('Ada').sql`select adjust_wallet(${zoe.id}, -20, 'Paid twice')`
    expect(await race(times(10, take))).toEqual({ done: 2, '23514: The balance cannot go below zero': 8 })
    expect(await figures(zoe)).toEqual(['10.00', '50.00', '0.00'])
    const ends = await race([
      () => adjust('Ada', '-20'),
      () => olivia.insert('withdrawal_requests', { amount: '20' }),
    ])
    expect(ends).toMatchObject({ done: 1 })
  })

  test('keeps naming an admin who has deleted the account', async () => {
    staff.Amelie = await addStaff(db, 'Amelie', 'admin')
    await adjust('Amelie', '5')
    await as('Amelie', 'select delete_own_account()')
    expect(
      await sql`select p.display_name from coin_transactions as t join user_profiles as p on p.user_id = t.created_by
        where t.user_id = ${olivia.id}`,
    ).toEqual([{ display_name: 'Deleted account' }])
  })
})

describe('the settings', () => {
  const CEILING = denied('Only super-admins can change this maximum')
  test.each([
    ['Edith', 'adjustment_ceiling = 1000', CEILING],
    ['Sofia', 'adjustment_ceiling = 0', { code: '23514' }],
    ['Sofia', `adjustment_ceiling = 'NaN'`, { code: '23514' }],
    ['Sofia', 'adjustment_ceiling = 0.001', { code: '23514' }],
    ['Sofia', 'adjustment_ceiling = 1e308', { code: expect.stringMatching(/^(22003|23514)$/) }],
    ['Sofia', 'updated_by = null', DENIED],
  ])('are not changed by %s so: %s', async (who, changes, refusal) => {
    const read = () => sql`select * from app_settings`
    const before = await read()
    expect(await refusalOf(set(who, changes))).toMatchObject(refusal)
    for (const nobody of ['Ada', 'Mona', 'Olivia'])
      expect(await set(nobody, 'review_new_plans = true, adjustment_ceiling = 99')).toEqual([])
    expect(await read()).toEqual(before)
  })

  test('change by whoever has the permission, the ceiling by a super-admin, and say by whom', async () => {
    const settings = { review_new_plans: true, adjustment_ceiling: '100.00', updated_by: named('Edith').id }
    expect(await set('Edith', 'review_new_plans = true')).toMatchObject([settings])
    const higher = { ...settings, adjustment_ceiling: '100.01', updated_by: named('Sofia').id }
    expect(await set('Sofia', 'adjustment_ceiling = 100.01')).toMatchObject([higher])
    expect(await adjust('Ada', '100.01')).toMatchObject([{ amount: '100.01' }])
  })
})

describe('the figures of all wallets', () => {
  let marc: Person
  beforeEach(async () => {
    await forgetMoney(db)
    marc = await addPerson(db, 'Marc')
  })
  const DAY = 24
  const move = (person: Person, type: CoinType, amount: string, hoursAgo = 0) =>
    moveCoins(db, person, type, amount, 'Moved').then(
      (id) =>
        sql`update coin_transactions set created_at = now() - make_interval(hours => ${hoursAgo}) where id = ${id}`,
    )
  const overview = async () => (await as('Ada', 'select * from wallet_overview()'))[0]

  test('are zeros without any, and exact sums, those of 30 days apart, which the days add up to', async () => {
    expect(await overview()).toMatchObject({
      ...{ wallets: 0, circulation: '0', net_flow: '0', coins_vs_withdrawals: '0.0', average: '0.00' },
      recent_transactions: 0,
    })
    for (const _cent of [1, 2, 3]) await move(olivia, 'earned', '0.10', 30 * DAY + 1)
    await move(olivia, 'earned', '60', 29 * DAY)
    await move(olivia, 'withdrawn', '20', 2)
    await move(marc, 'earned', '9.70', 1)
    await move(marc, 'spent', '4', 1)
    await move(marc, 'refunded', '1.01', 1)
    expect(await overview()).toEqual({
      ...{ wallets: 2, circulation: '47.01', earned: '70.00', withdrawn: '20.00', net_flow: '50.00' },
      ...{ coins_vs_withdrawals: '235.1', average: '23.51', recent_transactions: 5, recent_earned: '69.70' },
      ...{ recent_spent: '4.00', recent_withdrawn: '20.00', recent_refunded: '1.01' },
    })
    expect(await as('Ada', 'select sum(earned) as earned from coins_by_day()')).toEqual([{ earned: '69.70' }])
  })

  test('divide by 1 at least', async () => {
    await move(olivia, 'earned', '40.50')
    await move(olivia, 'withdrawn', '0.50')
    expect(await overview()).toMatchObject({ withdrawn: '0.50', coins_vs_withdrawals: '4000.0' })
  })

  test('of transactions cover 24 hours, 7 days, 30 days and all time', async () => {
    await move(olivia, 'earned', '1000', 30 * DAY + 1)
    await move(olivia, 'earned', '100', 7 * DAY + 1)
    await move(olivia, 'earned', '10', 7 * DAY - 1)
    await move(olivia, 'withdrawn', '20', DAY + 1)
    await move(marc, 'earned', '3', DAY - 1)
    await move(marc, 'spent', '1')
    await move(marc, 'refunded', '0.50')
    const rows = await as('Ada', 'select * from transaction_statistics()')
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['1d', 3, '3.00', '1.00', '0', '0.50'],
      ['7d', 5, '13.00', '1.00', '20.00', '0.50'],
      ['30d', 6, '113.00', '1.00', '20.00', '0.50'],
      ['all', 7, '1113.00', '1.00', '20.00', '0.50'],
    ])
  })

  test('of days are those of the last 30, today last, in UTC', async () => {
    await move(olivia, 'earned', '100', 31 * DAY)
    await move(olivia, 'earned', '12.50')
    await move(olivia, 'withdrawn', '5')
    await move(marc, 'refunded', '1')
    await sql`update coin_transactions set created_at = (date_trunc('day', now() at time zone 'utc') at time zone 'utc') - interval '1 second'
      where transaction_type = 'refunded'`
    const days = await as(
      'Ada',
      `select day - (now() at time zone 'utc')::date as day, earned, spent, withdrawn, refunded from coins_by_day()`,
    )
    expect(days.map((row) => Object.values(row))).toEqual([
      ...Array.from({ length: 28 }, (_, day) => [day - 29, '0', '0', '0', '0']),
      [-1, '0', '0', '0', '1.00'],
      [0, '12.50', '0', '5.00', '0'],
    ])
  })
})
