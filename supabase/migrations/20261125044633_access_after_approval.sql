set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.begin_periods(p_seat_id uuid)
 RETURNS private.seats
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  update private.seats set access_due_at = private.now() + private.access_time()
  where id = p_seat_id and admitted_at is not null and access_given_at is null and access_due_at is null
    and exists (select from public.member_payments where seat_id = p_seat_id and status = 'paid');
  update private.seats set anchor = private.day_in(private.now(), private.zone_of(member_id)), access_due_at = null
  where id = p_seat_id and admitted_at is not null and access_given_at is not null and anchor is null;
  select * into v_seat from private.seats where id = p_seat_id;
  update public.member_payments set starts_at = private.now(),
    ends_at = private.period_end(v_seat.anchor, number - v_seat.anchor_after, private.zone_of(member_id))
  where seat_id = p_seat_id and starts_at is null and v_seat.anchor is not null;
  perform private.wake_seat(p_seat_id);
  return v_seat;
end $function$;

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
  update public.member_payments set status = 'paid', paid_at = private.now(), note = null, due_at = private.owed_since(v_payment),
    receipt_number = private.new_receipt_number() where id = v_payment.id;
  perform private.begin_periods(v_payment.seat_id);
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'success', 'payment-received', 'Payment Received',
    '%3$s has received your %1$s for %2$s.');
end $function$;

CREATE OR REPLACE FUNCTION private.end_late_seat(p_seat_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, true);
begin
  if not exists (
    select from public.member_payments where seat_id = v_seat.id and settlement = 'direct' and status = 'due'
      and due_at <= private.now() - private.direct_patience() and private.says_how_to_pay(owner_id)
  ) then
    raise exception 'No payment has been missing for % days', extract(day from private.direct_patience()) using errcode = '23514';
  end if;
  perform private.end_seat(v_seat.id, 'unpaid', v_seat.owner_id);
end $function$;

CREATE OR REPLACE FUNCTION private.end_seat(p_seat_id uuid, p_reason text, p_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats;
  v_plan text;
  v_member text;
begin
  v_seat := private.lock_place(p_seat_id);
  v_plan := format('%s %s', v_seat.provider, v_seat.plan_name);
  v_member := (select display_name from public.user_profiles where user_id = v_seat.member_id);
  if v_seat.ended_at is not null then return; end if;
  perform private.settle_seat(v_seat.id, p_reason, p_by);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id and not is_owner;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-ended', 'Membership Ended',
    format(case p_reason when 'unpaid' then 'Your place in %s has ended because it was not paid.'
      when 'no-access' then 'Your place in %s has ended because its owner gave you no access in time. ' || case v_seat.settlement
        when 'direct' then 'They owe you all you paid.' else 'All you paid goes back to you.' end
      when 'problem' then 'Your place in %s has ended because it did not work. ' || case v_seat.settlement
        when 'direct' then 'Its owner owes you what you paid for the time since you said so.'
        else 'What you paid for the time since you said so goes back to you.' end
      else 'Your place in %s has ended.' end, v_plan), jsonb_build_object('reason', p_reason));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-seat-ended', 'Place Free Again',
    format(case p_reason when 'unpaid' then '%s has not paid for %s, so the place is free again.'
      when 'no-access' then '%s had no access to %s in time, so ' || case v_seat.settlement
        when 'direct' then 'you owe the money back' else 'the money goes back' end || ' and the place is free again.'
      when 'problem' then 'What %s reported about %s was not put right, so the place is free again.'
      else 'The place of %s in %s is free again.' end, v_member, v_plan), jsonb_build_object('reason', p_reason));
end $function$;

