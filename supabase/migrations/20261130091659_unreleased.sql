set local check_function_bodies = off;

REVOKE ALL ON FUNCTION "private"."record_charge"(text, text, text, numeric, numeric, boolean, date, text) FROM "service_role";

DROP TRIGGER "archive" ON "public"."subscription_members";

DROP TRIGGER "count" ON "public"."subscription_members";

DROP TRIGGER "limit_removals" ON "public"."subscription_members";

DROP TRIGGER "open_seat" ON "public"."subscription_members";

DROP TRIGGER "settle" ON "public"."subscription_members";

DROP TRIGGER "stop_waiting" ON "public"."subscription_members";

DROP TRIGGER "tell" ON "public"."subscription_members";

DROP TRIGGER "use_invitation" ON "public"."subscription_members";

DROP TRIGGER "admit" ON "public"."subscription_requests";

DROP TRIGGER "call_back" ON "public"."subscription_requests";

DROP TRIGGER "close_chat" ON "public"."subscription_requests";

DROP TRIGGER "count_ended" ON "public"."subscription_requests";

DROP TRIGGER "count" ON "public"."subscription_requests";

DROP TRIGGER "open_chat" ON "public"."subscription_requests";

DROP TRIGGER "tell_cancelled" ON "public"."subscription_requests";

DROP TRIGGER "tell" ON "public"."subscription_requests";

DROP FUNCTION "private"."check_agreement"();

DROP FUNCTION "private"."own_charge"(uuid);

DROP FUNCTION "private"."queue_payment_job"(text, text, text);

DROP FUNCTION "private"."record_intent"(uuid, text);

DROP FUNCTION "private"."tg_subscription_members__archive"();

DROP FUNCTION "private"."tg_subscription_members__count"();

DROP FUNCTION "private"."tg_subscription_members__limit"();

DROP FUNCTION "private"."tg_subscription_members__open_seat"();

DROP FUNCTION "private"."tg_subscription_members__settle"();

DROP FUNCTION "private"."tg_subscription_members__stop_waiting"();

DROP FUNCTION "private"."tg_subscription_members__tell"();

DROP FUNCTION "private"."tg_subscription_members__use_invitation"();

DROP FUNCTION "private"."tg_subscription_requests__admit"();

DROP FUNCTION "private"."tg_subscription_requests__call_back"();

DROP FUNCTION "private"."tg_subscription_requests__close_chat"();

DROP FUNCTION "private"."tg_subscription_requests__count"();

DROP FUNCTION "private"."tg_subscription_requests__open_chat"();

DROP FUNCTION "private"."tg_subscription_requests__tell"();

DROP FUNCTION "private"."tg_subscription_requests__tell_cancelled"();

DROP FUNCTION "public"."record_charge"(text, text, text, numeric, numeric, boolean, date, text);

DROP FUNCTION "public"."record_intent"(uuid, text);

