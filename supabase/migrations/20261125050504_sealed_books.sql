-- Seals for the transfers of the ledger, and a check of the books that compares everything with them.
set local check_function_bodies = off;

DROP FUNCTION "private"."check_books"();

CREATE TABLE "private"."ledger_seal_end" ("id" boolean NOT NULL DEFAULT true, "line" bigint NOT NULL DEFAULT 0, "hash" text NOT NULL DEFAULT ''::text, "through" bigint NOT NULL DEFAULT 0, "next_through" bigint NOT NULL DEFAULT 0, "next_transaction" bigint NOT NULL DEFAULT 0, CONSTRAINT "ledger_seal_end_id_check" CHECK (id), CONSTRAINT "ledger_seal_end_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."ledger_seal_end" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."ledger_seals" ("line" bigint NOT NULL, "transfer_id" bigint NOT NULL, "hash" text NOT NULL, CONSTRAINT "ledger_seals_pkey" PRIMARY KEY (line), CONSTRAINT "ledger_seals_transfer_id_key" UNIQUE (transfer_id));

ALTER TABLE "private"."ledger_seals" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."daily_books" ADD COLUMN "seal" bigint;

ALTER TABLE "private"."daily_books" ADD COLUMN "seal_hash" text;

CREATE OR REPLACE FUNCTION private.book_guards()
 RETURNS TABLE(relation text, guard text)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select named.relation, regexp_split_to_table(named.guards, '\s+') from (values
    ('private.ledger_accounts', 'ledger_accounts_kind_check ledger_accounts_kind_owner_key ledger_accounts_pkey only_some_accounts_fall_below_zero
      seats_and_people_own_the_rest_is_of_the_site'),
    ('private.ledger_transfers', 'keep log_staff ledger_transfers_amount_check ledger_transfers_check ledger_transfers_description_check
      ledger_transfers_key_check ledger_transfers_key_key ledger_transfers_kind_check ledger_transfers_pkey'),
    ('private.ledger_entries', 'keep ledger_entries_account_id_fkey ledger_entries_amount_check ledger_entries_check ledger_entries_pkey
      ledger_entries_transfer_id_fkey'),
    ('private.ledger_seals', 'keep ledger_seals_pkey ledger_seals_transfer_id_fkey ledger_seals_transfer_id_key'),
    ('private.ledger_seal_end', 'ledger_seal_end_id_check ledger_seal_end_pkey'),
    ('public.user_wallets', 'tell_first_coins user_wallets_coin_balance_check user_wallets_pkey user_wallets_total_earned_check
      user_wallets_total_withdrawn_check user_wallets_user_id_fkey'),
    ('public.coin_transactions', 'coin_transactions_amount_check coin_transactions_created_by_fkey coin_transactions_description_check
      coin_transactions_pkey coin_transactions_transaction_type_check coin_transactions_user_id_fkey'),
    ('private.seats', 'note_facts seats_billing_cycle_check seats_check seats_check1 seats_end_reason_check seats_ended_by_fkey
      seats_fee_rate_check seats_invited_address_check seats_member_id_fkey seats_owner_id_fkey seats_pkey
      seats_settlement_check seats_share_check'),
    ('public.member_payments', 'note_facts member_payments_card_check member_payments_coins_check member_payments_earned_fee_check
      member_payments_earned_share_check member_payments_fee_check member_payments_member_id_fkey member_payments_note_check
      member_payments_number_check member_payments_owed_back_check member_payments_owner_id_fkey member_payments_pkey
      member_payments_receipt_number_key member_payments_returned_fee_check member_payments_returned_share_check
      member_payments_seat_id_fkey member_payments_seat_id_number_key member_payments_settlement_check
      member_payments_share_check member_payments_status_check no_more_than_was_paid'),
    ('private.charges', 'charges_code_check charges_intent_check charges_intent_key charges_payment_id_fkey charges_pkey charges_received_check
      charges_status_check'),
    ('private.refunds', 'refunds_amount_check refunds_payment_id_fkey refunds_pkey refunds_reference_key refunds_status_check'),
    ('public.payment_disputes', 'payment_disputes_amount_check payment_disputes_id_check payment_disputes_member_id_fkey payment_disputes_owner_id_fkey
      payment_disputes_payment_id_fkey payment_disputes_pkey payment_disputes_reason_check payment_disputes_status_check'),
    ('public.withdrawal_requests', 'decide fill guard_payout hold log_staff name_account a_return_has_a_reason withdrawal_requests_bank_account_id_fkey
      withdrawal_requests_bank_account_last4_check withdrawal_requests_check withdrawal_requests_completed_by_fkey
      withdrawal_requests_pkey withdrawal_requests_processed_by_fkey withdrawal_requests_rejection_reason_check
      withdrawal_requests_return_reason_check withdrawal_requests_returned_by_fkey withdrawal_requests_status_check
      withdrawal_requests_stripe_transfer_id_check withdrawal_requests_user_id_fkey'),
    ('private.daily_books', 'daily_books_pkey'),
    ('private.staff_log', 'keep staff_log_pkey'),
    ('private.staff_log_end', 'staff_log_end_id_check staff_log_end_pkey')
  ) as named (relation, guards)
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
    sum(balance) filter (where kind = 'outside'),
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
      sum(case when takes = 'refunds_due' then amount else 0 end) as to_refund,
      sum(case when takes = 'refunds_due' then amount when gives = 'refunds_due' then -amount else 0 end) as refunds_due,
      sum(case when kind = 'refund-failed' then amount else 0 end) as refund_failed,
      sum(case when kind = 'chargeback' and gives <> 'refunds_due' then amount else 0 end) as disputed,
      sum(case when kind = 'chargeback' and gives = 'wallet' then amount else 0 end) as disputed_coins,
      sum(case when kind = 'chargeback' and gives = 'guarantee' then amount else 0 end) as disputed_guarantee,
      sum(case when kind = 'chargeback-won' then amount else 0 end) as won
    from moved where period_id is not null group by period_id
  ), refunds as (
    select payment_id, sum(amount) as amount, sum(amount) filter (where status in ('queued', 'pending')) as open,
      sum(amount) filter (where status = 'failed') as failed
    from private.refunds group by payment_id
  ), disputes as (
    select payment_id, sum(from_share + from_fee + from_coins + from_guarantee) as taken, sum(from_coins) as coins,
      sum(from_guarantee) as guarantee, sum(from_refunds) as refunds,
      sum(from_share + from_fee + from_coins + from_guarantee + from_refunds) filter (where status = 'won') as won
    from public.payment_disputes group by payment_id
  )
  -- Each transfer: between the accounts, for the place, the person and the reason that its kind, its key and its payment say.
  select 'A transfer is not what its kind, its key and its payment say', t.kind || ' ' || t.key, null::numeric, null::numeric
  from moved as t left join public.member_payments as m on m.id = t.period_id
  left join private.seats as s on s.id = t.seat_id left join private.charges as c on c.payment_id = t.period_id
  where (private.is_movement(t.kind, t.gives, t.takes)
    and (t.period_id is null) = (t.kind in ('adjustment', 'withdrawal', 'withdrawal-returned', 'given-up', 'handed-over'))
    and t.seat_id is not distinct from m.seat_id
    and t.subscription_id is not distinct from s.subscription_id
    and t.person_id is not distinct from
      case when t.takes = 'wallet' then t.taker when t.gives = 'wallet' then t.giver else s.member_id end
    and (t.period_id is null
      or case when t.gives like 'held%' then t.giver = t.seat_id when t.gives = 'wallet' then t.giver = m.member_id else t.giver is null end
      and case when t.takes like 'held%' then t.taker = t.seat_id
        when t.takes = 'wallet' then t.taker = case t.kind when 'earning' then m.owner_id else m.member_id end else t.taker is null end)
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
    ('held of the share', l.held_share, least(m.share, m.coins + m.card) - m.earned_share - m.returned_share),
    ('held of the fee', l.held_fee, greatest(0, m.coins + m.card - m.share) - m.earned_fee - m.returned_fee),
    ('received by its charge', l.received, c.received),
    ('its refunds', l.to_refund, r.amount),
    ('its refunds on their way', l.refunds_due, r.open),
    ('its failed refunds', l.refund_failed, r.failed - coalesce(d.refunds, 0)),
    ('taken by disputes', l.disputed, d.taken),
    ('taken by disputes in coins', l.disputed_coins, d.coins),
    ('taken by disputes from the site', l.disputed_guarantee, d.guarantee),
    ('put back after disputes', l.won, d.won)
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
      sum(amount) filter (where type = 'withdrawn') as withdrawn, sum(amount) filter (where type = 'refunded') as refunded
    from (
      select taker as owner, amount, private.coin_type(kind, true) as type from moved where takes = 'wallet'
        and private.is_movement(kind, gives, takes)
      union all
      select giver, amount, private.coin_type(kind, false) from moved where gives = 'wallet' and private.is_movement(kind, gives, takes)
    ) as coins group by owner
  ) as l on l.owner = w.user_id
  full join (
    select user_id, sum(amount) filter (where transaction_type = 'earned') as earned, sum(amount) filter (where transaction_type = 'spent') as spent,
      sum(amount) filter (where transaction_type = 'withdrawn') as withdrawn, sum(amount) filter (where transaction_type = 'refunded') as refunded
    from public.coin_transactions group by user_id
  ) as c on c.user_id = coalesce(w.user_id, l.owner)
  cross join lateral (values
    ('earned in all', l.earned, w.total_earned), ('withdrawn in all', l.withdrawn, w.total_withdrawn),
    ('movements earned', l.earned, c.earned), ('movements spent', l.spent, c.spent),
    ('movements withdrawn', l.withdrawn, c.withdrawn), ('movements refunded', l.refunded, c.refunded)
  ) as part (what, ledger, found)
  where coalesce(part.ledger, 0) <> coalesce(part.found, 0)
$function$;

CREATE OR REPLACE FUNCTION private.check_books(p_hash text DEFAULT NULL::text)
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
  select * from private.check_ledger()
  union all select * from private.check_seals(p_hash)
  union all
  select 'The hash mailed for this day is no longer that of its seal', d.day::text, null, null from private.daily_books as d
  where d.seal > 0 and not exists (select from private.ledger_seals as s where (s.line, s.hash) = (d.seal, d.seal_hash))
  union all select * from private.check_agreement()
  union all select * from private.check_guards();
end $function$;

CREATE OR REPLACE FUNCTION private.check_guards()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'A trigger or constraint that protects the books is missing', g.relation || ': ' || g.guard, null::numeric, null::numeric
  from private.book_guards() as g
  where not exists (select from pg_catalog.pg_trigger as t where t.tgrelid = to_regclass(g.relation) and t.tgname = g.guard)
    and not exists (select from pg_catalog.pg_constraint as c where c.conrelid = to_regclass(g.relation) and c.conname = g.guard)
  union all
  -- Foreign keys are enforced by triggers without a name of their own.
  select 'A trigger or constraint that protects the books is switched off', off.relation || ': ' || off.guard, null, null
  from (
    select g.relation, coalesce(c.conname, t.tgname) as guard from (select distinct relation from private.book_guards()) as g
    join pg_catalog.pg_trigger as t on t.tgrelid = to_regclass(g.relation) and t.tgenabled not in ('O', 'A')
    left join pg_catalog.pg_constraint as c on c.oid = t.tgconstraint
    union
    select g.relation, c.conname from (select distinct relation from private.book_guards()) as g
    join pg_catalog.pg_constraint as c on c.conrelid = to_regclass(g.relation) and not c.convalidated
  ) as off
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
  where balance < 0 and kind not in ('outside', 'guarantee', 'costs', 'adjustments')
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

CREATE OR REPLACE FUNCTION private.check_seals(p_hash text DEFAULT NULL::text)
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with chain as (
    select s.line, s.transfer_id, s.hash, lag(s.hash, 1, '') over lines as before, lag(s.line, 1, 0::bigint) over lines + 1 as next
    from private.ledger_seals as s window lines as (order by s.line)
  ), entries as (
    select e.transfer_id, jsonb_agg(private.entry_text(e) order by e.account_id) as entries
    from private.ledger_entries as e group by e.transfer_id
  )
  select case when t.id is null then 'A transfer was removed' else 'A transfer is not what it was when it was sealed' end,
    coalesce(t.kind || ' ' || t.key, 'transfer ' || c.transfer_id), null::numeric, null::numeric
  from chain as c left join private.ledger_transfers as t on t.id = c.transfer_id
  left join entries as e on e.transfer_id = c.transfer_id
  where t.id is null or c.hash <> private.seal_hash(c.before, c.line, t, e.entries)
  union all
  select 'Seals are missing', 'before seal ' || line, next, line from chain where line <> next
  union all
  select 'The chain of seals does not reach its end, or goes on after it', 'seal ' || e.line, e.line, coalesce(last.line, 0)
  from private.ledger_seal_end as e left join (select line, hash from private.ledger_seals order by line desc limit 1) as last on true
  where (e.line, e.hash) is distinct from (coalesce(last.line, 0), coalesce(last.hash, ''))
  union all
  select 'The chain of seals has no end', 'ledger_seal_end', 1, 0 where not exists (select from private.ledger_seal_end)
  union all
  select 'A transfer was passed over by the seals', t.kind || ' ' || t.key, null, null from private.ledger_transfers as t
  where t.id <= (select through from private.ledger_seal_end)
    and not exists (select from private.ledger_seals as s where s.transfer_id = t.id)
  union all
  select 'The hash from the mail is that of no seal', p_hash, null, null
  where p_hash is not null and not exists (select from private.ledger_seals as s where s.hash = lower(btrim(p_hash)))
$function$;

CREATE OR REPLACE FUNCTION private.close_day()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_midnight timestamptz := date_trunc('day', private.now() at time zone 'utc') at time zone 'utc';
  v_day date := (v_midnight at time zone 'utc')::date - 1;
  v_books private.daily_books;
  v_last private.staff_log;
begin
  -- Two clocks running at once must close the day once.
  perform pg_advisory_xact_lock(hashtext('close day'));
  if exists (select from private.daily_books where day = v_day) then return; end if;
  perform private.seal_transfers();
  v_books := private.books_at(v_midnight);
  insert into private.daily_books select v_books.*;
  select * into v_last from private.staff_log as l where l.at < v_midnight order by l.line desc limit 1;
  if not found then return; end if;
  insert into private.staff_log_days (day, line, hash) values (v_day, v_last.line, v_last.hash);
  perform private.send_mail(account.email, format('The log of staff up to %s', to_char(v_day, 'FMDD FMMonth YYYY')),
    private.mail_page('The log of staff', array[
      format('Line %s is the last one of %s. Its hash is', v_last.line, to_char(v_day, 'FMDD FMMonth YYYY')),
      v_last.hash,
      'Keep this mail: "npm run admin -- check-log <hash>" finds out whether any line up to it was changed or taken out.',
      format('The ledger has %s sealed transfers. The hash of the last one is', v_books.seal),
      case v_books.seal when 0 then 'none yet.' else v_books.seal_hash end,
      '"npm run admin -- check-books <hash>" finds out whether any of them was changed or taken out.',
      case when v_books.faults = 0 then 'The books balance.' else format('The books have %s faults: "npm run admin -- check-books" names them.', v_books.faults) end
    ], 'Read the log', '/admin/log', 'Super-admins get this mail every day.', 'It cannot be ended while you are one.'),
    p_event => 'staff-log-day', p_params => jsonb_build_object('day', v_day, 'line', v_last.line, 'hash', v_last.hash, 'faults', v_books.faults,
      'seal', v_books.seal_hash))
  from public.user_roles as held join auth.users as account on account.id = held.user_id
  where held.role = 'super-admin' and account.deleted_at is null and private.is_mailable(account.email);
end $function$;

CREATE OR REPLACE FUNCTION private.entry_text(p_entry private.ledger_entries)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_array((p_entry).account_id, (p_entry).version, (p_entry).amount, (p_entry).balance_before, (p_entry).balance_after, EXTRACT(epoch FROM (p_entry).created_at));

CREATE OR REPLACE FUNCTION private.is_movement(p_kind text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN (((p_from = ANY (ARRAY['outside'::text, 'wallet'::text])) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'payment-returned'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = 'wallet'::text)) WHEN 'earning'::text THEN ((p_from = 'held_share'::text) AND (p_to = 'wallet'::text)) WHEN 'fee'::text THEN ((p_from = 'held_fee'::text) AND (p_to = 'fees'::text)) WHEN 'refund'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) WHEN 'refund-sent'::text THEN ((p_from = 'refunds_due'::text) AND (p_to = 'outside'::text)) WHEN 'refund-failed'::text THEN ((p_from = ANY (ARRAY['refunds_due'::text, 'outside'::text])) AND (p_to = 'wallet'::text)) WHEN 'withdrawal'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'outside'::text)) WHEN 'withdrawal-returned'::text THEN ((p_from = 'outside'::text) AND (p_to = 'wallet'::text)) WHEN 'adjustment'::text THEN (((p_from = 'adjustments'::text) AND (p_to = 'wallet'::text)) OR ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text))) WHEN 'chargeback'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'guarantee'::text, 'refunds_due'::text])) AND (p_to = 'outside'::text)) WHEN 'chargeback-won'::text THEN ((p_from = 'outside'::text) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'guarantee'::text]))) WHEN 'given-up'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text)) WHEN 'handed-over'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'wallet'::text)) WHEN 'cost'::text THEN ((p_from = 'costs'::text) AND (p_to = 'outside'::text)) ELSE false END;

