set local check_function_bodies = off;

DROP FUNCTION "private"."record_dispute"(text, text, numeric, text, text, timestamp with time zone);

DROP FUNCTION "public"."record_dispute"(text, text, numeric, text, text, timestamp with time zone);

ALTER TABLE "public"."payment_disputes" ADD COLUMN "cost" numeric(12,2) NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION private.book_dispute_costs(p_dispute text, p_costs jsonb, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_costs bigint := private.ledger_account('costs');
  v_outside bigint := private.ledger_account('outside');
  v_cost record;
begin
  for v_cost in
    select 'dispute-cost:' || id as key, amount::numeric as amount from jsonb_each_text(p_costs) as cost (id, amount) where amount::numeric <> 0
  loop
    continue when exists (select from private.ledger_transfers where key = v_cost.key);
    perform private.transfer(v_cost.key, case when v_cost.amount > 0 then v_costs else v_outside end,
      case when v_cost.amount > 0 then v_outside else v_costs end, abs(v_cost.amount), 'cost', p_period.seat_id, p_period.id,
      p_period.plan_name || ': dispute');
    update public.payment_disputes set cost = cost + v_cost.amount where id = p_dispute;
  end loop;
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
      sum(case when takes = 'refunds_due' then amount else 0 end) as to_refund,
      sum(case when takes = 'refunds_due' then amount when gives = 'refunds_due' then -amount else 0 end) as refunds_due,
      sum(case when kind = 'refund-failed' then amount else 0 end) as refund_failed,
      sum(case when kind = 'chargeback' and gives <> 'refunds_due' then amount else 0 end) as disputed,
      sum(case when kind = 'chargeback' and gives = 'wallet' then amount else 0 end) as disputed_coins,
      sum(case when kind = 'chargeback' and gives = 'guarantee' then amount else 0 end) as disputed_guarantee,
      sum(case when kind = 'chargeback-won' then amount else 0 end) as won,
      sum(case when key ^@ 'dispute-cost:' then case gives when 'costs' then amount else -amount end else 0 end) as dispute_cost
    from moved where period_id is not null group by period_id
  ), refunds as (
    select payment_id, sum(amount) as amount, sum(amount) filter (where status in ('queued', 'pending')) as open,
      sum(amount) filter (where status = 'failed') as failed
    from private.refunds group by payment_id
  ), disputes as (
    select payment_id, sum(from_share + from_fee + from_coins + from_guarantee) as taken, sum(from_coins) as coins,
      sum(from_guarantee) as guarantee, sum(from_refunds) as refunds, sum(cost) as cost,
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

CREATE OR REPLACE FUNCTION private.is_movement(p_kind text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN (((p_from = ANY (ARRAY['outside'::text, 'wallet'::text])) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'payment-returned'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = 'wallet'::text)) WHEN 'earning'::text THEN ((p_from = 'held_share'::text) AND (p_to = 'wallet'::text)) WHEN 'fee'::text THEN ((p_from = 'held_fee'::text) AND (p_to = 'fees'::text)) WHEN 'refund'::text THEN (((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'guarantee'::text) AND (p_to = 'refunds_due'::text))) WHEN 'refund-sent'::text THEN ((p_from = 'refunds_due'::text) AND (p_to = 'outside'::text)) WHEN 'refund-failed'::text THEN ((p_from = ANY (ARRAY['refunds_due'::text, 'outside'::text])) AND (p_to = 'wallet'::text)) WHEN 'withdrawal'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'outside'::text)) WHEN 'withdrawal-returned'::text THEN ((p_from = 'outside'::text) AND (p_to = 'wallet'::text)) WHEN 'adjustment'::text THEN (((p_from = 'adjustments'::text) AND (p_to = 'wallet'::text)) OR ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text))) WHEN 'chargeback'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'guarantee'::text, 'refunds_due'::text])) AND (p_to = 'outside'::text)) WHEN 'chargeback-won'::text THEN ((p_from = 'outside'::text) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'guarantee'::text]))) WHEN 'given-up'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text)) WHEN 'handed-over'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'wallet'::text)) WHEN 'cost'::text THEN (((p_from = 'costs'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'costs'::text))) ELSE false END;

CREATE OR REPLACE FUNCTION private.key_begins(p_kind text, p_period uuid, p_person uuid, p_intent text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN ARRAY[('charge:'::text || p_intent), (('coins:'::text || p_intent) || ':'::text), (('coins:'::text || p_period) || ':'::text)] WHEN 'earning'::text THEN ARRAY[(('earn:'::text || p_period) || ':'::text)] WHEN 'fee'::text THEN ARRAY[(('fee:'::text || p_period) || ':'::text)] WHEN 'payment-returned'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text)] WHEN 'refund'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text), 'by-hand:'::text] WHEN 'cost'::text THEN ARRAY[('cost:'::text || p_intent), 'dispute-cost:'::text] WHEN 'given-up'::text THEN ARRAY[('given-up:'::text || p_person)] WHEN 'chargeback'::text THEN ARRAY['dispute:'::text] WHEN 'chargeback-won'::text THEN ARRAY['dispute-won:'::text] ELSE ARRAY[(p_kind || ':'::text), 'refund:'::text] END;

