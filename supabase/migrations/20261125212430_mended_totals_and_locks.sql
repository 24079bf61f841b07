set local check_function_bodies = off;

DROP FUNCTION "private"."payment_totals"(boolean, text);

DROP FUNCTION "public"."payment_totals"(boolean, text);

CREATE OR REPLACE FUNCTION private.expire_join_requests()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_over record;
begin
  for v_over in
    select r.id, r.user_id, p.id as plan_id, p.provider, p.name
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.status = 'pending' and not r.expired and r.requested_at <= now() - private.request_lifetime() - private.unnoticed_gap()
    for no key update of r skip locked
  loop
    continue when (private.keep_plan(v_over.plan_id)).id is null;
    update public.subscription_requests set expired = true where id = v_over.id;
    perform private.notify(v_over.user_id, 'warning', 'Request Expired',
      format('Your request to join %s %s was not answered within %s hours. You can ask again.',
        v_over.provider, v_over.name, private.hours(private.request_lifetime())),
      v_over.plan_id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.last_renewal_retry(p_due_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select max(p_due_at + wait) from unnest(private.renewal_retries()) as wait $function$;

CREATE OR REPLACE FUNCTION private.my_tasks()
 RETURNS TABLE(kind text, id uuid, subscription_id text, provider text, plan text, person_id uuid, amount numeric, due_at timestamp with time zone, lost_at timestamp with time zone, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
  with task as (
    select 'answer-request' as kind, r.id, p.id as subscription_id, p.provider, p.provider || ' ' || p.name as plan,
      r.user_id as person_id, null::numeric as amount,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap() as due_at, r.requested_at as since
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = v_user and private.is_open_request(r)
    union all
    select 'await-answer', r.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap(), r.requested_at
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.user_id = v_user and private.is_open_request(r)
    union all
    select case when s.owner_id = v_user then 'give-access' when s.access_due_at is not null then 'await-access' else 'check-access' end,
      s.id, s.subscription_id, s.provider, s.provider || ' ' || s.plan_name,
      case s.owner_id when v_user then s.member_id else s.owner_id end,
      case when s.access_due_at is not null then (
        select sum(case m.owner_id when v_user then m.share else m.amount end) from public.member_payments as m
        where m.seat_id = s.id and m.status = 'paid') end,
      coalesce(s.access_due_at, greatest(s.access_given_at, s.admitted_at) + private.access_silence()),
      coalesce(s.access_given_at, s.admitted_at)
    from private.seats as s
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null and s.admitted_at is not null
      and (s.access_due_at is not null or s.member_id = v_user
        and s.access_given_at is not null and not private.access_works(s) and not private.has_open_problem(s.id))
    union all
    select case when m.status = 'claimed' then case when m.owner_id = v_user then 'confirm-payment' else 'await-confirmation' end
        when m.status = 'needs-action' then 'confirm-card' when m.status = 'failed' then 'mend-payment'
        when m.note is not null then 'pay-again' else 'pay' end,
      m.id, m.subscription_id, s.provider, m.plan_name, case m.owner_id when v_user then m.member_id else m.owner_id end, m.amount,
      case when m.status = 'due' then m.due_at
        -- A renewal is tried again before its place ends, a first payment is not.
        when m.status <> 'claimed' then case when m.number > 1 then private.last_renewal_retry(m.due_at) else m.next_attempt_at end end,
      coalesce(m.claimed_at, m.due_at)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    where v_user in (m.owner_id, m.member_id) and m.settlement = 'direct' and m.status = 'claimed'
      or m.member_id = v_user and (m.status in ('needs-action', 'failed')
        or m.settlement = 'direct' and m.status = 'due' and m.due_at <= private.now() and private.says_how_to_pay(m.owner_id))
    union all
    select case b.status when 'owner' then 'answer-problem' else 'check-fix' end, b.id, b.subscription_id, s.provider, b.plan_name,
      case b.owner_id when v_user then b.member_id else b.owner_id end, null, b.due_at, b.reported_at
    from public.seat_problems as b join private.seats as s on s.id = b.seat_id
    where b.owner_id = v_user and b.status = 'owner' or b.member_id = v_user and b.status = 'member'
    union all
    select 'change-password', null, p.id, p.provider, p.provider || ' ' || p.name, null, null, null, due.since
    from private.passwords_due() as due join public.shared_subscriptions as p on p.id = due.subscription_id
    union all
    select 'answer-terms', t.id, t.subscription_id, s.provider, s.provider || ' ' || s.plan_name, t.owner_id, t.share, null, t.proposed_at
    from public.term_proposals as t join private.seats as s on s.id = t.seat_id
    where t.member_id = v_user and t.answered_at is null and s.ended_at is null
    union all
    select 'say-how-to-pay', null, null, null, null, null, null, null, min(s.opened_at) from private.seats as s
    where s.owner_id = v_user and s.ended_at is null and s.settlement = 'direct'
      and not exists (select from public.payment_wishes as w where w.user_id = v_user)
    having count(*) > 0
    union all
    select 'take-place', null, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null, w.offered_until, w.joined_at
    from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
    where w.user_id = v_user and w.offered_until > now()
    union all
    select 'answer-invitation', i.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      i.expires_at + private.unnoticed_gap(), i.created_at
    from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
    where i.email = private.my_email() and private.invitation_status(i) = 'open' and p.status = 'active'
      and not private.is_plan_member(p.id)
  )
  select t.kind, t.id, t.subscription_id, t.provider, t.plan, t.person_id, t.amount, t.due_at,
    case when t.kind in ('pay', 'pay-again') then t.due_at + private.direct_patience() else t.due_at end, t.since
  from task as t;
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
        else case when p_as_owner then m.share - m.returned_share else m.amount - m.returned_share - m.returned_fee end
          - case when m.repaid_at is null then 0 else m.owed_back end
      end as settled
    from public.member_payments as m
    where (not p_as_owner and m.member_id = v_user or p_as_owner and m.owner_id = v_user)
      and (p_subscription_id is null or m.subscription_id = p_subscription_id)
  ) as p;
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
    v_until := private.last_renewal_retry(v_period.due_at);
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

CREATE OR REPLACE FUNCTION private.tell_expiring_requests()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_late record;
begin
  for v_late in
    select r.id, r.name as asks, p.id as plan_id, p.owner_id, p.provider, p.name
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.status = 'pending' and not r.expired
      and r.requested_at <= now() - private.request_lifetime() + private.reminder_lead()
      and r.requested_at > now() - private.request_lifetime()
      and not exists (select from private.expiry_reminders as told where told.request_id = r.id)
    for no key update of r skip locked
  loop
    continue when (private.keep_plan(v_late.plan_id)).id is null;
    insert into private.expiry_reminders (request_id) values (v_late.id) on conflict do nothing;
    if not found then continue; end if;
    perform private.mail_notification(private.notify(v_late.owner_id, 'warning', 'Request Expiring Soon',
      format('%s still waits for your answer about %s %s. The request expires within %s hours.',
        v_late.asks, v_late.provider, v_late.name, private.hours(private.reminder_lead())), v_late.plan_id),
      array[v_late.id::text, v_late.plan_id], 'Answer the request', '/manage-shared/' || v_late.plan_id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_totals(p_as_owner boolean DEFAULT false, p_subscription_id text DEFAULT NULL::text)
 RETURNS TABLE(due numeric, claimed numeric, paid numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.payment_totals(p_as_owner, p_subscription_id) $function$;

REVOKE ALL ON FUNCTION "private"."last_renewal_retry"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."payment_totals"(boolean, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."payment_totals"(boolean, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."payment_totals"(boolean, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."payment_totals"(boolean, text) TO "authenticated";