CREATE OR REPLACE FUNCTION private.follow_direct_payments(p_seat_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.seats set late_since = (
    select min(due_at) from public.member_payments
    where seat_id = p_seat_id and settlement = 'direct' and status = 'due' and reminders > 1 and private.says_how_to_pay(owner_id)
  ) where id = p_seat_id and ended_at is null;
  perform private.wake_seat(p_seat_id);
end $function$;

CREATE OR REPLACE FUNCTION private.my_tasks()
 RETURNS TABLE(kind text, id uuid, subscription_id text, plan text, person text, amount numeric, due_at timestamp with time zone, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select 'answer-request', r.id, p.id, p.provider || ' ' || p.name, r.name, null::numeric,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap(), r.requested_at
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = v_user and private.is_open_request(r)
    union all
    select case when s.owner_id = v_user then 'give-access' else 'check-access' end, s.id, s.subscription_id,
      s.provider || ' ' || s.plan_name, other.display_name, null,
      case when s.owner_id = v_user then s.access_due_at
        else greatest(s.access_given_at, s.admitted_at) + private.access_silence() end,
      coalesce(s.access_given_at, s.admitted_at)
    from private.seats as s
    join public.user_profiles as other on other.user_id = case s.owner_id when v_user then s.member_id else s.owner_id end
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null and s.admitted_at is not null
      and case when s.owner_id = v_user then s.access_due_at is not null
        else s.access_given_at is not null and not private.access_works(s) and not private.has_open_problem(s.id) end
    union all
    select case when m.owner_id = v_user then 'confirm-payment' when m.status = 'needs-action' then 'confirm-card'
        when m.status = 'failed' then 'mend-payment' when m.note is not null then 'pay-again' else 'pay' end,
      m.id, m.subscription_id, m.plan_name, other.display_name, m.amount,
      case when m.owner_id <> v_user then case when m.settlement = 'direct' then m.due_at else m.next_attempt_at end end,
      coalesce(m.claimed_at, m.due_at)
    from public.member_payments as m
    join public.user_profiles as other on other.user_id = case m.owner_id when v_user then m.member_id else m.owner_id end
    where m.owner_id = v_user and m.settlement = 'direct' and m.status = 'claimed'
      or m.member_id = v_user and (m.status in ('needs-action', 'failed')
        or m.settlement = 'direct' and m.status = 'due' and m.due_at <= private.now() and private.says_how_to_pay(m.owner_id))
    union all
    select case b.status when 'owner' then 'answer-problem' else 'check-fix' end, b.id, b.subscription_id, b.plan_name,
      other.display_name, null, b.due_at, b.reported_at
    from public.seat_problems as b
    join public.user_profiles as other on other.user_id = case b.owner_id when v_user then b.member_id else b.owner_id end
    where b.owner_id = v_user and b.status = 'owner' or b.member_id = v_user and b.status = 'member'
    union all
    select 'change-password', null, p.id, p.provider || ' ' || p.name, null, null, null, due.since
    from private.passwords_due() as due join public.shared_subscriptions as p on p.id = due.subscription_id
    union all
    select 'answer-terms', t.id, t.subscription_id, s.provider || ' ' || s.plan_name, other.display_name, t.share, null, t.proposed_at
    from public.term_proposals as t join private.seats as s on s.id = t.seat_id
    join public.user_profiles as other on other.user_id = t.owner_id
    where t.member_id = v_user and t.answered_at is null and s.ended_at is null
    union all
    select 'say-how-to-pay', null, null, null, null, null, null, min(s.opened_at) from private.seats as s
    where s.owner_id = v_user and s.ended_at is null and s.settlement = 'direct'
      and not exists (select from public.payment_wishes as w where w.user_id = v_user)
    having count(*) > 0
    union all
    select 'take-place', null, p.id, p.provider || ' ' || p.name, null, null, w.offered_until, w.joined_at
    from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
    where w.user_id = v_user and w.offered_until > now()
    union all
    select 'answer-invitation', i.id, p.id, p.provider || ' ' || p.name, other.display_name, null,
      i.expires_at + private.unnoticed_gap(), i.created_at
    from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
    join public.user_profiles as other on other.user_id = p.owner_id
    where i.email = private.my_email() and private.invitation_status(i) = 'open' and p.status = 'active'
      and not private.is_plan_member(p.id);
end $function$;

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
      and private.says_how_to_pay(o.owner_id)
  ) as todo (at, step, id)
  where todo.at is not null and exists (select from private.seats where id = p_seat_id and ended_at is null)
  order by todo.at, todo.step = 'turn' limit 1;
end $function$;

CREATE OR REPLACE FUNCTION private.nudge_payment(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.status <> 'due' or v_payment.due_at > private.now() then
    raise exception 'This payment is not open' using errcode = '23514';
  elsif not private.says_how_to_pay(v_payment.owner_id) then
    raise exception 'Please say first how you are paid, in your account settings' using errcode = '23514';
  elsif v_payment.nudged_at > private.now() - private.nudge_pause() then
    raise exception 'You can remind somebody once a day' using errcode = '23514';
  end if;
  update public.member_payments set nudged_at = private.now() where id = v_payment.id;
  perform private.tell_payment(v_payment, false, 'warning', 'payment-nudge', 'A Payment Is Missing',
    '%3$s asks you to pay %1$s for %2$s.');
end $function$;

CREATE OR REPLACE FUNCTION private.owed_since(p_payment public.member_payments)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case when p_payment.claimed_at is not null or private.says_how_to_pay(p_payment.owner_id) then p_payment.due_at
    else greatest(p_payment.due_at, private.now()) end;
end $function$;

CREATE OR REPLACE FUNCTION private.plan_seats(p_subscription_id text)
 RETURNS TABLE(id uuid, member_id uuid, member_name text, avatar_url text, settlement text, billing_cycle text, share numeric, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, unpaid_since timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, held numeric, earned numeric, next_release timestamp with time zone, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.member_id, p.display_name, p.avatar_url, s.settlement, s.billing_cycle, s.share, s.status, s.opened_at,
      sums.paid_until, sums.unpaid_since, s.ends_at, s.ended_at, s.end_reason, sums.held, sums.earned, sums.next_release,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id)
    from private.seats as s join public.user_profiles as p on p.user_id = s.member_id
    cross join lateral (
      select max(m.ends_at) filter (where m.status in ('paid', 'closed')) as paid_until,
        min(m.due_at) filter (where m.status in ('due', 'needs-action', 'failed')
          and (m.settlement = 'potluck' or private.says_how_to_pay(m.owner_id))) as unpaid_since,
        coalesce(sum(m.share - m.earned_share - m.returned_share)
          filter (where m.settlement = 'potluck' and m.status = 'paid'), 0.00) as held,
        coalesce(sum(m.earned_share), 0.00) as earned,
        min(least(coalesce(m.earned_until, m.starts_at) + private.earning_step(), m.ends_at))
          filter (where m.settlement = 'potluck' and m.status = 'paid' and not private.has_open_problem(s.id)) as next_release
      from public.member_payments as m where m.seat_id = s.id
    ) as sums
    where s.subscription_id = p_subscription_id and s.owner_id = v_user
    order by s.ended_at is not null, s.opened_at, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.remind_of_access(p_seat private.seats)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.seats set access_reminded = true where id = p_seat.id;
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'access-reminder', 'Give Access Now',
    format('%s has paid for %s %s and cannot get in yet. Without access by %s UTC '
      || case p_seat.settlement when 'direct' then 'you owe all of it back' else 'all of it goes back' end || ' and the place is free.',
      (select display_name from public.user_profiles where user_id = p_seat.member_id), p_seat.provider, p_seat.plan_name,
      to_char(p_seat.access_due_at at time zone 'utc', 'YYYY-MM-DD HH24:MI')), jsonb_build_object('until', p_seat.access_due_at));
end $function$;

CREATE OR REPLACE FUNCTION private.say_paid(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, false);
begin
  if v_payment.status <> 'due' then
    raise exception 'This payment is not open' using errcode = '23514';
  end if;
  update public.member_payments set status = 'claimed', claimed_at = private.now(), note = null,
    due_at = private.owed_since(v_payment) where id = v_payment.id;
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, true, 'info', 'member-says-paid', 'Payment On Its Way',
    '%3$s says that %1$s for %2$s is on its way to you. Has it arrived?');
