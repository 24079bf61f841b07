// Random lives of seats: for all orders of actions of people, the provider and time, the books balance, nobody is
// charged twice, and adding up only payments, adjustments and withdrawals gives the same balances.
// Proves PAY 08
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { switchInvoicesOn } from '../invoices.ts'
import { ownDatabase, statements } from '../people.ts'
import { expectAgreement, expectInvoices, oddStatements, oddTaxFigures } from './audit.ts'
import { openProvider } from './provider.ts'
import { openTable, step } from './table.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const provider = openProvider({ sql })

beforeAll(async () => {
  await sql`update private.rate_limits set attempts = 1000000`
  await switchInvoicesOn(statements(db))
})

/** The balance of outside and payouts, in cents: the provider's money according to the books. */
const outside = async () =>
  (
    await sql<{ cents: number }>`select round(100 * (
      coalesce((select sum(amount) from withdrawal_requests where status = 'completed' and returned_at is null), 0)
      - coalesce((select sum(balance) from private.ledger_accounts where kind = 'outside'), 0)))::integer as cents`
  )[0]?.cents

/**
 * The suite runs the same lives each time, so that a failure is due to a change. MODEL_RUNS=500 runs new ones; a
 * failure prints its seed and path, which MODEL_LIFE="seed path" repeats.
 */
function which() {
  const [seed, path] = process.env.MODEL_LIFE?.split(' ') ?? []
  if (seed !== undefined && path !== undefined) return { seed: Number(seed), path }
  return process.env.MODEL_RUNS === undefined ? { seed: 20261122 } : {}
}

const RUNS = Number(process.env.MODEL_RUNS ?? 16)

test('the books balance after every step of any life', { timeout: (RUNS + 2) * 60_000 }, async () => {
  const life = fc.asyncProperty(
    fc.boolean(),
    fc.array(step, { minLength: 60, maxLength: 60 }),
    async (hasAccounts, steps) => {
      const table = await openTable(db, provider, hasAccounts)
      for (const one of steps) {
        await table.take(one)
        await expectAgreement(sql)
        // Seals only after the check of the books, so that the check covers transfers with and without a seal.
        await sql`select private.seal_transfers(), private.make_invoices()`
        await expectInvoices(sql)
      }
      // Delayed events arrive in the end, and by then the provider has charged no payment twice.
      await table.close()
      for (const _again of [1, 2, 3]) {
        await provider.tick([{ outcome: 'succeeded', heard: 'twice' }])
        await provider.deliver()
      }
      await sql`select private.seal_transfers(), private.make_invoices()`
      await expectInvoices(sql)
      await expectAgreement(sql)
      const { cents, payments } = provider.holds()
      expect(payments.filter((id, index) => payments.indexOf(id) !== index)).toEqual([])
      expect(await outside()).toBe(cents)
    },
  )
  await fc.assert(life, { numRuns: RUNS, endOnFailure: true, ...which() })
  expect(await oddStatements(sql)).toEqual([])
  expect(await oddTaxFigures(sql)).toEqual([])
})
