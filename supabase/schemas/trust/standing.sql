-- Standing: how reliable a person is, judged only by events, never by what people write. It changes with every payment and every answer.

-- The maximum time with one other person that counts, so that two accounts of one person cannot raise each other's standing.
create function private.pair_limit() returns interval
language sql immutable return interval '90 days';

-- How long faults and answer times count towards standing.
create function private.standing_memory() returns interval
language sql immutable return interval '180 days';

-- The requirements of each level above New. Access given and payments on time are alternatives, and private.pair_limit() makes both
-- impossible to reach with only one other person.
create function private.standing_levels() returns table (
  level text, days_here integer, hours_given integer, paid_on_time integer, most_paid_late integer, most_problems integer, most_unkept_debts integer,
  most_answer_hours integer
)
language sql immutable set search_path = '' as $$
  values ('proven', 30, 120 * 24, 4, 1, 1, 0, 24), ('trusted', 180, 365 * 24, 12, 0, 0, 0, 12)
$$;

create function private.is_enough(
  p_days_here integer, p_hours_given integer, p_paid_on_time integer, p_paid_late integer, p_problems integer, p_unkept_debts integer,
  p_answer_minutes integer, p_days integer, p_hours integer, p_on_time integer, p_most_late integer, p_most_problems integer,
  p_most_unkept_debts integer, p_most_answer_hours integer
) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_days_here >= p_days and (p_hours_given >= p_hours or p_paid_on_time >= p_on_time)
    and p_paid_late <= p_most_late and p_problems <= p_most_problems and p_unkept_debts <= p_most_unkept_debts
    and coalesce(p_answer_minutes <= p_most_answer_hours * 60, true);
end $$;

create function private.level_of(
  p_days_here integer, p_hours_given integer, p_paid_on_time integer, p_paid_late integer, p_problems integer, p_unkept_debts integer,
  p_answer_minutes integer
) returns text
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select l.level from private.standing_levels() as l
    where private.is_enough(p_days_here, p_hours_given, p_paid_on_time, p_paid_late, p_problems, p_unkept_debts, p_answer_minutes,
      l.days_here, l.hours_given, l.paid_on_time, l.most_paid_late, l.most_problems, l.most_unkept_debts, l.most_answer_hours)
    order by l.days_here desc limit 1
  ), 'new');
end $$;

-- Returns one person's level: `new`, `proven` or `trusted`.
create function private.standing_level(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts, f.answer_minutes)
    from private.standing_facts(array[p_user_id]) as f
  ), 'new')
$$;

-- Returns the standing of up to 100 people, for everybody signed in. People who are hidden from the caller (private.people_apart) are
-- included only for staff, and for a caller who now has a place together with them.
create function private.standing_of(p_user_ids uuid[]) returns table (
  user_id uuid, level text, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  problems integer, unkept_debts integer, answers integer, answer_minutes integer, rating numeric, reviewers integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_apart uuid[] := private.people_apart();
  v_is_staff boolean := private.is_staff();
begin
  perform private.require_user();
  return query
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts, f.answer_minutes),
      f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts, f.answers, f.answer_minutes, r.rating, r.reviewers
    from private.standing_facts(array(
      select id from unnest(p_user_ids[1:100]) as id where id <> all (v_apart) or v_is_staff or private.shares_place_with(id)
    )) as f cross join lateral private.rating_of(f.user_id) as r;
end $$;
select private.publish('standing_of', 'authenticated');

-- Returns the requirements of each level, as shown to people.
create function private.get_standing_levels() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'levels', (select jsonb_agg(to_jsonb(l) order by l.days_here) from private.standing_levels() as l),
    'pairDays', extract(day from private.pair_limit()), 'memoryDays', extract(day from private.standing_memory()),
    'graceDays', extract(day from private.payment_grace()))
  where private.require_user() is not null
$$;
select private.publish('get_standing_levels', 'authenticated');
