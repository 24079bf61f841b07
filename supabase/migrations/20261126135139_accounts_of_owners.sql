set local check_function_bodies = off;

ALTER TABLE "private"."ledger_accounts" DROP CONSTRAINT "ledger_accounts_kind_check";

ALTER TABLE "private"."ledger_accounts" DROP CONSTRAINT "only_some_accounts_fall_below_zero";

ALTER TABLE "private"."ledger_accounts" DROP CONSTRAINT "seats_and_people_own_the_rest_is_of_the_site";

ALTER TABLE "private"."ledger_transfers" DROP CONSTRAINT "ledger_transfers_kind_check";

ALTER TABLE "private"."payment_jobs" DROP CONSTRAINT "payment_jobs_kind_check";

DROP FUNCTION "private"."payment_provider"();

DROP FUNCTION "private"."post_earnings"(public.member_payments[]);

DROP FUNCTION "private"."report_payment_provider"(text, text, text);

DROP FUNCTION "public"."report_payment_provider"(text, text, text);

CREATE TABLE "private"."account_payouts" ("id" text NOT NULL, "user_id" uuid NOT NULL, "amount" numeric(12,2) NOT NULL, "status" text NOT NULL, "arrives_on" date, "reason" text, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "account_payouts_amount_check" CHECK ((amount > (0)::numeric)), CONSTRAINT "account_payouts_id_check" CHECK ((char_length(id) <= 200)), CONSTRAINT "account_payouts_pkey" PRIMARY KEY (id), CONSTRAINT "account_payouts_reason_check" CHECK ((char_length(reason) <= 200)), CONSTRAINT "account_payouts_status_check" CHECK ((char_length(status) <= 100)));

ALTER TABLE "private"."account_payouts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."account_reversals" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "transfer_id" uuid NOT NULL, "dispute_id" text NOT NULL, "amount" numeric(12,2) NOT NULL, "status" text NOT NULL DEFAULT 'queued'::text, "reference" text, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "account_reversals_amount_check" CHECK ((amount > (0)::numeric)), CONSTRAINT "account_reversals_pkey" PRIMARY KEY (id), CONSTRAINT "account_reversals_reference_key" UNIQUE (reference), CONSTRAINT "account_reversals_status_check" CHECK ((status = ANY (ARRAY['queued'::text, 'done'::text, 'void'::text]))));

ALTER TABLE "private"."account_reversals" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."account_transfers" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "payment_id" uuid, "dispute_id" text, "amount" numeric(12,2) NOT NULL, "status" text NOT NULL DEFAULT 'queued'::text, "reference" text, "reason" text, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), "sent_at" timestamp with time zone, CONSTRAINT "account_transfers_amount_check" CHECK ((amount > (0)::numeric)), CONSTRAINT "account_transfers_pkey" PRIMARY KEY (id), CONSTRAINT "account_transfers_reason_check" CHECK ((char_length(reason) <= 200)), CONSTRAINT "account_transfers_reference_key" UNIQUE (reference), CONSTRAINT "account_transfers_status_check" CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text]))));

ALTER TABLE "private"."account_transfers" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."connected_accounts" ("user_id" uuid NOT NULL, "reference" text NOT NULL, "can_receive" boolean NOT NULL DEFAULT false, "can_pay_out" boolean NOT NULL DEFAULT false, "asked" text[] NOT NULL DEFAULT '{}'::text[], "asked_by" timestamp with time zone, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), "checked_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "connected_accounts_pkey" PRIMARY KEY (user_id), CONSTRAINT "connected_accounts_reference_check" CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 200))), CONSTRAINT "connected_accounts_reference_key" UNIQUE (reference));

ALTER TABLE "private"."connected_accounts" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."payment_provider" ADD COLUMN "connect" boolean NOT NULL DEFAULT false;

-- Kept as text until its row type has all its columns: see 20261126132808.
CREATE OR REPLACE FUNCTION private.taken_by(p_dispute public.payment_disputes)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_dispute.from_share + p_dispute.from_fee + p_dispute.from_coins + p_dispute.from_guarantee + p_dispute.from_refunds
$function$;

