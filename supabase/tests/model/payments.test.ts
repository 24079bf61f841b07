// Random lives of seats: whatever people, the provider and time do in whatever order, the books balance, nobody is
// charged twice, and whoever only counts payments, adjustments and withdrawals comes to the same balances.
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../people.ts'
import { openProvider } from './provider.ts'
import { openTable, step } from './table.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const provider = openProvider({ sql })

beforeAll(async () => {
  await sql`update private.rate_limits set attempts = 1000000`
  await sql`select report_payment_provider('simulated', 'test', null)`
})

/** Payments that contradict themselves: paid in part, earned before its time, or neither earned nor given back. */
const oddPayments = () => sql`
  select id, settlement, status, amount, coins, card, earned_share, earned_fee, returned_share, returned_fee
  from member_payments as p, lateral (select earned_share + earned_fee as earned, returned_share + returned_fee as returned) as sums
  where case
    when settlement = 'direct' then coins + card + fee + earned + returned > 0
    -- What came too late, perhaps without the coins that were to go with it, has gone back whole.
    when status = 'given-back' and coins + card < amount then earned > 0 or coins + card <> returned
    when status in ('due', 'claimed', 'failed', 'cancelled') then earned > 0 or coins + card <> returned
    when status in ('closed', 'given-back')
      then coins + card <> amount or earned_share + returned_share <> share or earned_fee + returned_fee <> fee
    when status = 'paid' then coins + card <> amount or earned_share > share
      * least(1, extract(epoch from private.now() - starts_at) / extract(epoch from ends_at - starts_at))
  end`

/** Wallets that hold anything but what was earned, given back and adjusted, less what was spent and withdrawn. */
const oddWallets = () => sql`
  with counted as (
    select owner_id as person, earned_share as coins from member_payments
    union all select member_id, greatest(0, returned_share + returned_fee - card) - coins from member_payments
    union all select p.member_id, r.amount
      from private.refunds as r join member_payments as p on p.id = r.payment_id where r.status = 'failed'
    union all select user_id, -amount from withdrawal_requests where status = 'completed'
    union all select user_id, case transaction_type when 'earned' then amount else -amount end
      from coin_transactions where description like 'Admin adjustment%'
  )
  select w.user_id, w.coin_balance, coalesce(sum(c.coins), 0) as counted
  from user_wallets as w left join counted as c on c.person = w.user_id
  group by 1, 2 having w.coin_balance <> coalesce(sum(c.coins), 0)`

const siteAccounts = () => sql`
  with balances as (select kind, sum(balance) as balance from private.ledger_accounts group by 1),
  counted as (
    select 'held' as what, sum(coins + card - earned_share - earned_fee - returned_share - returned_fee) as counted,
      (select sum(balance) from balances where kind in ('held_share', 'held_fee')) as balance from member_payments
    union all select 'fees', sum(earned_fee), (select balance from balances where kind = 'fees') from member_payments
    union all select 'refunds_due', sum(amount) filter (where status in ('queued', 'pending')),
      (select balance from balances where kind = 'refunds_due') from private.refunds
  )
  select * from counted where coalesce(counted, 0) <> coalesce(balance, 0)`

/** Seats that nothing would ever happen to again. */
const stuckSeats = () => sql`
  select s.id, s.status, p.number, p.status as payment from private.seats as s join member_payments as p on p.seat_id = s.id
  where s.ended_at is null and s.next_at is null and s.settlement = 'potluck'
    and not exists (select from private.payment_jobs where about in (
      select id::text from member_payments where seat_id = s.id))`

async function expectAgreement() {
  expect(await sql`select * from private.check_books()`).toEqual([])
  expect(await sql`select id, last_error from private.seats where failures > 0`).toEqual([])
  expect(await stuckSeats()).toEqual([])
  expect(await oddPayments()).toEqual([])
  expect(await oddWallets()).toEqual([])
  expect(await siteAccounts()).toEqual([])
}

/** What lies outside and what was paid out, in cents: the books' word for what the provider holds. */
const outside = async () =>
  (
    await sql<{ cents: number }>`select round(100 * (
      coalesce((select sum(amount) from withdrawal_requests where status = 'completed'), 0)
      - coalesce((select sum(balance) from private.ledger_accounts where kind = 'outside'), 0)))::integer as cents`
  )[0]?.cents

/**
 * The suite lives the same lives each time, so that what fails is owed to a change. MODEL_RUNS=500 lives new ones; a failure
 * names its seed and path, which MODEL_LIFE="seed path" lives again.
 */
function which() {
  const [seed, path] = process.env.MODEL_LIFE?.split(' ') ?? []
  if (seed !== undefined && path !== undefined) return { seed: Number(seed), path }
  return process.env.MODEL_RUNS === undefined ? { seed: 20261122 } : {}
}

const RUNS = Number(process.env.MODEL_RUNS ?? 16)

test('the books balance after every step of any life', { timeout: RUNS * 15_000 }, async () => {
  const life = fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60 }), async (steps) => {
    const table = await openTable(db, provider)
    for (const one of steps) {
      await table.take(one)
      await expectAgreement()
    }
    // What is on its way arrives in the end, and by then the provider has charged no payment twice.
    await table.close()
    for (const _again of [1, 2, 3]) {
      await provider.tick([{ outcome: 'succeeded', heard: 'twice' }])
      await provider.deliver()
    }
    await expectAgreement()
    const { cents, payments } = provider.holds()
    expect(payments.filter((id, index) => payments.indexOf(id) !== index)).toEqual([])
    expect(await outside()).toBe(cents)
  })
  await fc.assert(life, { numRuns: RUNS, endOnFailure: true, ...which() })
})
