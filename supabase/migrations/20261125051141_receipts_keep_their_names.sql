set local check_function_bodies = off;

DROP FUNCTION "private"."new_receipt_number"();

CREATE SEQUENCE "private"."direct_receipt_numbers" AS bigint INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1 NO CYCLE;

ALTER TABLE "public"."member_payments" ADD COLUMN "owner_name" text;

ALTER TABLE "public"."member_payments" ADD COLUMN "member_name" text;

CREATE OR REPLACE FUNCTION private.confirm_payment(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.status not in ('due', 'claimed') then
    raise exception 'This payment is not open' using errcode = '23514';
  end if;
  update public.member_payments set status = 'paid', paid_at = private.now(), note = null, due_at = private.owed_since(v_payment)
    where id = v_payment.id;
  perform private.begin_periods(v_payment.seat_id);
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'success', 'payment-received', 'Payment Received',
    '%3$s has received your %1$s for %2$s.');
end $function$;

CREATE OR REPLACE FUNCTION private.period_paid(p_period uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.status in ('paid', 'closed', 'given-back') then return; end if;
  if v_seat.ended_at is not null or v_period.status = 'cancelled' then
    perform private.give_back(p_period, least(v_period.share, v_period.coins + v_period.card),
      greatest(0, v_period.coins + v_period.card - v_period.share), 'too-late');
    return;
  elsif v_period.coins + v_period.card < v_period.amount then
    -- The coins of this attempt were returned and spent, so the amount is too small; it cannot be charged again.
    update public.member_payments set status = 'failed', next_attempt_at = null where id = p_period;
    perform private.wake_seat(v_seat.id);
    return;
  end if;
  update public.member_payments set status = 'paid', paid_at = private.now(), next_attempt_at = null, note = null
  where id = p_period returning * into v_period;
  update private.seats set late_since = null, admitted_at = coalesce(admitted_at, private.now()) where id = v_seat.id;
  v_seat := private.begin_periods(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.member_id, 'success', 'payment-made', 'Payment Received',
    format('Your payment of %s for %s has arrived.', private.euros(v_period.amount), v_period.plan_name),
    jsonb_build_object('amount', v_period.amount));
  if v_period.number = 1 then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-paid', 'Member Has Paid',
      format(case when v_seat.access_given_at is null then '%s has paid for %s. Give them access within %s hours.'
        else '%s has paid for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())), jsonb_build_object('amount', v_period.amount));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_member_payments__issue_receipt()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_number text := case new.settlement when 'direct' then nextval('private.direct_receipt_numbers')
  else nextval('private.receipt_numbers') end;
begin
  -- lpad() would cut a longer number.
  new.receipt_number := case new.settlement when 'direct' then 'D' else '' end || to_char(private.now() at time zone 'utc', 'YYYY') || '-'
    || lpad(v_number, greatest(6, char_length(v_number)), '0');
  new.owner_name := (select display_name from public.user_profiles where user_id = new.owner_id);
  new.member_name := (select display_name from public.user_profiles where user_id = new.member_id);
  return new;
end $function$;

CREATE TRIGGER issue_receipt BEFORE UPDATE OF paid_at ON public.member_payments FOR EACH ROW WHEN (((old.paid_at IS NULL) AND (new.paid_at IS NOT NULL))) EXECUTE FUNCTION private.tg_member_payments__issue_receipt();

REVOKE ALL ON FUNCTION "private"."tg_member_payments__issue_receipt"() FROM PUBLIC;

revoke all on sequence private.direct_receipt_numbers from public, anon, authenticated, service_role;

-- The names of their day are not known any more.
update public.member_payments as m set
  owner_name = (select display_name from public.user_profiles where user_id = m.owner_id),
  member_name = (select display_name from public.user_profiles where user_id = m.member_id)
where receipt_number is not null;