ALTER TABLE "public"."payment_disputes" ADD COLUMN "from_account" numeric(12,2) NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION private.account_end_refusal(p_user_id uuid, p_give_up_coins boolean)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_coins numeric := private.available_coins(p_user_id);
begin
  return case
    when v_coins = 0 or private.has_bank_account(p_user_id) or private.has_own_account(p_user_id) then null
    when v_coins >= private.least_withdrawal()
      then format('You still have %s coins. Add a bank account so we can pay them out.', v_coins)
    when not p_give_up_coins
      then format('You still have %s coins. Add a bank account so we can pay them out, or give them up.', v_coins)
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.account_reversal_order(p_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', r.id, 'transfer', t.reference, 'amountCents', round(r.amount * 100)::integer)
  from private.account_reversals as r join private.account_transfers as t on t.id = r.transfer_id
  where r.id = p_id and r.status = 'queued' and t.status = 'sent'
$function$;

CREATE OR REPLACE FUNCTION private.account_transfer_order(p_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', t.id, 'account', a.reference, 'amountCents', round(t.amount * 100)::integer, 'currency', 'eur',
    'group', t.payment_id, 'intent', case when m.coins = 0 then c.intent end,
    'since', floor(extract(epoch from t.created_at))::integer)
  from private.account_transfers as t join private.connected_accounts as a using (user_id)
  left join public.member_payments as m on m.id = t.payment_id left join private.charges as c on c.payment_id = m.id
  where t.id = p_id and t.status = 'queued'
$function$;

CREATE OR REPLACE FUNCTION private.books_at(p_time timestamp with time zone)
 RETURNS private.daily_books
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with then_held as (
    select a.kind, a.balance - coalesce(since.amount, 0) as balance from private.ledger_accounts as a
    left join (
      select e.account_id, sum(e.amount) as amount from private.ledger_transfers as t
      join private.ledger_entries as e on e.transfer_id = t.id where t.created_at >= p_time group by e.account_id
    ) as since on since.account_id = a.id
  )
  select row((p_time at time zone 'utc')::date - 1,
    coalesce(sum(balance) filter (where kind in ('held_share', 'held_fee')), 0),
    coalesce(sum(balance) filter (where kind = 'wallet'), 0),
    sum(balance) filter (where kind = 'refunds_due'),
    sum(balance) filter (where kind = 'fees'),
    sum(balance) filter (where kind in ('adjustments', 'costs', 'guarantee')),
    -- What is in owners' own accounts is theirs, as what has been paid out.
    sum(balance) filter (where kind in ('outside', 'connected')),
    (select coalesce(sum(amount), 0) from private.ledger_transfers where kind = 'refund' and created_at < p_time),
    count(*) filter (where kind = 'held_share' and balance > 0),
    count(*) filter (where kind = 'wallet' and balance > 0),
    min(reported), min(fixed), min(paid_back), min(unfounded), min(hours)::numeric(10, 1),
    clock_timestamp(),
    (select count(*) from private.check_books()),
    (select line from private.ledger_seal_end), (select hash from private.ledger_seal_end))::private.daily_books
  from then_held, (
    select count(*) as reported,
      count(*) filter (where outcome = 'fixed') as fixed,
      count(*) filter (where lost_until = 'infinity') as paid_back,
      count(*) filter (where outcome in ('withdrawn', 'for-owner')) as unfounded,
      percentile_cont(0.5) within group (order by extract(epoch from closed_at - reported_at) / 3600)
        filter (where lost_until = 'infinity') as hours
    from (
      select reported_at, case when closed_at < p_time then outcome end as outcome, closed_at,
        case when closed_at < p_time then lost_until end as lost_until
      from public.seat_problems where reported_at < p_time
    ) as problem
  ) as problems
$function$;

CREATE OR REPLACE FUNCTION private.card_has_back(p_period public.member_payments)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.given_back_to_card(p_period.id) + (select coalesce(sum(from_share + from_fee + from_account + from_guarantee + from_refunds), 0)
    from public.payment_disputes where payment_id = p_period.id and status <> 'won');
end $function$;

CREATE OR REPLACE FUNCTION private.check_agreement()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with moved as materialized (
    select t.*, giver.kind as gives, giver.owner as giver, taker.kind as takes, taker.owner as taker
    from private.ledger_transfers as t
    left join private.ledger_accounts as giver on giver.id = t.from_account
    left join private.ledger_accounts as taker on taker.id = t.to_account
  ), sums as materialized (
    select period_id,
      sum(case when kind = 'payment' and gives = 'wallet' then amount when kind = 'payment-returned' then -amount else 0 end) as coins,
      sum(case when kind = 'payment' and gives = 'outside' then amount else 0 end) as received,
      sum(case when kind = 'payment' and gives = 'outside' and takes <> 'refunds_due' then amount else 0 end) as card,
      sum(case when kind = 'earning' then amount else 0 end) as earned_share,
      sum(case when kind = 'fee' then amount else 0 end) as earned_fee,
      sum(case when takes = 'held_share' then amount when gives = 'held_share' then -amount else 0 end) as held_share,
      sum(case when takes = 'held_fee' then amount when gives = 'held_fee' then -amount else 0 end) as held_fee,
      sum(case when gives like 'held%' and kind in ('refund', 'chargeback') then amount
        when takes like 'held%' and kind = 'chargeback-won' then -amount else 0 end) as returned,
      sum(case when kind = 'refund' and gives = 'guarantee' and (takes = 'wallet' or not key ^@ 'by-hand:') then amount else 0 end) as from_guarantee,
      sum(case when takes = 'refunds_due' then amount else 0 end) as to_refund,
      sum(case when takes = 'refunds_due' then amount when gives = 'refunds_due' then -amount else 0 end) as refunds_due,
      sum(case when kind = 'refund-failed' then amount else 0 end) as refund_failed,
      sum(case when kind = 'chargeback' and gives <> 'refunds_due' then amount else 0 end) as disputed,
      sum(case when kind = 'chargeback' and gives = 'wallet' then amount else 0 end) as disputed_coins,
      sum(case when kind = 'chargeback' and gives = 'connected' then amount else 0 end) as disputed_account,
      sum(case when kind = 'chargeback' and gives = 'guarantee' then amount else 0 end) as disputed_guarantee,
      sum(case when takes = 'connected' then amount else 0 end) as to_account,
      sum(case when kind = 'chargeback-won' then amount else 0 end) as won,
      sum(case when key ^@ 'dispute-cost:' then case gives when 'costs' then amount else -amount end else 0 end) as dispute_cost
    from moved where period_id is not null group by period_id
  ), refunds as (
    select payment_id, sum(amount) as amount, sum(amount) filter (where status in ('queued', 'pending')) as open,
      sum(amount) filter (where status = 'failed') as failed
    from private.refunds group by payment_id
  ), disputes as (
    select payment_id, sum(from_share + from_fee + from_coins + from_account + from_guarantee) as taken, sum(from_coins) as coins,
      sum(from_account) as account, sum(from_guarantee) as guarantee, sum(from_refunds) as refunds, sum(cost) as cost,
      sum(from_share + from_fee + from_coins + from_account + from_guarantee + from_refunds) filter (where status = 'won') as won
    from public.payment_disputes group by payment_id
  )
  -- Each transfer: between the accounts, for the place, the person and the reason that its kind, its key and its payment say.
  select 'A transfer is not what its kind, its key and its payment say', t.kind || ' ' || t.key, null::numeric, null::numeric
  from moved as t left join public.member_payments as m on m.id = t.period_id
  left join private.seats as s on s.id = t.seat_id left join private.charges as c on c.payment_id = t.period_id
  where (private.is_movement(t.kind, t.gives, t.takes)
    and (t.period_id is null) = (t.kind in ('adjustment', 'withdrawal', 'withdrawal-returned', 'given-up', 'handed-over', 'account',
      'account-failed', 'payout', 'payout-failed'))
    and t.seat_id is not distinct from m.seat_id
    and t.subscription_id is not distinct from s.subscription_id
    and t.person_id is not distinct from
      case when t.takes in ('wallet', 'connected') then t.taker when t.gives in ('wallet', 'connected') then t.giver else s.member_id end
    and (t.period_id is null
      or case when t.gives like 'held%' then t.giver = t.seat_id when t.gives = 'wallet' then t.giver = m.member_id
        when t.gives = 'connected' then t.giver = m.owner_id else t.giver is null end
      and case when t.takes like 'held%' then t.taker = t.seat_id
        when t.takes = 'wallet' then t.taker = case t.kind when 'earning' then m.owner_id else m.member_id end
        when t.takes = 'connected' then t.taker = m.owner_id else t.taker is null end)
    and t.key ^@ any (private.key_begins(t.kind, t.period_id, t.person_id, c.intent))
  ) is not true
  union all
  select 'An entry has another time than its transfer', t.kind || ' ' || t.key, null, null
  from private.ledger_transfers as t join private.ledger_entries as e on e.transfer_id = t.id where e.created_at <> t.created_at
  union all
  select 'Money moved for a payment that is missing', 'period ' || l.period_id, null, null
  from sums as l left join public.member_payments as m on m.id = l.period_id where m.id is null
  union all
  -- Each payment. A card payment that was let go, because the rest did not come, is no longer in a payment that was cancelled.
  select 'A payment does not agree with the ledger: ' || part.what, format('%s, period %s (%s)', m.plan_name, m.number, m.id),
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.member_payments as m left join sums as l on l.period_id = m.id
  left join private.charges as c on c.payment_id = m.id left join refunds as r on r.payment_id = m.id
  left join disputes as d on d.payment_id = m.id
  cross join lateral (values
    ('paid in coins', l.coins, m.coins),
    ('paid by card', case m.status when 'cancelled' then 0 else l.card end, m.card),
    ('earned by the owner', l.earned_share, m.earned_share),
    ('earned by the site', l.earned_fee, m.earned_fee),
    ('returned', l.returned - case m.status when 'cancelled' then l.card else 0 end, m.returned_share + m.returned_fee),
    ('returned by the site', l.from_guarantee, m.from_guarantee),
    ('held of the share', l.held_share, least(m.share, m.coins + m.card) - m.earned_share - m.returned_share),
    ('held of the fee', l.held_fee, greatest(0, m.coins + m.card - m.share) - m.earned_fee - m.returned_fee),
    ('received by its charge', l.received, c.received),
    ('its refunds', l.to_refund, r.amount),
    ('its refunds on their way', l.refunds_due, r.open),
    ('its failed refunds', l.refund_failed, r.failed - coalesce(d.refunds, 0)),
    ('taken by disputes', l.disputed, d.taken),
    ('taken by disputes in coins', l.disputed_coins, d.coins),
    ('taken by disputes from the owner''s account', l.disputed_account, d.account),
    ('taken back of transfers to it', d.account,
      (select sum(r.amount) from private.account_reversals as r join private.account_transfers as t on t.id = r.transfer_id where t.payment_id = m.id)),
    ('sent to the owner''s account', l.to_account, (select sum(t.amount) from private.account_transfers as t where t.payment_id = m.id)),
    ('taken by disputes from the site', l.disputed_guarantee, d.guarantee),
    ('put back after disputes', l.won, d.won),
    ('the provider''s fees for disputes', l.dispute_cost, d.cost)
  ) as part (what, ledger, found)
  where coalesce(part.ledger, 0) <> coalesce(part.found, 0)
  union all
  select 'A payment does not agree with its status, ' || m.status, format('%s, period %s (%s)', m.plan_name, m.number, m.id),
    m.amount, m.coins + m.card
  from public.member_payments as m, lateral (
    select m.coins + m.card as paid, m.earned_share + m.earned_fee as earned, m.returned_share + m.returned_fee as returned
  ) as sum
  where case
    when m.settlement = 'direct' then m.fee + sum.paid + sum.earned + sum.returned > 0
    when m.status in ('paid', 'closed') then sum.paid <> m.amount or (m.status = 'closed' and sum.earned + sum.returned <> m.amount)
    when m.status = 'given-back' then sum.earned > 0 or sum.paid <> sum.returned
    when m.status = 'cancelled' then sum.paid > 0
    else sum.earned + sum.returned > 0
  end
  union all
  select 'A payment is not of its place', format('%s, period %s (%s)', m.plan_name, m.number, m.id), null, null
  from public.member_payments as m left join private.seats as s on s.id = m.seat_id
  where (m.owner_id, m.member_id, m.subscription_id) is distinct from (s.owner_id, s.member_id, s.subscription_id)
  union all
  select 'A charge does not agree with its status, ' || c.status, 'period ' || c.payment_id, null, c.received
  from private.charges as c where (c.status = 'succeeded') <> (c.received > 0)
  union all
  select 'A refund does not agree with its status, ' || r.status, 'refund ' || r.id, r.amount, coalesce(t.amount, 0)
  from private.refunds as r left join moved as t on t.key = 'refund:' || r.id and t.period_id = r.payment_id
  where case r.status when 'succeeded' then t.amount is distinct from r.amount when 'failed' then t.amount <> r.amount
    else t.amount is not null end
  union all
  select 'A withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where status = 'completed') as w
  full join (select * from moved where kind = 'withdrawal') as t on t.key = 'withdrawal:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  select 'A returned withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where returned_at is not null) as w
  full join (select * from moved where kind = 'withdrawal-returned') as t on t.key = 'withdrawal-returned:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  -- Coins moved to accounts, what did not arrive there, and what the provider paid out of them.
  select 'An account does not agree with the ledger: ' || part.what, coalesce(part.key, l.key), l.amount, part.amount
  from (
    select 'coins moved there' as what, 'account:' || id as key, user_id, amount from private.account_transfers where payment_id is null
    union all
    select 'not accepted', 'account-failed:' || t.id, t.user_id, t.amount - coalesce(sum(r.amount), 0) from private.account_transfers as t
    left join private.account_reversals as r on r.transfer_id = t.id where t.status = 'failed' group by t.id having t.amount > coalesce(sum(r.amount), 0)
    union all
    select 'paid out', 'payout:' || id, user_id, amount from private.account_payouts as p
    where status = 'paid' or exists (select from private.ledger_transfers where key = 'payout-failed:' || p.id)
    union all
    select 'returned by the bank', 'payout-failed:' || id, user_id, amount from private.account_payouts as p
    where status in ('failed', 'canceled') and exists (select from private.ledger_transfers where key = 'payout:' || p.id)
  ) as part full join (select * from moved where kind in ('account', 'account-failed', 'payout', 'payout-failed')) as l on l.key = part.key
  where (l.amount, l.person_id) is distinct from (part.amount, part.user_id)
  union all
  -- Who adjusted a wallet and why stands in the log of staff too, which has a chain of its own.
  select 'An adjustment does not agree with the log of staff', coalesce(t.key, 'transfer ' || l.transfer), l.amount, t.coins
  from (
    select (details ->> 'transfer')::bigint as transfer, (details ->> 'amount')::numeric as amount, subject, details ->> 'reason' as reason, actor
    from private.staff_log where action = 'wallet adjusted'
  ) as l full join (
    select *, case takes when 'wallet' then amount else -amount end as coins from moved where kind = 'adjustment'
  ) as t on t.id = l.transfer
  where (l.amount, l.subject, l.reason, l.actor) is distinct from (t.coins, t.person_id::text, t.description, t.created_by)
  union all
  -- Wallets: balance, totals and movements of each type.
  select 'A wallet does not agree with the ledger: ' || part.what, coalesce(w.user_id, l.owner, c.user_id)::text,
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.user_wallets as w
  full join (
    select owner, sum(amount) filter (where type = 'earned') as earned, sum(amount) filter (where type = 'spent') as spent,
      sum(amount) filter (where type = 'withdrawn') as withdrawn, sum(amount) filter (where type = 'refunded') as refunded,
      sum(amount) filter (where kind = 'withdrawal-returned') as returned
    from (
      select taker as owner, amount, kind, private.coin_type(kind, true) as type from moved where takes = 'wallet'
        and private.is_movement(kind, gives, takes)
      union all
      select giver, amount, kind, private.coin_type(kind, false) from moved where gives = 'wallet' and private.is_movement(kind, gives, takes)
    ) as coins group by owner
  ) as l on l.owner = w.user_id
  full join (
    select user_id, sum(amount) filter (where transaction_type = 'earned') as earned, sum(amount) filter (where transaction_type = 'spent') as spent,
      sum(amount) filter (where transaction_type = 'withdrawn') as withdrawn, sum(amount) filter (where transaction_type = 'refunded') as refunded
    from public.coin_transactions group by user_id
  ) as c on c.user_id = coalesce(w.user_id, l.owner)
  cross join lateral (values
    ('earned in all', l.earned, w.total_earned), ('withdrawn in all', coalesce(l.withdrawn, 0) - coalesce(l.returned, 0), w.total_withdrawn),
    ('movements earned', l.earned, c.earned), ('movements spent', l.spent, c.spent),
    ('movements withdrawn', l.withdrawn, c.withdrawn), ('movements refunded', l.refunded, c.refunded)
  ) as part (what, ledger, found)
  where coalesce(part.ledger, 0) <> coalesce(part.found, 0)
