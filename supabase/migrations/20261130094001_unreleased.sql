ALTER TABLE public.closed_providers RENAME TO provider_rules;
ALTER TABLE public.provider_rules RENAME COLUMN closed_at TO set_at;
ALTER TABLE public.provider_rules ADD COLUMN rule text NOT NULL DEFAULT 'off';
ALTER TABLE public.provider_rules ALTER COLUMN rule DROP DEFAULT;
-- After the changes by hand
set local check_function_bodies = off;

REVOKE ALL ON FUNCTION "private"."record_charge"(text, text, text, numeric, numeric, boolean, date, text) FROM "service_role";

DROP POLICY "People see which providers are switched off" ON "public"."provider_rules";

DROP POLICY "Whoever takes plans down switches a provider off" ON "public"."provider_rules";

DROP POLICY "Whoever takes plans down switches it on again" ON "public"."provider_rules";

DROP TRIGGER "log_staff" ON "public"."provider_rules";

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

ALTER TABLE "public"."provider_rules" DROP CONSTRAINT "closed_providers_pkey";

ALTER TABLE "public"."provider_rules" DROP CONSTRAINT "closed_providers_provider_check";

ALTER TABLE "public"."provider_rules" DROP CONSTRAINT "closed_providers_reason_check";

DROP FUNCTION "private"."check_agreement"();

DROP FUNCTION "private"."own_charge"(uuid);

DROP FUNCTION "private"."queue_payment_job"(text, text, text);

DROP FUNCTION "private"."record_intent"(uuid, text);

DROP FUNCTION "private"."tg_closed_providers__log_staff"();

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

ALTER TABLE "public"."app_settings" ADD COLUMN "rule_anyone" text NOT NULL DEFAULT 'listed'::text;

ALTER TABLE "public"."app_settings" ADD COLUMN "rule_people_you_know" text NOT NULL DEFAULT 'listed'::text;

ALTER TABLE "public"."app_settings" ADD COLUMN "rule_household" text NOT NULL DEFAULT 'listed'::text;

ALTER TABLE "public"."app_settings" ADD COLUMN "rule_unknown" text NOT NULL DEFAULT 'listed'::text;

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

CREATE OR REPLACE FUNCTION private.apply_provider_rules()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plans text[] := array(
    select p.id from public.shared_subscriptions as p
    where not p.is_private and p.provider in (select r.provider from private.restricted_providers() as r where r.rule = 'private')
    order by p.id for no key update
  );
  v_ended record;
begin
  if v_plans = '{}' then return; end if;
  update public.shared_subscriptions set is_private = true where id = any (v_plans);
  perform private.mail_notification(private.notify(p.owner_id, 'warning', p.id, 'plan-made-private', jsonb_build_object(
    'plan', p.provider || ' ' || p.name, 'because', coalesce(replace(r.allows, '-', '_'), 'reason'), 'reason', coalesce(r.reason, ''))),
    array[p.id], '/manage-shared/' || p.id)
  from public.shared_subscriptions as p join private.restricted_providers() as r on r.provider = p.provider where p.id = any (v_plans);
  for v_ended in
    with requests as (
      update public.subscription_requests set status = 'rejected'
      where subscription_id = any (v_plans) and status = 'pending' and not expired returning user_id, subscription_id
    ), line as (
      delete from public.waiting_list where subscription_id = any (v_plans) returning user_id, subscription_id
    )
    select ended.user_id, p.provider || ' ' || p.name as plan
    from (select * from requests union select * from line) as ended join public.shared_subscriptions as p on p.id = ended.subscription_id
  loop
    perform private.mail_notification(private.notify(v_ended.user_id, 'info', null, 'plan-not-listed', jsonb_build_object('plan', v_ended.plan)),
      '{}', '/available-subscriptions');
  end loop;
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

