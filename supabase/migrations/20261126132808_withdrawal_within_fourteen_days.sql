set local check_function_bodies = off;

ALTER TABLE "private"."seats" DROP CONSTRAINT "seats_end_reason_check";

ALTER TABLE "public"."member_payments" DROP CONSTRAINT "no_more_than_was_paid";

DROP FUNCTION "private"."accept_invitation"(text);

DROP FUNCTION "private"."give_back"(uuid, numeric, numeric, text);

DROP FUNCTION "private"."my_seats"();

DROP FUNCTION "public"."accept_invitation"(text);

DROP FUNCTION "public"."my_seats"();

ALTER TABLE "private"."seats" ADD COLUMN "begins_at_once_at" timestamp with time zone;

-- Since its minor releases of November 2026 (15.20, 17.12, 18.6) Postgres adds no column with a default to a table whose row type is
-- used in a body that is kept parsed; this one is kept as text, here and for good by 20261127024959_bodies_kept_as_text.
CREATE OR REPLACE FUNCTION private.is_sure_payment(p_payment public.member_payments)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_payment.share > 0 and p_payment.paid_at is not null
    and (p_payment.settlement = 'potluck' or p_payment.claimed_at is not null)
$function$;

ALTER TABLE "public"."member_payments" ADD COLUMN "from_guarantee" numeric(12,2) NOT NULL DEFAULT 0;

ALTER TABLE "public"."subscription_requests" ADD COLUMN "begins_at_once_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.accept_invitation(p_token text, p_begin_at_once boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_invitation public.subscription_invitations := private.find_invitation(p_token);
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(v_invitation.subscription_id);
  v_member public.subscription_members;
  v_begins_at_once_at timestamptz;
