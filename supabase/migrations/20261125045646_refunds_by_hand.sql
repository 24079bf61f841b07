-- Refunds made by hand at the provider are booked, and those it refuses for now are tried again.
set local check_function_bodies = off;

DROP FUNCTION "private"."queue_refund"(uuid, numeric);

DROP FUNCTION "private"."record_refund"(text, text, text, text);

DROP FUNCTION "public"."record_refund"(text, text, text, text);

CREATE OR REPLACE FUNCTION private.adopt_refund(p_payment_id uuid, p_reference text, p_amount numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat uuid := (select seat_id from public.member_payments where id = p_payment_id);
  v_rest numeric := p_amount;
  v_refund private.refunds;
begin
  perform private.lock_place(v_seat);
  perform private.lock_held_money(array[v_seat], array['outside', 'refunds_due', 'fees', 'guarantee']);
  -- Told twice at once.
  if exists (select from private.refunds where reference = p_reference) then return; end if;
  for v_refund in select * from private.refunds where payment_id = p_payment_id and status = 'queued' order by created_at loop
    if v_refund.amount <= v_rest then
      delete from private.payment_jobs where kind = 'refund' and about = v_refund.id::text;
      delete from private.refunds where id = v_refund.id;
    else
      update private.refunds set amount = amount - v_rest where id = v_refund.id and v_rest > 0;
    end if;
    v_rest := greatest(0, v_rest - v_refund.amount);
  end loop;
  insert into private.refunds (payment_id, amount, status, reference) values (p_payment_id, p_amount, 'pending', p_reference);
  if v_rest > 0 then
    perform private.take_returned(p_payment_id, p_reference, v_rest);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.move_earnings(p_period uuid, p_all boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_now timestamptz := private.now();
  v_until timestamptz;
  v_part numeric;
  v_share numeric;
  v_fee numeric;
begin
  select * into v_period from public.member_payments where id = p_period;
  v_until := least(v_now, v_period.ends_at);
  v_part := extract(epoch from v_until - v_period.starts_at - private.time_without_access(v_period, v_until, null))
    / extract(epoch from v_period.ends_at - v_period.starts_at);
  v_share := case when p_all then v_period.share - v_period.returned_share 
    else least(v_period.share - v_period.returned_share, trunc(v_period.share * v_part, 2)) end - v_period.earned_share;
  v_fee := case when p_all then v_period.fee - v_period.returned_fee 
    else least(v_period.fee - v_period.returned_fee, trunc(v_period.fee * v_part, 2)) end - v_period.earned_fee;
  update public.member_payments set earned_share = earned_share + v_share, earned_fee = earned_fee + v_fee, earned_until = v_now,
    status = case when p_all then 'closed' else status end, closed_at = case when p_all then v_now end
  where id = p_period;
  -- Callers that work through many seats move all earnings at the end.
  if strpos(coalesce(current_setting('potluck.earn_together', true), ''), v_period.seat_id::text) = 0 then
    perform private.post_earnings(array[v_period]);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.queue_refund(p_period uuid, p_amount numeric, p_since timestamp with time zone DEFAULT clock_timestamp())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_refund uuid;
  v_provider text;
begin
  insert into private.refunds (payment_id, amount, created_at) values (p_period, p_amount, p_since) returning id into v_refund;
  select provider into v_provider from private.charges where payment_id = p_period;
  perform private.queue_payment_job('refund', v_refund::text, v_provider);
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
      if v_refund.status = 'succeeded' then
        perform private.transfer('refund-failed:' || v_refund.id, private.ledger_account('outside'), private.ledger_account('refunds_due'),
          v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
      end if;
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

CREATE OR REPLACE FUNCTION private.refund_patience()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '7 days'::interval;

CREATE OR REPLACE FUNCTION private.refusal_may_pass(p_reason text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((p_reason = ANY (ARRAY['insufficient_funds'::text, 'balance_insufficient'::text, 'lock_timeout'::text, 'rate_limit'::text, 'processing_error'::text])), false);

CREATE OR REPLACE FUNCTION private.settle_payment_job(p_job uuid, p_attempt integer, p_error text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
-- A refund that the provider has accepted, or refuses for now, is asked about again.
declare v_error text := coalesce(p_error, (
  select case r.status when 'pending' then r.status else coalesce(r.reason, r.status) end
  from private.payment_jobs as j join private.refunds as r on r.id::text = j.about
  where j.id = p_job and j.kind = 'refund' and r.status in ('queued', 'pending')));
begin
  if v_error is null then
    delete from private.payment_jobs where id = p_job and attempts = p_attempt;
  else
    update private.payment_jobs set
      next_attempt_at = clock_timestamp() + least(interval '15 minutes', interval '15 seconds' * power(2, least(p_attempt, 10))),
      last_error = left(v_error, 500),
      failing_since = case when v_error <> 'pending' then coalesce(failing_since, clock_timestamp()) end
    where id = p_job and attempts = p_attempt;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.take_returned(p_period_id uuid, p_reference text, p_amount numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_held numeric;
  v_share numeric;
  v_fee numeric;
  v_part record;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  v_held := case when v_period.status = 'paid'
    then greatest(0, least(p_amount, v_period.card - v_period.returned_share - v_period.returned_fee)) else 0 end;
  v_share := least(v_held, v_period.share - v_period.earned_share - v_period.returned_share);
  v_fee := least(v_held - v_share, v_period.fee - v_period.earned_fee - v_period.returned_fee);
  for v_part in select * from (values ('held_share', v_period.seat_id, v_share), ('held_fee', v_period.seat_id, v_fee),
    ('guarantee', null, p_amount - v_share - v_fee)) as part (kind, owner, amount) where part.amount > 0
  loop
    perform private.transfer(format('by-hand:%s:%s', p_reference, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      private.ledger_account('refunds_due'), v_part.amount, 'refund', v_period.seat_id, v_period.id, v_period.plan_name);
  end loop;
  update public.member_payments set returned_share = returned_share + v_share, returned_fee = returned_fee + v_fee where id = v_period.id;
  if v_period.status = 'paid' and v_period.returned_share + v_period.returned_fee + v_share + v_fee = v_period.amount then
    update public.member_payments set status = 'given-back', closed_at = private.now() where id = v_period.id;
    perform private.end_seat(v_period.seat_id, 'removed', null);
  end if;
  if p_amount > v_share + v_fee then
    perform private.tell_treasurers('warning', 'More Given Back Than Was Held',
      format('%s of a payment for %s were given back at the provider. The guarantee account bears %s of it, as no more was held.',
        private.euros(p_amount), v_period.plan_name, private.euros(p_amount - v_share - v_fee)),
      'payment-returned-by-hand', jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'reference', p_reference));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.record_refund(p_refund text, p_reference text, p_status text, p_reason text, p_intent text DEFAULT NULL::text, p_amount numeric DEFAULT NULL::numeric)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_refund(p_refund, p_reference, p_status, p_reason, p_intent, p_amount) $function$;

REVOKE ALL ON FUNCTION "private"."adopt_refund"(uuid, text, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_refund"(uuid, numeric, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_refund"(text, text, text, text, text, numeric) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_refund"(text, text, text, text, text, numeric) TO "service_role";

REVOKE ALL ON FUNCTION "private"."refund_patience"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refusal_may_pass"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_returned"(uuid, text, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."record_refund"(text, text, text, text, text, numeric) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_refund"(text, text, text, text, text, numeric) TO "service_role";
