// Invariants of the books, the payments, the wallets and the seats.
import { expect } from 'vitest'
import type { Asker } from '../people.ts'

type Sql = Asker['sql']

/** Payments that contradict themselves: partly paid, earned too early, or neither earned nor refunded. */
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
    union all select t.user_id, case when t.dispute_id is null then -t.amount else 0 end
        + case t.status when 'failed' then t.amount - back.amount else 0 end
      from private.account_transfers as t, lateral (
        select coalesce(sum(amount), 0) as amount from private.account_reversals where transfer_id = t.id
      ) as back
    union all select member_id, -from_coins - from_refunds from payment_disputes where status <> 'won'
    union all select member_id, -coins from debts
    union all select user_id, -amount from withdrawal_requests where status = 'completed' and returned_at is null
    union all select user_id, case transaction_type when 'earned' then amount else -amount end
      from coin_transactions where description like 'Admin adjustment%'
  )
  select w.user_id, w.coin_balance, coalesce(sum(c.coins), 0) as counted
  from user_wallets as w left join counted as c on c.person = w.user_id
  group by 1, 2 having w.coin_balance <> coalesce(sum(c.coins), 0)`

/** Differences between people's yearly statements and the ledger: each of their movements must occur once. */
export const oddStatements = (sql: Sql) => sql`
  with said as (
    select private.statement_of(p.user_id, y) as s from user_profiles as p cross join lateral generate_series(
      (select extract(year from min(created_at))::integer - 1 from private.ledger_transfers),
      (select extract(year from max(created_at))::integer + 1 from private.ledger_transfers)) as y
  ), rows as (
    select r ->> 'account' as account, sum((r ->> 'amount')::numeric) as amount
    from said cross join lateral jsonb_array_elements(s -> 'rows') as r group by 1
  ), booked as (
    select kind as account, sum(balance) as amount from private.ledger_accounts where kind in ('wallet', 'connected') group by 1
    union all
    select 'card', sum(e.amount) from private.ledger_entries as e join private.ledger_accounts as a on a.id = e.account_id and a.kind = 'outside'
    join private.ledger_transfers as t on t.id = e.transfer_id where t.kind <> 'cost' and t.payment_id is not null
  )
  select account, rows.amount as said, booked.amount as booked from booked left join rows using (account)
  where coalesce(rows.amount, 0) <> coalesce(booked.amount, 0)
  union all
  select part ->> 'account', (part ->> 'moved')::numeric, (part ->> 'closing')::numeric - (part ->> 'opening')::numeric
  from said cross join lateral jsonb_array_elements(s -> 'accounts') as part
  where (part ->> 'closing')::numeric - (part ->> 'opening')::numeric <> (part ->> 'moved')::numeric`

/**
 * Differences between the figures for the tax office and the sums of payments and disputes over all years, or between
 * those figures and the yearly statements if both use the same time zone.
 */
export const oddTaxFigures = (sql: Sql) => sql`
  with figure as materialized (
    select y as year, f.* from generate_series(
      (select extract(year from min(created_at))::integer - 1 from private.ledger_transfers),
      (select extract(year from max(created_at))::integer + 1 from private.ledger_transfers)) as y cross join lateral private.tax_figures(y) as f
  ), told as (
    select user_id as person, sum(consideration) as earned, sum(fee) as fee from figure where quarter is not null group by 1
  ), counted as (
    select person, sum(earned) as earned, sum(fee) as fee from (
      select owner_id as person, earned_share as earned, earned_fee as fee from member_payments
      union all select owner_id, -from_account, 0 from payment_disputes where status <> 'won'
      union all select t.user_id, -r.amount, 0 from private.account_reversals as r
        join private.account_transfers as t on t.id = r.transfer_id where r.dispute_id is null) as part group by 1
  )
  select person::text, coalesce(told.earned, 0) as told, coalesce(counted.earned, 0) as counted from told full join counted using (person)
  where (coalesce(told.earned, 0), coalesce(told.fee, 0)) <> (coalesce(counted.earned, 0), coalesce(counted.fee, 0))
  union all
  select f.user_id || ' ' || f.year, f.consideration, s.amount from figure as f cross join lateral (
    select coalesce(sum((r ->> 'amount')::numeric), 0) as amount
    from jsonb_array_elements(private.statement_of(f.user_id, f.year) -> 'rows') as r
    where r ->> 'kind' = 'earning' or (r ->> 'account' = 'connected' and r ->> 'kind' in ('chargeback', 'chargeback-won', 'refund'))
  ) as s where f.quarter is null and private.zone_of(f.user_id) = 'UTC' and s.amount <> f.consideration`

/** Payments whose fee is not the one their plan was shared with; instalments of a year are rounded twice. */
const oddFees = (sql: Sql) => sql`
  select p.id, p.share, p.fee, s.fee_rate, plan.fee_rate as of_plan
  from member_payments as p join private.seats as s on s.id = p.seat_id
  left join shared_subscriptions as plan on plan.id = s.subscription_id
  where plan.fee_rate <> s.fee_rate or p.settlement = 'potluck'
    and abs(p.fee - p.share * s.fee_rate) > case s.billing_cycle when 'yearly' then 0.02 else 0.005 end`

/** Owners' accounts with a balance other than transfers to them, less reversals and payouts. */
const oddAccounts = (sql: Sql) => sql`
  select a.owner, a.balance, counted.balance from private.ledger_accounts as a, lateral (
    select coalesce((select sum(amount) from private.account_transfers where user_id = a.owner and status <> 'failed'), 0)
      - coalesce((select sum(r.amount) from private.account_reversals as r join private.account_transfers as t on t.id = r.transfer_id
        where t.user_id = a.owner and r.status <> 'void'), 0)
      - coalesce((select sum(amount) from private.account_payouts where user_id = a.owner and status = 'paid'), 0) as balance
  ) as counted where a.kind = 'connected' and a.balance <> counted.balance`

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
      union all select -coins - card from debts
    ) as lost (taken)
  )
  select * from counted where coalesce(counted, 0) <> coalesce(balance, 0)`

