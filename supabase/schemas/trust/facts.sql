-- Returns whether this payment was confirmed by both sides ("I've paid" and "Received"), by staff, or by the payment provider.
create function private.is_sure_payment(p_payment public.member_payments) returns boolean
language sql immutable as $$
  select p_payment.share > 0 and p_payment.paid_at is not null
    and (p_payment.settlement = 'potluck' or p_payment.claimed_at is not null and p_payment.received_by is distinct from 'silence')
$$;

-- The facts behind a person's standing, as last computed. Between events, only the access given changes: each hour, it grows by `pace`
-- hours. A row is valid until holds_until, or until a newer event. Without a valid row, the facts are computed on demand (decision 021).
create table private.known_facts (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  known_at timestamptz not null,
  holds_until timestamptz not null,
  access_given interval not null,
  -- How many hours of access the person gives in each hour, one for each running seat that counts.
  pace integer not null,
  paid_on_time integer not null,
  paid_late integer not null,
  problems integer not null,
  answers integer not null,
  answer_minutes integer,
  -- The number of members whom this person has not repaid in time.
  unkept_debts integer not null
);
create index known_facts_due_idx on private.known_facts (holds_until);
alter table private.known_facts enable row level security;

-- People who have had events since their facts were computed. An event always adds a row, so that transactions do not wait for a lock.
create table private.fact_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null
);
create index fact_changes_user_idx on private.fact_changes (user_id);
alter table private.fact_changes enable row level security;

