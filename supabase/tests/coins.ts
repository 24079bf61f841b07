// Coins for tests, moved in the only possible way: by a transfer, as an adjustment or a payout.
import type { Database } from '@potluck/server/db/database.ts'
import { single } from './answers.ts'

type Queries = Pick<Database, 'query'>

const KINDS = {
  earned: 'adjustment',
  refunded: 'refund',
  spent: 'adjustment',
  withdrawn: 'withdrawal',
}
export type CoinType = keyof typeof KINDS

/** Moves a person's coins; returns the id of the movement. */
export async function moveCoins(
  db: Queries,
  person: { id: string },
  type: CoinType,
  coins: number | string,
  description = 'A start',
): Promise<string> {
  const kind = KINDS[type]
  const sides = [kind === 'adjustment' ? 'adjustments' : 'outside', 'wallet'].map(
    (kind) => `private.ledger_account('${kind}'${kind === 'wallet' ? ', $1' : ''})`,
  )
  if (type === 'spent' || type === 'withdrawn') sides.reverse()
  await db.query(
    `select private.transfer($3 || ':' || gen_random_uuid(), ${sides.join(', ')}, $2, $3, p_description => $4)`,
    [person.id, String(coins), kind, description],
  )
  const newest = 'select id from coin_transactions where user_id = $1 order by created_at desc limit 1'
  return single(db.query(newest, [person.id]))
}

/** Empties the books and the wallets, for tests that start over with the same people. */
export async function forgetMoney(db: Database): Promise<void> {
  const books = [
    'private.ledger_seals',
    'private.sealed_records',
    'private.ledger_entries',
    'private.ledger_transfers',
  ]
  await db.transaction(async (tx) => {
    // Locks the seal's end before the other tables, in the same order as the scheduled job that seals transfers.
    await tx.query('lock table private.ledger_seal_end in exclusive mode')
    for (const table of books) await tx.query(`alter table ${table} disable trigger keep`)
    for (const table of [...books, 'withdrawal_requests', 'coin_transactions', 'user_wallets'])
      await tx.query(`delete from ${table} where true`)
    await tx.query(`delete from private.ledger_accounts where owner is not null`)
    await tx.query(`update private.ledger_accounts set balance = 0, version = 0`)
    await tx.query(`update private.ledger_seal_end set line = 0, hash = '', through = 0, records_through = 0`)
    for (const table of books) await tx.query(`alter table ${table} enable trigger keep`)
    await tx.query('select private.record_rows()')
  })
}

/** Moves the dates of all movements so far into the past by `age`. */
export async function ageMoney(db: Database, age: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of ['private.ledger_entries', 'private.ledger_transfers', 'coin_transactions']) {
      const kept = table !== 'coin_transactions'
      if (kept) await tx.query(`alter table ${table} disable trigger keep`)
      await tx.query(`update ${table} set created_at = created_at - $1::interval`, [age])
      if (kept) await tx.query(`alter table ${table} enable trigger keep`)
    }
  })
}
