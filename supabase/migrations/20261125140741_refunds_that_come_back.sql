set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_movement(p_kind text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN (((p_from = ANY (ARRAY['outside'::text, 'wallet'::text])) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'payment-returned'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = 'wallet'::text)) WHEN 'earning'::text THEN ((p_from = 'held_share'::text) AND (p_to = 'wallet'::text)) WHEN 'fee'::text THEN ((p_from = 'held_fee'::text) AND (p_to = 'fees'::text)) WHEN 'refund'::text THEN (((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'guarantee'::text) AND (p_to = 'refunds_due'::text))) WHEN 'refund-sent'::text THEN ((p_from = 'refunds_due'::text) AND (p_to = 'outside'::text)) WHEN 'refund-failed'::text THEN (((p_from = ANY (ARRAY['refunds_due'::text, 'outside'::text])) AND (p_to = ANY (ARRAY['wallet'::text, 'guarantee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'withdrawal'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'outside'::text)) WHEN 'withdrawal-returned'::text THEN ((p_from = 'outside'::text) AND (p_to = 'wallet'::text)) WHEN 'adjustment'::text THEN (((p_from = 'adjustments'::text) AND (p_to = 'wallet'::text)) OR ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text))) WHEN 'chargeback'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'guarantee'::text, 'refunds_due'::text])) AND (p_to = 'outside'::text)) WHEN 'chargeback-won'::text THEN ((p_from = 'outside'::text) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'guarantee'::text]))) WHEN 'given-up'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text)) WHEN 'handed-over'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'wallet'::text)) WHEN 'cost'::text THEN (((p_from = 'costs'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'costs'::text))) ELSE false END;

CREATE OR REPLACE FUNCTION private.receive(p_charge private.charges, p_amount numeric, p_cost numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_outside bigint := private.ledger_account('outside');
  v_rest numeric;
begin
  select * into v_period from public.member_payments where id = p_charge.payment_id;
  perform private.lock_held_money(array[v_period.seat_id], array['outside', 'refunds_due', 'fees', 'costs']);
  v_period := private.unless_past(v_period);
  update private.charges set status = 'succeeded', code = null, received = p_amount where payment_id = v_period.id;
  if v_period.status in ('due', 'charging', 'needs-action', 'failed') and v_period.coins + v_period.card + p_amount <> v_period.amount then
    perform private.let_go(v_period.id);
    v_rest := v_period.amount - p_amount;
    if v_rest > 0 and private.available_coins(v_period.member_id) >= v_rest then
      perform private.pay_into(v_period.id, private.ledger_account('wallet', v_period.member_id), v_rest, 'payment',
        'coins:' || p_charge.intent);
    end if;
    select * into v_period from public.member_payments where id = v_period.id;
  end if;
  if v_period.coins + v_period.card + p_amount <= v_period.amount then
    perform private.pay_into(v_period.id, v_outside, p_amount, 'payment', 'charge:' || p_charge.intent);
    perform private.period_paid(v_period.id);
  else
    perform private.transfer('charge:' || p_charge.intent, v_outside, private.ledger_account('refunds_due'), p_amount, 'payment',
      v_period.seat_id, v_period.id, v_period.plan_name);
    perform private.queue_refund(v_period.id, p_amount);
  end if;
  if p_cost > 0 then
    perform private.transfer('cost:' || p_charge.intent, private.ledger_account('costs'), v_outside, p_cost, 'cost',
      v_period.seat_id, v_period.id, v_period.plan_name);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.record_refund(p_refund text, p_reference text, p_status text, p_reason text, p_intent text DEFAULT NULL::text, p_amount numeric DEFAULT NULL::numeric)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_refund private.refunds;
  v_period public.member_payments;
  v_seat private.seats;
  v_account bigint;
  v_payment uuid;
begin
  select * into v_refund from private.refunds where id::text = p_refund or reference = p_reference;
  if not found then
    select payment_id into v_payment from private.charges where intent = p_intent;
    if v_payment is null then return false; end if;
    if p_reference is null or p_status = 'failed' then return true; end if;
    perform private.adopt_refund(v_payment, p_reference, p_amount);
    select * into v_refund from private.refunds where reference = p_reference;
  end if;
  v_seat := private.lock_seat_of(v_refund.payment_id);
  select * into v_refund from private.refunds where id = v_refund.id for update;
  select * into v_period from public.member_payments where id = v_refund.payment_id;
  if p_status = 'failed' and v_refund.status <> 'failed' and v_refund.created_at > clock_timestamp() - private.refund_patience()
    and (private.refusal_may_pass(p_reason) or (p_reference is null and p_amount <> v_refund.amount)) then
    -- It stays in the queue; one that was made in vain is made anew.
    update private.refunds set reason = p_reason, reference = coalesce(reference, p_reference),
      status = case when p_reference is null then status else 'failed' end where id = v_refund.id;
    if p_reference is not null then
      -- It has left the provider's account and come back, whatever was heard of that.
      perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
        v_refund.amount, 'refund-sent', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.transfer('refund-failed:' || v_refund.id, private.ledger_account('outside'), private.ledger_account('refunds_due'),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.queue_refund(v_period.id, v_refund.amount, v_refund.created_at);
    end if;
    return true;
  elsif p_status <> 'failed' and v_refund.status in ('queued', 'pending') and p_amount > v_refund.amount then
    -- A part of it was taken for another that was made by hand.
    perform private.take_returned(v_period.id, p_reference, p_amount - v_refund.amount);
    update private.refunds set amount = p_amount where id = v_refund.id returning * into v_refund;
  end if;
  update private.refunds set reference = coalesce(reference, p_reference), reason = p_reason,
    status = case when status = 'failed' or (status = 'succeeded' and p_status <> 'failed') then status else p_status end
  where id = v_refund.id;
  if p_status = 'succeeded' and v_refund.status in ('queued', 'pending') then
    perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
      v_refund.amount, 'refund-sent', v_period.seat_id, v_period.id, v_period.plan_name);
  elsif p_status = 'failed' and v_refund.status <> 'failed' then
    v_account := private.ledger_account(case v_refund.status when 'succeeded' then 'outside' else 'refunds_due' end);
    v_refund.amount := v_refund.amount - private.leave_to_dispute(v_refund, v_account, v_period);
    if v_refund.amount > 0 and p_reason = 'charge_already_refunded' then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('guarantee'),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
    elsif v_refund.amount > 0 then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('wallet', v_period.member_id),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.tell_seat(v_seat, v_period.member_id, 'warning', 'refund-to-wallet', 'Refund In Your Wallet',
        format('%s for %s could not go back to your card, so it is in your wallet.', private.euros(v_refund.amount), v_period.plan_name),
        jsonb_build_object('amount', v_refund.amount));
    end if;
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.start_charge(p_period uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_charge private.charges;
  v_card public.payment_methods;
  v_rest numeric;
  v_before text;
  v_closing jsonb;
begin
  select * into v_period from public.member_payments where id = p_period for update;
  select * into v_charge from private.charges where payment_id = p_period for update;
  v_before := v_charge.status;
  if v_before = 'succeeded' then return null; end if;
  if v_charge.intent is not null and v_before in ('charging', 'processing', 'needs-action') then
    v_closing := jsonb_build_object('period', p_period, 'intent', v_charge.intent, 'isOver', true);
  end if;
  v_period := private.unless_past(v_period);
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then
    update private.charges set status = 'charging' where payment_id = p_period and v_closing is not null;
    return v_closing;
  elsif v_before not in ('charging', 'processing') and private.has_open_problem(v_period.seat_id) then
    -- No new charge until the problem is closed.
    return null;
  end if;
  update private.charges set attempts = attempts + 1, status = 'charging' where payment_id = p_period returning * into v_charge;
  update public.member_payments set status = 'charging', next_attempt_at = coalesce(next_attempt_at, private.now() + private.charging_time())
  where id = p_period;
  perform private.wake_seat(v_period.seat_id);
  v_rest := v_period.amount - v_period.coins - v_period.card;
  -- While the last attempt is undecided, the card may have paid already.
  if v_before not in ('charging', 'processing') and v_period.coins = 0
    and (select coins_first from private.seats where id = v_period.seat_id) then
    v_rest := private.take_coins(v_period, format('coins:%s:%s', p_period, v_charge.attempts));
  end if;
  if v_rest <= 0 then
    update private.charges set status = 'queued' where payment_id = p_period and v_closing is null;
    perform private.period_paid(p_period);
    return v_closing;
  end if;
  select * into v_card from public.payment_methods
  where user_id = v_period.member_id and provider = v_charge.provider order by id = v_charge.card_id desc nulls last, chosen_at desc limit 1;
  -- A card refused for good is charged again only for somebody who says so.
  if not found or private.has_open_dispute(v_period.member_id) or (v_card.refused and not v_charge.on_session) then
    -- A charge that may still succeed is closed first, and fails after that.
    if v_closing is not null then return v_closing; end if;
    update private.charges set status = 'failed', code = case when v_card.id is null then 'no_card'
      when private.has_open_dispute(v_period.member_id) then 'disputed' else 'do_not_try_again' end
    where payment_id = p_period returning * into v_charge;
    perform private.period_failed(p_period, v_charge.code);
    return null;
  end if;
  update private.charges set card = v_card.brand || ' ' || v_card.last4, tried_id = v_card.id where payment_id = p_period;
  return jsonb_build_object(
    'period', p_period, 'intent', v_charge.intent, 'amountCents', round(v_rest * 100)::integer, 'currency', 'eur',
    'customer', (select reference from private.payment_customers where user_id = v_period.member_id and provider = v_charge.provider),
    'method', v_card.reference, 'description', format('%s, period %s', v_period.plan_name, v_period.number),
    'attempt', v_charge.attempts, 'since', floor(extract(epoch from v_charge.created_at))::integer, 'onSession', v_charge.on_session);
end $function$;

CREATE OR REPLACE FUNCTION private.unless_past(p_period public.member_payments)
 RETURNS public.member_payments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_period.status in ('due', 'charging', 'needs-action', 'failed') and p_period.ends_at <= private.now() then
    perform private.let_go(p_period.id);
    update public.member_payments set status = 'cancelled', next_attempt_at = null, closed_at = private.now() where id = p_period.id
    returning * into p_period;
    perform private.wake_seat(p_period.seat_id);
  end if;
  return p_period;
end $function$;

REVOKE ALL ON FUNCTION "private"."unless_past"(public.member_payments) FROM PUBLIC;