CREATE OR REPLACE FUNCTION private.event_words(p_event text)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return '{
"request-made": {"title":["New Join Request"],"message":[["member"]," would like to join ",["plan"],"."]},
"request-cancelled": {"title":["Request Cancelled"],"message":[["member"]," no longer wants to join ",["plan"],"."]},
"request-expiring": {"title":["Request Expiring Soon"],"message":[["member"]," is waiting for your answer about ",["plan"],". The request expires within ",["hours","plural",{"one":["#"," hour"],"other":["#"," hours"]}],"."]},
"request-expired": {"title":["Request Expired"],"message":["The owner of ",["plan"]," didn’t answer within ",["hours","plural",{"one":["#"," hour"],"other":["#"," hours"]}],". You can ask again."]},
"request-approved": {"title":["Request Approved"],"message":["Your request to join ",["plan"]," has been approved."]},
"request-rejected": {"title":["Request Rejected"],"message":["Your request to join ",["plan"]," has been rejected."]},
"let-in": {"title":["You Are In"],"message":["You have a place in ",["plan"],"."]},
"member-let-in": {"title":["New Member"],"message":[["member"]," has joined ",["plan"]," instantly."]},
"question-asked": {"title":["New Question"],"message":[["person"]," has a question about ",["plan"],"."]},
"invitation-accepted": {"title":["Invitation Accepted"],"message":[["member"]," has joined ",["plan"],"."]},
"invitation-declined": {"title":["Invitation Declined"],"message":[["email"]," has declined your invitation to ",["plan"],"."]},
"joined": {"title":["You Are In"],"message":["You have joined ",["plan"],"."]},
"place-offered": {"title":["Place Offered"],"message":["A place in ",["plan"]," is free. We’re keeping it for you for ",["hours","plural",{"one":["#"," hour"],"other":["#"," hours"]}],"."]},
"offer-lapsed": {"title":["Offer Lapsed"],"message":["You didn’t take the place in ",["plan"]," within ",["hours","plural",{"one":["#"," hour"],"other":["#"," hours"]}],", so it’s no longer kept for you."]},
"plan-found": {"title":["Plan Found"],"message":[["plan"]," has a place for ",["cost"]," a month, shared by ",["person"],"."]},
"comes-first": {"title":["You Come First"],"message":["You lost your place in ",["plan"]," through no fault of your own. Until ",["day"]," you’re first in line for plans like it."]},
"member-left": {"title":["Member Left"],"message":[["member"]," has left ",["plan"],"."]},
"membership-ended": {"title":["Membership Ended"],"message":["You are no longer a member of ",["plan"],"."]},
"plan-cancelled": {"title":["Subscription Cancelled"],"message":["The owner cancelled ",["plan"],"."]},
"cancelled-while-waiting": {"title":["Subscription Cancelled"],"message":["The owner cancelled ",["plan"],", and its waiting list with it."]},
"cancelled-while-asking": {"title":["Subscription Cancelled"],"message":["The owner cancelled ",["plan"],", and your request with it."]},
"member-will-leave": {"title":["Member Will Leave"],"message":[["member"]," leaves ",["plan"]," on ",["day"],"."]},
"member-stays": {"title":["Member Stays"],"message":[["member"]," stays in ",["plan"],"."]},
"seat-will-end": {"title":["Your Place Ends"],"message":["Your place in ",["plan"]," ends on ",["day"],"."]},
"seat-ended": {"title":["Membership Ended"],"message":[["reason","select",{"unpaid":["Your place in ",["plan"]," ended because it wasn’t paid."],"no_access":[["settlement","select",{"direct":["Your place in ",["plan"]," ended because the owner didn’t give you access in time. They owe you a full refund."],"other":["Your place in ",["plan"]," ended because the owner didn’t give you access in time. You get a full refund."]}]],"problem":[["settlement","select",{"direct":["Your place in ",["plan"]," ended because it didn’t work. The owner owes you what you paid for the time since you reported it."],"other":["Your place in ",["plan"]," ended because it didn’t work. You get back what you paid for the time since you reported it."]}]],"owner_suspended":[["settlement","select",{"direct":["Your place in ",["plan"]," ended because its owner stayed suspended. The owner owes you what you paid for the time since."],"other":["Your place in ",["plan"]," ended because its owner stayed suspended. You get back what you paid for the time since."]}]],"member_suspended":[["settlement","select",{"direct":["Your place in ",["plan"]," ended because your account stayed suspended."],"other":["Your place in ",["plan"]," ended because your account stayed suspended. You get back what you paid for the time since."]}]],"other":["Your place in ",["plan"]," has ended."]}]]},
"member-seat-ended": {"title":["Place Free Again"],"message":[["reason","select",{"unpaid":[["member"]," didn’t pay for ",["plan"],", so the place is free again."],"no_access":[["settlement","select",{"direct":[["member"]," didn’t get access to ",["plan"]," in time, so you owe them a full refund and the place is free again."],"other":[["member"]," didn’t get access to ",["plan"]," in time, so they get a full refund and the place is free again."]}]],"problem":["The problem ",["member"]," reported with ",["plan"]," wasn’t fixed, so the place is free again."],"owner_suspended":[["settlement","select",{"direct":["The place of ",["member"]," in ",["plan"]," ended because your account stayed suspended, so you owe them what they paid for the time since."],"other":["The place of ",["member"]," in ",["plan"]," ended because your account stayed suspended, so they get back what they paid for the time since."]}]],"other":["The place of ",["member"]," in ",["plan"]," is free again."]}]]},
"owner-suspended": {"title":["Owner Suspended"],"message":[["what","select",{"passing":["The owner of ",["plan"]," is suspended until ",["until"],". Nothing is charged until then."],"direct":["The owner of ",["plan"]," is suspended. Nothing is charged. If that isn’t lifted by ",["until"],", your place ends, and ",["owner"]," owes you what you paid for the time since."],"other":["The owner of ",["plan"]," is suspended. Nothing is charged. If that isn’t lifted by ",["until"],", your place ends, and you get back what you paid for the time since."]}]]},
"owner-back": {"title":["Owner Is Back"],"message":["The owner of ",["plan"]," is no longer suspended. Your place goes on as before."]},
"member-suspended": {"title":["Place Paused"],"message":[["what","select",{"passing":[["member"],"’s place in ",["plan"]," is paused until ",["until"],". Nothing is charged until then."],"direct":[["member"],"’s place in ",["plan"]," is paused. Nothing is charged. If that isn’t lifted by ",["until"],", the place ends."],"other":[["member"],"’s place in ",["plan"]," is paused. Nothing is charged. If that isn’t lifted by ",["until"],", the place ends, and they get back what they paid for the time since."]}]]},
"member-back": {"title":["Place Goes On"],"message":[["member"],"’s place in ",["plan"]," goes on as before."]},
"you-are-suspended": {"title":["Account Suspended"],"message":[["what","select",{"passing":["Your account is suspended until ",["until"],". Your plans are hidden, and nothing is charged or paid out until then."],"other":[["ends","select",{"true":["Your account is suspended until ",["at"],"."],"other":["Your account is suspended."]}]," Your plans are hidden, and nothing is charged or paid out. If that isn’t lifted by ",["until"],", your places and those in your plans end, and what was paid for the time since goes back."]}],["because","select",{"true":[" The reason: ",["reason"]],"other":[]}]]},
"you-are-back": {"title":["Account Open Again"],"message":[["ended","select",{"true":["Your account is no longer suspended, and your plans can be found again. The places have ended."],"other":["Your account is no longer suspended. Your plans and places go on as before."]}]]},
"waiting-list-closed": {"title":["Waiting List Closed"],"message":[["plan"]," takes no new members, so you’re no longer waiting for it."]},
"contract-withdrawn": {"title":["You Have Withdrawn"],"message":[["what","select",{"back":[["name"],", on ",["at"]," you withdrew from the contract for ",["plan"],". ",["amount"]," comes back the way you paid it, within ",["days","plural",{"one":["#"," day"],"other":["#"," days"]}],"."],"owed":[["name"],", on ",["at"]," you withdrew from the contract for ",["plan"],". ",["owner"]," owes you ",["amount"],", within ",["days","plural",{"one":["#"," day"],"other":["#"," days"]}],"."],"held":[["name"],", on ",["at"]," you withdrew from the contract for ",["plan"],". What comes back is held until your problem is closed."],"under_way":[["name"],", on ",["at"]," you withdrew from the contract for ",["plan"],". What your bank is debiting comes back once it has arrived."],"other":[["name"],", on ",["at"]," you withdrew from the contract for ",["plan"],". You pay us nothing."]}]]},
"member-withdrew": {"title":["Member Withdrew"],"message":[["member"]," withdrew from the contract for ",["plan"],". What you’ve earned stays yours, and the place is free again."]},
"member-says-paid": {"title":["Payment On Its Way"],"message":[["member"]," says they’ve paid ",["amount"]," for ",["plan"],". Has it arrived? Without an answer by ",["day"]," it counts as received."]},
"payment-back-claimed": {"title":["Has the Refund Arrived?"],"message":[["owner"]," says they’ve paid back ",["amount"]," for ",["plan"],". Has it arrived? Without an answer by ",["day"]," it counts as received."]},
"payment-back-denied": {"title":["Refund Not Received"],"message":[["member"]," hasn’t received your refund of ",["amount"]," for ",["plan"],": ",["note"]]},
"payment-unanswered": {"title":["Counts as Received"],"message":[["amount"]," for ",["plan"]," counts as received, because there was no answer."]},
"payment-unconfirmed": {"title":["Payment Not Confirmed After All"],"message":[["owner"]," took back that your ",["amount"]," for ",["plan"]," arrived."]},
"payment-disagreement": {"title":["Our Team Decides"],"message":["You and ",["person"]," disagree about ",["amount"]," for ",["plan"],". Our team decides within ",["days","plural",{"one":["#"," day"],"other":["#"," days"]}],"."]},
"payment-decided": {"title":["Payment Dispute Closed"],"message":[["outcome","select",{"received":["Our team decided that ",["amount"]," for ",["plan"]," was paid: ",["reason"]],"denied":["Our team decided that ",["amount"]," for ",["plan"]," was not paid: ",["reason"]],"other":["Nobody could decide whether ",["amount"]," for ",["plan"]," was paid, so it counts for neither of you."]}]]},
"payment-left-unpaid": {"title":["Left Unpaid"],"message":["You used ",["plan"]," and left ",["amount"]," unpaid. Your payments say how to pay. Until then you can’t join plans of ",["owner"],"."]},
"payment-member-left-unpaid": {"title":["Left Unpaid"],"message":[["member"]," left ",["plan"]," with ",["amount"]," unpaid. They see how to pay you. You can let it go."]},
"payment-waived": {"title":["Payment Let Go"],"message":[["owner"]," lets go of ",["amount"]," for ",["plan"],"."]},
"payment-debt-unkept": {"title":["Refund Not Paid"],"message":["You haven’t paid back ",["amount"]," for ",["plan"],". You can’t share plans or take new members until it’s settled."]},
"payment-debt-closed": {"title":["Refund Closed"],"message":["Our team closed the refund of ",["amount"]," for ",["plan"],": ",["note"]]},
"payment-received": {"title":["Payment Received"],"message":[["owner"]," has received your ",["amount"]," for ",["plan"],"."]},
"payment-not-received": {"title":["Payment Not Received"],"message":[["owner"]," hasn’t received your ",["amount"]," for ",["plan"],": ",["note"]]},
"payment-nudge": {"title":["A Payment Is Missing"],"message":[["owner"]," asks you to pay ",["amount"]," for ",["plan"],"."]},
"payment-due": {"title":[["late","select",{"true":["A Payment Is Missing"],"other":["A Payment Is Due"]}]],"message":[["late","select",{"true":[["owner"]," hasn’t received your ",["amount"]," for ",["plan"]," yet."],"other":[["amount"]," for ",["plan"]," is due to ",["owner"]," today."]}]]},
"payment-went-back": {"title":["Payment Refunded"],"message":["Your payment for ",["plan"]," was refunded. Our team says whether your place goes on. Otherwise it ends on ",["until"],"."]},
"payment-of-member-went-back": {"title":["Payment Refunded"],"message":["The payment of ",["member"]," for ",["plan"]," was refunded. Our team says whether the place goes on. Otherwise it ends on ",["until"],"."]},
"place-kept": {"title":["Your Place Goes On"],"message":["Your place in ",["plan"]," goes on."]},
"payment-made": {"title":["Payment Received"],"message":["We received your ",["amount"]," for ",["plan"],"."]},
"member-paid": {"title":["Member Has Paid"],"message":[["given","select",{"true":[["member"]," has paid for ",["plan"],"."],"other":[["member"]," has paid for ",["plan"],". Give them access within ",["hours","plural",{"one":["#"," hour"],"other":["#"," hours"]}],"."]}]]},
"payment-failed": {"title":[["why","select",{"undecided":["Payment Not Made Yet"],"undecided_first":["Payment Not Made Yet"],"other":["Payment Failed"]}]],"message":[["why","select",{"undecided":["We couldn’t take your payment for ",["plan"]," yet. It’s not your card’s fault, and we’ll try again. Your place is kept until ",["until"],". Your access is closed until then."],"undecided_first":["We couldn’t take your payment for ",["plan"]," yet. It’s not your card’s fault, and we’ll try again. Your place is kept until ",["until"],"."],"refused":["Your payment for ",["plan"]," failed because your bank refuses this card. Pay with another card by ",["until"],". Your access is closed until then."],"refused_first":["Your payment for ",["plan"]," failed because your bank refuses this card. Pay with another card by ",["until"]," to keep your place."],"declined_first":["Your payment for ",["plan"]," failed. Confirm it or pay with another card by ",["until"]," to keep your place."],"other":["Your payment for ",["plan"]," failed, so your access is closed. We’ll try again on ",["until","date"],", or pay with another card now."]}]]},
"payment-needs-action": {"title":["Payment Needs Your Confirmation"],"message":[["why","select",{"declined_first":["Your payment for ",["plan"]," failed. Confirm it or pay with another card by ",["until"]," to keep your place."],"other":["Your payment for ",["plan"]," failed, so your access is closed. We’ll try again on ",["until","date"],", or pay with another card now."]}]]},
"money-given-back": {"title":["Refund on Its Way"],"message":["We’re refunding ",["amount"]," of your payment for ",["plan"],", the way you paid it."]},
"refund-to-wallet": {"title":["Refund In Your Wallet"],"message":["We couldn’t refund ",["amount"]," for ",["plan"]," to your card, so it’s in your wallet."]},
"owner-owes-you": {"title":["Money Owed to You"],"message":[["known","select",{"true":[["owner"]," owes you ",["amount"]," for the time without access to ",["plan"],"."],"other":[["owner"]," owes you ",["amount"]," for the time without access to ",["plan"],". Say where they can pay it."]}]]},
"you-owe-member": {"title":["Refund a Member"],"message":["You owe ",["member"]," ",["amount"]," for the time without access to ",["plan"],"."]},
"owed-settled": {"title":["Settled"],"message":[["member"]," says you’ve paid back the ",["amount"]," for ",["plan"],"."]},
"renewal-coming": {"title":["Your Place Renews Soon"],"message":["We’ll charge ",["amount"]," for ",["plan"]," on ",["day"],". You can leave before then."]},
"payment-debit-coming": {"title":["Your Place Renews Soon"],"message":["We’ll debit ",["amount"]," for ",["plan"]," on ",["day"]," or soon after, from your account ending in ",["account"]," (mandate ",["mandate"],", creditor ",["creditor"],"). You can leave before then."]},
"payment-mandate-ended": {"title":["Add Another Way to Pay"],"message":["Your bank account ending in ",["account"]," can’t be debited any more, because its mandate has ended. Add a card or account to keep your places."]},
"payment-under-way": {"title":["Payment Under Way"],"message":[["admitted","select",{"true":["Your bank debits ",["amount"]," for ",["plan"]," on ",["day"]," or soon after, from your account ending in ",["account"]," (mandate ",["mandate"],", creditor ",["creditor"],"). You have your place meanwhile."],"other":["Your bank debits ",["amount"]," for ",["plan"]," on ",["day"]," or soon after, from your account ending in ",["account"]," (mandate ",["mandate"],", creditor ",["creditor"],"). Your place is kept until then."]}]]},
"member-debited": {"title":["New Member"],"message":[["given","select",{"true":[["member"],"’s bank is being debited for ",["plan"],"."],"other":[["member"],"’s bank is being debited for ",["plan"],". Give them access within ",["hours","plural",{"one":["#"," hour"],"other":["#"," hours"]}],"."]}]]},
"terms-proposed": {"title":["New Terms Proposed"],"message":[["cycle","select",{"yearly":[["settlement","select",{"direct":["The owner of ",["plan"]," proposes new terms: ",["share"]," a year, paid directly. Nothing changes unless you accept."],"other":["The owner of ",["plan"]," proposes new terms: ",["share"]," a year, paid through the site. Nothing changes unless you accept."]}]],"other":[["settlement","select",{"direct":["The owner of ",["plan"]," proposes new terms: ",["share"]," a month, paid directly. Nothing changes unless you accept."],"other":["The owner of ",["plan"]," proposes new terms: ",["share"]," a month, paid through the site. Nothing changes unless you accept."]}]]}]]},
"terms-accepted": {"title":["New Terms Accepted"],"message":[["member"]," accepted the new terms of ",["plan"],", from the next period."]},
"terms-refused": {"title":["Old Terms Kept"],"message":[["member"]," is keeping the old terms of ",["plan"],"."]},
"first-coins": {"title":["First Coins"],"message":["Your first ",["coins"]," coins are in your wallet."]},
"coins-handed-over": {"title":["Coins From Your Closed Account"],"message":[["coins"]," coins that were left in the account you closed are in your wallet."]},
"wallet-adjusted": {"title":["Wallet Adjusted"],"message":[["way","select",{"added":[["coins"]," coins were added to your wallet: ",["reason"]],"other":[["coins"]," coins were taken from your wallet: ",["reason"]]}]]},
"payout-account-ready": {"title":["Payouts Are Ready"],"message":["You can now share plans that members pay for by card."]},
"payout-account-stopped": {"title":["Payouts Have Stopped"],"message":["Your payout account can’t be sent money until you’ve given what’s missing. What you earn waits in your wallet."]},
"payout-account-refused": {"title":["Your Account Didn’t Accept Money"],"message":[["amount"]," couldn’t be sent to your payout account, so they’re in your wallet. Please check the account."]},
"tax-details-wanted": {"title":["Tax Details Needed"],"message":["The law has us report to the tax office what you earn here. Please tell us who you are and your tax number."]},
"payout-taken-back": {"title":["A Payment Was Taken Back"],"message":[["why","select",{"warned":["A bank calls a payment for ",["plan"]," fraud, so we refunded it, and ",["amount"]," are taken back from your payout account."],"refunded":["We refunded a payment for ",["plan"],", so ",["amount"]," are taken back from your payout account."],"other":["The bank of a member of ",["plan"]," took a payment back, so ",["amount"]," are taken back from your payout account. If we win, you get it back."]}]]},
"payout-returned": {"title":["Payout Returned"],"message":["Your bank returned a payout of ",["amount"],". Please check the bank account of your payout account."]},
"payout-held": {"title":["Payouts Held"],"message":[["reason","select",{"no_account":["We’re holding your payouts until ",["day"],", because you haven’t added a bank account. Write to us, and we’ll let you add one."],"other":["We’re holding your payouts until ",["day"],": ",["reason"]]}]]},
"payout-released": {"title":["Payouts Free Again"],"message":["Your payouts are no longer held."]},
"withdrawal-processing": {"title":["Withdrawal Processing"],"message":["Your withdrawal of ",["coins"]," coins is now processing."]},
"withdrawal-completed": {"title":["Withdrawal Completed"],"message":["Your withdrawal of ",["coins"]," coins is now completed."]},
"withdrawal-rejected": {"title":["Withdrawal Rejected"],"message":["Your withdrawal of ",["coins"]," coins is now rejected."]},
"withdrawal-returned": {"title":["Withdrawal Returned"],"message":["Your bank returned your withdrawal of ",["coins"]," coins: ",["reason"],". The coins are back in your wallet. Please check your bank account."]},
"access-given": {"title":["You Have Access"],"message":[["invited","select",{"true":[["owner"]," sent your invitation to ",["plan"]," to ",["address"],". Does it work?"],"other":[["owner"]," gave you access to ",["plan"],". Does it work?"]}]]},
"access-confirmed": {"title":["Access Works"],"message":[["member"]," says ",["plan"]," works."]},
"access-reminder": {"title":["Give Access Now"],"message":[["settlement","select",{"direct":[["member"]," has paid for ",["plan"]," and is waiting for access. Without it by ",["until"],", you owe a full refund and the place is free again."],"other":[["member"]," has paid for ",["plan"]," and is waiting for access. Without it by ",["until"],", they get a full refund and the place is free again."]}]]},
"access-changed": {"title":[["part","select",{"login":[["first","select",{"true":["Account Login Stored"],"other":["Account Login Changed"]}]],"other":[["first","select",{"true":["Access Stored"],"other":["Access Changed"]}]]}]],"message":[["part","select",{"login":[["first","select",{"true":["The account login for ",["plan"]," is on the plan’s page."],"other":["The account login for ",["plan"]," has changed. See the plan’s page."]}]],"other":[["first","select",{"true":["Your access to ",["plan"]," is on the plan’s page."],"other":["Your access to ",["plan"]," has changed. See the plan’s page."]}]]}]]},
"password-due": {"title":["Change the Password"],"message":[["member"]," is no longer in ",["plan"]," but still knows the password. Change it at the provider, then save the new one here."]},
"first-month": {"title":["First Month Complete"],"message":["Your first month in ",["plan"]," is complete."]},
"member-first-month": {"title":["First Month Complete"],"message":[["member"]," has been in ",["plan"]," for a whole month."]},
"problem-reported": {"title":["Problem Reported"],"message":[["money","select",{"you_owe":[["member"]," has a problem with ",["plan"],". Answer by ",["until"],". Otherwise the place ends, and you owe ",["member"]," what was paid for the time since the report."],"other":[["member"]," has a problem with ",["plan"],". Answer by ",["until"],". Otherwise the place ends, and ",["member"]," gets back what was paid for the time since the report."]}]]},
"problem-not-fixed": {"title":["Still Not Fixed"],"message":[["money","select",{"you_owe":[["member"]," still has a problem with ",["plan"],". Answer by ",["until"],". Otherwise the place ends, and you owe ",["member"]," what was paid for the time since the report."],"other":[["member"]," still has a problem with ",["plan"],". Answer by ",["until"],". Otherwise the place ends, and ",["member"]," gets back what was paid for the time since the report."]}]]},
"problem-fixed": {"title":["Is It Fixed?"],"message":[["owner"]," says ",["plan"]," is fixed. Is it? If you don’t answer by ",["until"],", it counts as fixed."]},
"problem-with-staff": {"title":["Our Team Decides"],"message":[["held","select",{"true":["Our team decides on the problem with ",["plan"]," within ",["hours","plural",{"one":["#"," hour"],"other":["#"," hours"]}],". The money stays held until then."],"other":["Our team decides on the problem with ",["plan"]," within ",["hours","plural",{"one":["#"," hour"],"other":["#"," hours"]}],"."]}]]},
"problem-closed": {"title":["Problem Closed"],"message":[["outcome","select",{"fixed":["The problem with ",["plan"]," is fixed. The time without access is refunded."],"withdrawn":[["member"]," withdrew the report about ",["plan"],"."],"for_owner":["Our team decided for ",["owner"]," about ",["plan"],". See why."],"for_member":["Our team decided for ",["member"]," about ",["plan"],". See why."],"owner_silent":[["money","select",{"you_owe":[["owner"]," didn’t answer about ",["plan"]," in time, so you owe ",["member"]," what was paid for the time since the report."],"owes_you":[["owner"]," didn’t answer about ",["plan"]," in time, so ",["owner"]," owes you what was paid for the time since the report."],"you_get":[["owner"]," didn’t answer about ",["plan"]," in time, so you get back what was paid for the time since the report."],"other":[["owner"]," didn’t answer about ",["plan"]," in time, so ",["member"]," gets back what was paid for the time since the report."]}]],"owner_ended":[["money","select",{"you_owe":["The place in ",["plan"]," was ended while a problem was open, so you owe ",["member"]," what was paid for the time since the report."],"owes_you":["The place in ",["plan"]," was ended while a problem was open, so ",["owner"]," owes you what was paid for the time since the report."],"you_get":["The place in ",["plan"]," was ended while a problem was open, so you get back what was paid for the time since the report."],"other":["The place in ",["plan"]," was ended while a problem was open, so ",["member"]," gets back what was paid for the time since the report."]}]],"other":[["money","select",{"you_owe":["Our team didn’t decide about ",["plan"]," in time. The place ends, and you owe ",["member"]," what was paid for the time since the report."],"owes_you":["Our team didn’t decide about ",["plan"]," in time. The place ends, and ",["owner"]," owes you what was paid for the time since the report."],"you_get":["Our team didn’t decide about ",["plan"]," in time. The place ends, and you get back what was paid for the time since the report."],"other":["Our team didn’t decide about ",["plan"]," in time. The place ends, and ",["member"]," gets back what was paid for the time since the report."]}]]}]]},
"review-waits": {"title":["You Have a New Review"],"message":[["person"]," reviewed you for ",["plan"],". Write yours to read it, or wait ",["days","plural",{"one":["#"," day"],"other":["#"," days"]}],"."]},
"reviews-shown": {"title":["Both Reviews Are In"],"message":[["person"]," also reviewed you for ",["plan"],". You can both read them now."]},
"review-hidden": {"title":["Review Hidden"],"message":["Your review of ",["person"]," is no longer shown: ",["reason"]]},
"warned": {"title":["A Warning"],"message":["Our team warns you: ",["reason"]]},
"plan-hidden": {"title":["Plan Hidden"],"message":["Our team has hidden ",["plan"],", so no one new can find or join it: ",["reason"]]},
"plan-made-private": {"title":["Your Plan Is Now Private"],"message":[["because","select",{"household":[["plan"]," is no longer listed: the provider allows sharing only among people who live together."],"people_you_know":[["plan"]," is no longer listed: the provider allows sharing only among people who know each other."],"anyone":[["plan"]," is no longer listed: this site lists no plans of its kind."],"unknown":[["plan"]," is no longer listed: we don’t know with whom the provider allows sharing it."],"other":[["plan"]," is no longer listed: ",["reason"]]}]," Members keep their places, and you can still invite people. If you think this is wrong, write to us under Help."]},
"plan-not-listed": {"title":["Plan No Longer Listed"],"message":[["plan"]," is now shared only by invitation, so you can no longer get a place there. You pay nothing."]},
"report-read": {"title":["Your Report Was Reviewed"],"message":["Our team has looked at your report about ",["person"],"."]},
"plan-approved": {"title":["Plan Approved"],"message":["Everyone can now see ",["plan"],"."]},
"plan-rejected": {"title":["Plan Rejected"],"message":[["plan"]," was not approved, so no one can find or join it."]},
"provider-request-approved": {"title":["Provider Request Approved"],"message":["Your request to add ",["provider"]," has been approved."]},
"provider-request-rejected": {"title":["Provider Request Rejected"],"message":["Your request to add ",["provider"]," has been rejected."]},
"admin-access-approved": {"title":["Admin Access Approved"],"message":["Your request for admin access has been approved."]},
"admin-access-rejected": {"title":["Admin Access Rejected"],"message":["Your request for admin access has been rejected."]},
"role-given": {"title":["You’re on the Team"],"message":["You can now open the administration."]},
"support-answered": {"title":["New Answer"],"message":[["answer"]]},
"webhook-stopped": {"title":["A Webhook Has Stopped"],"message":[["why","select",{"gone":["“",["name"],"” said that it’s gone, so nothing more is sent there."],"other":["“",["name"],"” hasn’t taken anything for a day, so nothing more is sent there."]}]]},
"chat-message": {"title":["New Message"],"message":[["person"]," wrote to you about ",["plan"],"."]},
"push-test": {"title":["This Is a Test"],"message":["Notifications work on this device."]},
"support-asked": {"title":["New Help Request"],"message":[["person"],": ",["request"]]},
"tax-country-differs": {"title":["Countries That Contradict Each Other"],"message":[["person"]," says they live in ",["declared"],", but pays from ",["card"],". Say on their page which one decides the VAT."]},
"tax-threshold": {"title":["Sales to Other EU Countries"],"message":["Fees of ",["amount"]," came from members in other EU countries this year: at least ",["percent"],"% of the ",["cost"]," up to which your own country’s VAT applies."]},
"payment-refund-to-decide": {"title":["A Refund to Decide About"],"message":["A payment of ",["member"]," for ",["plan"]," was refunded at the provider. Say by ",["until"]," whether the place ends or goes on."]},
"person-suspended": {"title":["Places Will End"],"message":[["person"]," is suspended. If that isn’t lifted by ",["until"],", ",["places","plural",{"one":["#"," place ends"],"other":["#"," places end"]}],"."]},
"payout-account-missing": {"title":["No Bank Account to Pay Out To"],"message":[["person"]," is suspended and has ",["coins"]," coins, but no bank account."]},
"payout-by-one-admin": {"title":["Withdrawals Will Take One Admin"],"message":[["person"]," turned off “Two admins per withdrawal”: from ",["until"],", one admin can approve and complete it. You can cancel this in the site settings."]},
"payout-by-two-admins": {"title":["Withdrawals Take Two Admins"],"message":[["person"]," turned on “Two admins per withdrawal”: one admin approves it, another completes it."]},
"problem-to-decide": {"title":["Problem to Decide"],"message":["Owner and member of ",["plan"]," disagree."]},
"payment-to-decide": {"title":["Payment to Decide"],"message":["Owner and member of ",["plan"]," disagree about a payment."]},
"payment-disputes-often": {"title":["Many Payment Disputes"],"message":[["person"]," is in a payment dispute for the third time or more."]},
"payment-disputed": {"title":["A Payment Is Disputed"],"message":["A member of ",["plan"]," disputed ",["amount"]," with their bank. Answer the provider in time."]},
"payment-dispute-due": {"title":["A Dispute Must Be Answered"],"message":["Answer the dispute about ",["plan"]," by ",["until"],", or the bank keeps ",["amount"],"."]},
"payment-answer-refused": {"title":["An Answer Was Refused"],"message":["The provider did not take our answer to a dispute about ",["plan"]," (",["reason"],"). Answer it there."]},
"payment-fraud-warned": {"title":["Early Fraud Warning"],"message":["A bank calls a payment of ",["amount"]," for ",["plan"]," fraud. Refunded in time, it does not become a dispute."]},
"payment-debt": {"title":["You Owe a Returned Debit"],"message":["Your bank took back a debit for ",["plan"]," that we had refunded. Please pay us ",["amount"],". Until then you can’t withdraw coins or take a new place through the site."]},
"payment-debt-paid": {"title":["Debt Paid"],"message":["You’ve paid what you owed for ",["plan"],". Thank you."]},
"payment-debt-opened": {"title":["A Member Owes the Site"],"message":["The bank of a member of ",["plan"]," took back a debit after a refund. The member owes ",["amount"],", which the guarantee account covers for now."]},
"payment-withdrawals-many": {"title":["Many Withdrawals"],"message":[["member"]," has withdrawn from ",["withdrawals","plural",{"one":["#"," contract"],"other":["#"," contracts"]}]," within a year, and gets new places through the site only once you lift that."]},
"payment-returned-twice": {"title":["A Payment Went Back Twice"],"message":[["amount"]," of a payment for ",["plan"]," were refunded, and its bank had taken them back too. The guarantee account covers ",["rest"],"."]},
"payment-returned": {"title":["A Payment Was Returned"],"message":["The bank of a member of ",["plan"]," took back ",["amount"],". There’s nothing to answer."]},
"payment-jobs-fail": {"title":["Payments Fail"],"message":["Charges or refunds have been failing for ",["hours","plural",{"one":["#"," hour"],"other":["#"," hours"]}],". We keep trying: ",["error"]]},
"payment-books-differ": {"title":["The Books Differ From the Provider"],"message":["The nightly check found ",["differences","plural",{"one":["a difference"],"other":["#"," differences"]}],". See the unknown events."]},
"payment-returned-by-hand": {"title":["Refund Exceeds Held Money"],"message":[["amount"]," of a payment for ",["plan"]," was refunded at the provider. The guarantee account covers ",["rest"],", as no more was held."]}
}'::jsonb -> p_event;
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