/** Seats that are stuck although something is due, or that still hold money although they have ended. */
const stuckSeats = (sql: Sql) => sql`
  select s.id, s.status, p.number, p.status as payment from private.seats as s join member_payments as p on p.seat_id = s.id
  where case when private.has_open_problem(s.id) then s.next_at is null
    when s.ended_at is not null then s.next_at is not null or (p.settlement = 'potluck' and p.status = 'paid')
    else s.next_at is null and s.settlement = 'potluck' and not exists (select from private.payment_jobs where about in (
      select id::text from member_payments where seat_id = s.id)) end`

/** Disputes that have taken more than the bank has, or together more than was charged. */
const oddDisputes = (sql: Sql) => sql`
  select d.id, c.received from payment_disputes as d join private.charges as c using (payment_id)
  where private.debited_by(d) > d.amount or c.received < (
    select sum(private.debited_by(o)) from payment_disputes as o where o.payment_id = d.payment_id and o.status <> 'won')`

/**
 * Expects that the invoices of each payment, less credit notes, equal its paid fee, less refunds. All sealed movements
 * must have their invoices.
 */
export const expectInvoices = async (sql: Sql) =>
  expect(
    await sql`select p.id, p.fee, p.returned_fee, sum(i.sum) from member_payments as p left join lateral (
        select case when corrects is null then gross else -gross end as sum from fee_invoices where payment_id = p.id
      ) as i on true
      where p.settlement = 'potluck' group by p.id
      having coalesce(sum(i.sum), 0) <> case when p.paid_at is null then 0 else greatest(0, p.fee - p.returned_fee - p.from_guarantee) end`,
  ).toEqual([])

export async function expectAgreement(sql: Sql): Promise<void> {
  expect(await sql`select * from private.check_books()`).toEqual([])
  expect(await sql`select id, last_error from private.seats where failures > 0`).toEqual([])
  expect(await stuckSeats(sql)).toEqual([])
  expect(await oddPayments(sql)).toEqual([])
  expect(await oddWallets(sql)).toEqual([])
  expect(await oddAccounts(sql)).toEqual([])
  expect(await oddFees(sql)).toEqual([])
  expect(await siteAccounts(sql)).toEqual([])
  expect(await oddDisputes(sql)).toEqual([])
}