CREATE OR REPLACE FUNCTION private.leave_to_dispute(p_refund private.refunds, p_account bigint, p_period public.member_payments)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_dispute public.payment_disputes;
  v_rest numeric := p_refund.amount;
  v_part numeric;
begin
  for v_dispute in
    select * from public.payment_disputes where payment_id = p_refund.payment_id and private.dispute_takes(status)
    order by opened_at desc, id for update
  loop
    v_part := least(v_rest, v_dispute.amount - private.taken_by(v_dispute));
    continue when v_part <= 0;
    if p_account <> private.ledger_account('outside') then
      perform private.transfer(format('dispute:%s:%s', v_dispute.id, p_refund.id), p_account, private.ledger_account('outside'),
        v_part, 'chargeback', p_period.seat_id, p_period.id, p_period.plan_name || ': payment taken back');
    end if;
    update public.payment_disputes set from_refunds = from_refunds + v_part, given_back = given_back - v_part
    where id = v_dispute.id;
    v_rest := v_rest - v_part;
  end loop;
  return p_refund.amount - v_rest;
end $function$;

CREATE OR REPLACE FUNCTION private.record_dispute(p_reference text, p_intent text, p_amount numeric, p_status text, p_reason text, p_due_by timestamp with time zone, p_costs jsonb DEFAULT '{}'::jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_payment uuid := (select payment_id from private.charges where intent = p_intent);
  v_seat private.seats;
  v_dispute public.payment_disputes;
  v_period public.member_payments;
  v_is_closed boolean := p_status in ('won', 'lost', 'warning_closed', 'prevented');
begin
  if v_payment is null then return false; end if;
  v_seat := private.lock_place((select seat_id from public.member_payments where id = v_payment));
  perform private.lock_held_money(array[v_seat.id], array['outside', 'refunds_due', 'fees', 'guarantee', 'costs']);
  select * into v_period from public.member_payments where id = v_payment;
  insert into public.payment_disputes
    (id, payment_id, plan_name, member_id, owner_id, amount, charged, given_back, reason, status, due_by)
  select p_reference, v_payment, v_period.plan_name, v_period.member_id, v_period.owner_id, p_amount,
    received, private.given_back_to_card(v_payment), p_reason, p_status, p_due_by from private.charges where payment_id = v_payment
  on conflict (id) do nothing;
  if found then
    perform private.notify(staff.id, 'warning', 'A Payment Is Disputed',
      format('The bank of a member of %s takes %s back. Answer the provider in time.', v_period.plan_name, private.euros(p_amount)),
      null, 'payment-disputed', jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'until', p_due_by))
    from private.people_who_may('users.edit') as staff (id);
  end if;
  perform private.book_dispute_costs(p_reference, p_costs, v_period);
  select * into v_dispute from public.payment_disputes where id = p_reference;
  if v_dispute.closed_at is not null and not (v_dispute.status = 'lost' and p_status = 'won') then return true; end if;
  update public.payment_disputes set status = p_status, due_by = p_due_by,
    closed_at = case when v_is_closed then private.now() end where id = p_reference;
  if private.dispute_takes(p_status) and private.taken_by(v_dispute) = 0 then
    perform private.take_disputed(v_dispute, v_period);
    perform private.end_seat(v_period.seat_id, 'disputed', v_period.member_id);
  elsif p_status = 'won' then
    perform private.put_back_disputed(v_dispute, v_period);
  end if;
  return true;
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
    from_coins = p_dispute.from_coins, from_guarantee = p_dispute.from_guarantee where id = p_dispute.id;
end $function$;

CREATE OR REPLACE FUNCTION private.taken_by(p_dispute public.payment_disputes)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
RETURN (((((p_dispute).from_share + (p_dispute).from_fee) + (p_dispute).from_coins) + (p_dispute).from_guarantee) + (p_dispute).from_refunds);

CREATE OR REPLACE FUNCTION public.record_dispute(p_reference text, p_intent text, p_amount numeric, p_status text, p_reason text, p_due_by timestamp with time zone, p_costs jsonb DEFAULT '{}'::jsonb)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_dispute(p_reference, p_intent, p_amount, p_status, p_reason, p_due_by, p_costs) $function$;

REVOKE ALL ON FUNCTION "private"."book_dispute_costs"(text, jsonb, public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_dispute"(text, text, numeric, text, text, timestamp with time zone, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_dispute"(text, text, numeric, text, text, timestamp with time zone, jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "private"."taken_by"(public.payment_disputes) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."record_dispute"(text, text, numeric, text, text, timestamp with time zone, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_dispute"(text, text, numeric, text, text, timestamp with time zone, jsonb) TO "service_role";