CREATE OR REPLACE FUNCTION private.key_begins(p_kind text, p_period uuid, p_person uuid, p_intent text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN ARRAY[('charge:'::text || p_intent), (('coins:'::text || p_intent) || ':'::text), (('coins:'::text || p_period) || ':'::text)] WHEN 'earning'::text THEN ARRAY[(('earn:'::text || p_period) || ':'::text)] WHEN 'fee'::text THEN ARRAY[(('fee:'::text || p_period) || ':'::text)] WHEN 'payment-returned'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text)] WHEN 'refund'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text)] WHEN 'cost'::text THEN ARRAY[('cost:'::text || p_intent)] WHEN 'given-up'::text THEN ARRAY[('given-up:'::text || p_person)] WHEN 'chargeback'::text THEN ARRAY['dispute:'::text] WHEN 'chargeback-won'::text THEN ARRAY['dispute-won:'::text] ELSE ARRAY[(p_kind || ':'::text), 'refund:'::text] END;

CREATE OR REPLACE FUNCTION private.seal_hash(p_before text, p_line bigint, p_transfer private.ledger_transfers, p_entries jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN encode(sha256(convert_to((jsonb_build_array(p_before, p_line, (p_transfer).id, (p_transfer).key, (p_transfer).from_account, (p_transfer).to_account, (p_transfer).amount, (p_transfer).kind, (p_transfer).seat_id, (p_transfer).period_id, (p_transfer).subscription_id, (p_transfer).person_id, (p_transfer).description, EXTRACT(epoch FROM (p_transfer).created_at), (p_transfer).created_by, p_entries))::text, 'UTF8'::name)), 'hex'::text);

CREATE OR REPLACE FUNCTION private.seal_transfers()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_end private.ledger_seal_end;
  v_snapshot pg_snapshot;
  v_newest bigint;
  v_row record;
begin
  select * into v_end from private.ledger_seal_end for update;
  -- Moving money takes locks, and with them a transaction's number, before it takes an id.
  select pg_current_snapshot(), coalesce(max(id), 0) into v_snapshot, v_newest from private.ledger_transfers;
  for v_row in
    select t as transfer, jsonb_agg(private.entry_text(e) order by e.account_id) as entries
    from private.ledger_transfers as t left join private.ledger_entries as e on e.transfer_id = t.id
    where t.id > v_end.through and not exists (select from private.ledger_seals as s where s.transfer_id = t.id)
    group by t.id order by t.id
  loop
    v_end.line := v_end.line + 1;
    v_end.hash := private.seal_hash(v_end.hash, v_end.line, v_row.transfer, v_row.entries);
    insert into private.ledger_seals (line, transfer_id, hash) values (v_end.line, (v_row.transfer).id, v_end.hash);
  end loop;
  -- A number from the future is of the database that this one was copied from.
  if v_end.next_transaction <= pg_snapshot_xmin(v_snapshot)::text::bigint
    or v_end.next_transaction > pg_snapshot_xmax(v_snapshot)::text::bigint then
    v_end.through := greatest(v_end.through, v_end.next_through);
    v_end.next_through := v_newest;
    v_end.next_transaction := pg_snapshot_xmax(v_snapshot)::text::bigint;
  end if;
  update private.ledger_seal_end set line = v_end.line, hash = v_end.hash, through = v_end.through,
    next_through = v_end.next_through, next_transaction = v_end.next_transaction
  where (through, next_through, line) <> (v_end.through, v_end.next_through, v_end.line);
end $function$;

ALTER TABLE "private"."ledger_seals" ADD CONSTRAINT "ledger_seals_transfer_id_fkey" FOREIGN KEY (transfer_id) REFERENCES private.ledger_transfers(id);

CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON private.ledger_seals FOR EACH STATEMENT EXECUTE FUNCTION private.tg_ledger_transfers__keep();

REVOKE ALL ON FUNCTION "private"."book_guards"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_agreement"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_books"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_guards"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_ledger"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_seals"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."entry_text"(private.ledger_entries) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_movement"(text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."key_begins"(text, uuid, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seal_hash"(text, bigint, private.ledger_transfers, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seal_transfers"() FROM PUBLIC;


REVOKE ALL ON TABLE private.ledger_seals, private.ledger_seal_end FROM PUBLIC, anon, authenticated, service_role;

INSERT INTO private.ledger_seal_end DEFAULT VALUES;
SELECT cron.schedule('seal-transfers', '10 seconds', 'select private.seal_transfers()');
-- What the ledger has so far is sealed as it is.
SELECT private.seal_transfers();
