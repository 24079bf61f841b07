set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.is_reviewable(p_seat private.seats)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.member_payments as m
    where m.seat_id = p_seat.id and m.starts_at <= coalesce(p_seat.ended_at, private.now()) - private.review_after()
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_sure_payment(p_payment public.member_payments)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (((p_payment).share > (0)::numeric) AND ((p_payment).paid_at IS NOT NULL) AND (((p_payment).settlement = 'potluck'::text) OR ((p_payment).claimed_at IS NOT NULL)));

CREATE OR REPLACE FUNCTION private.rating_of(p_person_id uuid, OUT rating numeric, OUT reviewers integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select round(avg(last.rating), 1), count(*) into rating, reviewers from (
    select distinct on (r.author_id) r.rating from private.seat_reviews as r
    where r.subject_id = p_person_id and private.is_shown_review(r) and r.author_id <> all (private.blocked_by())
      and exists (select from public.member_payments as m where m.seat_id = r.seat_id and private.is_sure_payment(m))
    order by r.author_id, r.written_at desc
  ) as last;
end $function$;

CREATE OR REPLACE FUNCTION private.review_seat(p_seat_id uuid, p_rating integer, p_text text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_other uuid;
  v_is_first boolean;
begin
  -- The lock makes two reviews written at once wait for each other.
  select * into v_seat from private.seats where id = p_seat_id and v_user in (owner_id, member_id) for update;
  if not found then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif not private.is_reviewable(v_seat) then
    raise exception 'You can review each other after % days of access', extract(day from private.review_after()) using errcode = '23514';
  elsif (p_rating between 1 and 5) is not true then
    raise exception 'A review gives 1 to 5' using errcode = '23514';
  elsif exists (select from private.seat_reviews where seat_id = p_seat_id and author_id = v_user) then
    raise exception 'You have reviewed this already' using errcode = '23505';
  end if;
  v_other := case v_user when v_seat.owner_id then v_seat.member_id else v_seat.owner_id end;
  v_is_first := not exists (select from private.seat_reviews where seat_id = p_seat_id);
  insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
  values (p_seat_id, v_user, v_other, p_rating, private.review_text(p_text, false),
    private.now() + case when v_is_first then private.review_wait() else '0' end);
  update private.seat_reviews set shown_from = least(shown_from, private.now())
  where seat_id = p_seat_id and author_id = v_other;
  perform private.tell_seat(v_seat, v_other, 'info', case when v_is_first then 'review-waits' else 'reviews-shown' end,
    case when v_is_first then 'You Have Been Reviewed' else 'Both Reviews Are In' end,
    format(case when v_is_first
      then '%s has reviewed you for %s %s. You can read it in %s days, or as soon as you have written yours.'
      else '%s has reviewed you too for %s %s. Both reviews can be read now.' end,
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name,
      extract(day from private.review_wait())));
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
        coalesce(m.claimed_at, m.paid_at, terms.now) > m.due_at + private.payment_grace()) as judged (is_paid, is_behind)
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

REVOKE ALL ON FUNCTION "private"."is_sure_payment"(public.member_payments) FROM PUBLIC;


-- Everybody's are worked out anew.
update private.known_facts set holds_until = '-infinity';
