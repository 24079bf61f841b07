// The ledger: one way to move money, once, kept for good; and what is said of books that are wrong.
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { asCaller } from '@potluck/server/db/as-caller.ts'
import { migrate, readMigrations } from '@potluck/server/db/migrate.ts'
import { emptyDatabase } from '@potluck/server/test/harness.ts'
import { describe, expect, test } from 'vitest'
import { moveCoins } from '../coins.ts'
import { addPeople, addPerson, DENIED, denied, ownDatabase, refusalOf, rule, taken } from '../people.ts'

const { db, sql } = await ownDatabase()

/** Moves money from one account to another, each as SQL names it. */
const transfer = async (key: string, from: string, to: string, amount: number | string, kind = 'payment') => {
  const [row] = await db.query<{ id: string; amount: string }>(
    `select id, amount from private.transfer($1, ${from}, ${to}, $2, $3, p_description => 'A test')`,
    [key, String(amount), kind],
  )
  return row
}
const account = (kind: string, owner?: string) =>
  `private.ledger_account('${kind}'${owner ? `, '${owner}'` : ''})`
const faults = () => db.query('select * from private.check_books()')
const OUTSIDE = account('outside')
const FEES = account('fees')

describe('a transfer', () => {
  test('writes both sides with what was there before and after, and the coins people see', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const wallet = account('wallet', olivia.id)
    await moveCoins(db, olivia, 'earned', 5)
    const second = await transfer('second', OUTSIDE, wallet, 2.5, 'earning')
    expect(
      await sql`select a.kind, e.amount, e.balance_after - e.balance_before as step, e.version = a.version as newest,
           e.balance_after = a.balance as current, t.key, t.person_id
         from private.ledger_entries as e join private.ledger_accounts as a on a.id = e.account_id
         join private.ledger_transfers as t on t.id = e.transfer_id where t.id = ${second?.id} order by a.kind`,
    ).toEqual(
      [
        { kind: 'outside', amount: '-2.50', step: '-2.50' },
        { kind: 'wallet', amount: '2.50', step: '2.50' },
      ].map((side) => ({ ...side, newest: true, current: true, key: 'second', person_id: olivia.id })),
    )
    expect(await olivia.sql`select coin_balance, total_earned from user_wallets`).toEqual([
      { coin_balance: '7.50', total_earned: '7.50' },
    ])
    expect(await faults()).toEqual([])
  })

  test('of a known key moves nothing and is the first one, unless amount or accounts differ', async () => {
    const first = await transfer('once', OUTSIDE, FEES, 3, 'fee')
    expect(await transfer('once', OUTSIDE, FEES, '3.00', 'fee')).toEqual(first)
    for (const again of [
      () => transfer('once', OUTSIDE, FEES, 4, 'fee'),
      () => transfer('once', FEES, OUTSIDE, 3, 'fee'),
      () => transfer('once', OUTSIDE, account('costs'), 3, 'fee'),
    ])
      expect(await refusalOf(again())).toEqual(taken('Another transfer has this key'))
    expect(await sql`select count(*)::int as rows from private.ledger_transfers where key = 'once'`).toEqual([
      { rows: 1 },
    ])
  })

  test.each(['0', '-0', '-1', '0.001', '1e308', 'NaN', 'Infinity', null])(
    'of %s is refused',
    async (amount) => {
      const work = db.query(`select private.transfer('odd', ${OUTSIDE}, ${FEES}, $1, 'fee')`, [amount])
      expect(await refusalOf(work)).toEqual(rule('Please enter a valid amount'))
    },
  )

  test('needs two accounts, a kind that there is, and money where there must be some', async () => {
    const marc = account('wallet', (await addPerson(db, 'Marc')).id)
    expect(await refusalOf(transfer('none', OUTSIDE, OUTSIDE, 1))).toEqual(
      rule('Money moves between two accounts'),
    )
    expect(await refusalOf(transfer('none', '0', OUTSIDE, 1))).toEqual(
      rule('Money moves between two accounts'),
    )
    expect(await refusalOf(transfer('odd', OUTSIDE, FEES, 1, 'gift'))).toMatchObject({ code: '23514' })
    for (const empty of [marc, account('refunds_due')])
      expect(await refusalOf(transfer('empty', empty, OUTSIDE, 1, 'withdrawal'))).toEqual(
        rule('The balance cannot go below zero'),
      )
    expect(await faults()).toEqual([])
  })
})