$function$;

CREATE OR REPLACE FUNCTION private.check_ledger()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'The balances do not add up to zero', 'all accounts', 0::numeric, sum(balance)
  from private.ledger_accounts having sum(balance) <> 0
  union all
  select 'An account does not equal its entries', a.kind || ' ' || coalesce(a.owner::text, ''), coalesce(e.amount, 0), a.balance
  from private.ledger_accounts as a left join (
    select account_id, sum(amount) as amount, count(*) as entries, max(version) as version
    from private.ledger_entries group by account_id
  ) as e on e.account_id = a.id
  where a.balance <> coalesce(e.amount, 0) or (a.version, a.version) <> (coalesce(e.entries, 0), coalesce(e.version, 0))
  union all
  select 'An account is below zero', kind || ' ' || coalesce(owner::text, ''), 0, balance from private.ledger_accounts
  where balance < 0 and kind not in ('outside', 'connected', 'guarantee', 'costs', 'adjustments')
  union all
  select 'A transfer does not equal its entries', t.key, t.amount, coalesce(sum(e.amount) filter (where e.amount > 0), 0)
  from private.ledger_transfers as t left join private.ledger_entries as e on e.transfer_id = t.id
  group by t.id
  having (count(*), sum(e.amount) filter (where e.account_id = t.from_account), sum(e.amount) filter (where e.account_id = t.to_account))
    is distinct from (2::bigint, -t.amount, t.amount)
  union all
  select 'An entry does not go on from the one before', account_id || ' ' || version, was, balance_before from (
    select account_id, version, balance_before, coalesce(lag(balance_after) over (partition by account_id order by version), 0) as was
    from private.ledger_entries
  ) as e where balance_before <> was
  union all
  select 'A wallet does not equal the ledger', w.user_id::text, coalesce(a.balance, 0), w.coin_balance
  from public.user_wallets as w full join (select * from private.ledger_accounts where kind = 'wallet') as a on a.owner = w.user_id
  where coalesce(a.balance, 0) is distinct from w.coin_balance
  union all
  select 'A wallet does not equal its coins', coalesce(w.user_id, c.user_id)::text, w.coin_balance, coalesce(c.coins, 0)
  from public.user_wallets as w full join (
    select user_id, sum(case when transaction_type in ('earned', 'refunded') then amount else -amount end) as coins
    from public.coin_transactions group by user_id
  ) as c on c.user_id = w.user_id
  where w.coin_balance is distinct from coalesce(c.coins, 0)
$function$;

