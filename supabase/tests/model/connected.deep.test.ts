// 286 lives of owners with their own accounts, without a cent of difference between the ledger and the calculator.
// `LIVES=500 SEED=7 npx vitest run supabase/tests/model/connected` runs other lives.
// Proves PAY 08
import { expect, test } from 'vitest'
import { columnOf } from '../answers.ts'
import { ownDatabase } from '../people.ts'
import { liveAll } from './connected.ts'

const LIVES = Number(process.env.LIVES ?? 286)
const { db, sql } = await ownDatabase({ sheltered: true })

test(`${LIVES} lives`, { timeout: (LIVES + 2) * 30_000 }, async () => {
  await liveAll(db, LIVES)
  // The lives have covered every kind of movement of an owner's account.
  const met = sql`select distinct t.kind from private.ledger_transfers as t
    join private.ledger_accounts as a on a.kind = 'connected' and a.id in (t.from_account, t.to_account) order by 1`
  expect(await columnOf(met)).toEqual([
    ...['account', 'account-failed', 'chargeback', 'chargeback-won', 'earning', 'payout', 'payout-failed'],
  ])
  const reversals = sql`select distinct status from private.account_reversals order by 1`
  expect(await columnOf(reversals)).toEqual(['done', 'queued', 'void'])
})