test('nothing of it is changed, removed or emptied, not even by the service or the owner', async () => {
  await transfer('kept', OUTSIDE, FEES, 1, 'fee')
  const service = { role: 'service_role', claims: '{"role":"service_role"}' }
  for (const table of ['private.ledger_transfers', 'private.ledger_entries'])
    for (const text of [
      `update ${table} set amount = 2`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]) {
      expect(await refusalOf(asCaller(db, service, [{ text }]))).toMatchObject(DENIED)
      expect(await refusalOf(db.query(text))).toEqual(denied('The ledger is never rewritten'))
    }
})

describe('the check of the books', () => {
  const loose =
    'alter table private.ledger_entries disable trigger keep; alter table private.ledger_transfers disable trigger keep;'
  const free = 'alter table private.ledger_accounts drop constraint only_some_accounts_fall_below_zero;'
  const last = '(select max(transfer_id) from private.ledger_entries)'
  test.each([
    [
      'The balances do not add up to zero',
      `update private.ledger_accounts set balance = balance + 1 where kind = 'fees'`,
    ],
    [
      'An account does not equal its entries',
      `update private.ledger_accounts set balance = balance + 1 where kind = 'fees'`,
    ],
    [
      'An account does not equal its entries',
      `update private.ledger_accounts set version = version + 1 where kind = 'fees'`,
    ],
    [
      'An account is below zero',
      `${free} update private.ledger_accounts set balance = -1 where kind = 'fees'`,
    ],
    [
      'A transfer does not equal its entries',
      `${loose} update private.ledger_transfers set amount = 9 where id = ${last}`,
    ],
    [
      'A transfer does not equal its entries',
      `${loose} delete from private.ledger_entries where transfer_id = ${last} and amount > 0`,
    ],
    [
      'An entry does not go on from the one before',
      `${loose} update private.ledger_entries
      set balance_before = balance_before + 1, balance_after = balance_after + 1 where transfer_id = ${last}`,
    ],
    ['A wallet does not equal the ledger', 'update user_wallets set coin_balance = coin_balance + 1'],
    ['A wallet does not equal its coins', 'update user_wallets set coin_balance = coin_balance + 1'],
    ['A wallet does not equal its coins', 'delete from coin_transactions'],
  ])('says: %s', async (fault, damage) => {
    await moveCoins(db, await addPerson(db, 'Nina'), 'earned', 3)
    for (const place of ['first', 'last']) await transfer(`${place} ${randomUUID()}`, OUTSIDE, FEES, 3, 'fee')
    expect(await faults()).toEqual([])
    const found = db.transaction(async (tx) => {
      await tx.script(damage)
      throw await tx.query('select fault from private.check_books()')
    })
    expect(await found.catch((rows: unknown) => rows)).toContainEqual({ fault })
  })
})

test('coins from before the ledger are carried in, once', async () => {
  const old = await emptyDatabase()
  const root = resolve(import.meta.dirname, '../../..')
  const platform = await readMigrations(`${root}/server/src/platform`)
  const migrations = await readMigrations(`${root}/supabase/migrations`)
  const books = migrations.findIndex(({ name }) => name === 'books')
  await migrate(old, { platform, migrations: migrations.slice(0, books) })
  const [olivia, marc, zoe] = await addPeople(old, ['Olivia', 'Marc', 'Zoe'])
  for (const [person, coins] of [
    [olivia, '42.50'],
    [marc, '0.01'],
    [zoe, '0'],
  ] as const) {
    await old.query('insert into user_wallets (user_id, coin_balance) values ($1, $2)', [person.id, coins])
    await old.query(
      `insert into coin_transactions (user_id, transaction_type, amount, description) select $1::uuid, type, amount, 'Old'
       from (values ('earned', $2::numeric + 7), ('spent', 7)) as moved (type, amount)`,
      [person.id, coins],
    )
  }
  await migrate(old, { platform, migrations })
  await old.query('select private.open_books()')
  expect(
    await old.query(
      `select a.owner, t.amount, t.kind, a.balance from private.ledger_transfers as t
       join private.ledger_accounts as a on a.id = t.to_account order by t.amount`,
    ),
  ).toEqual([
    { owner: marc.id, amount: '0.01', kind: 'opening', balance: '0.01' },
    { owner: olivia.id, amount: '42.50', kind: 'opening', balance: '42.50' },
  ])
  expect(await old.query('select * from private.check_books()')).toEqual([])
  await moveCoins(old, olivia, 'withdrawn', 40)
  expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '2.50' }])
  expect(await old.query('select * from private.check_books()')).toEqual([])
})