-- Computes the current facts about these people. Only seats that count are facts (private.seats.counts).
create function private.compute_facts(p_user_ids uuid[]) returns setof private.known_facts
language plpgsql stable security definer rows 50 set search_path = '' as $$
begin
  return query
  -- "materialized" evaluates these functions only once; they are not constant.
  with terms as materialized (select private.now() as now, private.now() - now() as ahead)
  select u.user_id, terms.now,
    least(given.until, paid.until, faults.until, answered.until + terms.ahead, asked.until + terms.ahead, 'infinity'),
    coalesce(given.time, '0'), coalesce(given.pace, 0)::integer, coalesce(paid.on_time, 0)::integer,
    coalesce(paid.late, 0)::integer, faults.problems::integer, answered.people::integer, answered.minutes::integer, private.unkept_debts(u.user_id)
  from terms cross join private.user_profiles as u
  -- The access given to each member: the paid time with working access while the seat was active; for a running period, up to now. A seat
  -- that ended by withdrawal counts for neither side, so that repeated joining and withdrawing does not raise anybody's standing.
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
      from public.member_payments as m join private.seats as s on s.id = m.seat_id
      cross join lateral (
        select count(*) > 0 as was, bool_or(coalesce(lost_until, 'infinity') > terms.now) as lasts
        from public.seat_problems where seat_id = s.id
      ) as problem
      cross join lateral (select least(m.ends_at, s.ended_at)) as ended (at)
      cross join lateral (select m.starts_at < terms.now) as begun (yet)
      where m.owner_id = u.user_id and s.counts and s.end_reason is distinct from 'withdrawn' and private.is_paid(m.status) and private.is_sure_payment(m) and m.starts_at < ended.at
      group by s.member_id
    ) as by_member
  ) as given
  -- The person's payments to each owner. The date of a confirmed direct payment is that of "I've paid". Each payment counts as one month.
  -- Payments on time count up to the pair limit; late payments always count.
  cross join lateral (
    select sum(least(by_owner.on_time, extract(day from private.pair_limit())::integer / 30)) as on_time, sum(by_owner.late) as late,
      min(by_owner.until) as until
    from (
      select count(*) filter (where is_paid and not is_behind and private.is_sure_payment(m)
          and not exists (select from private.seats where id = m.seat_id and end_reason = 'withdrawn')) as on_time,
        count(*) filter (where is_behind and first.due_at > terms.now - private.standing_memory() and (is_paid
          or private.awaits_member(m.status) or (m.status = 'cancelled' and m.settlement = 'potluck'
            and exists (select from private.seats where id = m.seat_id and end_reason = 'unpaid')))) as late,
        min(changes.at) filter (where changes.at > terms.now) as until
      from public.member_payments as m
      cross join lateral (select private.first_due_at(m)) as first (due_at)
      -- A payment that counts as received only because of silence counts for neither side.
      cross join lateral (select private.is_paid(m.status),
        (private.is_late(first.due_at, coalesce(m.claimed_at, m.paid_at, terms.now)) or m.left_unpaid_at is not null and m.status = 'due')
          and m.received_by is distinct from 'silence'
          and (m.settlement = 'potluck' or m.status <> 'due' or private.says_how_to_pay(m.owner_id))) as judged (is_paid, is_behind)
      cross join lateral (select case when is_behind then first.due_at + private.standing_memory()
        when coalesce(m.claimed_at, m.paid_at) is null then private.late_from(first.due_at) end) as changes (at)
      where m.member_id = u.user_id and m.share > 0 and m.starts_at is not null
        and exists (select from private.seats where id = m.seat_id and counts)
      group by m.owner_id
    ) as by_owner
  ) as paid
  -- Problems that were the person's fault, and paid seats to which they gave no access.
  cross join lateral (
    select count(*) as problems, min(fault.at) + private.standing_memory() as until from (
      select p.closed_at from public.seat_problems as p join private.seats as s on s.id = p.seat_id and s.counts
      where p.owner_id = u.user_id and p.fault = 'owner' or p.member_id = u.user_id and p.fault = 'member'
      union all select ended_at from private.seats where owner_id = u.user_id and end_reason = 'no-access'
    ) as fault (at) where fault.at > terms.now - private.standing_memory() and not private.was_suspended(u.user_id, fault.at)
  ) as faults
  -- How long the last answer to each requester took. A request that expired unanswered counts with its whole lifetime.
  cross join lateral (
    select count(*) as people, percentile_cont(0.5) within group (order by last.minutes) as minutes,
      min(last.requested_at) + private.standing_memory() as until
    from (
      select distinct on (r.user_id) r.requested_at,
        extract(epoch from least(r.decided_at - r.requested_at, private.request_lifetime())) / 60 as minutes
      from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
      where r.owner_id = u.user_id and p.catalogue_plan_id <> 'own' and r.requested_at > now() - private.standing_memory()
        and not r.instant and (r.status in ('approved', 'rejected') or (r.status = 'pending' and not private.is_open_request(r)))
        and not private.was_suspended(u.user_id, coalesce(r.decided_at, private.request_deadline(r.requested_at)) + terms.ahead)
      order by r.user_id, r.requested_at desc
    ) as last
  ) as answered
  -- Requests that still wait for an answer.
  cross join lateral (
    select min(private.request_deadline(r.requested_at)) as until
    from public.subscription_requests as r where r.owner_id = u.user_id and private.is_open_request(r)
  ) as asked
  where u.user_id = any (p_user_ids);
end $$;