CREATE OR REPLACE FUNCTION private.coin_type(p_kind text, p_is_in boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare v_type text := case
  when p_is_in and p_kind in ('earning', 'adjustment') then 'earned'
  when p_is_in and p_kind in ('payment-returned', 'refund', 'refund-failed', 'withdrawal-returned', 'chargeback-won', 'handed-over',
    'account-failed') then 'refunded'
  when not p_is_in and p_kind in ('withdrawal', 'account') then 'withdrawn'
  when not p_is_in and p_kind in ('payment', 'adjustment', 'chargeback', 'given-up', 'handed-over') then 'spent'
end;
begin
  if v_type is null then
    raise exception 'A % does not move coins %', p_kind, case when p_is_in then 'in' else 'out' end using errcode = '23514';
  end if;
  return v_type;
end $function$;

CREATE OR REPLACE FUNCTION private.compare_movements(p_day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_span tstzrange;
  v_since timestamptz;
  v_until timestamptz;
  v_differences integer;
begin
  -- Two workers may have listed the same.
  perform pg_advisory_xact_lock(hashtext('reconciliation'));
  v_span := private.unreconciled(p_day);
  if v_span is null then return; end if;
  v_since := lower(v_span) - private.booking_time();
  v_until := upper(v_span) - private.booking_time();
  with moved as (
    select c.payment_id from private.provider_movements as p join private.charges as c on c.intent = p.intent
    where p.moved_at >= v_since and p.moved_at < v_until
    union
    select t.period_id from private.ledger_transfers as t
    where t.created_at >= v_since and t.created_at < v_until and v_outside in (t.from_account, t.to_account)
  ), difference as (
    select format('books:%s:%s:%s', c.intent, there.amount, here.amount) as id, c.intent as about,
      left(format('%s at the provider, %s in the books: %s', private.euros(there.amount), private.euros(here.amount), m.plan_name), 200) as type
    from moved join private.charges as c on c.payment_id = moved.payment_id and c.provider <> 'simulated'
    join public.member_payments as m on m.id = c.payment_id
    cross join lateral (
      select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where intent = c.intent
    ) as there
    cross join lateral (
      -- A refund has left the provider's balance while it is under way.
      select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00)
        - (select coalesce(sum(amount), 0) from private.refunds where payment_id = m.id and status = 'pending') as amount,
        max(t.created_at) as latest
      from private.ledger_transfers as t
      where t.person_id = m.member_id and t.period_id = m.id and v_outside in (t.from_account, t.to_account)
    ) as here
    where there.amount <> here.amount and greatest(there.latest, here.latest) < v_until
    union all
    -- What was sent to an account, less what was taken back of it.
    select format('books:%s:%s', t.reference, there.amount), t.reference,
      left(format('%s at the provider, %s in the books: transfer to an account', private.euros(there.amount), private.euros(here.amount)), 200)
    from private.account_transfers as t
    cross join lateral (
      select sum(amount) as amount, max(moved_at) as latest from private.provider_movements where intent = t.reference
    ) as there
    cross join lateral (
      select coalesce(sum(r.amount) filter (where r.status = 'done'), 0) - t.amount as amount
      from private.account_reversals as r where r.transfer_id = t.id
    ) as here
    where there.latest >= v_since and there.latest < v_until and there.amount <> here.amount
    union all
    select 'books:' || about, about, left(format('Not in the books: %s of %s', kinds, private.euros(abs(amount))), 200) from (
      select coalesce(p.intent, p.id) as about, string_agg(distinct replace(p.kind, '_', ' '), ', ') as kinds, sum(p.amount) as amount
      from private.provider_movements as p
      where p.moved_at >= lower(v_span) and p.moved_at < upper(v_span) and not exists (select from private.charges as c where c.intent = p.intent)
        and not exists (select from private.account_transfers as t where t.reference = p.intent)
      group by 1
    ) as foreign_one
    where not exists (select from public.unknown_payment_events as e where e.about = foreign_one.about)
  ), found as (
    insert into public.unknown_payment_events (id, type, about) select id, type, about from difference on conflict do nothing returning id
  ) select count(*) into v_differences from found;
  insert into private.reconciliations (day, differences) values (p_day, v_differences);
  if v_differences > 0 then
    perform private.tell_treasurers('warning', 'The Books Differ From the Provider',
      format('The nightly check found %s. See the unknown events.',
        case v_differences when 1 then 'a difference' else v_differences || ' differences' end),
      'payment-books-differ', jsonb_build_object('day', p_day, 'differences', v_differences));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_own_account(p_give_up_coins boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
  v_seats uuid[];
  v_coins numeric;
  v_refusal text;
  v_is_owed boolean;
begin
  perform private.require_recent_proof();
  -- Waits for anybody approving a member or moving coins right now.
  perform from public.shared_subscriptions
  where owner_id = v_user or id in (select subscription_id from public.waiting_list where user_id = v_user)
  order by id for update;
  perform from public.subscription_members where user_id = v_user order by id for update;
  perform private.lock_plan_to_leave(subscription_id) from (
    select subscription_id from private.seats where member_id = v_user and ended_at is null order by subscription_id
  ) as left_now;
  -- Seats that have ended may still hold the money of a problem.
  v_seats := array(select id from private.seats
    where v_user in (member_id, owner_id) and (ended_at is null or next_at is not null) order by id for update);
  perform private.lock_held_money(v_seats);
  perform private.lock_ledger(array(select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
  perform private.forfeit_problems(v_user);
  delete from public.shared_subscriptions where owner_id = v_user;
  v_coins := private.available_coins(v_user);
  v_refusal := private.account_end_refusal(v_user, coalesce(p_give_up_coins, false));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif v_coins > 0 and private.has_own_account(v_user) then
    perform private.send_coins(v_user, v_coins);
  elsif v_coins > 0 and p_give_up_coins and v_coins < private.least_withdrawal() then
    perform private.transfer('given-up:' || v_user, private.ledger_account('wallet', v_user),
      private.ledger_account('adjustments'), v_coins, 'given-up', p_description => 'Given up with the account');
  elsif v_coins > 0 then
    insert into public.withdrawal_requests (user_id, amount, closes_account) values (v_user, v_coins, true);
  end if;

  update public.subscription_requests set status = 'cancelled' where user_id = v_user and status = 'pending';
  delete from public.waiting_list where user_id = v_user;
  delete from public.plan_alerts where user_id = v_user;
  delete from private.told_plans where user_id = v_user;
  delete from private.link_visits where user_id = v_user;
  delete from public.subscription_members where user_id = v_user;
  v_is_owed := private.is_owed(v_user);
  -- Mail before invitation, the lock order of a mail that was sent. Mail about a change that an intruder may have made, to
  -- be paid in this person's place, still goes out.
  delete from private.outgoing_mail where lower(recipient) = v_email and not (v_is_owed and event like 'account-%');
  delete from public.subscription_invitations where email = v_email;
  -- Openings of one's own secrets concern nobody else.
  delete from private.vault_openings where owner_id = v_user and opened_by = v_user;
  -- Skips locked rows: whoever is reading them deletes them.
  delete from private.fact_changes
  where id in (select id from private.fact_changes where user_id = v_user for update skip locked);

  if not private.has_records(v_user) then
    delete from auth.users where id = v_user;
    return;
  end if;

  delete from public.conversations where v_user in (owner_id, member_id);
  delete from public.subscription_requests where user_id = v_user;
  delete from public.user_notifications where user_id = v_user;
  delete from private.unwanted_notifications where user_id = v_user;
  delete from private.unsubscribe_links where user_id = v_user;
  delete from private.push_devices where user_id = v_user;
  delete from private.calendars where user_id = v_user;
  delete from public.payment_wishes where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.support_requests set writer_id = null where writer_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  if v_is_owed then
    perform private.keep_closed_account(v_user, v_email);
  else
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user;
    delete from private.account_changes where user_id = v_user;
  end if;
  delete from public.provider_requests where user_id = v_user;
  delete from public.payment_methods where user_id = v_user;
  delete from public.admin_role_requests where user_id = v_user;
  delete from public.user_roles where user_id = v_user;
  update public.user_profiles set display_name = 'Deleted account', full_name = null, phone_number = null,
    avatar_url = null, language = case when v_is_owed then language end, deleted_at = now() where user_id = v_user;
  delete from auth.identities where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set email = null, email_change = '', encrypted_password = null,
    raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = now(), updated_at = now()
  where id = v_user;
  -- Last, because nobody is told about what is removed from a closed account.
  delete from auth.mfa_factors where user_id = v_user;
  if private.has_passkey(v_user) then
    delete from auth.webauthn_credentials where user_id = v_user;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.export_own_data()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', (select jsonb_build_object('id', id, 'email', email, 'created_at', created_at, 'last_sign_in_at',
      last_sign_in_at, 'user_metadata', raw_user_meta_data, 'app_metadata', raw_app_meta_data)
      from auth.users where id = v_user),
    'profile', (select to_jsonb(t) || coalesce(to_jsonb(d), '{}') from public.user_profiles as t
      left join public.user_details as d on d.user_id = t.user_id where t.user_id = v_user),
    'role', (select to_jsonb(t) from public.user_roles as t where t.user_id = v_user),
    'wallet', (select to_jsonb(t) from public.user_wallets as t where t.user_id = v_user),
    'shared_plans', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.shared_subscriptions as t where t.owner_id = v_user),
    'memberships', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.subscription_members as t where t.user_id = v_user),
    'join_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.subscription_requests as t where t.user_id = v_user),
    'plan_links', (select jsonb_agg(t.subscription_id order by 1) from private.link_visits as t where t.user_id = v_user),
    'waiting_lists', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.waiting_list as t where t.user_id = v_user),
    'plan_alerts', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('told_of', (
        select jsonb_agg(d.subscription_id) from private.told_plans as d where d.user_id = v_user)) order by t.expires_at)
      from public.plan_alerts as t where t.user_id = v_user),
    'invitations', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.created_at)
      from public.subscription_invitations as t where t.invited_by = v_user or t.email = v_email),
    'conversations', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('messages', (
        select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.messages as m where m.conversation_id = t.id
      )) order by t.created_at)
      from public.conversations as t where v_user in (t.owner_id, t.member_id)),
    'notifications', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.user_notifications as t where t.user_id = v_user),
    'mails', (select jsonb_agg(jsonb_build_object('subject', t.subject, 'created_at', t.created_at, 'sent_at', t.sent_at)
      order by t.created_at) from private.outgoing_mail as t where lower(t.recipient) = v_email),
    'account_changes', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.happened_at)
      from private.account_changes as t where t.user_id = v_user),
    'sessions', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_sessions() as t),
    'notification_choices', (select jsonb_agg(to_jsonb(t)) from private.get_notification_choices() as t),
    'push_devices', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_push_devices() as t),
    'calendar_address_since', private.get_calendar(),
    'coin_transactions', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.coin_transactions as t where t.user_id = v_user),
    'withdrawals', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.withdrawal_requests as t where t.user_id = v_user),
    'seats', (select jsonb_agg(to_jsonb(t) - '{next_at,failures,last_error}'::text[] order by t.opened_at)
      from private.seats as t where v_user in (t.member_id, t.owner_id)),
    'reports', (select jsonb_agg(jsonb_build_object('person_id', t.person_id, 'reason', t.reason, 'reported_at', t.reported_at)
      order by t.reported_at) from private.person_reports as t where t.reporter_id = v_user),
    'support_requests', (select jsonb_agg(to_jsonb(t) order by t.written_at) from private.my_support_requests() as t),
    'time_zone', private.zone_of(v_user),
    'problems', (select jsonb_agg(to_jsonb(t) - 'decided_by' || jsonb_build_object('statements', (
        select jsonb_agg(to_jsonb(s) - 'problem_id' order by s.line) from public.problem_statements as s where s.problem_id = t.id
      )) order by t.reported_at)
      from public.seat_problems as t where v_user in (t.member_id, t.owner_id)),
    'term_proposals', (select jsonb_agg(to_jsonb(t) order by t.proposed_at)
      from public.term_proposals as t where v_user in (t.member_id, t.owner_id)),
    'payment_wishes', (select to_jsonb(t) from public.payment_wishes as t where t.user_id = v_user),
    'bank_accounts', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.bank_accounts as t where t.user_id = v_user),
    'vault_versions', (select jsonb_agg(to_jsonb(t) - 'sealed' order by t.created_at)
      from private.vault_entries as t where t.author_id = v_user),
    'vault_openings', (select jsonb_agg(to_jsonb(t) order by t.id)
      from private.vault_openings as t where t.kind = 'plan' and v_user in (t.owner_id, t.opened_by)),
    'payout_account', (select to_jsonb(t) || jsonb_build_object(
        'transfers', (select jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at) from private.account_transfers as s where s.user_id = v_user),
        'payouts', (select jsonb_agg(to_jsonb(p) - 'user_id' order by p.created_at) from private.account_payouts as p where p.user_id = v_user))
      from private.connected_accounts as t where t.user_id = v_user),
    'payments', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.member_payments as t where v_user in (t.member_id, t.owner_id)),
    'cards', (select jsonb_agg(jsonb_build_object('brand', t.brand, 'last4', t.last4, 'exp_month', t.exp_month,
      'exp_year', t.exp_year, 'created_at', t.created_at) order by t.created_at)
      from public.payment_methods as t where t.user_id = v_user),
    'disputes', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'status', t.status,
      'opened_at', t.opened_at, 'closed_at', t.closed_at) order by t.opened_at)
      from public.payment_disputes as t where t.member_id = v_user),
    'reviews', (select jsonb_agg(to_jsonb(t) - '{reported_by,author_id,shown_from}'::text[]
        || jsonb_build_object('written_by_you', t.author_id = v_user) order by t.written_at)
      from private.seat_reviews as t where t.author_id = v_user or (t.subject_id = v_user and t.shown_from <= private.now())),
    'blocked_people', (select jsonb_agg(to_jsonb(t) - 'user_id' order by t.blocked_at)
      from public.blocked_people as t where t.user_id = v_user),
    'provider_requests', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.provider_requests as t where t.user_id = v_user),
    'access_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.admin_role_requests as t where t.user_id = v_user),
    'payment_events_looked_at', (select jsonb_agg(jsonb_build_object('id', t.id, 'reviewed_at', t.reviewed_at, 'finding', t.finding)
      order by t.reviewed_at) from public.unknown_payment_events as t where t.reviewed_by = v_user),
    'site_settings', (select jsonb_build_object('updated_at', t.updated_at)
      from public.app_settings as t where t.updated_by = v_user)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.has_own_account(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.uses_accounts() and exists (select from private.connected_accounts where user_id = p_user_id and can_receive);
end $function$;

CREATE OR REPLACE FUNCTION private.has_records(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.coin_transactions where p_user_id in (user_id, created_by))
    or exists (select from public.withdrawal_requests where p_user_id in (user_id, processed_by, completed_by, returned_by))
    or exists (select from private.payout_files where p_user_id in (created_by, voided_by))
    or exists (select from private.vault_openings where opened_by = p_user_id)
    or exists (select from public.problem_statements where person_id = p_user_id)
    or exists (select from private.connected_accounts where user_id = p_user_id)
    or exists (select from private.seats where p_user_id in (member_id, owner_id, ended_by));
end $function$;

CREATE OR REPLACE FUNCTION private.is_movement(p_kind text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN (((p_from = ANY (ARRAY['outside'::text, 'wallet'::text])) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'payment-returned'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = 'wallet'::text)) WHEN 'earning'::text THEN ((p_from = 'held_share'::text) AND (p_to = ANY (ARRAY['wallet'::text, 'connected'::text]))) WHEN 'fee'::text THEN ((p_from = 'held_fee'::text) AND (p_to = 'fees'::text)) WHEN 'refund'::text THEN (((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'guarantee'::text) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text])))) WHEN 'refund-sent'::text THEN ((p_from = 'refunds_due'::text) AND (p_to = 'outside'::text)) WHEN 'refund-failed'::text THEN (((p_from = ANY (ARRAY['refunds_due'::text, 'outside'::text])) AND (p_to = ANY (ARRAY['wallet'::text, 'guarantee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'withdrawal'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'outside'::text)) WHEN 'withdrawal-returned'::text THEN ((p_from = 'outside'::text) AND (p_to = 'wallet'::text)) WHEN 'adjustment'::text THEN (((p_from = 'adjustments'::text) AND (p_to = 'wallet'::text)) OR ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text))) WHEN 'chargeback'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text, 'refunds_due'::text])) AND (p_to = 'outside'::text)) WHEN 'chargeback-won'::text THEN ((p_from = 'outside'::text) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text]))) WHEN 'given-up'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text)) WHEN 'handed-over'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'wallet'::text)) WHEN 'cost'::text THEN (((p_from = 'costs'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'costs'::text))) WHEN 'account'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'connected'::text)) WHEN 'account-failed'::text THEN ((p_from = 'connected'::text) AND (p_to = 'wallet'::text)) WHEN 'payout'::text THEN ((p_from = 'connected'::text) AND (p_to = 'outside'::text)) WHEN 'payout-failed'::text THEN ((p_from = 'outside'::text) AND (p_to = 'connected'::text)) ELSE false END;

CREATE OR REPLACE FUNCTION private.keep_account(p_user_id uuid, p_reference text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.connected_accounts (user_id, reference) values (p_user_id, p_reference) on conflict (user_id) do nothing;
  perform private.ledger_account('wallet', p_user_id), private.ledger_account('connected', p_user_id);
  return (select reference from private.connected_accounts where user_id = p_user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.knows_account(p_reference text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from private.connected_accounts where reference = p_reference)
$function$;

CREATE OR REPLACE FUNCTION private.lock_held_money(p_seat_ids uuid[], p_site text[] DEFAULT '{fees,refunds_due}'::text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if current_setting('potluck.holds_money', true) = 'yes' and p_site = '{fees,refunds_due}'
    or not exists (select from public.member_payments where seat_id = any (p_seat_ids) and settlement = 'potluck') then return; end if;
  perform private.lock_ledger(array(
    select a.id from private.seats as s
    cross join lateral (values ('held_share', s.id), ('held_fee', s.id), ('wallet', s.owner_id), ('wallet', s.member_id),
      ('connected', s.owner_id)) as mine (kind, owner)
    join private.ledger_accounts as a on a.kind = mine.kind and a.owner = mine.owner
    where s.id = any (p_seat_ids)
    union all
    select id from private.ledger_accounts where kind = any (p_site) and owner is null
  ));
end $function$;

CREATE OR REPLACE FUNCTION private.move_coins_to_account()
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_coins numeric;
begin
  if not private.has_own_account(v_user) then
    raise exception 'Set up your payouts first' using errcode = '23514';
  end if;
  perform private.lock_ledger(array(
    select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
  v_coins := private.available_coins(v_user);
  if v_coins = 0 then
    raise exception 'There are no coins to move' using errcode = '23514';
  end if;
  perform private.send_coins(v_user, v_coins);
  return v_coins;
end $function$;

CREATE OR REPLACE FUNCTION private.my_payouts()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_balance numeric := coalesce((select balance from private.ledger_accounts where kind = 'connected' and owner = v_user), 0);
  v_coming numeric := coalesce((select sum(amount) from private.account_transfers where user_id = v_user and status = 'queued'), 0);
begin
  return jsonb_build_object(
    'uses', private.uses_accounts(),
    'account', (select jsonb_build_object('canReceive', can_receive, 'canPayOut', can_pay_out, 'asked', to_jsonb(asked), 'askedBy', asked_by)
      from private.connected_accounts where user_id = v_user),
    'coming', v_coming, 'there', greatest(0, v_balance - v_coming), 'owed', greatest(0, v_coming - v_balance),
    'transfers', coalesce((select jsonb_agg(to_jsonb(last)) from (
      select t.id, t.created_at as at, t.amount, t.status, m.plan_name as plan, t.dispute_id is not null as is_back,
        (select sum(r.amount) from private.account_reversals as r where r.transfer_id = t.id and r.status <> 'void') as taken
      from private.account_transfers as t left join public.member_payments as m on m.id = t.payment_id
      where t.user_id = v_user order by t.created_at desc, t.id limit 20) as last), '[]'),
    'payouts', coalesce((select jsonb_agg(to_jsonb(last)) from (
      select p.id, p.created_at as at, p.amount, p.status, p.arrives_on from private.account_payouts as p
      where p.user_id = v_user order by p.created_at desc, p.id limit 20) as last), '[]'));
end $function$;

CREATE OR REPLACE FUNCTION private.own_payout_account(p_opens boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not private.uses_accounts() then
    raise exception 'This site pays owners by bank transfer' using errcode = '23514';
  end if;
  if p_opens is not false then
    perform private.require_recent_proof();
    perform private.named_profile(v_user);
  end if;
  return jsonb_build_object('userId', v_user, 'email', private.email_of(v_user),
    'account', (select reference from private.connected_accounts where user_id = v_user));
end $function$;

CREATE OR REPLACE FUNCTION private.payment_provider()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select jsonb_build_object('provider', provider, 'publishableKey', publishable_key,
      'paysMe', not connect or private.has_own_account(auth.uid()))
    from private.payment_provider where provider <> 'simulated' or private.is_sheltered()
  );
end $function$;

CREATE OR REPLACE FUNCTION private.post_earnings(p_before public.member_payments[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_moves private.move[] := array(
    select (format('%s:%s:%s', part.key, m.id, part.before), private.ledger_account(part.held, m.seat_id),
      private.ledger_account(part.goes, part.person), part.earned - part.before, part.kind, m.seat_id, m.id, part.description)::private.move
    from unnest(p_before) as was join public.member_payments as m on m.id = was.id
    cross join lateral (values
      ('earn', 'earning', 'held_share', was.earned_share, m.earned_share,
        case when private.has_own_account(m.owner_id) then 'connected' else 'wallet' end, m.owner_id, m.plan_name || ': share'),
      ('fee', 'fee', 'held_fee', was.earned_fee, m.earned_fee, 'fees', null, m.plan_name)
    ) as part (key, kind, held, before, earned, goes, person, description)
    where part.earned > part.before);
begin
  perform private.transfer_all(v_moves);
  perform private.queue_account_transfer(a.owner, m.amount, m.period_id)
  from unnest(v_moves) as m join private.ledger_accounts as a on a.id = m.to_account and a.kind = 'connected';
end $function$;

CREATE OR REPLACE FUNCTION private.put_back_disputed(p_dispute public.payment_disputes, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_part record;
begin
  for v_part in select * from (values
    ('held_share', p_period.seat_id, p_dispute.from_share), ('held_fee', p_period.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins + p_dispute.from_refunds), ('guarantee', null, p_dispute.from_guarantee),
    ('connected', p_period.owner_id, p_dispute.from_account)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute-won:%s:%s', p_dispute.id, v_part.kind), v_outside,
      private.ledger_account(v_part.kind, v_part.owner), v_part.amount, 'chargeback-won', p_period.seat_id, p_period.id,
      p_period.plan_name || ': payment back');
  end loop;
  if p_dispute.from_account > 0 then
    perform private.queue_account_transfer(p_period.owner_id, p_dispute.from_account, p_period.id, p_dispute.id);
  end if;
  update public.member_payments set returned_share = returned_share - p_dispute.from_share,
    returned_fee = returned_fee - p_dispute.from_fee where id = p_period.id;
  if p_period.starts_at is null then
    perform private.give_back(p_period.id, p_dispute.from_share, p_dispute.from_fee, 'no-access');
  elsif p_dispute.from_share + p_dispute.from_fee > 0 then
    perform private.move_earnings(p_period.id, true);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.queue_account_job(p_kind text, p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.queue_payment_job(p_kind, p_id::text, coalesce((select provider from private.payment_provider), 'stripe'));
end $function$;

CREATE OR REPLACE FUNCTION private.queue_account_transfer(p_user_id uuid, p_amount numeric, p_payment_id uuid DEFAULT NULL::uuid, p_dispute_id text DEFAULT NULL::text, p_id uuid DEFAULT gen_random_uuid())
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.account_transfers (id, user_id, payment_id, dispute_id, amount)
  values (p_id, p_user_id, p_payment_id, p_dispute_id, p_amount);
  perform private.queue_account_job('transfer', p_id);
  return p_id;
end $function$;

CREATE OR REPLACE FUNCTION private.record_account(p_reference text, p_can_receive boolean, p_can_pay_out boolean, p_asked text[], p_asked_by timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_before private.connected_accounts;
begin
  select * into v_before from private.connected_accounts where reference = p_reference for update;
  if not found then return false; end if;
  update private.connected_accounts set can_receive = p_can_receive, can_pay_out = p_can_pay_out, asked = coalesce(p_asked, '{}'),
    asked_by = p_asked_by, checked_at = clock_timestamp() where reference = p_reference;
  if p_can_receive and not v_before.can_receive then
    perform private.notify(v_before.user_id, 'success', 'Payouts Are Ready', 'You can now share plans that members pay for by card.',
      null, 'payout-account-ready', '{}');
  elsif v_before.can_receive and not p_can_receive then
    perform private.mail_notification(private.notify(v_before.user_id, 'warning', 'Payouts Have Stopped',
      'Your payout account can’t be sent money until you’ve given what’s missing. What you earn waits in your wallet.',
      null, 'payout-account-stopped', '{}'), '{}', 'Open your payouts', '/account-settings/money');
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_account_payout(p_account text, p_payout text, p_amount numeric, p_status text, p_arrives_on date, p_reason text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := (select user_id from private.connected_accounts where reference = p_account);
  v_account bigint;
  v_before text;
begin
  if v_user is null then return false; end if;
  v_account := private.ledger_account('connected', v_user);
  perform private.lock_ledger(array[v_account, private.ledger_account('outside')]);
  v_before := (select status from private.account_payouts where id = p_payout);
  if v_before in ('failed', 'canceled') or (v_before = 'paid' and p_status not in ('failed', 'canceled')) then return true; end if;
  insert into private.account_payouts (id, user_id, amount, status, arrives_on, reason)
  values (p_payout, v_user, p_amount, p_status, p_arrives_on, p_reason)
  on conflict (id) do update set status = excluded.status, arrives_on = excluded.arrives_on, reason = excluded.reason;
  if p_status = 'paid' then
    perform private.transfer('payout:' || p_payout, v_account, private.ledger_account('outside'), p_amount, 'payout',
      p_description => 'Paid out by the provider');
  elsif v_before = 'paid' then
    perform private.transfer('payout-failed:' || p_payout, private.ledger_account('outside'), v_account, p_amount, 'payout-failed',
      p_description => 'Returned by the bank');
  end if;
  if p_status = 'failed' then
    perform private.mail_notification(private.notify(v_user, 'warning', 'Payout Returned',
      format('Your bank returned a payout of %s. Please check the bank account of your payout account.', private.euros(p_amount)),
      null, 'payout-returned', jsonb_build_object('amount', p_amount)), '{}', 'Open your payouts', '/account-settings/money');
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_account_reversal(p_id uuid, p_reference text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.account_reversals set status = 'done', reference = p_reference where id = p_id and status = 'queued'
$function$;

CREATE OR REPLACE FUNCTION private.record_account_transfer(p_id uuid, p_reference text, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_transfer private.account_transfers;
  v_back numeric;
begin
  select * into v_transfer from private.account_transfers where id = p_id;
  perform private.lock_ledger(array(
    select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_transfer.user_id));
  select * into v_transfer from private.account_transfers where id = p_id for update;
  if v_transfer.status <> 'queued' then return; end if;
  if p_reference is not null then
    update private.account_transfers set status = 'sent', reference = p_reference, sent_at = clock_timestamp() where id = p_id;
    -- A bank may have taken it back before it was sent; and with money there, what could not be taken back may be now.
    perform private.queue_account_job('reversal', r.id) from private.account_reversals as r
    join private.account_transfers as t on t.id = r.transfer_id where t.user_id = v_transfer.user_id and r.status = 'queued' and t.status = 'sent';
    return;
  end if;
  update private.account_transfers set status = 'failed', reason = p_reason where id = p_id;
  v_back := v_transfer.amount - coalesce((select sum(amount) from private.account_reversals where transfer_id = p_id), 0);
  update private.account_reversals set status = 'void' where transfer_id = p_id;
  if v_back > 0 then
    perform private.transfer('account-failed:' || p_id, private.ledger_account('connected', v_transfer.user_id),
      private.ledger_account('wallet', v_transfer.user_id), v_back, 'account-failed', p_description => 'Not accepted by your own account');
  end if;
  perform private.mail_notification(private.notify(v_transfer.user_id, 'warning', 'Your Account Didn’t Accept Money',
    format('%s couldn’t be sent to your payout account, so they’re in your wallet. Please check the account.', private.euros(v_transfer.amount)),
    null, 'payout-account-refused', jsonb_build_object('amount', v_transfer.amount)), '{}', 'Open your payouts', '/account-settings/money');
end $function$;

CREATE OR REPLACE FUNCTION private.report_payment_provider(p_provider text, p_mode text, p_publishable_key text, p_connect boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_provider = 'simulated' and not private.is_sheltered() then
    raise exception 'Payments are simulated only where nobody else can reach the site' using errcode = '42501';
  elsif p_provider <> 'simulated' and exists (select from private.payment_customers where provider = 'simulated') then
    raise exception 'This database holds simulated payments: real ones begin in a new one' using errcode = '42501';
  elsif p_provider is null then
    delete from private.payment_provider;
    return;
  end if;
  insert into private.payment_provider as known (provider, mode, publishable_key, connect)
  values (p_provider, p_mode, p_publishable_key, p_connect)
  on conflict (id) do update set provider = excluded.provider, mode = excluded.mode, publishable_key = excluded.publishable_key,
    connect = excluded.connect, reported_at = excluded.reported_at
  where (known.provider, known.mode, known.publishable_key, known.connect)
    is distinct from (excluded.provider, excluded.mode, excluded.publishable_key, excluded.connect);
end $function$;

CREATE OR REPLACE FUNCTION private.require_settlement(p_settlement text, p_billing_cycle text, p_share numeric, p_fee_rate numeric)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_settlement is distinct from 'potluck' then return; end if;
  if auth.uid() is not null and private.payment_provider() is null then
    raise exception 'This site doesn’t take cards, so members pay you directly' using errcode = '23514';
  elsif auth.uid() is not null and private.uses_accounts() and not private.has_own_account(auth.uid()) then
    raise exception 'Set up your payouts first, so that members can pay by card' using errcode = '23514';
  end if;
  -- No instalment is smaller than a twelfth, rounded down.
  if trunc(private.with_fee(p_share, p_fee_rate) / (case p_billing_cycle when 'yearly' then 12 else 1 end), 2) < private.least_sum() then
    raise exception 'Cards need at least €% a month, so members pay you directly', private.least_sum()
      using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.send_coins(p_user_id uuid, p_coins numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_id uuid := gen_random_uuid();
begin
  perform private.transfer('account:' || v_id, private.ledger_account('wallet', p_user_id), private.ledger_account('connected', p_user_id),
    p_coins, 'account', p_description => 'Moved to your own account');
  perform private.queue_account_transfer(p_user_id, p_coins, p_id => v_id);
end $function$;

CREATE OR REPLACE FUNCTION private.take_disputed(p_dispute public.payment_disputes, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_given_back numeric := private.given_back_to_card(p_period.id);
  -- News of the dispute may arrive before that of the charge.
  v_charged numeric := (select received from private.charges where payment_id = p_period.id);
  v_others numeric := (select coalesce(sum(private.taken_by(d)), 0) from public.payment_disputes as d
    where d.payment_id = p_period.id and d.id <> p_dispute.id and d.status <> 'won');
  v_rest numeric := greatest(0, least(p_dispute.amount - p_dispute.from_refunds, v_charged - v_given_back - v_others));
  v_held numeric;
  v_part record;
begin
  -- The part held for this period that the card paid.
  v_held := case when p_period.status = 'paid' then greatest(0, least(v_rest,
    p_period.card - p_period.returned_share - p_period.returned_fee)) else 0 end;
  p_dispute.from_share := least(v_held, p_period.share - p_period.earned_share - p_period.returned_share);
  p_dispute.from_fee := least(v_held - p_dispute.from_share, p_period.fee - p_period.earned_fee - p_period.returned_fee);
  v_rest := v_rest - p_dispute.from_share - p_dispute.from_fee;
  p_dispute.from_account := private.take_from_account(p_dispute, p_period, v_rest);
  v_rest := v_rest - p_dispute.from_account;
  p_dispute.from_coins := least(v_rest, private.available_coins(p_dispute.member_id));
  p_dispute.from_guarantee := v_rest - p_dispute.from_coins;
  for v_part in select * from (values
    ('held_share', p_period.seat_id, p_dispute.from_share), ('held_fee', p_period.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins), ('guarantee', null, p_dispute.from_guarantee)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute:%s:%s', p_dispute.id, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      v_outside, v_part.amount, 'chargeback', p_period.seat_id, p_period.id, p_period.plan_name || ': payment taken back');
  end loop;
  update public.member_payments set returned_share = returned_share + p_dispute.from_share,
    returned_fee = returned_fee + p_dispute.from_fee where id = p_period.id;
  update public.payment_disputes set charged = v_charged, given_back = v_given_back, from_share = p_dispute.from_share, from_fee = p_dispute.from_fee,
    from_coins = p_dispute.from_coins, from_account = p_dispute.from_account, from_guarantee = p_dispute.from_guarantee
  where id = p_dispute.id;
end $function$;

CREATE OR REPLACE FUNCTION private.take_from_account(p_dispute public.payment_disputes, p_period public.member_payments, p_amount numeric)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_transfer record;
  v_rest numeric := p_amount;
  v_part numeric;
  v_reversal uuid;
begin
  for v_transfer in
    select t.id, t.status, t.amount - coalesce((select sum(r.amount) from private.account_reversals as r where r.transfer_id = t.id), 0) as amount
    from private.account_transfers as t where t.payment_id = p_period.id and t.status <> 'failed' order by t.created_at, t.id
  loop
    v_part := least(v_rest, v_transfer.amount);
    continue when v_part <= 0;
    insert into private.account_reversals (transfer_id, dispute_id, amount) values (v_transfer.id, p_dispute.id, v_part)
    returning id into v_reversal;
    if v_transfer.status = 'sent' then
      perform private.queue_account_job('reversal', v_reversal);
    end if;
    v_rest := v_rest - v_part;
  end loop;
  if v_rest = p_amount then return 0; end if;
  perform private.transfer(format('dispute:%s:connected', p_dispute.id), private.ledger_account('connected', p_period.owner_id),
    private.ledger_account('outside'), p_amount - v_rest, 'chargeback', p_period.seat_id, p_period.id, p_period.plan_name || ': payment taken back');
  perform private.mail_notification(private.notify(p_period.owner_id, 'warning', 'A Payment Was Taken Back',
    format('The bank of a member of %s took a payment back, so %s are taken back from your payout account. If we win, you get it back.',
      p_period.plan_name, private.euros(p_amount - v_rest)), null, 'payout-taken-back',
    jsonb_build_object('plan', p_period.plan_name, 'amount', p_amount - v_rest)), '{}', 'Open your payouts', '/account-settings/money');
  return p_amount - v_rest;
end $function$;

CREATE OR REPLACE FUNCTION private.take_payment_jobs(p_provider text, p_limit integer, p_payment_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seats uuid[];
  v_job private.payment_jobs;
  v_order jsonb;
  v_taken jsonb := '[]';
begin
  select array_agg(id) into v_seats from (
    select s.id from private.seats as s
    where s.id in (
      select m.seat_id from private.payment_jobs as j join public.member_payments as m on m.id = case j.kind when 'charge' then j.about::uuid end
      where j.provider = p_provider and j.next_attempt_at <= clock_timestamp()
        and (p_payment_id is null or m.id = p_payment_id)
      order by j.next_attempt_at limit p_limit
    ) order by s.id for update skip locked
  ) as free;
  perform private.lock_held_money(v_seats, '{}');
  perform set_config('potluck.holds_money', 'yes', true);
  for v_job in
    select j.* from private.payment_jobs as j
    left join public.member_payments as m on m.id = case j.kind when 'charge' then j.about::uuid end
    where j.provider = p_provider and j.next_attempt_at <= clock_timestamp()
      and case when p_payment_id is null then j.kind <> 'charge' or m.seat_id = any (v_seats)
        else m.id = p_payment_id and m.seat_id = any (v_seats) end
    order by j.next_attempt_at limit p_limit for update of j skip locked
  loop
    begin
      if v_job.kind = 'charge' then
        v_order := private.start_charge(v_job.about::uuid);
      elsif v_job.kind = 'refund' then
        v_order := private.refund_order(v_job.about::uuid);
      elsif v_job.kind = 'reconcile' then
        v_order := private.reconciliation_order(v_job.about::date);
      elsif v_job.kind = 'transfer' then
        v_order := private.account_transfer_order(v_job.about::uuid);
      elsif v_job.kind = 'reversal' then
        v_order := private.account_reversal_order(v_job.about::uuid);
      else
        v_order := jsonb_build_object('method', v_job.about);
      end if;
    exception when others then
      -- A failure must not hold up the others.
      update private.payment_jobs set attempts = attempts + 1 where id = v_job.id;
      perform private.settle_payment_job(v_job.id, v_job.attempts + 1, sqlerrm);
      continue;
    end;
    if v_order is null then
      delete from private.payment_jobs where id = v_job.id;
      continue;
    end if;
    update private.payment_jobs set attempts = attempts + 1, next_attempt_at = clock_timestamp() + interval '2 minutes', last_error = null
    where id = v_job.id;
    v_taken := v_taken || jsonb_build_object('job', v_job.id, 'kind', v_job.kind, 'attempt', v_job.attempts + 1,
      'order', jsonb_build_object('attempt', v_job.attempts + 1) || v_order);
  end loop;
  return v_taken;
end $function$;

CREATE OR REPLACE FUNCTION private.taken_by(p_dispute public.payment_disputes)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
RETURN ((((((p_dispute).from_share + (p_dispute).from_fee) + (p_dispute).from_coins) + (p_dispute).from_account) + (p_dispute).from_guarantee) + (p_dispute).from_refunds);

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['chat-message'::text, 'question-asked'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event ~ '^(problem|access|password)-'::text) THEN 'access'::text WHEN ((p_event ~ '^(payment|payout|refund|withdrawal|wallet|coins|money)-'::text) OR (p_event = ANY (ARRAY['member-says-paid'::text, 'member-paid'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text, 'contract-withdrawn'::text]))) THEN 'money'::text WHEN ((p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$'::text) OR (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'report-read'::text, 'support-asked'::text, 'support-answered'::text]))) THEN 'team'::text ELSE 'places'::text END;

CREATE OR REPLACE FUNCTION private.transfer(p_key text, p_from bigint, p_to bigint, p_amount numeric, p_kind text, p_seat uuid DEFAULT NULL::uuid, p_period uuid DEFAULT NULL::uuid, p_description text DEFAULT NULL::text)
 RETURNS private.ledger_transfers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_account private.ledger_accounts;
  v_from private.ledger_accounts;
  v_to private.ledger_accounts;
  v_transfer private.ledger_transfers;
  -- The time of the lock, not of the transaction, as others may have moved money since; by the site's clock.
  v_at timestamptz;
  v_plan text;
  v_member uuid;
begin
  if p_amount is null or p_amount <= 0 or p_amount > private.most_coins() or p_amount <> round(p_amount, 2) then
    raise exception 'Please enter a valid amount' using errcode = '23514';
  end if;
  for v_account in select * from private.ledger_accounts where id in (p_from, p_to) order by id for update loop
    if v_account.id = p_from then v_from := v_account; else v_to := v_account; end if;
  end loop;
  if v_from.id is null or v_to.id is null then
    raise exception 'Money moves between two accounts' using errcode = '23514';
  end if;
  select * into v_transfer from private.ledger_transfers where key = p_key;
  if found then
    if (v_transfer.from_account, v_transfer.to_account, v_transfer.amount) is distinct from (p_from, p_to, p_amount) then
      raise exception 'Another transfer has this key' using errcode = '23505';
    end if;
    return v_transfer;
  end if;

  v_transfer.description := coalesce(p_description, '');
  v_at := clock_timestamp() + (private.now() - now());
  if v_from.kind = 'wallet' then
    v_at := private.write_coins(v_from.owner, p_kind, false, p_amount, v_transfer.description, v_at);
  end if;
  if v_to.kind = 'wallet' then
    v_at := private.write_coins(v_to.owner, p_kind, true, p_amount, v_transfer.description, v_at);
  end if;
  if v_from.balance < p_amount and v_from.kind not in ('outside', 'connected', 'guarantee', 'costs', 'adjustments') then
    raise exception 'The balance cannot go below zero' using errcode = '23514';
  end if;
  if p_seat is not null then
    select subscription_id, member_id into v_plan, v_member from private.seats where id = p_seat;
  end if;
  update private.ledger_accounts set balance = balance - p_amount, version = version + 1 where id = p_from;
  update private.ledger_accounts set balance = balance + p_amount, version = version + 1 where id = p_to;
  insert into private.ledger_transfers
    (key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, created_at)
  values (p_key, p_from, p_to, p_amount, p_kind, p_seat, p_period, v_plan,
    case when v_to.kind in ('wallet', 'connected') then v_to.owner when v_from.kind in ('wallet', 'connected') then v_from.owner
      else v_member end,
    v_transfer.description, v_at)
  returning * into v_transfer;
  insert into private.ledger_entries (account_id, version, transfer_id, amount, balance_before, balance_after, created_at)
  values
    (p_from, v_from.version + 1, v_transfer.id, -p_amount, v_from.balance, v_from.balance - p_amount, v_at),
    (p_to, v_to.version + 1, v_transfer.id, p_amount, v_to.balance, v_to.balance + p_amount, v_at);
  return v_transfer;
end $function$;

CREATE OR REPLACE FUNCTION private.transfer_all(p_moves private.move[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_at timestamptz;
begin
  if p_moves = '{}' then return; end if;
  perform private.lock_ledger(array(select unnest(array[from_account, to_account]) from unnest(p_moves) as m));
  v_at := clock_timestamp() + (private.now() - now());
  if exists (
    select from unnest(p_moves) as m
    left join private.ledger_accounts as giver on giver.id = m.from_account and giver.kind <> 'wallet'
    left join private.ledger_accounts as taker on taker.id = m.to_account
    where (m.amount > 0 and m.amount <= private.most_coins() and m.amount = round(m.amount, 2) and giver.id <> taker.id) is not true
  ) then
    raise exception 'Money moves between two accounts, in whole cents' using errcode = '23514';
  end if;
  with move as (
    select m.*, taker.kind = 'wallet' as is_coins, s.subscription_id,
      case when taker.kind in ('wallet', 'connected') then taker.owner else s.member_id end as person_id,
      -- Each coin movement is strictly later than the one before.
      case taker.kind when 'wallet' then greatest(v_at, interval '1 microsecond'
        + (select max(c.created_at) from public.coin_transactions as c where c.user_id = taker.owner))
        + interval '1 microsecond' * (row_number() over (partition by taker.id order by m.place) - 1) else v_at end as at
    from unnest(p_moves) with ordinality
      as m (key, from_account, to_account, amount, kind, seat_id, period_id, description, place)
    join private.ledger_accounts as taker on taker.id = m.to_account
    left join private.seats as s on s.id = m.seat_id
  ), coins as (
    insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
    select person_id, private.coin_type(kind, true), amount, description, at from move where is_coins
  ), wallet as (
    update public.user_wallets as w set coin_balance = coin_balance + sums.coins, total_earned = total_earned + sums.earned, updated_at = now()
    from (
      select person_id, sum(amount) as coins,
        sum(case private.coin_type(kind, true) when 'earned' then amount else 0 end) as earned
      from move where is_coins group by person_id
    ) as sums where w.user_id = sums.person_id
  ), transfer as (
    insert into private.ledger_transfers
      (key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, created_at)
    select key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, at
    from move order by place
    returning *
  ), side as (
    select account, id, amount, created_at, count(*) over earlier as place, sum(amount) over earlier as total from (
      select from_account as account, id, -amount as amount, created_at from transfer
      union all
      select to_account, id, amount, created_at from transfer
    ) as half
    window earlier as (partition by account order by id)
  ), entry as (
    insert into private.ledger_entries (account_id, version, transfer_id, amount, balance_before, balance_after, created_at)
    select a.id, a.version + s.place, s.id, s.amount, a.balance + s.total - s.amount, a.balance + s.total, s.created_at
    from side as s join private.ledger_accounts as a on a.id = s.account
  )
  update private.ledger_accounts as a set balance = balance + sums.amount, version = version + sums.entries
  from (select account, sum(amount) as amount, count(*) as entries from side group by account) as sums where a.id = sums.account;
end $function$;

CREATE OR REPLACE FUNCTION private.uses_accounts()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.payment_provider where connect);
end $function$;

CREATE OR REPLACE FUNCTION private.write_coins(p_user_id uuid, p_kind text, p_is_in boolean, p_amount numeric, p_description text, p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_type text := private.coin_type(p_kind, p_is_in);
  v_at timestamptz;
begin
  if not p_is_in then
    if (select coin_balance from public.user_wallets where user_id = p_user_id) < p_amount then
      raise exception 'The balance cannot go below zero' using errcode = '23514';
    elsif v_type = 'spent' and private.available_coins(p_user_id) < p_amount then
      raise exception 'Only % coins are available. The rest is waiting to be paid out.',
        private.available_coins(p_user_id) using errcode = '23514';
    end if;
  end if;
  update public.user_wallets set
    coin_balance = coin_balance + case when p_is_in then p_amount else -p_amount end,
    total_earned = total_earned + case when v_type = 'earned' then p_amount else 0 end,
    total_withdrawn = total_withdrawn + case when p_kind in ('withdrawal', 'account') then p_amount
      when p_kind = 'withdrawal-returned' then -p_amount else 0 end,
    updated_at = now()
  where user_id = p_user_id;
  -- Strictly later than the one before, even with a coarse clock, so that sorting by time gives the real order.
  insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
  values (p_user_id, v_type, p_amount, p_description, greatest(p_at,
    (select max(t.created_at) from public.coin_transactions as t where t.user_id = p_user_id) + interval '1 microsecond'))
  returning created_at into v_at;
  return v_at;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_account(p_user_id uuid, p_reference text)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.keep_account(p_user_id, p_reference) $function$;

CREATE OR REPLACE FUNCTION public.knows_account(p_reference text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.knows_account(p_reference) $function$;

CREATE OR REPLACE FUNCTION public.move_coins_to_account()
 RETURNS numeric
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.move_coins_to_account() $function$;

CREATE OR REPLACE FUNCTION public.my_payouts()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.my_payouts() $function$;

CREATE OR REPLACE FUNCTION public.own_payout_account(p_opens boolean)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.own_payout_account(p_opens) $function$;

CREATE OR REPLACE FUNCTION public.record_account(p_reference text, p_can_receive boolean, p_can_pay_out boolean, p_asked text[], p_asked_by timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_account(p_reference, p_can_receive, p_can_pay_out, p_asked, p_asked_by) $function$;

CREATE OR REPLACE FUNCTION public.record_account_payout(p_account text, p_payout text, p_amount numeric, p_status text, p_arrives_on date, p_reason text)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_account_payout(p_account, p_payout, p_amount, p_status, p_arrives_on, p_reason) $function$;

CREATE OR REPLACE FUNCTION public.record_account_reversal(p_id uuid, p_reference text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_account_reversal(p_id, p_reference) $function$;

CREATE OR REPLACE FUNCTION public.record_account_transfer(p_id uuid, p_reference text, p_reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_account_transfer(p_id, p_reference, p_reason) $function$;

CREATE OR REPLACE FUNCTION public.report_payment_provider(p_provider text, p_mode text, p_publishable_key text, p_connect boolean DEFAULT false)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.report_payment_provider(p_provider, p_mode, p_publishable_key, p_connect) $function$;

ALTER TABLE "private"."account_reversals" ADD CONSTRAINT "account_reversals_dispute_id_fkey" FOREIGN KEY (dispute_id) REFERENCES public.payment_disputes(id) ON DELETE RESTRICT;

ALTER TABLE "private"."account_transfers" ADD CONSTRAINT "account_transfers_dispute_id_fkey" FOREIGN KEY (dispute_id) REFERENCES public.payment_disputes(id) ON DELETE RESTRICT;

ALTER TABLE "private"."account_transfers" ADD CONSTRAINT "account_transfers_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

ALTER TABLE "private"."account_reversals" ADD CONSTRAINT "account_reversals_transfer_id_fkey" FOREIGN KEY (transfer_id) REFERENCES private.account_transfers(id) ON DELETE RESTRICT;

ALTER TABLE "private"."account_payouts" ADD CONSTRAINT "account_payouts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES private.connected_accounts(user_id) ON DELETE RESTRICT;

ALTER TABLE "private"."account_transfers" ADD CONSTRAINT "account_transfers_user_id_fkey" FOREIGN KEY (user_id) REFERENCES private.connected_accounts(user_id) ON DELETE RESTRICT;

ALTER TABLE "private"."connected_accounts" ADD CONSTRAINT "connected_accounts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "private"."ledger_accounts" ADD CONSTRAINT "ledger_accounts_kind_check" CHECK ((kind = ANY (ARRAY['outside'::text, 'held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'refunds_due'::text, 'fees'::text, 'guarantee'::text, 'costs'::text, 'adjustments'::text])));

ALTER TABLE "private"."ledger_accounts" ADD CONSTRAINT "only_some_accounts_fall_below_zero" CHECK (((balance >= (0)::numeric) OR (kind = ANY (ARRAY['outside'::text, 'connected'::text, 'guarantee'::text, 'costs'::text, 'adjustments'::text]))));

ALTER TABLE "private"."ledger_accounts" ADD CONSTRAINT "seats_and_people_own_the_rest_is_of_the_site" CHECK (((owner IS NOT NULL) = (kind = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text]))));

ALTER TABLE "private"."ledger_transfers" ADD CONSTRAINT "ledger_transfers_kind_check" CHECK ((kind = ANY (ARRAY['payment'::text, 'payment-returned'::text, 'earning'::text, 'fee'::text, 'refund'::text, 'refund-sent'::text, 'refund-failed'::text, 'withdrawal'::text, 'withdrawal-returned'::text, 'adjustment'::text, 'chargeback'::text, 'chargeback-won'::text, 'given-up'::text, 'handed-over'::text, 'cost'::text, 'account'::text, 'account-failed'::text, 'payout'::text, 'payout-failed'::text])));

ALTER TABLE "private"."payment_jobs" ADD CONSTRAINT "payment_jobs_kind_check" CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'remove-card'::text, 'reconcile'::text, 'transfer'::text, 'reversal'::text])));

CREATE INDEX account_payouts_user_idx ON private.account_payouts USING btree (user_id, created_at DESC);

CREATE INDEX account_reversals_dispute_idx ON private.account_reversals USING btree (dispute_id);

CREATE INDEX account_reversals_transfer_idx ON private.account_reversals USING btree (transfer_id);

CREATE INDEX account_transfers_dispute_idx ON private.account_transfers USING btree (dispute_id);

CREATE INDEX account_transfers_payment_idx ON private.account_transfers USING btree (payment_id);

CREATE INDEX account_transfers_user_idx ON private.account_transfers USING btree (user_id, created_at DESC);

REVOKE ALL ON FUNCTION "private"."account_reversal_order"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."account_transfer_order"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_own_account"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_account"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."keep_account"(uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."knows_account"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."knows_account"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."move_coins_to_account"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."move_coins_to_account"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."my_payouts"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_payouts"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."own_payout_account"(boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_payout_account"(boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."payment_provider"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."payment_provider"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."post_earnings"(public.member_payments[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_account_job"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_account_transfer"(uuid, numeric, uuid, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_account"(text, boolean, boolean, text[], timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_account"(text, boolean, boolean, text[], timestamp with time zone) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_account_payout"(text, text, numeric, text, date, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_account_payout"(text, text, numeric, text, date, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_account_reversal"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_account_reversal"(uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_account_transfer"(uuid, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_account_transfer"(uuid, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."report_payment_provider"(text, text, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."report_payment_provider"(text, text, text, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "private"."send_coins"(uuid, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_from_account"(public.payment_disputes, public.member_payments, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."uses_accounts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."keep_account"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."keep_account"(uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."knows_account"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."knows_account"(text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."move_coins_to_account"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."move_coins_to_account"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_payouts"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_payouts"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."own_payout_account"(boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."own_payout_account"(boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."record_account"(text, boolean, boolean, text[], timestamp with time zone) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_account"(text, boolean, boolean, text[], timestamp with time zone) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_account_payout"(text, text, numeric, text, date, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_account_payout"(text, text, numeric, text, date, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_account_reversal"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_account_reversal"(uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_account_transfer"(uuid, text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_account_transfer"(uuid, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."report_payment_provider"(text, text, text, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."report_payment_provider"(text, text, text, boolean) TO "service_role";
-- To be written by hand: ~ relation private.account_payouts
-- To be written by hand: ~ relation private.account_reversals
-- To be written by hand: ~ relation private.account_transfers
-- To be written by hand: ~ relation private.connected_accounts

REVOKE ALL ON TABLE "private"."account_payouts" FROM PUBLIC, anon, authenticated, service_role;

REVOKE ALL ON TABLE "private"."account_reversals" FROM PUBLIC, anon, authenticated, service_role;

REVOKE ALL ON TABLE "private"."account_transfers" FROM PUBLIC, anon, authenticated, service_role;

REVOKE ALL ON TABLE "private"."connected_accounts" FROM PUBLIC, anon, authenticated, service_role;