begin
  perform private.require_open_invitation(v_invitation.id);
  perform private.require_unblocked(v_plan.owner_id, 'This invitation has already been withdrawn');
  perform private.require_open_slot(v_plan, v_invitation.email);
  update public.subscription_invitations set accepted_at = clock_timestamp() where id = v_invitation.id;
  update public.subscription_requests as r set status = 'approved'
  where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r)
  returning r.begins_at_once_at into v_begins_at_once_at;
  v_member := private.add_member(v_plan.id, v_user, false);
  -- Not what they said with a request for an earlier seat.
  update private.seats set begins_at_once_at = case when p_begin_at_once then private.now() else v_begins_at_once_at end
  where subscription_id = v_plan.id and member_id = v_user and ended_at is null;
  perform private.notify(v_plan.owner_id, 'success', 'Invitation Accepted',
    format('%s has joined %s %s.', v_member.name, v_plan.provider, v_plan.name), v_plan.id, 'invitation-accepted',
    jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', v_member.name));
  perform private.notify(v_user, 'success', 'You Are In', format('You have joined %s %s.', v_plan.provider, v_plan.name), v_plan.id,
    'joined', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  return v_plan.id;
end $function$;

CREATE OR REPLACE FUNCTION private.back_on_withdrawal(p_seat private.seats)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.has_open_problem(p_seat.id) then return null; end if;
  return (
    select coalesce(sum(unused.share + unused.fee + case when p_seat.begins_at_once_at is null
      then private.rest_of(m, unused.share + unused.fee) else 0 end), 0.00)
    from public.member_payments as m cross join lateral private.unused_of(m, private.now()) as unused
    where m.seat_id = p_seat.id and m.settlement = 'potluck' and m.status = 'paid');
end $function$;

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
    ('public.member_payments', 'issue_receipt note_facts member_payments_card_check member_payments_coins_check member_payments_earned_fee_check
      member_payments_earned_share_check member_payments_fee_check member_payments_from_guarantee_check member_payments_member_id_fkey member_payments_note_check
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

CREATE OR REPLACE FUNCTION private.card_has_back(p_period public.member_payments)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.given_back_to_card(p_period.id) + (select coalesce(sum(from_share + from_fee + from_guarantee + from_refunds), 0)
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
    ('returned by the site', l.from_guarantee, m.from_guarantee),
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

CREATE OR REPLACE FUNCTION private.close_period(p_period uuid, p_lost_from timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_unused record;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.settlement = 'direct' then
    v_unused := private.unused_of(v_period, p_lost_from);
    perform private.note_owed(v_seat, v_period, v_unused.share);
  elsif v_period.status = 'paid' then
    v_unused := private.unused_of(v_period, case v_seat.end_reason when 'withdrawn' then v_seat.ended_at else p_lost_from end);
    perform private.give_back(p_period, v_unused.share, v_unused.fee,
      case when v_seat.end_reason = 'withdrawn' and v_seat.ended_at = private.now() then 'withdrawn'
        when v_period.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end,
      case when v_seat.end_reason = 'withdrawn' and v_seat.begins_at_once_at is null
        then private.rest_of(v_period, v_unused.share + v_unused.fee) else 0 end);
    perform private.move_earnings(p_period, true) from public.member_payments where id = p_period and status = 'paid';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.give_back(p_period uuid, p_share numeric, p_fee numeric, p_reason text, p_from_guarantee numeric DEFAULT 0)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_amount numeric := p_share + p_fee + p_from_guarantee;
begin
  if v_amount = 0 then return; end if;
  select * into v_period from public.member_payments where id = p_period;
  perform private.move_back(v_period, p_share, p_fee, 'refund');
  perform private.return_from_guarantee(v_period, p_from_guarantee);
  update public.member_payments set returned_share = returned_share + p_share, returned_fee = returned_fee + p_fee,
    from_guarantee = from_guarantee + p_from_guarantee,
    status = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then 'given-back' else status end,
    closed_at = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then private.now() end
  where id = p_period;
  if p_reason = 'withdrawn' then return; end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'money-given-back', 'Refund on Its Way',
    format('We’re refunding %s of your payment for %s, the way you paid it.', private.euros(v_amount), v_period.plan_name),
    jsonb_build_object('amount', v_amount, 'reason', p_reason));
end $function$;

CREATE OR REPLACE FUNCTION private.is_always_mailed(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((p_event = ANY (ARRAY['renewal-coming'::text, 'contract-withdrawn'::text])), false);

CREATE OR REPLACE FUNCTION private.is_contract_with_site(p_seat_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.member_payments where seat_id = p_seat_id and settlement = 'potluck');
end $function$;

CREATE OR REPLACE FUNCTION private.is_movement(p_kind text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN (((p_from = ANY (ARRAY['outside'::text, 'wallet'::text])) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'payment-returned'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = 'wallet'::text)) WHEN 'earning'::text THEN ((p_from = 'held_share'::text) AND (p_to = 'wallet'::text)) WHEN 'fee'::text THEN ((p_from = 'held_fee'::text) AND (p_to = 'fees'::text)) WHEN 'refund'::text THEN (((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'guarantee'::text) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text])))) WHEN 'refund-sent'::text THEN ((p_from = 'refunds_due'::text) AND (p_to = 'outside'::text)) WHEN 'refund-failed'::text THEN (((p_from = ANY (ARRAY['refunds_due'::text, 'outside'::text])) AND (p_to = ANY (ARRAY['wallet'::text, 'guarantee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'withdrawal'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'outside'::text)) WHEN 'withdrawal-returned'::text THEN ((p_from = 'outside'::text) AND (p_to = 'wallet'::text)) WHEN 'adjustment'::text THEN (((p_from = 'adjustments'::text) AND (p_to = 'wallet'::text)) OR ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text))) WHEN 'chargeback'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'guarantee'::text, 'refunds_due'::text])) AND (p_to = 'outside'::text)) WHEN 'chargeback-won'::text THEN ((p_from = 'outside'::text) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'guarantee'::text]))) WHEN 'given-up'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text)) WHEN 'handed-over'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'wallet'::text)) WHEN 'cost'::text THEN (((p_from = 'costs'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'costs'::text))) ELSE false END;

CREATE OR REPLACE FUNCTION private.key_begins(p_kind text, p_period uuid, p_person uuid, p_intent text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN ARRAY[('charge:'::text || p_intent), (('coins:'::text || p_intent) || ':'::text), (('coins:'::text || p_period) || ':'::text)] WHEN 'earning'::text THEN ARRAY[(('earn:'::text || p_period) || ':'::text)] WHEN 'fee'::text THEN ARRAY[(('fee:'::text || p_period) || ':'::text)] WHEN 'payment-returned'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text)] WHEN 'refund'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text), (('withdrawn:'::text || p_period) || ':'::text), 'by-hand:'::text] WHEN 'cost'::text THEN ARRAY[('cost:'::text || p_intent), 'dispute-cost:'::text] WHEN 'given-up'::text THEN ARRAY[('given-up:'::text || p_person)] WHEN 'chargeback'::text THEN ARRAY['dispute:'::text] WHEN 'chargeback-won'::text THEN ARRAY['dispute-won:'::text] ELSE ARRAY[(p_kind || ':'::text), 'refund:'::text] END;

CREATE OR REPLACE FUNCTION private.mail_notification(p_notification_id uuid, p_about text[], p_action text, p_path text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_told public.user_notifications;
  v_address text;
  v_always boolean;
  v_unsubscribe text;
begin
  select * into v_told from public.user_notifications where id = p_notification_id;
  v_address := private.email_of(v_told.user_id);
  v_always := private.is_always_mailed(v_told.event);
  if not private.is_mailable(v_address) or not (v_always or private.wants(v_told.user_id, private.topic_of(v_told.event), 'mail')) then
    return;
  end if;
  if not v_always then
    v_unsubscribe := private.unsubscribe_path(v_told.user_id);
  end if;
  perform private.write_mail(v_address, v_told.user_id, v_told.message, jsonb_build_object(
    'heading', v_told.title,
    'sentences', jsonb_build_array(v_told.message),
    'action', p_action,
    'path', p_path,
    'small_print', 'You can also find this in your Potluck notifications.',
    'closing', case when v_told.event = 'contract-withdrawn' then 'You always get this email after a withdrawal.'
      when v_always then 'You always get this email before a charge.'
      else 'You get this email because you hadn’t read it on Potluck yet.' end
  ), v_told.event, v_told.params, case when v_always then p_about else p_notification_id::text || p_about end, v_unsubscribe,
    case when v_always then interval '0' else interval '10 minutes' end);
end $function$;

CREATE OR REPLACE FUNCTION private.may_withdraw(p_seat private.seats)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return p_seat.ended_at is null and private.now() < private.withdrawable_until(p_seat) and private.is_contract_with_site(p_seat.id);
end $function$;

CREATE OR REPLACE FUNCTION private.my_seats()
 RETURNS TABLE(id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text, billing_cycle text, share numeric, coins_first boolean, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, may_stay boolean, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, withdraw_until timestamp with time zone, begins_at_once_at timestamp with time zone, back_now numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.subscription_id, s.provider, s.plan_name, s.owner_id, p.display_name, s.settlement, s.billing_cycle, s.share,
      s.coins_first, s.status, s.opened_at,
      (select max(m.ends_at) from public.member_payments as m where m.seat_id = s.id and m.status in ('paid', 'closed')),
      s.ends_at, s.ended_at, s.end_reason, s.ended_at is null and s.ends_at is not null and s.ended_by = v_user,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id),
      contract.until, s.begins_at_once_at, case when contract.until is not null then private.back_on_withdrawal(s) end
    from private.seats as s join public.user_profiles as p on p.user_id = s.owner_id
    cross join lateral (select case when private.may_withdraw(s) then private.withdrawable_until(s) end) as contract (until)
    where s.member_id = v_user order by s.opened_at desc, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.payment_totals(p_as_owner boolean DEFAULT false, p_subscription_id text DEFAULT NULL::text)
 RETURNS TABLE(due numeric, claimed numeric, paid numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
  select coalesce(sum(p.amount) filter (where p.is_open and p.due_at <= private.now()), 0),
    coalesce(sum(p.amount) filter (where p.status = 'claimed'), 0),
    coalesce(sum(p.settled) filter (where p.paid_at is not null), 0)
  from (
    select m.status, m.due_at, m.paid_at, m.status in ('needs-action', 'failed')
        or m.status = 'due' and (m.settlement = 'potluck' or private.says_how_to_pay(m.owner_id)) as is_open,
      case when p_as_owner then m.share else m.amount end as amount,
      case when p_as_owner and m.settlement = 'potluck' then m.earned_share
        else case when p_as_owner then m.share - m.returned_share else m.amount - m.returned_share - m.returned_fee - m.from_guarantee end
          - case when m.repaid_at is null then 0 else m.owed_back end
      end as settled
    from public.member_payments as m
    where (not p_as_owner and m.member_id = v_user or p_as_owner and m.owner_id = v_user)
      and (p_subscription_id is null or m.subscription_id = p_subscription_id)
  ) as p;
end $function$;

CREATE OR REPLACE FUNCTION private.rest_of(p_period public.member_payments, p_back numeric)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_returned numeric := p_period.returned_share + p_period.returned_fee;
begin
  return greatest(0, p_period.amount - v_returned - p_back
    - greatest(0, private.card_has_back(p_period) - least(p_period.card, v_returned)));
end $function$;

CREATE OR REPLACE FUNCTION private.return_from_guarantee(p_period public.member_payments, p_amount numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_card numeric := least(p_amount, greatest(0, p_period.card - private.card_has_back(p_period)));
  v_part record;
begin
  if p_amount = 0 then return; end if;
  -- In the order of their ids, whatever follows.
  perform private.lock_held_money(array[p_period.seat_id], '{refunds_due,fees,guarantee}');
  for v_part in
    select * from (values ('refunds_due', null, v_card), ('wallet', p_period.member_id, p_amount - v_card))
      as part (goes, person, amount) where amount > 0
  loop
    perform private.transfer(format('withdrawn:%s:%s', p_period.id, v_part.goes), private.ledger_account('guarantee'),
      private.ledger_account(v_part.goes, v_part.person), v_part.amount, 'refund', p_period.seat_id, p_period.id, p_period.plan_name);
  end loop;
  if v_card > 0 then
    perform private.queue_refund(p_period.id, v_card);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.saved_this_year(OUT joined numeric, OUT shared numeric)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_zone text := private.zone_of(v_user);
  v_from timestamptz := date_trunc('year', private.now() at time zone v_zone) at time zone v_zone;
begin
  select greatest(0, coalesce(sum(round(
    alone.price * (1 - coalesce((m.returned_share + m.owed_back) / nullif(m.share, 0), 0)), 2)
    - (m.amount - m.returned_share - m.returned_fee - m.from_guarantee - case when m.repaid_at is not null then m.owed_back else 0 end)), 0))
  into joined
  from private.seats as s
  left join public.shared_subscriptions as p on p.id = s.subscription_id
  cross join lateral (
    select p.total_price as total, p.max_members as places where p.id is not null
    union all
    select round(sold.price, 2), sold.max_members from private.find_catalogue_plan(s.catalogue_plan_id, s.provider, s.plan_name) as sold
    where p.id is null and sold.id is not null
  ) as offer
  join public.member_payments as m on m.seat_id = s.id and m.status in ('paid', 'closed') and m.paid_at >= v_from
  -- On the plan's current terms the share is part of its price; on older terms, the price follows from the share.
  cross join lateral (
    select case when m.share = (private.period_price('direct', s.billing_cycle, round(offer.total / offer.places, 2), s.fee_rate, m.number)).share
      then (private.period_price('direct', s.billing_cycle, offer.total, s.fee_rate, m.number)).share else m.share * offer.places end
  ) as alone (price)
  where s.member_id = v_user;

  select coalesce(sum(case m.settlement when 'potluck' then m.earned_share else m.share - m.owed_back end), 0) into shared
  from public.member_payments as m where m.owner_id = v_user and m.status in ('paid', 'closed') and m.paid_at >= v_from;
end $function$;

CREATE OR REPLACE FUNCTION private.staff_person_money(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'balance', coalesce((select w.coin_balance from public.user_wallets as w where w.user_id = p_person_id), 0.00),
    'moved', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.last desc), '[]') from (
        select t.kind, count(*) as transfers, sum(t.amount) as amount, max(t.created_at) as last
        from private.ledger_transfers as t where t.person_id = p_person_id group by t.kind
      ) as m),
    'withdrawals', (
      select jsonb_build_object('all', count(*), 'waiting', count(*) filter (where w.status in ('pending', 'processing')))
      from public.withdrawal_requests as w where w.user_id = p_person_id),
    'disputes', (
      select jsonb_build_object('all', count(*), 'open', count(*) filter (where d.closed_at is null))
      from public.payment_disputes as d where p_person_id in (d.member_id, d.owner_id)),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object('seatId', place.seat_id, 'planName', place.plan_name,
        'ownerId', place.owner_id, 'ownerName', owner.display_name, 'settlement', place.settlement, 'amount', place.amount,
        'number', place.number, 'status', place.status, 'payable',
        place.settlement = 'potluck' or private.says_how_to_pay(place.owner_id), 'dueAt', place.due_at, 'returned',
        place.returned_share + place.returned_fee + place.from_guarantee)
        order by place.due_at desc, place.seat_id), '[]')
      from (
        select distinct on (m.seat_id) m.* from public.member_payments as m
        where m.member_id = p_person_id order by m.seat_id, m.number desc
      ) as place join public.user_profiles as owner on owner.user_id = place.owner_id))
  where private.may('users.edit') and private.may_act_as_staff()
$function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__open_seat()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, share, fee_rate, coins_first, begins_at_once_at, admitted_at, access_given_at)
  select p.id, p.catalogue_plan_id, p.provider, p.name, p.owner_id, new.user_id, p.settlement, p.billing_cycle, p.member_price, p.fee_rate,
    coalesce(asked.coins_first, false), asked.begins_at_once_at,
    case p.settlement when 'direct' then private.now() end,
    case when private.has_vault_entry(p.id) then private.now() end
  from public.shared_subscriptions as p left join lateral (
    select r.coins_first, r.begins_at_once_at from public.subscription_requests as r
    where r.subscription_id = p.id and r.user_id = new.user_id and r.status = 'approved' order by r.decided_at desc limit 1
  ) as asked on true where p.id = new.subscription_id
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_period(v_seat, 1, null);
  perform private.begin_periods(v_seat.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_plan public.shared_subscriptions;
  v_profile public.user_profiles;
  v_is_locked boolean;
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    if new.subscription_id is null then
      raise exception 'Subscription ID is required' using errcode = '23514';
    end if;
    if new.status <> 'pending' then
      raise exception 'Only the plan''s owner can answer requests' using errcode = '42501';
    end if;
    perform private.spend_attempt('join request');
    new.user_id := v_user;
    new.requested_at := clock_timestamp();
    new.decided_at := null;
    new.expired := false;
    new.begins_at_once_at := case when new.begins_at_once_at is not null then private.now() end;
  end if;
  new.id := coalesce(new.id, gen_random_uuid());
  new.message := btrim(coalesce(new.message, ''));
  if char_length(new.message) > private.longest_join_message() then
    raise exception 'The message can be at most % characters long', private.longest_join_message() using errcode = '23514';
  end if;
  v_profile := private.named_profile(new.user_id);
  new.name := v_profile.display_name;
  new.email := private.email_of(new.user_id);

  -- Letting people in takes a place, so lock the plan, and do it before the requests below.
  perform from public.shared_subscriptions
  where id = new.subscription_id and instant_from is not null and v_user is not null for no key update;
  v_is_locked := found;
  select * into v_plan from public.shared_subscriptions as p
  where p.id = new.subscription_id and (v_user is null or private.may_find(p));
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  new.owner_id := v_plan.owner_id;
  if v_plan.owner_id = new.user_id then
    raise exception 'Owners cannot request their own plan' using errcode = '23514';
  end if;
  if v_user is null then return new; end if;
  perform private.require_unblocked(v_plan.owner_id, 'This plan takes no new members right now');
  perform private.require_offered(v_plan.provider);
  perform private.expire_join_requests();
  if private.is_plan_member(new.subscription_id) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  if exists (
    select 1 from public.subscription_requests as r
    where r.subscription_id = new.subscription_id and r.user_id = v_user and private.is_open_request(r)
  ) then
    raise exception 'Request Already Sent' using errcode = '23505';
  end if;
  new.keeps_place := private.take_offer(v_plan, v_user, new.email);
  if v_is_locked and private.instant_refusal(v_plan, v_user, new.coins_first) is null then
    new.instant := true;
    new.status := 'approved';
    new.decided_at := new.requested_at;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['chat-message'::text, 'question-asked'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event ~ '^(problem|access|password)-'::text) THEN 'access'::text WHEN ((p_event ~ '^(payment|refund|withdrawal|wallet|coins|money)-'::text) OR (p_event = ANY (ARRAY['member-says-paid'::text, 'member-paid'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text, 'contract-withdrawn'::text]))) THEN 'money'::text WHEN ((p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$'::text) OR (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'report-read'::text, 'support-asked'::text, 'support-answered'::text]))) THEN 'team'::text ELSE 'places'::text END;

CREATE OR REPLACE FUNCTION private.withdraw_from_contract(p_seat_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_back numeric;
  v_what text;
begin
  if exists (select from private.seats where id = p_seat_id and member_id = v_user) then
    v_seat := private.lock_place(p_seat_id);
  end if;
  if v_seat.end_reason = 'withdrawn' then
    raise exception 'You’ve already withdrawn from this contract' using errcode = '23514';
  elsif v_seat.id is null or v_seat.ended_at is not null then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif not private.is_contract_with_site(v_seat.id) then
    raise exception 'You pay the owner directly, so there’s no contract with us to withdraw from' using errcode = '23514';
  elsif not private.may_withdraw(v_seat) then
    raise exception 'You could withdraw for % days after joining. You can still leave.', extract(day from private.withdrawal_period())
      using errcode = '23514';
  end if;
  perform private.lock_held_money(array[v_seat.id], '{refunds_due,fees,guarantee}');
  v_back := private.back_on_withdrawal(v_seat);
  v_what := case when v_back is null then 'held' when v_back = 0 then 'nothing' else 'back' end;
  perform private.settle_seat(v_seat.id, 'withdrawn', v_user);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_user;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_user, 'success', 'contract-withdrawn', 'You Have Withdrawn',
    format('On %s UTC you withdrew from the contract for %s %s. %s', to_char(v_seat.ended_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI'),
      v_seat.provider, v_seat.plan_name, case v_what when 'nothing' then 'You pay nothing.'
      when 'held' then 'What comes back is held until your problem is closed.'
      else format('%s comes back the way you paid it, within %s days.', private.euros(v_back), extract(day from private.withdrawal_refund_time())) end),
    jsonb_build_object('at', v_seat.ended_at, 'what', v_what, 'amount', coalesce(v_back, 0),
      'days', extract(day from private.withdrawal_refund_time())));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-withdrew', 'Member Withdrew',
    format('%s withdrew from the contract for %s %s. What you’ve earned stays yours, and the place is free again.',
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name));
  return v_back;
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawable_until(p_seat private.seats)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_zone text := private.zone_of(p_seat.member_id);
begin
  return (private.day_in(p_seat.opened_at, v_zone) + 1 + private.withdrawal_period()) at time zone v_zone;
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawal_period()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '14 days'::interval;

CREATE OR REPLACE FUNCTION private.withdrawal_refund_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '14 days'::interval;

CREATE OR REPLACE FUNCTION public.accept_invitation(p_token text, p_begin_at_once boolean DEFAULT false)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.accept_invitation(p_token, p_begin_at_once) $function$;

CREATE OR REPLACE FUNCTION public.my_seats()
 RETURNS TABLE(id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text, billing_cycle text, share numeric, coins_first boolean, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, may_stay boolean, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, withdraw_until timestamp with time zone, begins_at_once_at timestamp with time zone, back_now numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_seats() $function$;

CREATE OR REPLACE FUNCTION public.withdraw_from_contract(p_seat_id uuid)
 RETURNS numeric
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.withdraw_from_contract(p_seat_id) $function$;

ALTER TABLE "private"."seats" ADD CONSTRAINT "seats_end_reason_check" CHECK ((end_reason = ANY (ARRAY['left'::text, 'removed'::text, 'cancelled'::text, 'unpaid'::text, 'over'::text, 'unused'::text, 'disputed'::text, 'no-access'::text, 'problem'::text, 'withdrawn'::text])));

ALTER TABLE "public"."member_payments" ADD CONSTRAINT "member_payments_from_guarantee_check" CHECK ((from_guarantee >= (0)::numeric));

ALTER TABLE "public"."member_payments" ADD CONSTRAINT "no_more_than_was_paid" CHECK (((owed_back <= share) AND (((returned_share + returned_fee) + from_guarantee) <= (share + fee)) AND ((settlement = 'direct'::text) OR (((earned_share + returned_share) <= share) AND ((earned_fee + returned_fee) <= fee)))));

REVOKE ALL ON FUNCTION "private"."accept_invitation"(text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."accept_invitation"(text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."back_on_withdrawal"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."card_has_back"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."give_back"(uuid, numeric, numeric, text, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_contract_with_site"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_withdraw"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_seats"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_seats"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."rest_of"(public.member_payments, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."return_from_guarantee"(public.member_payments, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdraw_from_contract"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."withdraw_from_contract"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."withdrawable_until"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdrawal_period"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdrawal_refund_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."accept_invitation"(text, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."accept_invitation"(text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_seats"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_seats"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."withdraw_from_contract"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."withdraw_from_contract"(uuid) TO "authenticated";

REVOKE ALL ("begins_at_once_at") ON TABLE "public"."subscription_requests" FROM "authenticated";

GRANT INSERT ("begins_at_once_at") ON TABLE "public"."subscription_requests" TO "authenticated";