CREATE OR REPLACE FUNCTION private.answer_dispute(p_dispute_id text, p_mark text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_dispute public.payment_disputes;
  v_said jsonb;
begin
  select * into v_dispute from public.payment_disputes where id = p_dispute_id for update;
  if not found then
    perform private.refuse('dispute_not_found');
  elsif v_user in (v_dispute.member_id, v_dispute.owner_id) then
    perform private.refuse('own_dispute');
  elsif v_dispute.answer in ('queued', 'sent') then
    perform private.refuse('dispute_already_answered');
  elsif v_dispute.status not in ('needs_response', 'warning_needs_response') or v_dispute.due_by <= now() then
    perform private.refuse('dispute_closed');
  end if;
  v_said := private.evidence_of(p_dispute_id);
  if v_said ->> 'mark' is distinct from p_mark then
    perform private.refuse('evidence_outdated');
  end if;
  insert into private.dispute_evidence (dispute_id, fields) values (p_dispute_id, v_said -> 'evidence')
  on conflict (dispute_id) do update set fields = excluded.fields;
  update public.payment_disputes set answer = 'queued', answered_at = private.now(), answer_refusal = null where id = p_dispute_id;
  perform private.queue_payment_jobs('evidence', array[p_dispute_id], (select provider from private.charges where payment_id = v_dispute.payment_id));
  perform private.log_staff('dispute answered', p_dispute_id,
    jsonb_build_object('member', v_dispute.member_id, 'owner', v_dispute.owner_id, 'mark', p_mark));
end $function$;

CREATE OR REPLACE FUNCTION private.archive_chat(p_member public.subscription_members)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.conversations set archived = true
  where subscription_id = p_member.subscription_id and member_id = p_member.user_id and not archived;
end $function$;

CREATE OR REPLACE FUNCTION private.book_missing_charge(p_reference text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_payment uuid;
begin
  perform private.require_recent_proof();
  if not private.are_payments_held() then
    perform private.refuse('payments_not_held');
  end if;
  perform from public.unknown_payment_events where about = p_reference order by id for update;
  v_payment := private.payment_of_charge(p_reference);
  if v_payment is null then
    perform private.refuse('charge_of_nothing');
  elsif exists (select from public.member_payments where id = v_payment and v_user in (owner_id, member_id))
    or exists (select from public.debts where id = v_payment and member_id = v_user) then
    perform private.refuse('own_payment_decided');
  end if;
  update public.unknown_payment_events set reviewed_at = clock_timestamp(), reviewed_by = v_user, finding = 'Booked'
  where about = p_reference and reviewed_at is null;
  if not found then
    perform private.refuse('event_already_handled');
  end if;
  insert into private.charges (payment_id, provider) select id, 'stripe' from public.member_payments where id = v_payment on conflict do nothing;
  -- Two charges may name one payment. The first one that is booked is its charge, and the other one belongs to nothing.
  if private.record_intents(jsonb_build_object(v_payment, p_reference)) ->> v_payment::text is distinct from p_reference then
    perform private.refuse('charge_of_nothing');
  end if;
  perform private.log_staff('charge booked after a restore', p_reference, jsonb_build_object('payment', v_payment));
  perform private.queue_payment_jobs('look-up', array[p_reference], 'stripe');
end $function$;

CREATE OR REPLACE FUNCTION private.call_function(p_name text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_url text := nullif(current_setting('app.settings.project_url', true), '');
  v_called text := concat(current_setting('potluck.called', true), ' ', p_name);
begin
  if p_name = any (string_to_array(current_setting('potluck.called', true), ' ')) then return; end if;
  if v_url is null and to_regclass('vault.decrypted_secrets') is not null then
    select decrypted_secret into v_url from vault.decrypted_secrets where name = 'project_url';
  end if;
  if v_url is null then return; end if;
  perform net.http_post(v_url || '/functions/v1/' || p_name, timeout_milliseconds := 60000), set_config('potluck.called', v_called, true);
end $function$;

CREATE OR REPLACE FUNCTION private.check_adjustments()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'An adjustment does not agree with the log of staff', coalesce(t.key, 'transfer ' || l.transfer), l.amount, t.coins
  from (
    select (details ->> 'transfer')::bigint as transfer, (details ->> 'amount')::numeric as amount, subject, details ->> 'reason' as reason, actor
    from private.staff_log where action = 'wallet adjusted'
  ) as l full join (
    select *, case takes when 'wallet' then amount else -amount end as coins from private.moves() where kind = 'adjustment'
  ) as t on t.id = l.transfer
  where (l.amount, l.subject, l.reason, l.actor) is distinct from (t.coins, t.person_id::text, t.description, t.created_by)
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
  union all select * from private.check_records()
  union all select * from private.check_transfers()
  union all select * from private.check_payments()
  union all select * from private.check_charges()
  union all select * from private.check_withdrawals()
  union all select * from private.check_own_accounts()
  union all select * from private.check_adjustments()
  union all select * from private.check_coins()
  union all select * from private.check_invoices()
  union all select * from private.check_taxation()
  union all select * from private.check_guards();
end $function$;

CREATE OR REPLACE FUNCTION private.check_charges()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'A charge does not agree with its status, ' || c.status, 'period ' || c.payment_id, null, c.received
  from private.charges as c where (c.status = 'succeeded') <> (c.received > 0)
  union all
  select 'A refund does not agree with its status, ' || r.status, 'refund ' || r.id, r.amount, coalesce(t.amount, 0)
  from private.refunds as r left join private.moves() as t on t.key = 'refund:' || r.id and t.payment_id = r.payment_id
  where case r.status when 'succeeded' then t.amount is distinct from r.amount when 'failed' then t.amount <> r.amount
    else t.amount is not null end
  union all
  select 'A debt does not agree with the ledger', coalesce('debt ' || d.id, l.payment_id::text), coalesce(l.amount, 0), coalesce(d.coins + d.card, 0)
  from public.debts as d full join (
    select payment_id, split_part(key, ':', 2) as debt, sum(case takes when 'guarantee' then amount else -amount end) as amount
    from private.moves() where kind = 'debt' group by 1, 2 having sum(case takes when 'guarantee' then amount else -amount end) <> 0
  ) as l on l.debt = d.id::text and l.payment_id = d.payment_id
  where coalesce(l.amount, 0) <> coalesce(d.coins + d.card, 0)
$function$;

CREATE OR REPLACE FUNCTION private.check_coins()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'A movement of coins does not agree with its transfer', coalesce(c.user_id, l.owner) || ' ' || coalesce(c.place, l.place), l.amount, c.amount
  from (select t.*, row_number() over (partition by user_id order by created_at, id) as place from public.coin_transactions as t) as c
  full join (
    select a.owner, row_number() over (partition by a.id order by e.version) as place, abs(e.amount) as amount, t.description, t.created_at, t.created_by,
      case when private.is_movement(t.kind, t.gives, t.takes) then private.coin_type(t.kind, e.amount > 0) end as type
    from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id join private.moves() as t on t.id = e.transfer_id
    where a.kind = 'wallet'
  ) as l on (l.owner, l.place) = (c.user_id, c.place)
  where (c.transaction_type, c.amount, c.description, c.created_at, c.created_by)
    is distinct from (l.type, l.amount, l.description, l.created_at, l.created_by)
  union all
  select 'A wallet does not agree with the ledger: ' || part.what, coalesce(w.user_id, l.owner, c.user_id)::text,
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.user_wallets as w
  full join (
    select owner, sum(amount) filter (where type = 'earned') as earned, sum(amount) filter (where type = 'spent') as spent,
      sum(amount) filter (where type = 'withdrawn') as withdrawn, sum(amount) filter (where type = 'refunded') as refunded,
      sum(amount) filter (where kind = 'withdrawal-returned') as returned
    from (
      select taker as owner, amount, kind, private.coin_type(kind, true) as type from private.moves() where takes = 'wallet'
        and private.is_movement(kind, gives, takes)
      union all
      select giver, amount, kind, private.coin_type(kind, false) from private.moves() where gives = 'wallet' and private.is_movement(kind, gives, takes)
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

CREATE OR REPLACE FUNCTION private.check_own_accounts()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  ) as part full join (
    select key, person_id, case when (kind, gives) in (('payout', 'outside'), ('payout-failed', 'connected')) then -amount else amount end as amount
    from private.moves() where kind in ('account', 'account-failed', 'payout', 'payout-failed')
  ) as l on l.key = part.key
  where (l.amount, l.person_id) is distinct from (part.amount, part.user_id)
$function$;

CREATE OR REPLACE FUNCTION private.check_payments()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with sums as materialized (
    select payment_id,
      sum(case when kind = 'payment' and gives = 'wallet' then amount when kind = 'payment-returned' then -amount else 0 end) as coins,
      sum(case when kind = 'payment' and gives = 'outside' then amount else 0 end) as received,
      sum(case when kind = 'payment' and gives = 'outside' and takes <> 'refunds_due' then amount else 0 end) as card,
      sum(case when kind = 'earning' then amount else 0 end) as earned_share,
      sum(case when kind = 'fee' then amount else 0 end) as earned_fee,
      sum(case when takes = 'held_share' then amount when gives = 'held_share' then -amount else 0 end) as held_share,
      sum(case when takes = 'held_fee' then amount when gives = 'held_fee' then -amount else 0 end) as held_fee,
      sum(case when gives like 'held%' and kind in ('refund', 'chargeback') then amount
        when takes like 'held%' and kind = 'chargeback-won' then -amount else 0 end) as returned,
      sum(case when kind = 'refund' and gives in ('guarantee', 'connected') and (takes = 'wallet' or not key ^@ 'by-hand:') then amount else 0 end)
        as from_guarantee,
      sum(case when kind = 'refund' and gives = 'connected' then amount else 0 end) as refunded_account,
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
    from private.moves() where payment_id is not null group by payment_id
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
  select 'Money moved for a payment that is missing', 'period ' || l.payment_id, null, null
  from sums as l left join public.member_payments as m on m.id = l.payment_id where m.id is null
  union all
  select 'A payment does not agree with the ledger: ' || part.what, format('%s, period %s (%s)', m.plan_name, m.number, m.id),
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.member_payments as m left join sums as l on l.payment_id = m.id
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
    ('taken back of transfers to it', coalesce(d.account, 0) + coalesce(l.refunded_account, 0),
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
$function$;

CREATE OR REPLACE FUNCTION private.check_transfers()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'A transfer is not what its kind, its key and its payment say', t.kind || ' ' || t.key, null::numeric, null::numeric
  from private.moves() as t left join public.member_payments as m on m.id = t.payment_id
  left join private.seats as s on s.id = t.seat_id left join private.charges as c on c.payment_id = t.payment_id
  where (private.is_movement(t.kind, t.gives, t.takes)
    and (t.payment_id is null) = (t.kind in ('adjustment', 'withdrawal', 'withdrawal-returned', 'given-up', 'handed-over', 'account',
      'account-failed', 'payout', 'payout-failed'))
    and t.seat_id is not distinct from m.seat_id
    and t.subscription_id is not distinct from s.subscription_id
    and t.person_id is not distinct from
      case when t.takes in ('wallet', 'connected') then t.taker when t.gives in ('wallet', 'connected') then t.giver else s.member_id end
    and (t.payment_id is null
      or case when t.gives like 'held%' then t.giver = t.seat_id when t.gives = 'wallet' then t.giver = m.member_id
        when t.gives = 'connected' then t.giver = m.owner_id else t.giver is null end
      and case when t.takes like 'held%' then t.taker = t.seat_id
        when t.takes = 'wallet' then t.taker = case t.kind when 'earning' then m.owner_id else m.member_id end
        when t.takes = 'connected' then t.taker = m.owner_id else t.taker is null end)
    and t.key ^@ any (private.key_begins(t.kind, t.payment_id, t.person_id, c.intent))
  ) is not true
  union all
  select 'An entry has another time than its transfer', t.kind || ' ' || t.key, null, null
  from private.ledger_transfers as t join private.ledger_entries as e on e.transfer_id = t.id where e.created_at <> t.created_at
$function$;

CREATE OR REPLACE FUNCTION private.check_withdrawals()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'A withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where status = 'completed') as w
  full join (select * from private.moves() where kind = 'withdrawal') as t on t.key = 'withdrawal:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  select 'A returned withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where returned_at is not null) as w
  full join (select * from private.moves() where kind = 'withdrawal-returned') as t on t.key = 'withdrawal-returned:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  select 'A withdrawal names another account than the one it goes to', w.id::text, null, null
  from public.withdrawal_requests as w join private.bank_accounts as a on a.id = w.bank_account_id
  where (w.bank_account_last4, w.user_id) is distinct from (a.last4, a.user_id)
$function$;

CREATE OR REPLACE FUNCTION private.count_kept_places(p_subscription_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.try_lock_plan(p_subscription_id) then
    update public.shared_subscriptions set kept_places = private.reserved_places(id) where id = p_subscription_id;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.fail_payment_job(p_job uuid, p_error text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_attempt integer;
begin
  update private.payment_jobs set attempts = attempts + 1 where id = p_job returning attempts into v_attempt;
  perform private.settle_payment_job(p_job, v_attempt, p_error);
end $function$;

CREATE OR REPLACE FUNCTION private.lease_charges(p_jobs uuid[], p_payments uuid[], p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_taken jsonb;
begin
  with orders as (
    select work from private.start_charges(p_payments) as work
  ), jobs as (
    update private.payment_jobs as j set attempts = j.attempts + 1, next_attempt_at = clock_timestamp() + private.payment_job_lease(), last_error = null
    from orders where j.id = any (p_jobs) and j.about = work ->> 'payment' and j.next_attempt_at <= p_now returning j.id, j.attempts, work
  )
  select coalesce(jsonb_agg(jsonb_build_object('job', id, 'kind', 'charge', 'attempt', attempts,
    'order', jsonb_build_object('attempt', attempts) || work)), '[]') into v_taken from jobs;
  return v_taken;
exception when others then
  v_taken := '[]';
  if cardinality(p_jobs) = 1 then
    perform private.fail_payment_job(p_jobs[1], sqlerrm);
  else
    for v_place in 1 .. cardinality(p_jobs) loop
      v_taken := v_taken || private.lease_charges(p_jobs[v_place:v_place], p_payments[v_place:v_place], p_now);
    end loop;
  end if;
  return v_taken;
end $function$;

CREATE OR REPLACE FUNCTION private.lease_payment_jobs(p_provider text, p_limit integer, p_payment_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A variable instead of calls to clock_timestamp(), so that an index finds the due jobs.
  v_now timestamptz := clock_timestamp();
  v_is_held boolean := private.are_payments_held();
  v_others uuid[] := array(
    select id from private.payment_jobs where kind <> 'charge' and provider = p_provider and next_attempt_at <= v_now
      -- Comparing, looking up a charge, answering a dispute and forgetting a card move no money.
      and (not v_is_held or kind in ('reconcile', 'restore', 'look-up', 'evidence', 'remove-card'))
      and (p_payment_id is null or (kind = 'debt' and about = p_payment_id::text))
    order by next_attempt_at limit p_limit);
  v_charges uuid[];
  v_seats uuid[];
  v_payments uuid[];
  v_job private.payment_jobs;
  v_order jsonb;
  v_taken jsonb;
begin
  select array_agg(job), array_agg(seat_id), array_agg(period) into v_charges, v_seats, v_payments from (
    select j.id as job, s.id as seat_id, m.id as period
    from (
      -- Reads more jobs than needed, because concurrent callers skip each other's jobs.
      select id, about, next_attempt_at from private.payment_jobs where kind = 'charge' and provider = p_provider and not v_is_held
        and next_attempt_at <= v_now and (p_payment_id is null or about = p_payment_id::text) order by next_attempt_at limit 4 * p_limit
    ) as j join public.member_payments as m on m.id = j.about::uuid join private.seats as s on s.id = m.seat_id
    order by j.next_attempt_at limit p_limit - least(cardinality(v_others), p_limit / 2) for update of s skip locked
  ) as free;
  v_taken := private.lease_charges(v_charges, v_payments, v_now);
  if jsonb_array_length(v_taken) = p_limit then return v_taken; end if;
  perform private.lock_held_money(v_seats, '{}');
  perform set_config('potluck.holds_money', 'yes', true);
  for v_job in
    select j.* from private.payment_jobs as j
    where j.id = any (v_charges || v_others[:p_limit - coalesce(cardinality(v_charges), 0)]) and j.next_attempt_at <= v_now
    order by j.next_attempt_at for update skip locked
  loop
    begin
      if v_job.kind = 'charge' then
        v_order := private.start_charge(v_job.about::uuid);
      elsif v_job.kind = 'debt' then
        v_order := private.debt_order(v_job.about::uuid);
      elsif v_job.kind = 'refund' then
        v_order := private.refund_order(v_job.about::uuid);
      elsif v_job.kind = 'reconcile' then
        v_order := private.reconciliation_order(split_part(v_job.about, ' ', 1)::date, nullif(split_part(v_job.about, ' ', 2), ''));
      elsif v_job.kind = 'restore' then
        v_order := private.restore_order();
      elsif v_job.kind = 'look-up' then
        v_order := jsonb_build_object('intent', v_job.about);
      elsif v_job.kind = 'transfer' then
        v_order := private.account_transfer_order(v_job.about::uuid);
      elsif v_job.kind = 'reversal' then
        v_order := private.account_reversal_order(v_job.about::uuid);
      elsif v_job.kind = 'evidence' then
        v_order := private.dispute_answer_order(v_job.about);
      else
        v_order := jsonb_build_object('method', v_job.about);
      end if;
    exception when others then
      -- A failing job must not hold up the others.
      perform private.fail_payment_job(v_job.id, sqlerrm);
      continue;
    end;
    if v_order is null then
      delete from private.payment_jobs where id = v_job.id;
      continue;
    end if;
    update private.payment_jobs set attempts = attempts + 1, next_attempt_at = clock_timestamp() + private.payment_job_lease(), last_error = null
    where id = v_job.id;
    v_taken := v_taken || jsonb_build_object('job', v_job.id, 'kind', case v_job.kind when 'debt' then 'charge' else v_job.kind end,
      'attempt', v_job.attempts + 1,
      -- The provider may have carried out the job after the backup from which it was restored, so it looks for that first.
      'order', jsonb_build_object('attempt', v_job.attempts + 1 + (private.backup_before(v_job.created_at) is not null)::integer) || v_order);
  end loop;
  return v_taken;
end $function$;

CREATE OR REPLACE FUNCTION private.moves()
 RETURNS TABLE(key text, kind text, amount numeric, gives text, giver uuid, takes text, taker uuid, seat_id uuid, payment_id uuid, subscription_id text, person_id uuid, description text, created_at timestamp with time zone, created_by uuid, id bigint)
 LANGUAGE sql
 STABLE ROWS 100000
 SET search_path TO ''
AS $function$
  select t.key, t.kind, t.amount, giver.kind, giver.owner, taker.kind, taker.owner, t.seat_id, t.payment_id, t.subscription_id,
    t.person_id, t.description, t.created_at, t.created_by, t.id
  from private.ledger_transfers as t
  left join private.ledger_accounts as giver on giver.id = t.from_account
  left join private.ledger_accounts as taker on taker.id = t.to_account
$function$;

CREATE OR REPLACE FUNCTION private.open_seat(p_member public.subscription_members)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions;
  v_coins_first boolean;
  v_begins_at_once_at timestamptz;
  v_is_withdrawable boolean;
  v_seat private.seats;
begin
  select * into v_plan from public.shared_subscriptions where id = p_member.subscription_id;
  v_is_withdrawable := private.is_withdrawable(v_plan.settlement, v_plan.owner_id);
  -- coins_first and begins_at_once_at come from the request or invitation that led to this seat, not to an earlier one.
  select said.coins_first, said.begins_at_once_at into v_coins_first, v_begins_at_once_at from (
    select r.coins_first, r.begins_at_once_at, r.decided_at as at from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = p_member.user_id and r.status = 'approved'
    union all
    select false, i.begins_at_once_at, i.accepted_at from public.subscription_invitations as i
    where i.subscription_id = v_plan.id and i.email = lower(private.email_of(p_member.user_id)) and i.accepted_at is not null
  ) as said order by said.at desc nulls last limit 1;
  if v_plan.settlement = 'potluck' then
    perform private.require_wish_to_begin(v_begins_at_once_at), private.require_may_contract(p_member.user_id);
  end if;
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, share, fee_rate, coins_first, begins_at_once_at, withdrawable_until, admitted_at, access_given_at)
  values (v_plan.id, v_plan.catalogue_plan_id, v_plan.provider, v_plan.name, v_plan.owner_id, p_member.user_id, v_plan.settlement,
    v_plan.billing_cycle, v_plan.member_price, v_plan.fee_rate, coalesce(v_coins_first, false),
    case when v_is_withdrawable then v_begins_at_once_at end,
    case when v_is_withdrawable then private.last_contract_withdrawal(p_member.user_id) end,
    case v_plan.settlement when 'direct' then private.now() end, case when private.has_vault_entry(v_plan.id) then private.now() end)
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_payments(array[v_seat.id], array[1], array[null::timestamptz]);
  perform private.begin_periods(v_seat.id);
  -- Without a signed-in person, the server is loading demo data, which sends no mail.
  if auth.uid() is not null then
    perform private.mail_contract(v_seat, 'place', v_is_withdrawable, 1);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.own_charge(p_payment_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return (
    select jsonb_build_object('intent', c.intent, 'status', c.status, 'code', c.code, 'card', c.card, 'tried', c.tried_id)
    from private.charges as c join public.member_payments as m on m.id = c.payment_id
    where m.id = p_payment_id and m.member_id = v_user
    union all
    select jsonb_build_object('intent', intent, 'status', status, 'code', code, 'card', null, 'tried', card_id)
    from public.debts where id = p_payment_id and member_id = v_user and attempts > 0
  );
end $function$;

CREATE OR REPLACE FUNCTION private.queue_account_job(p_kind text, p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.queue_payment_jobs(p_kind, array[p_id::text], coalesce((select provider from private.payment_provider), 'stripe'));
end $function$;

CREATE OR REPLACE FUNCTION private.queue_payment_jobs(p_kind text, p_about text[], p_provider text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(cardinality(p_about), 0) = 0 then return; end if;
  perform private.add_payment_jobs(p_kind, p_about, p_provider);
  perform private.call_function('payments/tick');
end $function$;

CREATE OR REPLACE FUNCTION private.queue_reconciliation()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_day text := ((private.now() at time zone 'utc')::date - 1)::text;
begin
  perform private.queue_payment_jobs('reconcile', array[v_day], provider) from private.payment_provider
  where provider <> 'simulated' and not exists (select from private.payment_jobs where kind = 'reconcile' and about not like '% %');
  perform private.queue_payment_jobs('reconcile', array[v_day || ' ' || moved.reference], p.provider) from private.payment_provider as p
  cross join lateral (
    select a.reference from private.connected_accounts as a
    join private.ledger_accounts as l on l.kind = 'connected' and l.owner = a.user_id
    where (l.balance <> 0 or exists (select from private.ledger_entries as e where e.account_id = l.id
        and e.created_at >= coalesce((a.compared + 1)::timestamp at time zone 'utc', a.created_at) - private.booking_time()))
      and not exists (select from private.payment_jobs as j where j.kind = 'reconcile' and j.about like '% ' || a.reference)
    order by a.compared nulls first, a.reference limit private.accounts_per_night()
  ) as moved
  where p.connect;
end $function$;

CREATE OR REPLACE FUNCTION private.queue_refund(p_payment uuid, p_amount numeric, p_since timestamp with time zone DEFAULT clock_timestamp())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_refund uuid;
  v_provider text;
begin
  insert into private.refunds (payment_id, amount, created_at) values (p_payment, p_amount, p_since) returning id into v_refund;
  select provider into v_provider from private.charges where payment_id = p_payment;
  perform private.queue_payment_jobs('refund', array[v_refund::text], v_provider);
end $function$;

CREATE OR REPLACE FUNCTION private.queue_states()
 RETURNS TABLE(queue text, waiting bigint, oldest_at timestamp with time zone, tried bigint, error text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select q.queue, count(q.since), min(q.since), count(*) filter (where q.attempts > 0),
    (array_agg(q.error order by q.since desc) filter (where q.error is not null))[1]
  from (
    values ('mails', null::timestamptz, 0, null::text), ('pushes', null, 0, null), ('webhooks', null, 0, null), ('payments', null, 0, null), ('places', null, 0, null)
    union all
    select 'mails', m.created_at, m.attempts, m.last_error from private.outgoing_mail as m
    where m.sent_at is null and m.given_up_at is null and (m.attempts > 0 or m.next_attempt_at <= clock_timestamp())
    union all
    -- A push has no other time than that of its next attempt.
    select 'pushes', least(p.next_attempt_at, clock_timestamp()), p.attempts, null from private.outgoing_pushes as p
    where p.attempts > 0 or p.next_attempt_at <= clock_timestamp()
    union all
    select 'webhooks', d.made_at, d.attempts - d.attempts_before, d.last_error from private.webhook_deliveries as d
    where d.delivered_at is null and d.failed_at is null
    union all
    select 'payments', j.created_at, j.attempts, j.last_error from private.payment_jobs as j
    where j.last_error is not null or j.next_attempt_at <= clock_timestamp()
    union all
    -- A step of a place that failed is repeated by the next attempt.
    select 'places', least(s.next_at, clock_timestamp()), s.failures, s.last_error from private.seats as s where s.failures > 0
  ) as q (queue, since, attempts, error)
  group by q.queue order by q.queue
$function$;

CREATE OR REPLACE FUNCTION private.record_charges(p_outcomes jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_outside bigint := private.ledger_account('outside');
  v_costs bigint := private.ledger_account('costs');
  v_seats uuid[];
  v_payments uuid[];
  v_moves private.move[];
  v_left jsonb;
begin
  v_seats := array(
    select id from private.seats where id in (
      select m.seat_id from jsonb_to_recordset(p_outcomes) as given (intent text, status text)
      join private.charges as c on c.intent = given.intent join public.member_payments as m on m.id = c.payment_id
      where given.status = 'succeeded' and m.number > 1
    ) order by id for update);
  select array_agg(distinct m.id), array_agg((format(part.key, c.intent), part.gives, part.takes, part.amount, part.kind, m.seat_id, m.id,
    m.plan_name)::private.move) into v_payments, v_moves
  from jsonb_to_recordset(p_outcomes) as given (intent text, status text, amount numeric, cost numeric, method text)
  join private.charges as c on c.intent = given.intent join public.member_payments as m on m.id = c.payment_id
  join private.seats as s on s.id = m.seat_id
  join private.ledger_accounts as share on share.kind = 'held_share' and share.owner = s.id
  join private.ledger_accounts as fee on fee.kind = 'held_fee' and fee.owner = s.id
  cross join lateral (values
    ('charge:%s:share', v_outside, share.id, m.share, 'payment'), ('charge:%s:fee', v_outside, fee.id, m.fee, 'payment'),
    ('cost:%s', v_costs, v_outside, given.cost, 'cost')
  ) as part (key, gives, takes, amount, kind)
  where s.id = any (v_seats) and m.seat_id = any (v_seats) and given.status = 'succeeded' and c.status = 'charging' and given.amount = m.amount and part.amount > 0
    and not exists (select from public.payment_methods as other
      where other.provider = c.provider and other.reference = given.method and other.id <> c.tried_id)
    and m.number > 1 and m.status = 'charging' and m.coins + m.card = 0 and m.starts_at is not null and m.ends_at > v_now
    and s.ended_at is null and s.admitted_at is not null;
  if v_payments is not null then
    update private.charges set status = 'succeeded', code = null, received = m.amount from public.member_payments as m
    where m.id = any (v_payments) and payment_id = any (v_payments) and payment_id = m.id;
    update public.member_payments set card = amount, paid_with = c.kind, status = 'paid', paid_at = v_now, next_attempt_at = null, note = null
    from private.charges as c where id = any (v_payments) and c.payment_id = any (v_payments) and c.payment_id = id;
    delete from private.payment_jobs where kind = 'charge' and about = any (v_payments::text[]);
    update private.seats as s set late_since = null, failures = 0, last_error = null, next_at = next.at
    from private.next_steps(array(select seat_id from public.member_payments where id = any (v_payments))) as next where s.id = next.seat_id;
    perform private.tell_paid(v_payments);
    perform private.transfer_all(v_moves);
  end if;
  select coalesce(jsonb_agg(given.intent), '[]') into v_left from jsonb_to_recordset(p_outcomes) as given (intent text)
  where not exists (select from private.charges as c where c.intent = given.intent and c.payment_id = any (v_payments));
  if jsonb_array_length(p_outcomes) = 1 and v_left <> '[]' and (
    select private.record_charge(o.intent, o.status, o.code, o.amount, o.cost, o."isHeard", o.day, o.method)
    from jsonb_to_record(p_outcomes -> 0)
      as o (intent text, status text, code text, amount numeric, cost numeric, "isHeard" boolean, day date, method text)
  ) then return '[]'; end if;
  return v_left;
end $function$;

CREATE OR REPLACE FUNCTION private.reopen_chat(p_member public.subscription_members)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.conversations set archived = false, is_question = false, question_until = null
  where subscription_id = p_member.subscription_id and member_id = p_member.user_id and (archived or is_question or question_until is not null);
end $function$;

CREATE OR REPLACE FUNCTION private.retry_wait(p_attempt integer)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN LEAST('06:00:00'::interval, ('00:01:00'::interval * power((4)::double precision, ((LEAST(p_attempt, 10) - 1))::double precision)));

CREATE OR REPLACE FUNCTION private.run_due_work(p_limit integer DEFAULT 100)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_due uuid[];
  v_ids uuid[];
  v_id uuid;
begin
  perform private.record_heartbeat();
  perform private.follow_suspensions();
  perform private.expire_join_requests();
  perform private.tell_expiring_requests();
  perform private.close_questions();
  perform private.free_kept_places();
  perform private.tell_seekers();
  perform private.tell_of_failing_jobs();
  perform private.remind_of_disputes();
  -- The limit keeps the cost independent of the number of due seats: it reads as many as several workers can take together.
  v_due := array(select id from private.seats where next_at <= v_now order by next_at limit 4 * p_limit);
  -- Locks membership and plan too, because ending a seat locks them first. The plan comes first: SKIP LOCKED still waits for the row of a
  -- plan that has just changed, whose transaction may wait for the other rows.
  v_ids := array(
    select s.id from unnest(v_due) with ordinality as due (id, place)
    join private.seats as s on s.id = due.id
    join public.subscription_members as m on m.subscription_id = s.subscription_id and m.user_id = s.member_id
    join public.shared_subscriptions as p on p.id = s.subscription_id
    where s.next_at <= v_now order by place limit p_limit
    for no key update of p skip locked for update of s, m skip locked
  ) || array(
    -- Ended seats have no membership and maybe no plan, only a problem that is still open.
    select id from private.seats where id = any (v_due) and next_at <= v_now and ended_at is not null limit p_limit
    for update skip locked
  );
  begin
    perform private.catch_up_all(v_ids);
  exception when others then
    -- A step of one seat failed, so each seat is handled alone, after locking all accounts again.
    perform private.lock_held_money(v_ids);
    foreach v_id in array v_ids loop
      begin
        perform private.catch_up_all(array[v_id]);
      exception when others then
        update private.seats set failures = failures + 1, last_error = left(sqlerrm, 500),
          next_at = private.now() + private.retry_wait(failures + 1)
        where id = v_id;
      end;
    end loop;
  end;
  return cardinality(v_ids);
end $function$;

CREATE OR REPLACE FUNCTION private.settle_mail(p_id uuid, p_attempt integer, p_error text, p_is_final boolean, p_is_outage boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_is_given_up boolean;
  v_now timestamptz := clock_timestamp();
  v_over boolean := p_error is null or p_is_final or case when p_is_outage
    then v_now > (select created_at from private.outgoing_mail where id = p_id) + private.mail_outage()
    else p_attempt >= private.mail_attempts() end;
begin
  update private.outgoing_mail set
    sent_at = case when p_error is null then v_now end,
    given_up_at = case when p_error is not null and v_over then v_now end,
    next_attempt_at = v_now + private.retry_wait(p_attempt),
    last_error = left(p_error, 500),
    outage_at = case when p_is_outage and not v_over then v_now end,
    -- An outage alone never uses up the last attempt.
    attempts = case when p_is_outage and not v_over then least(attempts, private.mail_attempts() - 1) else attempts end,
    html = case when not v_over then html end,
    path = case when not v_over then path when p_error is not null then private.path_without_secret(path) end
  where id = p_id and sent_at is null and given_up_at is null and (attempts = p_attempt or p_error is null)
  returning given_up_at is not null into v_is_given_up;
  if p_error is null then
    update private.outgoing_mail set next_attempt_at = v_now, outage_at = null where id in (
      select id from private.outgoing_mail where outage_at is not null for update skip locked
    );
    if found then perform pg_notify('outgoing_mail', ''); end if;
  end if;
  return coalesce(v_is_given_up, false);
end $function$;

CREATE OR REPLACE FUNCTION private.settle_push(p_about uuid, p_session_id uuid, p_attempt integer, p_error text, p_outcome text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.push_devices set last_tried_at = clock_timestamp(), last_error = left(p_error, 500),
    last_success_at = case when p_error is null then clock_timestamp() else last_success_at end
  where session_id = p_session_id;
  if p_outcome = 'gone' then
    delete from private.push_devices where session_id = p_session_id;
  end if;
  if p_error is null or p_outcome in ('gone', 'final') or p_attempt >= private.push_attempts() then
    delete from private.outgoing_pushes where about = p_about and session_id = p_session_id;
  else
    update private.outgoing_pushes set next_attempt_at = clock_timestamp() + private.retry_wait(p_attempt)
    where about = p_about and session_id = p_session_id and attempts = p_attempt;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_seat(p_seat_id uuid, p_reason text, p_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat(p_seat_id);
  v_payment public.member_payments;
  v_lost_from timestamptz;
  v_had_problem boolean := private.has_open_problem(p_seat_id);
begin
  if v_seat.ended_at is not null then return; end if;
  perform private.lock_held_money(array[v_seat.id]);
  -- The seat ends first, so that the triggers below do not find an active seat.
  update private.seats set ended_at = private.now(), ended_by = p_by, end_reason = p_reason, next_at = null where id = v_seat.id
  returning * into v_seat;
  if p_reason in ('removed', 'cancelled') or p_reason = 'suspended' and private.is_suspended(v_seat.owner_id) then
    perform private.forfeit_problem(v_seat.id);
  end if;
  if p_reason in ('removed', 'cancelled') then
    v_lost_from := private.now();
  end if;
  for v_payment in
    select * from public.member_payments where seat_id = v_seat.id
      and (private.awaits_money(status) or private.is_claimed_or_paid(status)) order by number
  loop
    continue when v_payment.status = 'due' and not v_had_problem and private.leave_unpaid(v_seat, v_payment);
    if not private.is_claimed_or_paid(v_payment.status) then
      perform private.release_payment(v_payment.id);
      update public.member_payments set status = 'cancelled', next_attempt_at = null, closed_at = private.now() where id = v_payment.id;
      -- An open charge is closed at the provider, or refunded.
      perform private.queue_payment_jobs('charge', array[payment_id::text], provider) from private.charges
      where payment_id = v_payment.id and status in ('needs-action', 'processing');
    elsif not private.has_open_problem(v_seat.id) then
      perform private.close_payment(v_payment.id, v_lost_from);
    end if;
  end loop;
  perform private.schedule_seat(v_seat.id);
  perform private.tell_left_unpaid(v_seat);
  perform private.tell_precedence(v_seat);
  if p_reason <> 'cancelled' and not private.is_suspended(v_seat.owner_id) then
    perform private.ask_for_new_password(v_seat);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_seats(p_member public.subscription_members)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  for v_seat in
    select * from private.seats
    where subscription_id = p_member.subscription_id and member_id = p_member.user_id and ended_at is null for update
  loop
    if p_member.user_id = auth.uid() and private.may_withdraw_from_contract(v_seat) then
      perform private.settle_contract_withdrawal(v_seat);
    else
      perform private.settle_seat(v_seat.id, case when p_member.user_id = auth.uid() then 'left' else 'removed' end, auth.uid());
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_payment_methods__remove()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.queue_payment_jobs('remove-card', array[old.reference], old.provider);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_plan public.shared_subscriptions;
begin
  perform private.archive_chat(old);
  update public.shared_subscriptions set current_members = current_members - 1 where id = old.subscription_id returning * into v_plan;
  -- If the seat ended for another reason, both sides have already been told that reason.
  if not found or exists (
    select from private.seats where subscription_id = old.subscription_id and member_id = old.user_id
      and ended_at = private.now() and end_reason not in ('left', 'removed')
  ) then return null; end if;
  if old.user_id = auth.uid() then
    perform private.notify(v_plan.owner_id, 'info', v_plan.id, 'member-left',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', old.name));
  elsif exists (select 1 from private.user_profiles where user_id = old.user_id) then
    perform private.notify(old.user_id, 'warning', v_plan.id, 'membership-ended', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__leaving()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_plan_to_leave(old.subscription_id);
  if pg_trigger_depth() = 1 and old.user_id is distinct from auth.uid() then
    perform private.spend_attempt('owner action');
  end if;
  perform private.settle_seats(old);
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__taken()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.reopen_chat(new);
  update public.shared_subscriptions set current_members = current_members + 1 where id = new.subscription_id;
  perform private.open_seat(new);
  perform private.leave_line(new.subscription_id, new.user_id);
  perform private.use_invitation(new);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__ends()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_plan public.shared_subscriptions;
begin
  perform private.cancel_mail(old.id::text);
  if old.keeps_place and (tg_op = 'DELETE' or new.status <> old.status) then
    perform private.count_kept_places(old.subscription_id);
  end if;
  if tg_op = 'DELETE' or old.status <> 'pending' or old.expired then return null; end if;
  if new.status in ('rejected', 'cancelled') or new.expired then
    update public.conversations as c set archived = true, question_until = null
    where c.subscription_id = new.subscription_id and c.member_id = new.user_id and not c.archived and not exists (
      select from public.subscription_members as m where m.subscription_id = c.subscription_id and m.user_id = c.member_id);
  end if;
  if new.status <> 'cancelled' then return null; end if;
  -- A plan that is being cancelled waits for this request, so waiting for the plan would deadlock.
  v_plan := private.lock_plan(new.subscription_id);
  if v_plan.id is not null and not private.is_wavering(new) then
    perform private.notify(v_plan.owner_id, 'info', v_plan.id, 'request-cancelled',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__made()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  if new.instant and auth.uid() is not null then
    perform private.admit_member(v_plan, new.user_id, 'let-in');
  end if;
  if new.keeps_place then
    perform private.count_kept_places(new.subscription_id);
  end if;
  if new.status = 'pending' and not new.expired then
    update public.conversations set archived = false, question_until = null
    where subscription_id = new.subscription_id and member_id = new.user_id and (archived or question_until is not null);
  end if;
  if auth.uid() is null then return null; end if;
  if new.instant then
    perform private.notify(v_plan.owner_id, 'success', v_plan.id, 'member-let-in',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name, 'request', new.id));
  elsif not private.is_wavering(new) then
    perform private.mail_notification(private.notify(v_plan.owner_id, 'info', v_plan.id, 'request-made',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name, 'request', new.id)),
      array[new.id::text, v_plan.id], '/manage-shared/' || v_plan.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_user_notifications__push()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.outgoing_pushes (about, session_id)
  -- The join with devices comes first, because few people have a device.
  select n.id, d.session_id from (
    select * from told as t where exists (select from private.push_devices as p where p.user_id = t.user_id) offset 0
  ) as n cross join lateral private.living_push_devices(n.user_id) as d
  where private.is_topic_on(n.user_id, private.topic_of(n.event), 'push');
  if found then
    perform private.call_function('push');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_webhook_deliveries__wake()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from made) then
    perform private.call_function('webhooks');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.use_invitation(p_member public.subscription_members)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_used uuid;
begin
  select i.id into v_used from public.subscription_invitations as i
  where i.subscription_id = p_member.subscription_id and i.email = lower(private.email_of(p_member.user_id))
    and private.invitation_status(i) = 'open';
  if not found then return; end if;
  perform private.cancel_mail(v_used::text);
  update public.subscription_invitations set accepted_at = clock_timestamp() where id = v_used;
end $function$;

CREATE INDEX seats_failing_idx ON private.seats USING btree (failures) WHERE (failures > 0);

CREATE TRIGGER gone AFTER DELETE ON public.subscription_members FOR EACH ROW WHEN ((NOT old.is_owner)) EXECUTE FUNCTION private.tg_subscription_members__gone();

CREATE TRIGGER leaving BEFORE DELETE ON public.subscription_members FOR EACH ROW WHEN ((NOT old.is_owner)) EXECUTE FUNCTION private.tg_subscription_members__leaving();

CREATE TRIGGER taken AFTER INSERT ON public.subscription_members FOR EACH ROW WHEN ((NOT new.is_owner)) EXECUTE FUNCTION private.tg_subscription_members__taken();

CREATE TRIGGER ends AFTER DELETE OR UPDATE OF status, expired ON public.subscription_requests FOR EACH ROW EXECUTE FUNCTION private.tg_subscription_requests__ends();

CREATE TRIGGER made AFTER INSERT ON public.subscription_requests FOR EACH ROW EXECUTE FUNCTION private.tg_subscription_requests__made();

REVOKE ALL ON FUNCTION "private"."archive_chat"(public.subscription_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_adjustments"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_charges"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_coins"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_own_accounts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_payments"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_transfers"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_withdrawals"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_kept_places"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fail_payment_job"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lease_charges"(uuid[], uuid[], timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."moves"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_seat"(public.subscription_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."own_charge"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_charge"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."reopen_chat"(public.subscription_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."retry_wait"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_seats"(public.subscription_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_members__gone"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_members__leaving"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_members__taken"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_requests__ends"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_requests__made"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."use_invitation"(public.subscription_members) FROM PUBLIC;