CREATE OR REPLACE FUNCTION private.is_always_mailed(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE(((p_event = ANY (ARRAY['you-are-suspended'::text, 'you-are-back'::text, 'contract-withdrawn'::text, 'renewal-coming'::text, 'payment-debit-coming'::text, 'payment-under-way'::text, 'payout-held'::text, 'payout-released'::text, 'warned'::text, 'plan-hidden'::text, 'plan-made-private'::text, 'payout-by-one-admin'::text])) OR private.needs_answer(p_event)), false);

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

CREATE OR REPLACE FUNCTION private.market_plan(p_id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.market_cards(array[p.id]) -> 0 || jsonb_build_object('quote', private.quote_of(p), 'prices', private.price_history(p),
    'offered', p.provider not in (select private.providers_off()))
  from public.shared_subscriptions as p
  where p.id = p_id and private.may_find(p)
$function$;

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

CREATE OR REPLACE FUNCTION private.plan_counts()
 RETURNS TABLE(category text, provider text, name text, plans integer, open integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.category, c.provider, c.name, c.plans - coalesce(apart.plans, 0)::integer, c.open - coalesce(apart.open, 0)::integer
  from private.plan_counts as c
  left join (
    select p.category, p.provider, p.name, count(*) as plans, count(*) filter (where p.has_room) as open
    from public.shared_subscriptions as p
    where p.owner_id = any ((select private.people_apart())::uuid[]) and p.status = 'active' and not p.is_private group by 1, 2, 3
  ) as apart using (category, provider, name)
  where c.plans > coalesce(apart.plans, 0) and c.provider not in (select private.providers_off())
$function$;

CREATE OR REPLACE FUNCTION private.preview_import(p_rows jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plans private.catalogue_plan[] := array(select p from private.catalogue_plans() as p);
  v_shared text[] := array(select s.provider from public.shared_subscriptions as s where s.owner_id = v_user);
  v_taken text[] := '{}';
  v_row record;
  v_meant record;
  v_plan private.catalogue_plan;
  v_renews date;
begin
  perform private.require_few_rows(p_rows);
  for v_row in
    with sellers as materialized (
      select distinct p.provider, words from unnest(v_plans) as p,
        unnest(array[private.plain_words(p.provider), private.plain_words(replace(p.provider, '+', ''))]) as words
    ), wanted as materialized (
      select r.*, private.plain_words(r.name) as words,
        r.price / case when r.unit = 'year' or r.every = 12 then 12 else 1 end as monthly,
        coalesce(r.unit = 'year' or r.every = 12, false) as is_yearly, coalesce(cardinality(r.dates), 0) > 0 as is_unsure,
        (r.unit, r.every) in (('month', 1), ('month', 12), ('year', 1)) as is_regular
      from rows from (jsonb_to_recordset(p_rows) as (key text, name text, kind text, price numeric, currency text, unit text, every integer,
        date date, payer text, plan text, places integer, renews date, dates date[])) with ordinality
        as r (key, name, kind, price, currency, unit, every, date, payer, plan, places, renews, dates, at)
    )
    select w.*, coalesce((select p.provider from unnest(v_plans) as p where p.id = w.plan), (
      -- “HBOMax” matches HBO Max, and “Apple TV+” matches Apple TV.
      select s.provider from sellers as s where w.plan is null and w.is_regular and w.currency = 'EUR'
        and (position(s.words in w.words) > 0 or replace(w.words, ' ', '') like replace(s.words, ' ', '') || '%')
      order by length(s.words) desc, s.provider limit 1
    )) as provider
    from wanted as w order by w.at
  loop
    key := v_row.key;
    params := '{}';
    fate := case
      when v_row.kind is not null then v_row.kind
      when v_row.unit is null then 'once'
      when v_row.is_regular is not true then 'irregular'
      when v_row.date < current_date - case when v_row.is_yearly then interval '15 months' else interval '3 months' end and not v_row.is_unsure then 'ended'
      when v_row.currency is distinct from 'EUR' then 'currency'
      when v_row.payer is not null then 'theirs'
      when v_row.provider is null then 'unknown'
      when v_row.provider = any (v_shared) then 'shared'
      when v_row.provider = any (v_taken) then 'twice'
      when private.rule_of(v_row.provider) = 'off' then 'closed'
    end;
    if fate is null then
      v_taken := v_taken || v_row.provider::text;
      v_meant := private.match_plan(array(select p from unnest(v_plans) as p
        where case when v_row.plan is null then p.provider = v_row.provider else p.id = v_row.plan end), v_row.words, v_row.monthly);
      v_plan := v_meant.plan;
      v_renews := coalesce(v_row.renews, case when not v_row.is_unsure then private.next_renewal(v_row.date, v_row.is_yearly) end);
      fate := case
        when v_plan.max_members < 2 then 'single'
        when not v_meant.certain then 'choose'
        when (v_renews between current_date and private.latest_renewal_date()) is not true then 'date'
        else 'new'
      end;
      params := jsonb_build_object('plan', v_plan.id, 'name', v_plan.name, 'price', v_plan.price, 'cycle', v_plan.billing_cycle,
        'most', v_plan.max_members, 'places', least(v_plan.max_members, greatest(2, coalesce(v_row.places, v_plan.max_members))),
        'renews', case when fate = 'date' then null else v_renews end,
        'dates', case when fate = 'date' and v_row.is_unsure then (
          select jsonb_agg(distinct private.next_renewal(d, v_row.is_yearly)) from unnest(v_row.dates) as d
          where private.next_renewal(d, v_row.is_yearly) is not null) end);
    end if;
    params := jsonb_strip_nulls(params || jsonb_build_object('provider', v_row.provider));
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.providers_off()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select provider from private.restricted_providers() where rule = 'off'
$function$;

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

CREATE OR REPLACE FUNCTION private.refusal_words(p_key text)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return '{
"text_length_out_of_range": ["23514","Please use 1 to % characters"],
"value_not_allowed": ["23514","This value isn’t allowed"],
"value_missing": ["23502","A value is missing"],
"reference_missing": ["23503","This refers to something that doesn’t exist"],
"still_referenced": ["23503","Something else still refers to this"],
"already_exists": ["23505","This exists already"],
"invoice_not_found": ["PT404","Invoice not found"],
"seller_outside_eu": ["23514","Invoices need a seller in the EU"],
"tax_details_not_asked_for": ["23514","Nobody asks you for tax details"],
"tax_reports_not_set_up": ["23514","First say in the settings who reports, what and where"],
"tax_year_not_over": ["23514","A year is reported once it is over, from % on"],
"tax_report_not_empty": ["23514","There is something to report"],
"tax_report_empty": ["23514","There is nothing of this kind to report"],
"tax_report_not_found": ["PT404","Tax report not found"],
"void_reason_of_report_missing": ["23514","Please say why the report is void"],
"tax_report_not_last": ["23514","Only the last report of a year can be void"],
"too_many_tax_numbers": ["23514","There can be at most % tax numbers"],
"birth_date_invalid": ["23514","Enter your date of birth"],
"country_missing": ["23514","Please choose a country"],
"seller_undeclared": ["23514","Say first, where you share a plan on the site, whether you are a private person or a trader"],
"trader_details_missing": ["23514","A trader gives a name, an address and an email address"],
"catalogue_unreadable": ["23514","This is no catalogue"],
"not_signed_in": ["42501","Authentication required"],
"session_ended": ["PT401","Your session has ended. Please sign in again."],
"second_factor_required": ["42501","Your account asks for the code of your authenticator app as well."],
"proof_required": ["PT403","Confirm it’s you."],
"strong_sign_in_required": ["42501","To do this, set up two-step sign-in or a passkey in Account Settings."],
"change_already_undone": ["PT409","This change was already undone"],
"link_expired": ["PT410","This link has expired"],
"mail_not_waiting": ["PT404","This email is not waiting any more"],
"only_invited_sign_up": ["42501","Only people who were invited can create an account here"],
"first_admin_address_over": ["PT410","This address no longer works. Restart the site for a new one."],
"address_taken": ["23505","Another account now has this address"],
"notification_choice_unknown": ["23514","This choice doesn’t exist"],
"push_service_unknown": ["23514","We don’t support this browser’s notifications"],
"no_device": ["23514","Turn on notifications on a device first"],
"too_many_devices": ["23514","You can get notifications on up to % devices. Remove one first."],
"device_not_found": ["PT404","Device not found"],
"calendar_unknown": ["PT404","We don’t know this calendar"],
"token_unknown": ["PT401","This token is unknown or has expired"],
"drafts_by_programs_only": ["42501","Only programs leave drafts"],
"ticket_unknown": ["PT401","This ticket is unknown or has expired"],
"not_for_tokens": ["PT404","Tokens cannot call this"],
"scope_missing": ["42501","This token may not: %"],
"tokens_move_no_money": ["PT403","Tokens cannot move money. Do this in the app."],
"token_lifetime_out_of_range": ["23514","A token lasts between 1 and % days"],
"too_many_tokens": ["23514","You have % tokens. Remove one first."],
"too_many_rows": ["23514","Bring along % rows at a time"],
"token_not_found": ["PT404","Token not found"],
"address_invalid": ["23514","This is no web address"],
"address_with_password": ["23514","The address must not contain a user name or password"],
"address_not_https": ["23514","The address must start with https://"],
"address_port_reserved": ["23514","The port must be 443, or 1024 or higher"],
"address_not_public": ["23514","The address is not on the public internet"],
"wallos_missing": ["23514","Please enter the address and the API key of your Wallos"],
"webhook_not_found": ["PT404","Webhook not found"],
"too_many_webhooks": ["23514","You have % webhooks. Remove one first."],
"webhook_stopped": ["23514","This webhook has stopped. Turn it on first."],
"delivery_under_way": ["23514","This is still being sent"],
"session_not_found": ["PT404","Session not found"],
"for_yourself_only": ["42501","You can only do this for yourself"],
"picture_from_sign_in_service": ["42501","Your picture comes from your sign-in service."],
"account_deleted": ["42501","This account has been deleted"],
"account_must_stay": ["PT409","This account has records that must stay. Its owner can delete it in Account Settings, and you can ban it."],
"name_unreadable": ["23514","Please enter a name people can read"],
"name_reserved": ["23514","This name is reserved. Please choose another one."],
"picture_address_unsafe": ["23514","Please choose a picture of this site, or one at an https:// address"],
"rate_limited": ["PT429","Rate limit exceeded. Please wait % seconds."],
"plan_of_another": ["42501","You can only share a plan in your own name"],
"renewal_date_missing": ["23514","Please enter next renewal date."],
"renewal_date_past": ["23514","Renewal date cannot be in the past."],
"plan_not_in_catalogue": ["23514","This plan is not in the catalogue"],
"plan_not_shareable": ["23514","This plan cannot be shared"],
"plan_terms_changed": ["23514","A plan’s price and terms are set by its provider"],
"fee_changed": ["23514","The fee is now % percent. Please check what members pay."],
"fee_fixed": ["42501","A plan keeps the fee it was shared with"],
"open_slots_out_of_range": ["23514","Open slots must be between 1 and %."],
"provider_already_shared": ["23505","Each user can only share one plan per service provider."],
"fewer_slots_than_members": ["23514","Cannot set less than % members (already joined)."],
"more_slots_than_provider_allows": ["23514","Cannot exceed provider''s maximum limit of % members."],
"plan_id_missing": ["23514","Subscription ID is required"],
"request_of_another": ["42501","You can only ask for yourself"],
"request_message_too_long": ["23514","The message can be at most % characters long"],
"plan_not_found": ["PT404","Subscription not found"],
"own_plan_requested": ["23514","Owners cannot request their own plan"],
"already_member": ["23505","Already a Member"],
"already_requested": ["23505","Request Already Sent"],
"plan_full": ["23514","Subscription Full"],
"only_owner_answers_requests": ["42501","Only the plan''s owner can answer requests"],
"only_owner_sees_requests": ["42501","Only the plan''s owner can see its requests"],
"request_not_found": ["PT404","Request not found"],
"request_already_answered": ["23514","This request has already been %"],
"request_expired": ["23514","This request has expired"],
"places_reserved": ["23514","The last places are reserved"],
"already_waiting": ["23505","Already on the Waiting List"],
"too_many_waiting_lists": ["23514","You can be on up to % waiting lists. Leave one first."],
"too_many_alerts": ["23514","You can have up to % alerts. Stop one of them first."],
"place_is_free": ["23514","This plan has a free place. Ask for it instead."],
"not_waiting": ["PT404","You’re not on this waiting list"],
"fewer_slots_than_members_and_invited": ["23514","Cannot set less than % members (joined or invited)."],
"plan_closed": ["23514","This plan takes no new members right now"],
"person_blocked": ["23514","You’ve blocked this person. Unblock them in Account Settings first."],
"address_not_invitable": ["23514","You can’t invite this address"],
"conversation_closed": ["23514","This conversation is closed"],
"own_account_blocked": ["23514","You cannot block yourself"],
"review_too_early": ["23514","You can review each other after % days of access"],
"stars_out_of_range": ["23514","Please choose 1 to 5 stars"],
"text_too_long": ["23514","Please use up to % characters"],
"text_empty": ["23514","Please write a sentence"],
"already_reviewed": ["23505","You’ve already written a review"],
"review_not_found": ["PT404","Review not found"],
"review_about_another": ["42501","You can only answer reviews about you"],
"review_already_answered": ["23505","You’ve already answered this review"],
"own_review_reported": ["23514","You wrote this review yourself"],
"review_already_reported": ["23505","This review was already reported"],
"only_staff_decides_reviews": ["42501","Only staff can decide on reviews"],
"own_account_reported": ["23514","You cannot report yourself"],
"person_already_reported": ["23505","You’ve already reported this person. Our team will look at it."],
"only_staff_sees_reports": ["42501","Only staff can see reports"],
"report_not_found": ["PT404","Report not found"],
"only_staff_answers_questions": ["42501","Only staff can answer"],
"question_not_found": ["PT404","We can’t find this question"],
"own_question": ["42501","Someone else answers your own questions"],
"own_report": ["42501","Someone else handles reports by you or about you"],
"review_not_reported": ["23514","Nobody has reported this review"],
"own_review": ["42501","Someone else decides on reviews about you"],
"report_decision_unknown": ["23514","Please choose what to do"],
"own_suspension": ["42501","Someone else suspends you or lets you in again"],
"suspension_above_own_role": ["42501","You can’t suspend someone whose role allows more than yours"],
"suspension_days_wrong": ["23514","Please choose from 1 to % days"],
"already_suspended": ["23514","This account is already suspended"],
"not_suspended": ["23514","This account isn’t suspended"],
"address_not_waiting": ["PT404","This address doesn’t wait for a confirmation"],
"person_not_found": ["PT404","Person not found"],
"only_owner_invites": ["42501","Only the plan''s owner can invite people"],
"own_account_invited": ["23514","You cannot invite yourself"],
"invitation_not_found": ["PT404","Invitation not found"],
"invitation_of_another": ["42501","This invitation was sent to another email address"],
"invitation_already_answered": ["23514","This invitation has already been %"],
"invitation_expired": ["23514","This invitation has expired"],
"link_unknown": ["PT404","This link doesn’t work"],
"plan_not_private": ["23514","This plan is not private"],
"chat_plan_missing": ["23514","Subscription information is required"],
"chat_recipient_missing": ["23514","Cannot start chat without a recipient"],
"chat_not_of_plan": ["42501","User does not have access to this subscription"],
"conversation_of_others": ["42501","Unauthorized access to conversation"],
"message_to_conversation_of_others": ["42501","Unauthorized: Cannot send message to this conversation"],
"read_mark_in_conversation_of_others": ["42501","Unauthorized: Cannot mark conversation as read"],
"conversation_archived": ["23514","This conversation has been archived because the member has left the subscription."],
"conversation_ended": ["23514","This conversation has ended."],
"own_plan_asked_about": ["23514","Owners cannot ask about their own plan"],
"message_empty": ["23514","A message cannot be empty"],
"message_too_long": ["23514","A message can be at most % characters long"],
"only_owner_announces": ["42501","Only the plan''s owner can message all members"],
"no_members_yet": ["23514","This plan has no members yet"],
"only_super_admin_assigns_roles": ["42501","Only a super-admin can assign roles"],
"role_unknown": ["23514","There is no role \"%\""],
"role_above_own": ["42501","You can’t give or remove a role with more permissions than your own"],
"role_definition_above_own": ["42501","You can’t define a role with more permissions than your own"],
"last_super_admin": ["23514","The last super-admin cannot be removed"],
"only_staff_sees_accounts": ["42501","Only staff sees who has an account"],
"only_staff_sees_people": ["42501","Only staff sees what there is about a person"],
"only_admins_see_roles": ["42501","Only admins see the roles"],
"role_name_missing": ["23514","Role name is required"],
"permission_unknown": ["23514","There is no permission \"%\""],
"role_built_in": ["23514","The name and the permissions of a built-in role are fixed"],
"provider_unavailable": ["23514","% is not available right now"],
"provider_not_listed": ["23514","Plans of % can only be private here"],
"only_staff_reviews_plans": ["42501","Only staff can review plans"],
"new_plan_member_count_wrong": ["23514","A new plan has one member, its owner"],
"role_granted_by_another": ["42501","You grant roles in your own name"],
"only_admins_answer_provider_requests": ["42501","Only admins can answer provider requests"],
"reason_without_rejection": ["23514","Only a rejection has a reason"],
"own_plan_reviewed": ["42501","Someone else reviews your own plan"],
"review_decision_unknown": ["23514","A review approves, rejects or restores"],
"plan_already_in_status": ["23514","This plan is already %"],
"only_admins_see_provider_requests": ["42501","Only admins see the provider requests of others"],
"only_staff_sees_figures": ["42501","Only staff sees the figures of the site"],
"figures_interval_unknown": ["23514","Figures go by the week or by the month"],
"provider_name_too_short": ["23514","Provider name must be at least % characters"],
"provider_name_too_long": ["23514","Provider name can be at most % characters"],
"category_missing": ["23514","Please select a category"],
"url_invalid": ["23514","Please enter a valid URL"],
"description_too_short": ["23514","Description must be at least % characters"],
"description_too_long": ["23514","Description can be at most % characters"],
"no_plans": ["23514","At least one plan is required"],
"too_many_plans": ["23514","That’s too many plans"],
"plan_name_missing": ["23514","Plan name is required"],
"plan_name_too_long": ["23514","Plan name can be at most % characters"],
"price_not_positive": ["23514","Price must be positive"],
"price_too_high": ["23514","Price can be at most %"],
"max_members_too_low": ["23514","Max members must be at least 1"],
"max_members_too_high": ["23514","Max members must be a whole number up to %"],
"billing_cycle_unknown": ["23514","The billing cycle is monthly or yearly"],
"features_too_long": ["23514","Features are up to % texts of at most % characters"],
"name_too_long": ["23514","Name can be at most % characters"],
"name_missing": ["23514","Name is required"],
"email_invalid": ["23514","Valid email is required"],
"request_reason_too_short": ["23514","Please provide a detailed reason for your request"],
"role_not_assigned": ["23514","Failed to assign admin role"],
"amount_invalid": ["23514","Please enter a valid amount"],
"withdrawal_too_small": ["23514","Minimum withdrawal amount is % coins"],
"withdrawal_too_large": ["23514","Maximum withdrawal amount is % coins"],
"bank_account_missing": ["23514","Add the bank account to pay your coins to"],
"coins_left": ["23514","You still have % coins. Add a bank account so we can pay them out."],
"few_coins_left": ["23514","You still have % coins. Add a bank account so we can pay them out, or give them up."],
"ledger_sealed": ["42501","The ledger is never rewritten"],
"staff_log_sealed": ["42501","The log of staff is never rewritten"],
"only_super_admin_reads_staff_log": ["42501","Only a super-admin reads the log of staff"],
"statement_too_long": ["23514","A statement covers up to a month"],
"transfer_accounts_wrong": ["23514","Money moves between two accounts"],
"transfer_amount_wrong": ["23514","Money moves between two accounts, in whole cents"],
"transfer_key_taken": ["23505","Another transfer has this key"],
"transfer_kind_wrong": ["23514","A % does not move coins %"],
"balance_below_zero": ["23514","The balance cannot go below zero"],
"coins_reserved": ["23514","Only % coins are available. The rest is waiting to be paid out."],
"wallet_of_another": ["42501","You can only withdraw from your own wallet"],
"own_withdrawal_decided": ["42501","Someone else decides on your own withdrawal"],
"adjusted_this_wallet": ["42501","You adjusted this wallet, so another admin processes its withdrawals"],
"completed_this_withdrawal": ["42501","You completed this, so another admin records its return"],
"withdrawal_not_returnable": ["23514","Only a completed withdrawal can be returned, and only once"],
"bank_reason_missing": ["23514","Please enter the bank’s reason"],
"withdrawal_to_other_account": ["23514","This withdrawal goes to the account ending in %"],
"bank_account_new": ["23514","This bank account is new. You can pay to it in % hours."],
"withdrawal_in_payment_file": ["23514","This withdrawal is in a payment file. Void the file first."],
"payment_file_size_out_of_range": ["23514","A payment file takes 1 to 1000 withdrawals"],
"withdrawal_not_processing": ["23514","A % withdrawal cannot be paid by a file"],
"withdrawal_without_account": ["23514","A withdrawal without a bank account cannot be paid by a file"],
"withdrawal_in_other_file": ["23505","This withdrawal is in another payment file"],
"withdrawal_not_found": ["PT404","Withdrawal not found"],
"payment_file_not_found": ["PT404","Payment file not found"],
"payment_file_void": ["23514","This payment file is void"],
"void_reason_of_file_missing": ["23514","Please say why the file is void"],
"payment_file_received": ["23514","A payment in this file is completed, so the bank has received it"],
"only_owner_changes_access": ["42501","Only the plan''s owner can change access"],
"access_missing": ["23514","Enter a password, a link or a note"],
"access_link_invalid": ["23514","Enter the whole link, beginning with https://"],
"character_invisible": ["23514","This holds a character that cannot be seen"],
"nothing_to_open": ["PT404","There’s nothing for you to open"],
"vault_being_updated": ["PT409","The vault is being updated. Please try again."],
"changed_meanwhile": ["PT409","Something else changed at the same moment. Please try again."],
"approved_this_withdrawal": ["42501","You approved this, so another admin completes it"],
"own_request_decided": ["42501","Someone else decides on your own request"],
"withdrawal_step_not_allowed": ["23514","A % withdrawal cannot become %"],
"last_digits_wrong": ["23514","Enter the last 4 digits, such as 3000"],
"reason_missing": ["23514","Please give a reason"],
"payments_held": ["23514","Payments are on hold until the books are compared"],
"payments_not_held": ["PT404","Payments are not on hold"],
"provider_not_compared": ["23514","The payment provider is still being compared with the books"],
"charge_of_nothing": ["23514","This charge belongs to no open payment here. If nobody owes it, refund it at the provider."],
"live_payments_closed": ["23514","Payments through this site have not started yet"],
"site_takes_no_cards": ["23514","This site doesn’t take cards, so members pay you directly"],
"payouts_not_set_up_for_cards": ["23514","Set up your payouts first, so that members can pay by card"],
"payouts_not_set_up": ["23514","Set up your payouts first"],
"no_coins_to_move": ["23514","There are no coins to move"],
"coins_disputed": ["23514","A payment to you is disputed, so your coins wait until that’s settled"],
"coins_too_fresh": ["23514","Your coins wait until %, as a bank may take back the first payments to you"],
"site_pays_by_bank": ["23514","This site pays owners by bank transfer"],
"price_too_low_for_cards": ["23514","Cards need at least €% a month, so members pay you directly"],
"clock_fixed": ["42501","The clock stays as it is where others can reach the site"],
"clock_step_wrong": ["23514","The clock moves forward, by ten years at most"],
"time_zone_unknown": ["23514","We don’t know this time zone"],
"place_not_found": ["PT404","Place not found"],
"nothing_owed_to_you": ["23514","Nothing is owed to you here"],
"invitation_address_missing": ["23514","Please say where the invitation went, in up to % characters"],
"access_already_works": ["23514","This member already said it works"],
"access_after_payment": ["23514","You get access with the first payment"],
"access_time_left": ["23514","The owner still has time to give you access. Otherwise you get a full refund."],
"access_closed": ["23514","Your access is closed until your payment goes through"],
"problem_already_reported": ["23514","You’ve already reported a problem"],
"problem_reason_missing": ["23514","Please choose what is wrong"],
"problem_not_found": ["PT404","Problem not found"],
"problem_closed": ["23514","This problem is closed"],
"other_sides_turn": ["23514","It’s not your turn to answer"],
"works_answer_missing": ["23514","Please say whether it works"],
"place_in_this_plan": ["42501","You have or had a place in this plan, so another admin decides"],
"reasons_for_both_missing": ["23514","Please give both a reason, in up to % characters"],
"decided_problem_for_person": ["42501","You decided a problem for this person, so another admin processes their withdrawals"],
"problem_open": ["23514","We don’t charge you while a problem is open"],
"own_country_decided": ["42501","Someone else decides about your own country"],
"country_not_in_question": ["23514","Please choose one of the two countries"],
"refund_already_decided": ["PT409","Someone already decided about this refund"],
"own_payment_decided": ["42501","Someone else decides about a payment of yours"],
"place_end_answer_missing": ["23514","Please say whether the place ends or goes on"],
"place_paused": ["23514","We don’t charge you while this place is paused"],
"payouts_held": ["23514","Payouts are held until %: %"],
"payout_hold_too_long": ["23514","Payouts can be held for up to % days"],
"payouts_not_held": ["23514","Payouts to this person are not held"],
"hold_reason_missing": ["23514","Please give a reason, in up to % characters"],
"not_leaving": ["23514","You haven’t asked to leave"],
"already_withdrawn_from_contract": ["23514","You’ve already withdrawn from this contract"],
"contract_withdrawal_too_late": ["23514","You could withdraw for % days after the contract. You can still leave."],
"begin_at_once_missing": ["23514","This place begins only if you ask for it to begin at once"],
"debt_to_site": ["23514","You owe us % for a debit that your bank took back. Pay it under My Payments first."],
"too_many_contract_withdrawals": ["23514","You’ve withdrawn from % contracts within a year. Write to support to take a place through the site again."],
"person_barred_from_site_places": ["23514","This person can’t take a place that is paid through the site right now"],
"own_contract_withdrawals_decided": ["42501","Someone else decides about your own withdrawals"],
"person_not_barred": ["23514","This person may take places through the site"],
"person_owes_site": ["23514","This person owes the site % for a returned debit, so this withdrawal has to wait"],
"card_being_charged": ["23514","Your card is being charged for this"],
"not_enough_coins": ["23514","You don’t have enough coins for this"],
"debt_not_payable_by_debit": ["23514","Pay this by card or with coins"],
"no_right_to_withdraw": ["23514","You pay a private person directly, so there’s no right to withdraw"],
"payment_exceeds_price": ["23514","This is more than the period costs"],
"settlement_unknown": ["23514","Choose whether members pay you directly or through the site"],
"terms_unchanged": ["23514","These are the current terms"],
"proposal_not_open": ["PT404","This proposal is not open"],
"answer_missing": ["23514","Please accept or decline"],
"no_paid_period": ["23514","This member has no paid period, so you can remove them now"],
"payment_not_found": ["PT404","Payment not found"],
"payment_not_open": ["23514","This payment is not open"],
"payment_note_missing": ["23514","Please say how and when you paid, in up to % characters"],
"receipt_not_revocable": ["23514","You can take this back once, within % hours"],
"receipt_final": ["23514","This place has ended or you owe a refund for it, so the payment stays as it is"],
"arrival_answer_missing": ["23514","Please say whether it arrived"],
"already_answered": ["23514","This has been answered"],
"payment_dispute_not_open": ["PT404","This dispute is not open"],
"nothing_owed": ["23514","Nothing is owed here"],
"refund_owed_before_members": ["23514","You owe a member a refund. Pay it back before you take new members."],
"refund_owed_before_sharing": ["23514","You owe a member a refund. Pay it back before you share a plan."],
"left_unpaid_with_owner": ["23514","You left a place with this owner unpaid. Pay it first, or ask them to let it go."],
"left_unpaid_by_person": ["23514","This person left one of your places unpaid. Let that go first, or wait until it’s paid."],
"not_said_paid": ["23514","No one has said they paid this"],
"missing_part_unsaid": ["23514","Please say what is missing, in up to % characters"],
"reminder_too_soon": ["23514","You can send one reminder a day"],
"payment_details_needed_first": ["23514","First say how you are paid, in Account Settings"],
"access_needed_first": ["23514","First add how people get in, on the plan’s page"],
"payment_details_missing": ["23514","Add payment details in Account Settings first"],
"payment_not_late": ["23514","No payment is % days late"],
"iban_missing": ["23514","Enter your IBAN"],
"iban_outside_sepa": ["23514","Euros can only be paid to an account in a country of the SEPA area"],
"account_holder_not_latin": ["23514","Write the name in Latin letters, as your bank does in payments to other countries"],
"paying_account_unset": ["23514","Which account pays is not set: the operator sets PAYOUT_IBAN, PAYOUT_HOLDER, PAYOUT_TOWN and PAYOUT_COUNTRY, such as DE"],
"payout_file_unreadable": ["23514","No bank account of this file opens. Please void it."],
"iban_invalid": ["23514","This IBAN is not valid. Please check it."],
"account_holder_missing": ["23514","Please enter the account holder’s name."],
"payment_link_invalid": ["23514","Please enter a link that starts with https://"],
"payment_text_missing": ["23514","Please tell members how to pay you"],
"only_admins": ["42501","Only admins can do this"],
"own_wallet_adjusted": ["42501","Someone else adjusts your own wallet"],
"adjustment_amount_invalid": ["23514","Please enter a valid adjustment amount"],
"adjustment_reason_too_long": ["23514","The reason can be at most % characters"],
"adjustment_too_large": ["23514","One adjustment can move at most % coins"],
"fee_out_of_range": ["23514","The fee is from 0 to % percent, in steps of %"],
"only_super_admin_changes_maximum": ["42501","Only super-admins can change this maximum"],
"only_super_admin_changes_setting": ["42501","Only super-admins can change this setting"],
"strong_sign_in_of_own_required": ["42501","First set up two-step sign-in or a passkey for yourself, and sign in with it."],
"simulation_reachable": ["42501","Payments are simulated only where nobody else can reach the site"],
"simulated_payments_here": ["42501","This database holds simulated payments: real ones begin in a new one"],
"card_not_found": ["PT404","This card is not saved"],
"dispute_not_found": ["PT404","Dispute not found"],
"own_dispute": ["42501","Someone else answers a dispute about you"],
"dispute_already_answered": ["PT409","This dispute has already been answered"],
"dispute_closed": ["23514","The bank takes no answer to this dispute any more"],
"evidence_outdated": ["PT409","Something has happened since you read the evidence. Please read it again."],
"warning_not_found": ["PT404","Warning not found"],
"own_warning": ["42501","Someone else decides about a warning of yours"],
"warning_already_decided": ["PT409","Someone already decided about this warning"],
"payment_not_refundable": ["23514","This payment has been given back or is disputed, so there’s nothing to refund"],
"statement_year_unknown": ["23514","There is no statement for this year"],
"payment_event_not_found": ["PT404","Payment event not found"],
"event_already_handled": ["PT409","Someone already looked at this event"],
"finding_missing": ["23514","Please say what you found"],
"nothing_to_pay": ["23514","There’s nothing to pay here"],
"payment_to_person_disputed": ["23514","A payment to this person is disputed, so this withdrawal has to wait"],
"first_payments_too_fresh": ["23514","This withdrawal has to wait until %, as a bank may take back their first payments"]
}'::jsonb -> p_key;
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

CREATE OR REPLACE FUNCTION private.require_listable(p_provider text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.rule_of(p_provider) <> 'listed' then
    perform private.refuse('provider_not_listed', p_provider);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_offered(p_provider text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.rule_of(p_provider) = 'off' then
    perform private.refuse('provider_unavailable', p_provider);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.restricted_providers()
 RETURNS TABLE(provider text, rule text, reason text, allows text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r.provider, r.rule, r.reason, null from public.provider_rules as r where r.rule <> 'listed'
  union all
  select sold.name, private.rule_for(sold.allows), null, coalesce(sold.allows, 'unknown') from (
    select one ->> 'name' as name, one -> 'sharing' ->> 'with' as allows from jsonb_array_elements((
      -- The catalogue is read only if there is a setting that needs it.
      select private.catalogue() from public.app_settings
      where 'listed' <> any (array[rule_anyone, rule_people_you_know, rule_household, rule_unknown])
    )) as one
  ) as sold
  where private.rule_for(sold.allows) <> 'listed' and not exists (select from public.provider_rules as r where r.provider = sold.name)
$function$;

CREATE OR REPLACE FUNCTION private.retry_wait(p_attempt integer)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN LEAST('06:00:00'::interval, ('00:01:00'::interval * power((4)::double precision, ((LEAST(p_attempt, 10) - 1))::double precision)));

CREATE OR REPLACE FUNCTION private.rule_for(p_with text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case p_with when 'anyone' then rule_anyone when 'people-you-know' then rule_people_you_know when 'household' then rule_household
    else rule_unknown end from public.app_settings
$function$;

CREATE OR REPLACE FUNCTION private.rule_of(p_provider text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select rule from private.restricted_providers() where provider = p_provider), 'listed')
$function$;

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

CREATE OR REPLACE FUNCTION private.share_imported(p_plan jsonb, p_private boolean, p_addresses jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id text;
  v_status text;
  v_address text;
  v_invited jsonb := '[]';
  v_hint text;
  v_details text;
begin
  insert into public.shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, is_private)
  values (p_plan ->> 'plan', (p_plan ->> 'places')::integer, (p_plan ->> 'renews')::date, p_private or private.rule_of(p_plan ->> 'provider') <> 'listed') returning id, status into v_id, v_status;
  for v_address in select jsonb_array_elements_text(coalesce(p_addresses, '[]')) loop
    begin
      perform private.invite_member(v_id, v_address);
      v_invited := v_invited || jsonb_build_object('email', v_address);
    exception when check_violation or unique_violation or insufficient_privilege or sqlstate 'PT429' then
      get stacked diagnostics v_hint = pg_exception_hint, v_details = pg_exception_detail;
      v_invited := v_invited || jsonb_build_object('email', v_address, 'refusal', jsonb_build_object('message', sqlerrm, 'hint', v_hint, 'details', nullif(v_details, '')));
    end;
  end loop;
  return jsonb_build_object('id', v_id, 'status', v_status, 'invited', v_invited);
end $function$;

CREATE OR REPLACE FUNCTION private.site_paths()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select unnest(array['/', '/plans', '/about', '/books', '/privacy', '/terms'])
  union all
  (select '/plans/' || id from public.shared_subscriptions
  where status = 'active' and not is_private and has_room and provider not in (select private.providers_off())
    and owner_id <> all ((select private.people_apart())::uuid[])
  order by created_at desc, id desc limit 49900)
$function$;

CREATE OR REPLACE FUNCTION private.tell_seekers()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id text;
  v_plan public.shared_subscriptions;
  v_seeker uuid;
begin
  for v_id in
    select subscription_id from private.plans_to_tell order by subscription_id limit 100 for update skip locked
  loop
    v_plan := private.lock_plan(v_id);
    -- Another transaction is deleting the plan, so the plan stays in the queue until the next call.
    continue when v_plan.id is null and exists (select from public.shared_subscriptions where id = v_id);
    delete from private.plans_to_tell where subscription_id = v_id;
    continue when v_plan.id is null or v_plan.status <> 'active' or v_plan.is_private or private.open_slots(v_plan, null) = 0
      or private.is_suspended(v_plan.owner_id) or private.rule_of(v_plan.provider) = 'off';
    for v_seeker in select private.seekers_of(v_plan) loop
      insert into private.told_plans (user_id, subscription_id) values (v_seeker, v_plan.id) on conflict do nothing;
      continue when not found;
      perform private.mail_notification(private.notify(v_seeker, 'info', v_plan.id, 'plan-found',
        jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'cost', v_plan.monthly_cost,
          'person', private.first_name((select display_name from private.user_profiles where user_id = v_plan.owner_id)))),
        array[v_plan.id], '/plans/' || v_plan.id);
    end loop;
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

CREATE OR REPLACE FUNCTION private.tg_provider_rules__log_staff()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.log_staff(case tg_op when 'DELETE' then 'provider rule removed' else 'provider rule set' end,
    coalesce(new.provider, old.provider), jsonb_build_object('before', old.rule, 'after', new.rule, 'reason', new.reason));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_public__apply_provider_rules()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.apply_provider_rules();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_plan private.catalogue_plan;
  v_fee numeric;
  v_status text := case when (select review_new_plans from public.app_settings) then 'pending' else 'active' end;
begin
  -- Rows that the server itself loads, without a signed-in person, keep their times and owner.
  if v_user is not null then
    if new.owner_id is distinct from v_user and new.owner_id is not null then
      perform private.refuse('plan_of_another');
    end if;
    perform private.spend_attempt('plan creation');
    new.owner_id := v_user;
    new.id := private.new_plan_id();
    new.code := private.new_code(1);
    new.created_at := clock_timestamp();
    if new.status <> v_status then
      perform private.refuse('only_staff_reviews_plans');
    end if;
    new.status := v_status;
    perform private.require_renewal_date(new.next_payment);
  end if;
  if new.current_members <> 1 or new.kept_places <> 0 or new.waiting <> 0 then
    perform private.refuse('new_plan_member_count_wrong');
  end if;
  new.status := coalesce(new.status, 'active');
  perform private.ensure_profile(new.owner_id);
  new.id := coalesce(new.id, private.new_plan_id());
  new.current_members := 1;
  new.owner := private.name_of_address(private.email_of(new.owner_id));

  v_plan := private.find_catalogue_plan(new.catalogue_plan_id, new.provider, new.name);
  if v_plan.id is null then
    perform private.refuse('plan_not_in_catalogue');
  end if;
  if v_user is not null then
    perform private.require_offered(v_plan.provider);
    if not new.is_private then
      perform private.require_listable(v_plan.provider);
    end if;
    perform private.require_seller(v_user);
    if private.unkept_debts(v_user) > 0 then
      perform private.refuse('refund_owed_before_sharing');
    end if;
  end if;
  if v_plan.max_members < 2 then
    perform private.refuse('plan_not_shareable');
  end if;
  if new.total_price <> round(v_plan.price, 2) or new.provider <> v_plan.provider or new.name <> v_plan.name
    or new.billing_cycle <> v_plan.billing_cycle or new.max_members <> v_plan.max_members
    or new.member_price <> round(v_plan.price / v_plan.max_members, 2) then
    perform private.refuse('plan_terms_changed');
  end if;
  if new.owner_max_members is null or new.owner_max_members < 2 or new.owner_max_members > v_plan.max_members then
    perform private.refuse('open_slots_out_of_range', (v_plan.max_members - 1)::text);
  end if;
  if exists (select 1 from public.shared_subscriptions where owner_id = new.owner_id and provider = v_plan.provider) then
    perform private.refuse('provider_already_shared');
  end if;

  new.catalogue_plan_id := v_plan.id;
  new.provider := v_plan.provider;
  new.name := v_plan.name;
  new.category := v_plan.category;
  new.description := v_plan.description;
  new.logo := v_plan.logo;
  new.total_price := round(v_plan.price, 2);
  new.member_price := round(v_plan.price / v_plan.max_members, 2);
  new.currency := 'EUR';
  new.billing_cycle := v_plan.billing_cycle;
  new.max_members := v_plan.max_members;
  new.provider_max_members := v_plan.max_members;
  v_fee := private.fee_rate();
  if v_user is not null and new.fee_rate <> v_fee then
    perform private.refuse('fee_changed', trim_scale(v_fee * 100)::text);
  end if;
  new.fee_rate := coalesce(new.fee_rate, v_fee);
  perform private.require_settlement(new.settlement, new.billing_cycle, new.member_price, new.fee_rate);
  -- An instant plan needs access data, which a new plan does not have yet.
  if v_user is not null and new.instant_from is not null then
    perform private.refuse('access_needed_first');
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A rule for the provider may make many plans private at once (provider_rules.sql).
  if old.owner_id = auth.uid() then
    perform private.spend_attempt('owner action');
  end if;
  if old.is_private and not new.is_private then
    perform private.require_listable(new.provider);
  end if;
  -- Members of an instant plan are charged as soon as they ask, so tokens may not make a plan instant or open an instant plan further.
  if new.instant_from is not null and (new.instant_from is distinct from old.instant_from
    or new.owner_max_members > old.owner_max_members or old.is_private and not new.is_private) then
    perform private.refuse_tokens();
  end if;
  -- Members of an instant plan get in before the owner has seen them, so the plan must already have access data.
  if auth.uid() is not null and new.instant_from is not null and old.instant_from is null and not private.has_vault_entry(new.id) then
    perform private.refuse('access_needed_first');
  end if;
  if new.owner_max_members is distinct from old.owner_max_members then
    if new.owner_max_members is null or new.owner_max_members < old.current_members then
      perform private.refuse('fewer_slots_than_members', old.current_members::text);
    elsif new.owner_max_members > old.provider_max_members then
      perform private.refuse('more_slots_than_provider_allows', old.provider_max_members::text);
    end if;
  end if;
  if new.next_payment is distinct from old.next_payment then
    perform private.require_renewal_date(new.next_payment);
  end if;
  return new;
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

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['question-asked'::text, 'chat-message'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event = ANY (ARRAY['contract-withdrawn'::text, 'member-says-paid'::text, 'payment-back-claimed'::text, 'payment-back-denied'::text, 'payment-unanswered'::text, 'payment-unconfirmed'::text, 'payment-disagreement'::text, 'payment-decided'::text, 'payment-left-unpaid'::text, 'payment-member-left-unpaid'::text, 'payment-waived'::text, 'payment-debt-unkept'::text, 'payment-debt-closed'::text, 'payment-received'::text, 'payment-not-received'::text, 'payment-nudge'::text, 'payment-due'::text, 'payment-went-back'::text, 'payment-of-member-went-back'::text, 'payment-made'::text, 'member-paid'::text, 'payment-failed'::text, 'payment-needs-action'::text, 'money-given-back'::text, 'refund-to-wallet'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text, 'payment-debit-coming'::text, 'payment-mandate-ended'::text, 'payment-under-way'::text, 'member-debited'::text, 'coins-handed-over'::text, 'wallet-adjusted'::text, 'payout-account-ready'::text, 'payout-account-stopped'::text, 'payout-account-refused'::text, 'tax-details-wanted'::text, 'payout-taken-back'::text, 'payout-returned'::text, 'payout-held'::text, 'payout-released'::text, 'withdrawal-processing'::text, 'withdrawal-completed'::text, 'withdrawal-rejected'::text, 'withdrawal-returned'::text, 'tax-country-differs'::text, 'tax-threshold'::text, 'payment-refund-to-decide'::text, 'payout-account-missing'::text, 'payout-by-one-admin'::text, 'payout-by-two-admins'::text, 'payment-to-decide'::text, 'payment-disputes-often'::text, 'payment-disputed'::text, 'payment-dispute-due'::text, 'payment-answer-refused'::text, 'payment-fraud-warned'::text, 'payment-debt'::text, 'payment-debt-paid'::text, 'payment-debt-opened'::text, 'payment-withdrawals-many'::text, 'payment-returned-twice'::text, 'payment-returned'::text, 'payment-jobs-fail'::text, 'payment-books-differ'::text, 'payment-returned-by-hand'::text])) THEN 'money'::text WHEN (p_event = ANY (ARRAY['access-given'::text, 'access-confirmed'::text, 'access-reminder'::text, 'access-changed'::text, 'password-due'::text, 'problem-reported'::text, 'problem-not-fixed'::text, 'problem-fixed'::text, 'problem-with-staff'::text, 'problem-closed'::text, 'webhook-stopped'::text, 'problem-to-decide'::text])) THEN 'access'::text WHEN (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'warned'::text, 'plan-hidden'::text, 'plan-made-private'::text, 'report-read'::text, 'plan-approved'::text, 'plan-rejected'::text, 'provider-request-approved'::text, 'provider-request-rejected'::text, 'admin-access-approved'::text, 'admin-access-rejected'::text, 'role-given'::text, 'support-answered'::text, 'support-asked'::text])) THEN 'team'::text ELSE 'places'::text END;

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

CREATE OR REPLACE FUNCTION public.restricted_providers()
 RETURNS TABLE(provider text, rule text, reason text, allows text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.restricted_providers(); end$function$;

ALTER TABLE "public"."app_settings" ADD CONSTRAINT "app_settings_rule_anyone_check" CHECK ((rule_anyone = ANY (ARRAY['listed'::text, 'private'::text, 'off'::text])));

ALTER TABLE "public"."app_settings" ADD CONSTRAINT "app_settings_rule_household_check" CHECK ((rule_household = ANY (ARRAY['listed'::text, 'private'::text, 'off'::text])));

ALTER TABLE "public"."app_settings" ADD CONSTRAINT "app_settings_rule_people_you_know_check" CHECK ((rule_people_you_know = ANY (ARRAY['listed'::text, 'private'::text, 'off'::text])));

ALTER TABLE "public"."app_settings" ADD CONSTRAINT "app_settings_rule_unknown_check" CHECK ((rule_unknown = ANY (ARRAY['listed'::text, 'private'::text, 'off'::text])));

ALTER TABLE "public"."provider_rules" ADD CONSTRAINT "provider_rules_pkey" PRIMARY KEY (provider);

ALTER TABLE "public"."provider_rules" ADD CONSTRAINT "provider_rules_provider_check" CHECK (((char_length(provider) >= 1) AND (char_length(provider) <= 200)));

ALTER TABLE "public"."provider_rules" ADD CONSTRAINT "provider_rules_reason_check" CHECK (((char_length(btrim(reason)) >= 1) AND (char_length(btrim(reason)) <= 300)));

ALTER TABLE "public"."provider_rules" ADD CONSTRAINT "provider_rules_rule_check" CHECK ((rule = ANY (ARRAY['listed'::text, 'private'::text, 'off'::text])));

CREATE INDEX seats_failing_idx ON private.seats USING btree (failures) WHERE (failures > 0);

CREATE TRIGGER apply_provider_rules AFTER UPDATE OF rule_anyone, rule_people_you_know, rule_household, rule_unknown ON public.app_settings FOR EACH STATEMENT EXECUTE FUNCTION private.tg_public__apply_provider_rules();

CREATE TRIGGER apply_provider_rules AFTER INSERT OR DELETE OR UPDATE ON public.provider_rules FOR EACH STATEMENT EXECUTE FUNCTION private.tg_public__apply_provider_rules();

CREATE TRIGGER log_staff AFTER INSERT OR DELETE OR UPDATE ON public.provider_rules FOR EACH ROW EXECUTE FUNCTION private.tg_provider_rules__log_staff();

CREATE TRIGGER apply_provider_rules AFTER INSERT OR UPDATE ON public.service_provider_data FOR EACH STATEMENT EXECUTE FUNCTION private.tg_public__apply_provider_rules();

CREATE TRIGGER gone AFTER DELETE ON public.subscription_members FOR EACH ROW WHEN ((NOT old.is_owner)) EXECUTE FUNCTION private.tg_subscription_members__gone();

CREATE TRIGGER leaving BEFORE DELETE ON public.subscription_members FOR EACH ROW WHEN ((NOT old.is_owner)) EXECUTE FUNCTION private.tg_subscription_members__leaving();

CREATE TRIGGER taken AFTER INSERT ON public.subscription_members FOR EACH ROW WHEN ((NOT new.is_owner)) EXECUTE FUNCTION private.tg_subscription_members__taken();

CREATE TRIGGER ends AFTER DELETE OR UPDATE OF status, expired ON public.subscription_requests FOR EACH ROW EXECUTE FUNCTION private.tg_subscription_requests__ends();

CREATE TRIGGER made AFTER INSERT ON public.subscription_requests FOR EACH ROW EXECUTE FUNCTION private.tg_subscription_requests__made();

CREATE POLICY "People see the rules" ON "public"."provider_rules" FOR SELECT TO "authenticated" USING (true);

CREATE POLICY "Whoever takes plans down changes a rule" ON "public"."provider_rules" FOR UPDATE TO "authenticated" USING (( SELECT private.proven(private.may('subscriptions.delete'::text)) AS proven)) WITH CHECK (( SELECT private.proven(private.may('subscriptions.delete'::text)) AS proven));

CREATE POLICY "Whoever takes plans down removes a rule" ON "public"."provider_rules" FOR DELETE TO "authenticated" USING (( SELECT private.proven(private.may('subscriptions.delete'::text)) AS proven));

CREATE POLICY "Whoever takes plans down sets a rule" ON "public"."provider_rules" FOR INSERT TO "authenticated" WITH CHECK (( SELECT private.proven(private.may('subscriptions.delete'::text)) AS proven));

REVOKE ALL ON FUNCTION "private"."apply_provider_rules"() FROM PUBLIC;

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

REVOKE ALL ON FUNCTION "private"."providers_off"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reopen_chat"(public.subscription_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_listable"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."restricted_providers"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."restricted_providers"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."retry_wait"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."rule_for"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."rule_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_seats"(public.subscription_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_provider_rules__log_staff"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_public__apply_provider_rules"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_members__gone"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_members__leaving"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_members__taken"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_requests__ends"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_subscription_requests__made"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."use_invitation"(public.subscription_members) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."restricted_providers"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."restricted_providers"() TO "anon", "authenticated";

REVOKE ALL ("rule_anyone") ON TABLE "public"."app_settings" FROM "authenticated";

GRANT UPDATE ("rule_anyone") ON TABLE "public"."app_settings" TO "authenticated";

REVOKE ALL ("rule_household") ON TABLE "public"."app_settings" FROM "authenticated";

GRANT UPDATE ("rule_household") ON TABLE "public"."app_settings" TO "authenticated";

REVOKE ALL ("rule_people_you_know") ON TABLE "public"."app_settings" FROM "authenticated";

GRANT UPDATE ("rule_people_you_know") ON TABLE "public"."app_settings" TO "authenticated";

REVOKE ALL ("rule_unknown") ON TABLE "public"."app_settings" FROM "authenticated";

GRANT UPDATE ("rule_unknown") ON TABLE "public"."app_settings" TO "authenticated";

REVOKE ALL ("rule_anyone") ON TABLE "public"."app_settings" FROM "service_role";

GRANT UPDATE ("rule_anyone") ON TABLE "public"."app_settings" TO "service_role";

REVOKE ALL ("rule_household") ON TABLE "public"."app_settings" FROM "service_role";

GRANT UPDATE ("rule_household") ON TABLE "public"."app_settings" TO "service_role";

REVOKE ALL ("rule_people_you_know") ON TABLE "public"."app_settings" FROM "service_role";

GRANT UPDATE ("rule_people_you_know") ON TABLE "public"."app_settings" TO "service_role";

REVOKE ALL ("rule_unknown") ON TABLE "public"."app_settings" FROM "service_role";

GRANT UPDATE ("rule_unknown") ON TABLE "public"."app_settings" TO "service_role";

REVOKE ALL ("provider") ON TABLE "public"."provider_rules" FROM "authenticated";

GRANT INSERT ("provider"), UPDATE ("provider") ON TABLE "public"."provider_rules" TO "authenticated";

REVOKE ALL ("reason") ON TABLE "public"."provider_rules" FROM "authenticated";

GRANT INSERT ("reason"), UPDATE ("reason") ON TABLE "public"."provider_rules" TO "authenticated";

REVOKE ALL ("rule") ON TABLE "public"."provider_rules" FROM "authenticated";

GRANT INSERT ("rule"), UPDATE ("rule") ON TABLE "public"."provider_rules" TO "authenticated";
