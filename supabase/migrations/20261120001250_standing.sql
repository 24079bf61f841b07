-- Standing: how far a person can be relied on, from what happened and from nothing anybody says. It is worked out when it is
-- asked for and stored nowhere, so it follows each payment and each answer at once.

-- The facts about these people, a row for each.
create function private.standing_facts(p_user_ids uuid[]) returns table (
  user_id uuid, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  answers integer, answer_minutes integer
)
language sql stable security definer set search_path = '' as $$
  with terms as materialized (select private.now() as now), given as (
    -- Time that was paid for while the seat lived, by member: what a period that is still running has brought so far.
    select s.owner_id as person, least(
      sum(least(m.ends_at, s.ended_at, terms.now) - m.starts_at) filter (where m.starts_at < least(s.ended_at, terms.now)),
      private.pair_limit()
    ) as time
    from private.seats as s join public.member_payments as m on m.seat_id = s.id cross join terms
    where s.owner_id = any (p_user_ids) and m.status in ('paid', 'closed') and m.amount > 0
    group by s.owner_id, s.member_id
  ), payments as (
    -- What members paid, by owner. On time is when they said so, where the owner has confirmed it since. Each stands for a
    -- month, so that no more than what fits counts; what was late counts whoever it was due to.
    select m.member_id as person,
      least(
        count(*) filter (where m.status in ('paid', 'closed') and coalesce(m.claimed_at, m.paid_at) <= m.due_at + private.payment_grace()),
        extract(day from private.pair_limit())::integer / 30
      ) as on_time,
      count(*) filter (where m.due_at between terms.now - private.standing_memory() and terms.now - private.payment_grace() and case m.status
        when 'paid' then coalesce(m.claimed_at, m.paid_at) > m.due_at + private.payment_grace()
        when 'closed' then coalesce(m.claimed_at, m.paid_at) > m.due_at + private.payment_grace()
        when 'cancelled' then m.starts_at is not null
          and exists (select from private.seats where id = m.seat_id and end_reason = 'unpaid')
        else m.starts_at is not null and m.status in ('due', 'needs-action', 'failed') end) as late
    from public.member_payments as m cross join terms
    where m.member_id = any (p_user_ids) and m.amount > 0
    group by m.member_id, m.owner_id
  ), answered as (
    -- The last answer to each person who asked; no answer in time took all of it.
    select distinct on (p.owner_id, r.user_id) p.owner_id as person,
      extract(epoch from least(r.decided_at - r.requested_at, private.request_lifetime())) / 60 as minutes
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = any (p_user_ids) and r.requested_at > now() - private.standing_memory()
      and (r.status in ('approved', 'rejected') or (r.status = 'pending' and not private.is_open_request(r)))
    order by p.owner_id, r.user_id, r.requested_at desc
  )
  select u.user_id, extract(day from terms.now - u.created_at)::integer,
    coalesce((select floor(extract(epoch from sum(g.time)) / 3600) from given as g where g.person = u.user_id), 0)::integer,
    coalesce((select sum(p.on_time) from payments as p where p.person = u.user_id), 0)::integer,
    coalesce((select sum(p.late) from payments as p where p.person = u.user_id), 0)::integer,
    (select count(*) from answered as a where a.person = u.user_id)::integer,
    (select percentile_cont(0.5) within group (order by a.minutes) from answered as a where a.person = u.user_id)::integer
  from public.user_profiles as u cross join terms
  where u.user_id = any (p_user_ids)
$$;

-- The level these facts come to.
create function private.level_of(
  p_days_here integer, p_hours_given integer, p_paid_on_time integer, p_paid_late integer, p_answer_minutes integer
) returns text
language sql stable set search_path = '' as $$
  select coalesce((
    select l.level from private.standing_levels() as l
    where p_days_here >= l.days_here and (p_hours_given >= l.hours_given or p_paid_on_time >= l.paid_on_time)
      and p_paid_late <= l.most_paid_late and coalesce(p_answer_minutes <= l.most_answer_hours * 60, true)
    order by l.days_here desc limit 1
  ), 'new')
$$;

-- One person's level: new, proven or trusted.
create function private.standing_level(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.answer_minutes)
    from private.standing_facts(array[p_user_id]) as f
  ), 'new')
$$;

-- The standing of up to 100 people, as everybody signed in sees it.
create function private.standing_of(p_user_ids uuid[]) returns table (
  user_id uuid, level text, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  answers integer, answer_minutes integer
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_user();
  return query
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.answer_minutes),
      f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.answers, f.answer_minutes
    from private.standing_facts(p_user_ids[1:100]) as f;
end $$;
create function public.standing_of(p_user_ids uuid[]) returns table (
  user_id uuid, level text, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  answers integer, answer_minutes integer
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
