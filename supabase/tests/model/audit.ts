// Invariants of the books, the payments, the wallets and the seats.
import { expect } from 'vitest'
import type { Asker } from '../people.ts'

type Sql = Asker['sql']

/** Payments that contradict themselves: partly paid, earned before their time, or neither earned nor refunded. */
const oddPayments = (sql: Sql) => sql`
  select id, settlement, status, amount, coins, card, earned_share, earned_fee, returned_share, returned_fee
  from member_payments as p, lateral (select earned_share + earned_fee as earned, returned_share + returned_fee as returned) as sums
  where case
    when settlement = 'direct' then coins + card + fee + earned + returned > 0
    -- What came too late, perhaps without the coins that were to go with it, has gone back whole.
    when status = 'given-back' and coins + card < amount then earned > 0 or coins + card <> returned
    when status in ('due', 'claimed', 'failed', 'cancelled') then earned > 0 or coins + card <> returned
    when status in ('closed', 'given-back')
      then coins + card <> amount or earned_share + returned_share <> share or earned_fee + returned_fee <> fee
    when status = 'paid' and starts_at is null then coins + card <> amount or earned + returned > 0
    when status = 'paid' then coins + card <> amount or earned_share > share
      * least(1, extract(epoch from private.now() - starts_at) / extract(epoch from ends_at - starts_at))
  end`

/** Wallets with a balance other than earnings, refunds and adjustments, less what was spent, withdrawn and disputed. */
const oddWallets = (sql: Sql) => sql`
  with counted as (
    select owner_id as person, earned_share as coins from member_payments
    union all select member_id, greatest(0, returned_share + returned_fee + from_guarantee - card) - coins from member_payments
    union all select p.member_id, r.amount
      from private.refunds as r join member_payments as p on p.id = r.payment_id where r.status = 'failed'
    union all select member_id, -from_coins - from_refunds from payment_disputes where status <> 'won'
    union all select user_id, -amount from withdrawal_requests where status = 'completed' and returned_at is null
    union all select user_id, case transaction_type when 'earned' then amount else -amount end
      from coin_transactions where description like 'Admin adjustment%'
  )
  select w.user_id, w.coin_balance, coalesce(sum(c.coins), 0) as counted
  from user_wallets as w left join counted as c on c.person = w.user_id
  group by 1, 2 having w.coin_balance <> coalesce(sum(c.coins), 0)`

/** Periods whose fee is not the one their plan was shared with; instalments of a year are rounded twice. */
const oddFees = (sql: Sql) => sql`
  select p.id, p.share, p.fee, s.fee_rate, plan.fee_rate as of_plan
  from member_payments as p join private.seats as s on s.id = p.seat_id
  left join shared_subscriptions as plan on plan.id = s.subscription_id
  where plan.fee_rate <> s.fee_rate or p.settlement = 'potluck'
    and abs(p.fee - p.share * s.fee_rate) > case s.billing_cycle when 'yearly' then 0.02 else 0.005 end`

const siteAccounts = (sql: Sql) => sql`
  with balances as (select kind, sum(balance) as balance from private.ledger_accounts group by 1),
  counted as (
    select 'held' as what, sum(coins + card - earned_share - earned_fee - returned_share - returned_fee) as counted,
      (select sum(balance) from balances where kind in ('held_share', 'held_fee')) as balance from member_payments
    union all select 'fees', sum(earned_fee), (select balance from balances where kind = 'fees') from member_payments
    union all select 'refunds_due', sum(amount) filter (where status in ('queued', 'pending')),
      (select balance from balances where kind = 'refunds_due') from private.refunds
    union all select 'guarantee', -sum(taken), (select balance from balances where kind = 'guarantee') from (
      select from_guarantee from payment_disputes where status <> 'won'
      union all select from_guarantee from member_payments
    ) as lost (taken)
  )
  select * from counted where coalesce(counted, 0) <> coalesce(balance, 0)`

/** Seats that are stuck although something is due, or that still hold money for nobody. */
const stuckSeats = (sql: Sql) => sql`
  select s.id, s.status, p.number, p.status as payment from private.seats as s join member_payments as p on p.seat_id = s.id
  where case when private.has_open_problem(s.id) then s.next_at is null
    when s.ended_at is not null then s.next_at is not null or (p.settlement = 'potluck' and p.status = 'paid')
    else s.next_at is null and s.settlement = 'potluck' and not exists (select from private.payment_jobs where about in (
      select id::text from member_payments where seat_id = s.id)) end`

/** Disputes that have taken more than the bank has, or together more than was charged. */
const oddDisputes = (sql: Sql) => sql`
  select d.id, c.received from payment_disputes as d join private.charges as c using (payment_id)
  where private.taken_by(d) > d.amount or c.received < (
    select sum(private.taken_by(o)) from payment_disputes as o where o.payment_id = d.payment_id and o.status <> 'won')`

export async function expectAgreement(sql: Sql): Promise<void> {
  expect(await sql`select * from private.check_books()`).toEqual([])
  expect(await sql`select id, last_error from private.seats where failures > 0`).toEqual([])
  expect(await stuckSeats(sql)).toEqual([])
  expect(await oddPayments(sql)).toEqual([])
  expect(await oddWallets(sql)).toEqual([])
  expect(await oddFees(sql)).toEqual([])
  expect(await siteAccounts(sql)).toEqual([])
  expect(await oddDisputes(sql)).toEqual([])
}
