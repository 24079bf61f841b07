// Many transfers at once leave what they leave one by one, or nothing.
import { expect, test } from 'vitest'
import { addPerson, ownDatabase, refusalOf, rule } from '../people.ts'

const { db, sql } = await ownDatabase()

/** A key, two accounts as SQL names them, an amount and a kind. */
type Move = [key: string, from: string, to: string, amount: string | null, kind: string]
const transfer = (...[key, from, to, amount, kind]: Move) =>
  db.query(`select private.transfer($1, ${from}, ${to}, $2, $3, p_description => 'A test')`, [
    key,
    amount,
    kind,
  ])
const moveAll = (...moves: Move[]) =>
  db.query(
    `select private.transfer_all(array[${moves.map(
      ([key, from, to], place) =>
        `('${key}', ${from}, ${to}, $${place * 2 + 1}, $${place * 2 + 2}, null, null, 'A test')`,
    )}]::private.move[])`,
    moves.flatMap(([, , , amount, kind]) => [amount, kind]),
  )
const account = (kind: string, owner?: string) =>
  `private.ledger_account('${kind}'${owner ? `, '${owner}'` : ''})`
const faults = () => sql`select * from private.check_books()`
const OUTSIDE = account('outside')
const FEES = account('fees')
const transfers = () => sql`select count(*)::int as rows from private.ledger_transfers`

test('leave what they leave one by one, accounts and people met twice included', async () => {
  const left = async (how: 'one' | 'all') => {
    const [olivia, marc] = [await addPerson(db, 'Olivia'), await addPerson(db, 'Marc')]
    const moves: Move[] = [
      [`${how} 1`, OUTSIDE, account('wallet', olivia.id), '5.00', 'earning'],
      [`${how} 2`, OUTSIDE, FEES, '0.50', 'fee'],
      [`${how} 3`, OUTSIDE, account('wallet', marc.id), '0.01', 'refund'],
      [`${how} 4`, FEES, account('wallet', olivia.id), '0.25', 'refund'],
      [`${how} 5`, OUTSIDE, account('wallet', olivia.id), '100000.00', 'earning'],
    ]
    if (how === 'all') await moveAll(...moves)
    else for (const move of moves) await transfer(...move)
    expect(await faults()).toEqual([])
    return [
      await sql`select substr(t.key, 5) as key, t.amount, t.kind, t.description, a.kind as account, e.amount as step,
          e.balance_after - e.balance_before as change, case when a.owner is not null then e.balance_after end as balance,
          t.person_id = a.owner as theirs, e.created_at = t.created_at as together
        from private.ledger_transfers as t join private.ledger_entries as e on e.transfer_id = t.id
        join private.ledger_accounts as a on a.id = e.account_id where t.key like ${`${how} _`} order by t.key, e.amount`,
      await sql`select transaction_type, amount, description from coin_transactions where user_id = ${olivia.id} order by created_at`,
      await sql`select coin_balance, total_earned, total_withdrawn from user_wallets
        where user_id in (${olivia.id}, ${marc.id}) order by coin_balance`,
      await sql`select count(distinct created_at)::int as times from coin_transactions where user_id = ${olivia.id}`,
    ]
  }
  expect(await left('all')).toEqual(await left('one'))
})

test.each(['0', '-1', '0.001', '1e308', 'NaN', 'Infinity', null])(
  'are refused with one of %s, and so are those of a wallet, of one account and to nowhere',
  async (amount) => {
    const before = await transfers()
    const wallet = account('wallet', (await addPerson(db, 'Olivia')).id)
    const good: Move = ['odd 1', OUTSIDE, FEES, '1', 'fee']
    for (const odd of [
      ['odd 2', OUTSIDE, FEES, amount, 'fee'],
      ['odd 2', wallet, FEES, '1', 'payment'],
      ['odd 2', FEES, FEES, '1', 'fee'],
      ['odd 2', FEES, '0', '1', 'fee'],
    ] satisfies Move[])
      expect(await refusalOf(moveAll(good, odd))).toEqual(
        rule('Money moves between two accounts, in whole cents'),
      )
    expect(await transfers()).toEqual(before)
  },
)

test('move nothing where one is known, or an account would fall below zero', async () => {
  await transfer('known', OUTSIDE, FEES, '1', 'fee')
  const before = await transfers()
  const known: Move[] = [
    ['new', OUTSIDE, FEES, '1', 'fee'],
    ['known', OUTSIDE, FEES, '1', 'fee'],
  ]
  expect(await refusalOf(moveAll(...known))).toMatchObject({ code: '23505' })
  const empty: Move[] = [
    ['new', OUTSIDE, FEES, '1', 'fee'],
    ['more', account('refunds_due'), OUTSIDE, '1', 'refund-sent'],
  ]
  expect(await refusalOf(moveAll(...empty))).toMatchObject({ code: '23514' })
  expect(await transfers()).toEqual(before)
  expect(await faults()).toEqual([])
})