end $function$;

CREATE OR REPLACE FUNCTION private.says_how_to_pay(p_owner_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.payment_wishes where user_id = p_owner_id);
end $function$;

CREATE OR REPLACE FUNCTION private.tg_payment_wishes__await()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_owner uuid := coalesce(new.user_id, old.user_id);
  v_seat uuid;
begin
  for v_seat in
    select id from private.seats where owner_id = v_owner and settlement = 'direct' and ended_at is null order by id for update
  loop
    update public.member_payments set due_at = case when tg_op = 'INSERT' then greatest(due_at, private.now()) else due_at end
    where seat_id = v_seat and settlement = 'direct' and status = 'due';
    perform private.follow_direct_payments(v_seat);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__open_seat()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, share, fee_rate, coins_first, admitted_at, access_given_at)
  select p.id, p.catalogue_plan_id, p.provider, p.name, p.owner_id, new.user_id, p.settlement, p.billing_cycle, p.member_price, p.fee_rate,
    coalesce((select r.coins_first from public.subscription_requests as r
      where r.subscription_id = p.id and r.user_id = new.user_id and r.status = 'approved' order by r.decided_at desc limit 1), false),
    case p.settlement when 'direct' then private.now() end,
    case when private.has_vault_entry(p.id) then private.now() end
  from public.shared_subscriptions as p where p.id = new.subscription_id
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_period(v_seat, 1, null);
  perform private.begin_periods(v_seat.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.work_out_facts(p_user_ids uuid[])
 RETURNS SETOF private.known_facts
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
begin
  return query
  -- Evaluated once, because these are not constants.
  with terms as materialized (select private.now() as now, private.now() - now() as ahead)
  select u.user_id, terms.now,
    least(given.until, paid.until, faults.until, answered.until + terms.ahead, asked.until + terms.ahead, 'infinity'),
    coalesce(given.time, '0'), coalesce(given.pace, 0)::integer, coalesce(paid.on_time, 0)::integer,
    coalesce(paid.late, 0)::integer, faults.problems::integer, answered.people::integer, answered.minutes::integer
  from terms cross join public.user_profiles as u
  -- Per member, the paid time with working access while the seat lived; for a running period, up to now.
  cross join lateral (
    select sum(least(by_member.time, private.pair_limit())) as time,
      sum(by_member.pace) filter (where by_member.time < private.pair_limit()) as pace,
      least(min(by_member.until), min(terms.now + (private.pair_limit() - by_member.time) / nullif(by_member.pace, 0))
        filter (where by_member.time < private.pair_limit())) as until
    from (
      select coalesce(sum(least(ended.at, terms.now) - m.starts_at - case when problem.was
          then private.time_without_access(m, least(ended.at, terms.now), null) else '0' end) filter (where begun.yet), '0') as time,
        count(*) filter (where begun.yet and ended.at > terms.now and problem.lasts is not true) as pace,
        min(case when begun.yet then ended.at else m.starts_at end) filter (where ended.at > terms.now) as until
      from private.seats as s
      cross join lateral (
        select count(*) > 0 as was, bool_or(coalesce(lost_until, 'infinity') > terms.now) as lasts
        from public.seat_problems where seat_id = s.id
      ) as problem
      join public.member_payments as m on m.seat_id = s.id
      cross join lateral (select least(m.ends_at, s.ended_at)) as ended (at)
      cross join lateral (select m.starts_at < terms.now) as begun (yet)
      where s.owner_id = u.user_id and m.status in ('paid', 'closed') and private.is_sure_payment(m) and m.starts_at < ended.at
      group by s.member_id
    ) as by_member
  ) as given
  -- What they paid, per owner. A confirmed direct payment is dated by "I've paid". Each stands for a month, and only as many
  -- as fit the pair limit count; late payments always count.
  cross join lateral (
    select sum(least(by_owner.on_time, extract(day from private.pair_limit())::integer / 30)) as on_time, sum(by_owner.late) as late,
      min(by_owner.until) as until
    from (
      select count(*) filter (where is_paid and not is_behind and private.is_sure_payment(m)) as on_time,
        count(*) filter (where is_behind and m.due_at > terms.now - private.standing_memory() and (is_paid
          or m.status in ('due', 'needs-action', 'failed') or (m.status = 'cancelled'
            and exists (select from private.seats where id = m.seat_id and end_reason = 'unpaid')))) as late,
        min(changes.at) filter (where changes.at > terms.now) as until
      from public.member_payments as m
      cross join lateral (select m.status in ('paid', 'closed'),
        coalesce(m.claimed_at, m.paid_at, terms.now) > m.due_at + private.payment_grace()
          and (m.settlement = 'potluck' or m.status <> 'due' or private.says_how_to_pay(m.owner_id))) as judged (is_paid, is_behind)
      cross join lateral (select case when is_behind then m.due_at + private.standing_memory()
        when coalesce(m.claimed_at, m.paid_at) is null then m.due_at + private.payment_grace() end) as changes (at)
      where m.member_id = u.user_id and m.share > 0 and m.starts_at is not null
      group by m.owner_id
    ) as by_owner
  ) as paid
  -- Problems that were their fault, and paid places they gave no access to.
  cross join lateral (
    select count(*) as problems, min(fault.at) + private.standing_memory() as until from (
      select closed_at from public.seat_problems where owner_id = u.user_id and fault = 'owner'
      union all select closed_at from public.seat_problems where member_id = u.user_id and fault = 'member'
      union all select ended_at from private.seats where owner_id = u.user_id and end_reason = 'no-access'
    ) as fault (at) where fault.at > terms.now - private.standing_memory()
  ) as faults
  -- The last answer to each requester; an expired request took the whole time.
  cross join lateral (
    select count(*) as people, percentile_cont(0.5) within group (order by last.minutes) as minutes,
      min(last.requested_at) + private.standing_memory() as until
    from (
      select distinct on (r.user_id) r.requested_at,
        extract(epoch from least(r.decided_at - r.requested_at, private.request_lifetime())) / 60 as minutes
      from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
      where p.owner_id = u.user_id and r.requested_at > now() - private.standing_memory()
        and not r.instant and (r.status in ('approved', 'rejected') or (r.status = 'pending' and not private.is_open_request(r)))
      order by r.user_id, r.requested_at desc
    ) as last
  ) as answered
  -- Requests that still wait for their answer.
  cross join lateral (
    select min(r.requested_at) + private.request_lifetime() as until
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = u.user_id and r.status = 'pending' and r.requested_at > now() - private.request_lifetime()
  ) as asked
  where u.user_id = any (p_user_ids);
end $function$;

CREATE TRIGGER await AFTER INSERT OR DELETE ON public.payment_wishes FOR EACH ROW EXECUTE FUNCTION private.tg_payment_wishes__await();

REVOKE ALL ON FUNCTION "private"."owed_since"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."says_how_to_pay"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_payment_wishes__await"() FROM PUBLIC;

