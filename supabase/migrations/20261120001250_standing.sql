-- Standing: how far a person can be relied on, from what happened and from nothing anybody says. It is worked out when it is
-- asked for and stored nowhere, so it follows each payment and each answer at once.

-- The facts about these people, a row for each.
create function private.standing_facts(p_user_ids uuid[]) returns table (
  user_id uuid, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  problems integer, answers integer, answer_minutes integer
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  -- Asked once, as it is no constant.
  with terms as materialized (select private.now() as now)
  select u.user_id, extract(day from terms.now - u.created_at)::integer,
    coalesce(floor(extract(epoch from given.time) / 3600), 0)::integer, coalesce(paid.on_time, 0)::integer,
    coalesce(paid.late, 0)::integer, faults.problems::integer, answered.people::integer, answered.minutes::integer
  from terms cross join public.user_profiles as u
  -- Time with working access that was paid for, while the seat lived, by member: of a period that is still running, what it has brought so far.
  cross join lateral (
    select sum(least(by_member.time, private.pair_limit())) as time from (
      select sum(ended.at - m.starts_at - case when exists (select from public.seat_problems where seat_id = s.id)
        then private.time_without_access(m, ended.at, null) else '0' end) as time
      from private.seats as s join public.member_payments as m on m.seat_id = s.id
      cross join lateral (select least(m.ends_at, s.ended_at, terms.now)) as ended (at)
      where s.owner_id = u.user_id and m.status in ('paid', 'closed') and m.share > 0
        and m.starts_at < ended.at
      group by s.member_id
    ) as by_member
  ) as given
  -- What they paid, by owner. On time is when they said so, where the owner has confirmed it since. Each stands for a
  -- month, so that no more than what fits counts; what was late counts whoever it was due to.
  cross join lateral (
    select sum(least(by_owner.on_time, extract(day from private.pair_limit())::integer / 30)) as on_time, sum(by_owner.late) as late from (
      select count(*) filter (where is_paid and not is_behind) as on_time,
        count(*) filter (where is_behind and m.due_at > terms.now - private.standing_memory() and (is_paid
          or m.status in ('due', 'needs-action', 'failed') or (m.status = 'cancelled'
            and exists (select from private.seats where id = m.seat_id and end_reason = 'unpaid')))) as late
      from public.member_payments as m
      cross join lateral (select m.status in ('paid', 'closed'),
        coalesce(m.claimed_at, m.paid_at, terms.now) > m.due_at + private.payment_grace()) as judged (is_paid, is_behind)
      where m.member_id = u.user_id and m.share > 0 and m.starts_at is not null
      group by m.owner_id
    ) as by_owner
  ) as paid
  -- Problems that ended through their fault, and paid places they gave no access to.
  cross join lateral (
    select (select count(*) from public.seat_problems as q where q.closed_at > terms.now - private.standing_memory()
        and (q.owner_id = u.user_id and q.fault = 'owner' or q.member_id = u.user_id and q.fault = 'member'))
      + (select count(*) from private.seats as s where s.owner_id = u.user_id and s.end_reason = 'no-access'
        and s.ended_at > terms.now - private.standing_memory()) as problems
  ) as faults
  -- The last answer to each person who asked; no answer in time took all of it.
  cross join lateral (
    select count(*) as people, percentile_cont(0.5) within group (order by last.minutes) as minutes from (
      select distinct on (r.user_id) extract(epoch from least(r.decided_at - r.requested_at, private.request_lifetime())) / 60 as minutes
      from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
      where p.owner_id = u.user_id and r.requested_at > now() - private.standing_memory()
        and (r.status in ('approved', 'rejected') or (r.status = 'pending' and not private.is_open_request(r)))
      order by r.user_id, r.requested_at desc
    ) as last
  ) as answered
  where u.user_id = any (p_user_ids);
end $$;

-- The level these facts come to.
create function private.level_of(
  p_days_here integer, p_hours_given integer, p_paid_on_time integer, p_paid_late integer, p_problems integer, p_answer_minutes integer
) returns text
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select l.level from private.standing_levels() as l
    where p_days_here >= l.days_here and (p_hours_given >= l.hours_given or p_paid_on_time >= l.paid_on_time)
      and p_paid_late <= l.most_paid_late and p_problems <= l.most_problems and coalesce(p_answer_minutes <= l.most_answer_hours * 60, true)
    order by l.days_here desc limit 1
  ), 'new');
end $$;

-- One person's level: new, proven or trusted.
create function private.standing_level(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answer_minutes)
    from private.standing_facts(array[p_user_id]) as f
  ), 'new')
$$;

-- The standing of up to 100 people, as everybody signed in sees it.
create function private.standing_of(p_user_ids uuid[]) returns table (
  user_id uuid, level text, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  problems integer, answers integer, answer_minutes integer, rating numeric, reviewers integer
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_user();
  return query
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answer_minutes),
      f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answers, f.answer_minutes, r.rating, r.reviewers
    from private.standing_facts(p_user_ids[1:100]) as f cross join lateral private.rating_of(f.user_id) as r;
end $$;
create function public.standing_of(p_user_ids uuid[]) returns table (
  user_id uuid, level text, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  problems integer, answers integer, answer_minutes integer, rating numeric, reviewers integer
)
language sql stable set search_path = '' as $$ select * from private.standing_of(p_user_ids) $$;

-- What each level takes, for whoever asks why.
create function private.get_standing_levels() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'levels', (select jsonb_agg(to_jsonb(l) order by l.days_here) from private.standing_levels() as l),
    'pairDays', extract(day from private.pair_limit()), 'memoryDays', extract(day from private.standing_memory()),
    'graceDays', extract(day from private.payment_grace()))
  where private.require_user() is not null
$$;
create function public.get_standing_levels() returns jsonb
language sql stable set search_path = '' as $$ select private.get_standing_levels() $$;

revoke execute on all functions in schema private from public;
revoke execute on function public.standing_of(uuid[]), public.get_standing_levels() from public, anon, authenticated, service_role;
grant execute on function private.standing_of(uuid[]), public.standing_of(uuid[]),
  private.get_standing_levels(), public.get_standing_levels() to authenticated;
