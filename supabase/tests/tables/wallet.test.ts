import { describe, expect, test } from 'vitest'
import { type CoinType, moveCoins } from '../coins.ts'
import { type Asker, addPerson, DENIED, ownDatabase, type Person, refusalOf, rule } from '../people.ts'

const { db, sql, VISITOR } = await ownDatabase()

async function withCoins(coins: number): Promise<Person> {
  const person = await addPerson(db, 'Olivia')
  await moveCoins(db, person, 'earned', coins)
  return person
}
const wallet = async (person: Person) =>
  (
    await person.sql`select coin_balance, total_earned, total_withdrawn from user_wallets where user_id = ${person.id}`
  )[0]

test.each([
  [
    'user_wallets',
    ['user_id', 'coin_balance', 'total_earned', 'total_withdrawn', 'created_at', 'updated_at'],
  ],
  [
    'coin_transactions',
    ['id', 'user_id', 'transaction_type', 'amount', 'description', 'created_at', 'created_by'],
  ],
  [
    'withdrawal_requests',
    [
      ...[
        'id',
        'user_id',
        'amount',
        'closes_account',
        'status',
        'requested_at',
        'processed_at',
        'completed_at',
      ],
      ...['rejection_reason', 'stripe_transfer_id', 'bank_account_last4', 'processed_by', 'completed_by'],
      ...['bank_account_id', 'returned_at', 'returned_by', 'return_reason'],
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
    await moveCoins(db, zoe, 'earned', 7, 'A share')
    expect(await opened(zoe)).toEqual([{ ...own, coin_balance: '7.00', total_earned: '7.00' }])
    expect(await sql`select user_id from user_wallets where user_id = ${marc.id}`).toEqual([])
    expect(await refusalOf(opened(VISITOR))).toMatchObject(DENIED)
  })

  test('moves in four ways, each with its sign, and in no fifth', async () => {
    const olivia = await withCoins(50)
    const after = async (type: CoinType) => {
      await moveCoins(db, olivia, type, 10, 'A move')
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
    const won = sql`select private.transfer('won', private.ledger_account('outside'), private.ledger_account('wallet', ${olivia.id}), 1, 'cost')`
    expect(await refusalOf(won)).toEqual(rule('A cost does not move coins in'))
    const types = await olivia.sql`select transaction_type as type from coin_transactions order by created_at`
    expect(types.map(({ type }) => type)).toEqual(['earned', 'earned', 'spent', 'withdrawn', 'refunded'])
    expect(await wallet(olivia)).toEqual(figures('50.00', '60.00', '10.00'))
  })

  test('keeps the order of its movements, whatever the clock says', async () => {
    const olivia = await withCoins(1)
    await sql`update coin_transactions set created_at = clock_timestamp() + interval '1 hour' where user_id = ${olivia.id}`
    await moveCoins(db, olivia, 'earned', 1, 'A share')
    expect(
      await sql`select description from coin_transactions where user_id = ${olivia.id} order by created_at`,
    ).toEqual([{ description: 'A start' }, { description: 'A share' }])
  })
})