-- Returns one row per person: the stored facts if they are valid, otherwise facts computed now.
create function private.standing_facts(p_user_ids uuid[]) returns table (
  user_id uuid, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  problems integer, unkept_debts integer, answers integer, answer_minutes integer
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with terms as materialized (select private.now() as now),
  known as materialized (
    select k.* from terms cross join private.known_facts as k
    where k.user_id = any (p_user_ids) and k.known_at <= terms.now and k.holds_until > terms.now
      and not exists (select from private.fact_changes as c where c.user_id = k.user_id)
  ),
  facts as (
    select * from known union all
    select * from private.compute_facts(array(select unnest(p_user_ids) except select k.user_id from known as k))
  )
  select f.user_id, extract(day from terms.now - u.created_at)::integer,
    floor(extract(epoch from f.access_given + (terms.now - f.known_at) * f.pace) / 3600)::integer,
    f.paid_on_time, f.paid_late, f.problems, f.unkept_debts, f.answers, f.answer_minutes
  from terms cross join facts as f join private.user_profiles as u on u.user_id = f.user_id
  where u.user_id = any (p_user_ids);
end $$;

-- Computes the facts of people with new events and of people with outdated rows, up to p_limit of each, and returns the number of people.
-- Only one call runs at a time, so that newer facts are not overwritten by older ones.
create function private.refresh_facts(p_limit integer default 1000) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare v_ids uuid[];
begin
  if not pg_try_advisory_xact_lock(hashtext('known facts')) then return 0; end if;
  with seen as (
    delete from private.fact_changes where id in (select id from private.fact_changes order by id limit p_limit) returning user_id
  )
  select array(
    select user_id from seen union
    (select user_id from private.known_facts where holds_until <= private.now() order by holds_until limit p_limit)
  ) into v_ids;
  -- A separate statement, so that its snapshot includes the events behind the changes deleted above.
  insert into private.known_facts select * from private.compute_facts(v_ids)
  on conflict (user_id) do update set known_at = excluded.known_at, holds_until = excluded.holds_until,
    access_given = excluded.access_given, pace = excluded.pace, paid_on_time = excluded.paid_on_time, paid_late = excluded.paid_late,
    problems = excluded.problems, unkept_debts = excluded.unkept_debts, answers = excluded.answers, answer_minutes = excluded.answer_minutes;
  return cardinality(v_ids);
end $$;

create function private.tg_member_payments__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id)
  select distinct unnest(array[n.owner_id, n.member_id]) from now_so as n join before as b on b.id = n.id
  where (n.status, n.share, n.starts_at, n.ends_at, n.due_at, n.claimed_at, n.paid_at, n.left_unpaid_at, n.unkept_at, n.repaid_at, n.debt_closed_at)
    is distinct from (b.status, b.share, b.starts_at, b.ends_at, b.due_at, b.claimed_at, b.paid_at, b.left_unpaid_at, b.unkept_at, b.repaid_at,
      b.debt_closed_at);
  return null;
end $$;
create trigger note_facts after update on public.member_payments referencing old table as before new table as now_so
  for each statement execute function private.tg_member_payments__note_facts();

-- Marks the facts of both sides as outdated after payments were created or deleted.
create function private.tg_member_payments__note_new_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id) select distinct unnest(array[owner_id, member_id]) from changed;
  return null;
end $$;
create trigger note_new_facts after insert on public.member_payments referencing new table as changed
  for each statement execute function private.tg_member_payments__note_new_facts();
create trigger note_lost_facts after delete on public.member_payments referencing old table as changed
  for each statement execute function private.tg_member_payments__note_new_facts();

-- Marks the facts of both sides as outdated, because a debt does not count while its repayment is claimed.
create function private.tg_payment_claims__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id) values (new.owner_id), (new.member_id);
  return null;
end $$;
create trigger note_facts after insert or update of status on public.payment_claims
  for each row execute function private.tg_payment_claims__note_facts();

create function private.tg_seats__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id) values (new.owner_id), (new.member_id);
  return null;
end $$;
create trigger note_facts after update of ended_at, end_reason on private.seats
  for each row execute function private.tg_seats__note_facts();

create function private.tg_seat_problems__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id) values (new.owner_id), (new.member_id);
  return null;
end $$;
create trigger note_facts after insert or update on public.seat_problems
  for each row execute function private.tg_seat_problems__note_facts();

create function private.tg_subscription_requests__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id) values (coalesce(new.owner_id, old.owner_id));
  return null;
end $$;
create trigger note_facts after insert or update or delete on public.subscription_requests
  for each row execute function private.tg_subscription_requests__note_facts();

-- Marks the owner's facts as outdated, because a plan's requests are deleted with the plan, which changes the owner's answers.
create function private.tg_shared_subscriptions__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id) values (old.owner_id);
  return null;
end $$;
create trigger note_facts after delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__note_facts();

revoke all on private.known_facts, private.fact_changes from public, anon, authenticated, service_role;
