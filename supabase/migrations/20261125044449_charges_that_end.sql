-- Every charge ends: what the provider refuses at once, never decides, or refuses for good.
set local check_function_bodies = off;

ALTER TABLE "private"."charges" ADD COLUMN "tried_id" uuid;

ALTER TABLE "private"."payment_jobs" ADD COLUMN "failing_since" timestamp with time zone;

ALTER TABLE "private"."payment_jobs" ADD COLUMN "told" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."payment_methods" ADD COLUMN "refused" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.charging_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '24:00:00'::interval;

CREATE OR REPLACE FUNCTION private.choose_card(p_card_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.payment_methods set chosen_at = clock_timestamp(), refused = false where id = p_card_id and user_id = private.require_user();
  if not found then raise exception 'This card is not saved here' using errcode = 'PT404'; end if;
end $function$;

CREATE OR REPLACE FUNCTION private.is_refused_for_good(p_code text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((p_code = ANY (ARRAY['do_not_try_again'::text, 'fraudulent'::text, 'highest_risk_level'::text, 'incorrect_number'::text, 'invalid_account'::text, 'lost_card'::text, 'merchant_blacklist'::text, 'pickup_card'::text, 'restricted_card'::text, 'revocation_of_all_authorizations'::text, 'revocation_of_authorization'::text, 'security_violation'::text, 'service_not_allowed'::text, 'stolen_card'::text, 'stop_payment_order'::text, 'transaction_not_allowed'::text])), false);

CREATE OR REPLACE FUNCTION private.job_patience()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '01:00:00'::interval;

CREATE OR REPLACE FUNCTION private.next_step(p_seat_id uuid, OUT at timestamp with time zone, OUT step text, OUT period_id uuid)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select due_at, 'problem', id into at, step, period_id from public.seat_problems where seat_id = p_seat_id and status <> 'closed';
  if found then return; end if;
  with newest as (select * from public.member_payments where seat_id = p_seat_id order by number desc limit 1),
  open as (
    select * from public.member_payments
    where seat_id = p_seat_id and status in ('due', 'claimed', 'charging', 'needs-action', 'failed', 'paid')
  )
  select * into at, step, period_id from (
    -- The period is over: the seat ends with it, or the next one begins.
    select n.ends_at, 'turn', n.id from newest as n
    where n.ends_at is not null and (n.settlement = 'direct' or n.status in ('paid', 'closed', 'given-back', 'cancelled'))
    union all
    select coalesce(o.earned_until, o.starts_at) + private.earning_step(), 'earn', o.id from open as o
    where o.settlement = 'potluck' and o.status = 'paid' and coalesce(o.earned_until, o.starts_at) + private.earning_step() < o.ends_at
    union all
    select n.ends_at - private.renewal_notice(), 'announce', n.id from newest as n, private.seats as s
    where s.id = p_seat_id and s.settlement = 'potluck' and s.ends_at is null and n.status = 'paid' and n.announced_at is null
    union all
    -- A first payment keeps its place for a while; a renewal is retried; without another attempt the seat ends.
    select coalesce(o.next_attempt_at, o.created_at), case when o.status = 'charging' or (o.status = 'due' and o.number > 1) then 'undecided'
      when o.number = 1 or o.next_attempt_at is null then 'release' else 'retry' end, o.id from open as o
    where o.settlement = 'potluck' and o.status in ('due', 'charging', 'needs-action', 'failed')
    union all
    -- Paid, but no access yet.
    select case when s.access_reminded then s.access_due_at else s.access_due_at - private.access_reminder() end,
      case when s.access_reminded then 'no-access' else 'remind-access' end, o.id
    from private.seats as s join open as o on o.seat_id = s.id
    where s.id = p_seat_id and s.access_given_at is null
    union all
    select o.due_at + (private.direct_reminders())[o.reminders + 1], 'remind', o.id from open as o
    where o.settlement = 'direct' and o.status = 'due' and o.reminders < cardinality(private.direct_reminders())
  ) as todo (at, step, id)
  where todo.at is not null and exists (select from private.seats where id = p_seat_id and ended_at is null)
  order by todo.at, todo.step = 'turn' limit 1;
end $function$;

CREATE OR REPLACE FUNCTION private.period_failed(p_period uuid, p_code text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_next timestamptz;
  v_until timestamptz;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then return; end if;
  perform private.let_go(p_period);
  if v_period.number > 1 then
    select min(v_period.due_at + wait) into v_next from unnest(private.renewal_retries()) as wait
    where v_period.due_at + wait > private.now();
  elsif v_period.attempts > 0 then
    v_next := greatest(v_period.next_attempt_at, private.now());
    -- It has been undecided all the time.
    if p_code = 'undecided' and v_next = private.now() then v_next := null; end if;
  elsif not exists (
    select from private.seats where subscription_id = v_seat.subscription_id and member_id = v_seat.member_id
      and end_reason = 'unpaid' and ended_at > private.now() - private.mending_pause()
  ) then
    v_next := private.now() + private.mending_time();
  end if;
  update public.member_payments set status = case p_code when 'needs-action' then 'needs-action' else 'failed' end,
    attempts = attempts + 1, next_attempt_at = v_next where id = p_period;
  if v_period.number > 1 then
    update private.seats set late_since = coalesce(late_since, private.now()) where id = v_seat.id;
  end if;
  perform private.wake_seat(v_seat.id);
  -- Due work ends the seat, because it locks membership and plan first.
  if v_next is null then return; end if;
  v_until := v_next;
  if v_period.number > 1 and (p_code = 'undecided' or private.is_refused_for_good(p_code)) then
    select max(v_period.due_at + wait) into v_until from unnest(private.renewal_retries()) as wait;
  end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning',
    case p_code when 'needs-action' then 'payment-needs-action' else 'payment-failed' end,
    case p_code when 'needs-action' then 'Payment Needs Your Confirmation' when 'undecided' then 'Payment Not Made Yet' else 'Payment Failed' end,
    format(case
      when p_code = 'undecided' then 'Your payment for %s could not be made yet, which is no fault of your card. It is tried again; your place is kept until %s UTC'
        || case v_period.number when 1 then '.' else ', and your access is closed meanwhile.' end
      when private.is_refused_for_good(p_code) then 'Your payment for %s did not go through: your bank refuses this card for good. Pay with another card by %s UTC'
        || case v_period.number when 1 then ' to keep your place.' else '; your access is closed meanwhile.' end
      when v_period.number = 1 then 'Your payment for %s did not go through. Your place is kept until %s UTC: confirm it, or pay with another card.'
      else 'Your payment for %s did not go through, and your access is closed meanwhile. It is tried again on %s UTC; you can also pay with another card.' end,
      v_period.plan_name, to_char(v_until at time zone 'utc', 'YYYY-MM-DD HH24:MI')),
    jsonb_build_object('amount', v_period.amount, 'until', v_until, 'code', p_code, 'number', v_period.number));
end $function$;

CREATE OR REPLACE FUNCTION private.queue_charge(p_period uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_provider text := coalesce((select provider from private.payment_provider), 'stripe');
begin
  update public.member_payments set next_attempt_at = private.now() + private.charging_time() where id = p_period and next_attempt_at is null;
  insert into private.charges as c (payment_id, provider) values (p_period, v_provider)
  on conflict (payment_id) do update set on_session = false where c.status not in ('charging', 'processing', 'succeeded');
  perform private.queue_payment_job('charge', p_period::text, v_provider);
end $function$;

CREATE OR REPLACE FUNCTION private.record_card(p_customer text, p_method text, p_brand text, p_last4 text, p_exp_month integer, p_exp_year integer, p_is_new boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_customer private.payment_customers;
begin
  select c.* into v_customer from private.payment_customers as c join private.payment_provider as p using (provider)
  where c.reference = p_customer;
  if not found then return false; end if;
  update public.payment_methods set brand = p_brand, last4 = p_last4, exp_month = p_exp_month, exp_year = p_exp_year,
    refused = refused and (last4, exp_month, exp_year) = (p_last4, p_exp_month, p_exp_year)
  where provider = v_customer.provider and reference = p_method;
  if not found and p_is_new then
    perform private.ensure_profile(v_customer.user_id);
    insert into public.payment_methods (user_id, provider, reference, brand, last4, exp_month, exp_year)
    values (v_customer.user_id, v_customer.provider, p_method, p_brand, p_last4, p_exp_month, p_exp_year)
    on conflict (provider, reference) do nothing;
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_charge(p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric, p_is_heard boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_charge private.charges;
  v_seat private.seats;
  v_job text;
begin
  select * into v_charge from private.charges where intent = p_intent;
  if not found then return false; end if;
  v_job := v_charge.payment_id::text;
  v_seat := private.lock_seat_of(v_charge.payment_id);
  select * into v_charge from private.charges where payment_id = v_charge.payment_id for update;
  if v_charge.status = 'succeeded' then
    delete from private.payment_jobs where kind = 'charge' and about = v_job;
    return true;
  elsif p_status = 'succeeded' then
    perform private.receive(v_charge, p_amount, p_cost);
  elsif v_charge.status not in ('charging', 'processing', 'needs-action') or p_status = 'open'
    or (p_is_heard and exists (select from private.payment_jobs where kind = 'charge' and about = v_job)) then
    return true;
  elsif p_status = 'processing' then
    -- The provider will report it; if not, the next attempt asks.
    update private.charges set status = 'processing' where payment_id = v_charge.payment_id;
    update private.payment_jobs set next_attempt_at = clock_timestamp() + interval '10 minutes', last_error = 'processing', failing_since = null
    where kind = 'charge' and about = v_job;
    return true;
  elsif p_status = 'needs-action' then
    update private.charges set status = 'needs-action', code = p_code where payment_id = v_charge.payment_id;
    if v_charge.on_session then
      -- Being confirmed at the bank; the coins of this attempt stay reserved.
      update public.member_payments set status = 'needs-action', next_attempt_at = coalesce(next_attempt_at, private.now() + interval '1 day')
      where id = v_charge.payment_id;
      perform private.wake_seat(v_seat.id);
    elsif v_charge.status <> 'needs-action' then
      perform private.period_failed(v_charge.payment_id, 'needs-action');
    end if;
  else
    update private.charges set status = 'failed', code = p_code, intent = case when p_status <> 'canceled' then intent end
    where payment_id = v_charge.payment_id;
    update public.payment_methods set refused = true where id = v_charge.tried_id and private.is_refused_for_good(p_code);
    perform private.period_failed(v_charge.payment_id, coalesce(p_code, 'refused'));
  end if;
  delete from private.payment_jobs where kind = 'charge' and about = v_job;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.refuse_charge(p_payment_id uuid, p_code text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_seat_of(p_payment_id);
  update private.charges set status = 'failed', code = p_code
  where payment_id = p_payment_id and status = 'charging' and intent is null;
  -- Otherwise somebody else has begun it meanwhile.
  if not found then return; end if;
  delete from private.payment_jobs where kind = 'charge' and about = p_payment_id::text;
  perform private.period_failed(p_payment_id, p_code);
end $function$;

CREATE OR REPLACE FUNCTION private.run_due_work(p_limit integer DEFAULT 100)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_ids uuid[];
  v_id uuid;
begin
  perform private.keep_beat();
  perform private.expire_join_requests();
  perform private.tell_expiring_requests();
  perform private.close_questions();
  perform private.free_kept_places();
  perform private.tell_of_failing_jobs();
  -- With membership and plan, which are locked first to end a seat.
  v_ids := array(
    select s.id from private.seats as s
    join public.subscription_members as m on m.subscription_id = s.subscription_id and m.user_id = s.member_id
    join public.shared_subscriptions as p on p.id = s.subscription_id
    where s.next_at <= private.now() order by s.next_at limit p_limit
    for update of s, m skip locked for no key update of p skip locked
  ) || array(
    -- Ended seats have neither, only a problem that outlived them.
    select id from private.seats where next_at <= private.now() and ended_at is not null order by next_at limit p_limit
    for update skip locked
  );
  begin
    perform private.catch_up_all(v_ids);
  exception when others then
    -- One failed: do each by itself, again locking all accounts before the first.
    perform private.lock_held_money(v_ids);
    foreach v_id in array v_ids loop
      begin
        perform private.catch_up_all(array[v_id]);
      exception when others then
        update private.seats set failures = failures + 1, last_error = left(sqlerrm, 500),
          next_at = private.now() + least(interval '6 hours', interval '1 minute' * power(4, least(failures, 10)))
        where id = v_id;
        raise warning 'Seat %: %', v_id, sqlerrm;
      end;
    end loop;
  end;
  return cardinality(v_ids);
end $function$;

CREATE OR REPLACE FUNCTION private.settle_payment_job(p_job uuid, p_attempt integer, p_error text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_error is null then
    delete from private.payment_jobs where id = p_job and attempts = p_attempt;
  else
    update private.payment_jobs set
      next_attempt_at = clock_timestamp() + least(interval '15 minutes', interval '15 seconds' * power(2, least(p_attempt, 10))),
      last_error = left(p_error, 500),
      failing_since = case when p_error <> 'pending' then coalesce(failing_since, clock_timestamp()) end
    where id = p_job and attempts = p_attempt;
  end if;
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
  if v_period.status in ('due', 'charging', 'needs-action', 'failed') and v_period.ends_at <= private.now() then
    -- Nobody pays for what is wholly past.
    perform private.let_go(p_period);
    update public.member_payments set status = 'cancelled', next_attempt_at = null, closed_at = private.now() where id = p_period
    returning * into v_period;
    perform private.wake_seat(v_period.seat_id);
  end if;
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

CREATE OR REPLACE FUNCTION private.tell_of_failing_jobs()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_trouble record;
begin
  for v_trouble in
    with late as (
      update private.payment_jobs set told = true
      where failing_since <= clock_timestamp() - private.job_patience() and not told and last_error is not null
      returning last_error
    )
    select last_error, count(*) as jobs from late
    where not exists (select from private.payment_jobs as j where j.told and j.last_error = late.last_error) group by last_error
  loop
    perform private.tell_treasurers('error', 'Payments Fail',
      format('Charges or refunds have failed for %s, and are tried again: %s', private.hours(private.job_patience()), v_trouble.last_error),
      'payment-jobs-fail', jsonb_build_object('jobs', v_trouble.jobs, 'error', v_trouble.last_error));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_treasurers(p_type text, p_title text, p_message text, p_event text, p_params jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.mail_notification(private.notify(staff.id, p_type, p_title, p_message, null, p_event, p_params),
    '{}', 'Open the disputes and events', '/admin/disputes')
  from private.people_who_may('users.edit') as staff (id)
$function$;

CREATE OR REPLACE FUNCTION private.work_seat(p_seat private.seats, p_step text, p_period_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_period public.member_payments;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  case p_step
    when 'earn' then perform private.earn(v_period.id);
    when 'turn' then
      perform private.close_period(v_period.id);
      if p_seat.ends_at is not null then
        perform private.end_seat(p_seat.id, 'over', p_seat.ended_by);
      else
        perform private.renew(p_seat, v_period);
        if v_period.number = 1 then
          perform private.tell_first_month(p_seat, v_period);
        end if;
      end if;
    when 'retry' then
      update public.member_payments set status = 'due', next_attempt_at = null where id = v_period.id;
      perform private.queue_charge(v_period.id);
    when 'undecided' then perform private.period_failed(v_period.id, 'undecided');
    when 'release' then perform private.end_seat(p_seat.id, 'unpaid', null);
    when 'announce' then
      update public.member_payments set announced_at = private.now() where id = v_period.id;
      perform private.announce_renewal(p_seat, v_period);
    when 'remind' then perform private.remind_of_payment(p_seat, v_period);
    when 'remind-access' then perform private.remind_of_access(p_seat);
    when 'no-access' then perform private.end_seat(p_seat.id, 'no-access', null);
    when 'problem' then perform private.lapse_problem(p_period_id);
  end case;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_charge(p_payment_id uuid, p_code text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.refuse_charge(p_payment_id, p_code) $function$;

REVOKE ALL ON FUNCTION "private"."charging_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_refused_for_good"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."job_patience"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_charge"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."refuse_charge"(uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."tell_of_failing_jobs"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_treasurers"(text, text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."refuse_charge"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."refuse_charge"(uuid, text) TO "service_role";

-- What has waited for the provider from before has a time limit from now on.
update public.member_payments set next_attempt_at = private.now() + private.charging_time()
where settlement = 'potluck' and (status = 'charging' or (status = 'due' and number > 1)) and next_attempt_at is null;
select private.wake_seat(seat_id) from public.member_payments
where settlement = 'potluck' and status in ('due', 'charging');
