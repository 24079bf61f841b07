-- Bans and suspensions. The auth service sets auth.users.banned_until, and a trigger updates private.suspensions in the same statement.
-- From then on, the person is hidden (private.people_apart), and nothing is earned, charged or due for places in their plans and for their
-- own places. Scheduled jobs notify the people affected, end the places if the suspension is not lifted in time, and resume the places
-- once the suspension is over.

-- The time after which the places of a suspended person end, unless the suspension is lifted before.
create function private.suspension_time() returns interval
language sql immutable return interval '72 hours';

-- Suspensions of people. Times are those of private.now().
create table private.suspensions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  since timestamptz not null default private.now(),
  -- When the suspension ends by itself.
  until timestamptz not null,
  -- When the places end, unless the suspension is over by then. If the server has not run for a while, this is postponed by the length of
  -- that gap (clock.sql).
  ends_places_at timestamptz not null default private.now() + private.suspension_time(),
  -- When follow_suspensions() notified the people affected.
  told_at timestamptz,
  -- When the suspension was lifted, or ended by itself.
  lifted_at timestamptz,
  -- When follow_suspensions() resumed the places after the suspension. Until then, nothing is due for them.
  resumed_at timestamptz,
  -- When follow_suspensions() found that the last place had ended.
  ended_places_at timestamptz
);
create unique index suspensions_one_at_a_time_key on private.suspensions (user_id) where lifted_at is null;
create index suspensions_user_idx on private.suspensions (user_id, since);
create index suspensions_pausing_idx on private.suspensions (user_id) where resumed_at is null;
alter table private.suspensions enable row level security;

create function private.suspended_people() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select user_id from private.suspensions where lifted_at is null and until > private.now());
end $$;

create function private.is_suspended(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.suspensions where user_id = p_user_id and lifted_at is null and until > private.now());
end $$;

-- Returns whether this person was suspended at that time. Events during a suspension do not count as the person's fault, even if the
-- suspension was lifted later.
create function private.was_suspended(p_user_id uuid, p_at timestamptz) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.suspensions where user_id = p_user_id and since <= p_at and coalesce(lifted_at, 'infinity') > p_at);
end $$;

-- Returns whether a seat is paused, because its owner or member is suspended, or because their places have not been resumed yet after a
-- suspension.
create function private.is_paused(p_seat private.seats) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.suspensions where user_id in (p_seat.owner_id, p_seat.member_id) and resumed_at is null);
end $$;

-- Returns the time until which a suspension pauses an active seat, and whether the seat ends then. Both are null if there is no suspension.
create function private.pause_of(p_seat private.seats, out until timestamptz, out ends_place boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  select min(least(x.until, x.ends_places_at)), bool_or(x.until > x.ends_places_at) into until, ends_place from private.suspensions as x
  where x.user_id in (p_seat.owner_id, p_seat.member_id) and x.lifted_at is null and x.until > private.now() and p_seat.ended_at is null;
end $$;

-- Returns the time from which a seat that ended during a suspension is refunded: the start of the suspension. An owner who is paid directly
-- owes nothing for the suspension of a member.
create function private.suspended_since(p_seat private.seats) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select min(since) from private.suspensions
    where (user_id = p_seat.owner_id or user_id = p_seat.member_id and p_seat.settlement = 'potluck')
      and since <= p_seat.ended_at and coalesce(lifted_at, 'infinity') > p_seat.ended_at);
end $$;

-- Begins, changes or ends a suspension when the person's ban begins, changes or ends. follow_suspensions() does the rest later, because a
-- ban must not wait for the lock of a plan, and must not fail if the rest fails.
create function private.tg_users__suspend() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_now timestamptz := private.now();
begin
  -- Close a suspension that has ended by itself, because follow_suspensions() may not have noticed this yet.
  update private.suspensions set lifted_at = until where user_id = new.id and lifted_at is null and until <= v_now;
  if new.banned_until > now() then
    insert into private.suspensions (user_id, until) values (new.id, new.banned_until + (v_now - now()))
    on conflict (user_id) where lifted_at is null do update set until = excluded.until;
  else
    update private.suspensions set lifted_at = v_now where user_id = new.id and lifted_at is null;
  end if;
  return null;
end $$;
create trigger suspend_new after insert on auth.users
  for each row when (new.banned_until is not null) execute function private.tg_users__suspend();
create trigger suspend after update of banned_until on auth.users
  for each row when (old.banned_until is distinct from new.banned_until) execute function private.tg_users__suspend();

-- The maximum number of days of a suspension that ends by itself.
create function private.longest_suspension() returns integer
language sql immutable return 365;

-- Refuses the call unless the acting user is an admin whose role allows at least as much as this person's role. Nobody may suspend
-- themselves.
create function private.require_suspender(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.require_treasurer() = p_user_id then
    perform private.refuse('own_suspension');
  elsif not exists (select from auth.users where id = p_user_id and deleted_at is null) then
    perform private.refuse('person_not_found');
  elsif exists (
    select from public.user_roles as held join public.system_roles as role on role.name = held.role
    where held.user_id = p_user_id and not role.permissions <@ private.my_permissions()
  ) then
    perform private.refuse('suspension_above_own_role');
  end if;
end $$;

-- Suspends a person for p_days days, or permanently if p_days is null, and returns its end. The caller records the reasons
-- (staff/decisions.sql).
create function private.suspend_person(p_user_id uuid, p_days integer) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_suspender(p_user_id);
  -- A second suspension is refused, because follow_suspensions() would not tell the person of it.
  if private.is_suspended(p_user_id) then
    perform private.refuse('already_suspended');
  elsif p_days not between 1 and private.longest_suspension() then
    perform private.refuse('suspension_days_wrong', private.longest_suspension()::text);
  end if;
  -- The auth service stores a ban without an end as a ban of a hundred years.
  update auth.users set banned_until = now() + coalesce(p_days * interval '1 day', interval '100 years') where id = p_user_id;
  return private.now() + p_days * interval '1 day';
end $$;

-- Lifts a suspension. A scheduled job then notifies the people affected.
create function private.lift_suspension(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_suspender(p_user_id);
  update auth.users set banned_until = null where id = p_user_id and banned_until > now();
  if not found then
    perform private.refuse('not_suspended');
  end if;
  perform private.mark_undone(p_user_id, '{suspended}');
end $$;
select private.publish('lift_suspension', 'authenticated');

-- Returns the parameters of the notification for one side of a paused seat: the end of the pause, and what follows from it (`what`).
create function private.suspension_params(p_suspension private.suspensions, p_settlement text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('until', least(p_suspension.until, p_suspension.ends_places_at),
    'what', case when p_suspension.until <= p_suspension.ends_places_at then 'passing' else p_settlement end)
$$;

-- Notifies the suspended person and the other side of each of their seats; if places will end, also staff.
create function private.tell_suspension(p_suspension private.suspensions, p_seats private.seats[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := p_suspension.user_id;
  v_name text := (select display_name from private.user_profiles where user_id = p_suspension.user_id);
  v_is_passing boolean := p_suspension.until <= p_suspension.ends_places_at;
  v_at timestamptz := least(p_suspension.until, p_suspension.ends_places_at);
begin
  if v_name is null then return; end if;
  perform private.tell_seats(array(
    select private.seat_news(s, case s.owner_id when v_user then s.member_id else s.owner_id end, 'warning',
      case s.owner_id when v_user then 'owner-suspended' else 'member-suspended' end, private.suspension_params(p_suspension, s.settlement))
    from unnest(p_seats) as s));
  perform private.mail_notification(private.notify(v_user, 'warning', null, 'you-are-suspended',
    jsonb_build_object('until', v_at, 'what', case when v_is_passing then 'passing' else 'ending' end,
      -- A ban without an end lasts a hundred years.
      'ends', p_suspension.until < private.now() + interval '50 years', 'at', p_suspension.until)),
    '{}', '/imprint');
  if v_is_passing or cardinality(p_seats) = 0 then return; end if;
  perform private.notify(staff.id, 'warning', null, 'person-suspended',
    jsonb_build_object('until', v_at, 'person', v_name, 'places', cardinality(p_seats)))
  from private.people_who_may('users.edit') as staff (id);
end $$;

-- Ends everything that is open between a suspended person and others, as a block does (blocks.sql), and notifies the people affected. The
-- caller must have locked the plans.
create function private.begin_suspension(p_suspension private.suspensions, p_seats private.seats[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := p_suspension.user_id;
begin
  perform private.schedule_seat(s.id) from unnest(p_seats) as s;
  insert into private.fact_changes (user_id) select distinct unnest(array[s.owner_id, s.member_id]) from unnest(p_seats) as s;
  perform private.reject_request(p, r) from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
  where p.owner_id = v_user and private.is_open_request(r);
  update public.subscription_requests as r set status = 'cancelled' where r.user_id = v_user and private.is_open_request(r);
  perform private.cancel_mail(w.id::text) from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
  where v_user in (p.owner_id, w.user_id) and w.offered_until is not null;
  update public.waiting_list as w set offered_until = null from public.shared_subscriptions as p
  where p.id = w.subscription_id and v_user in (p.owner_id, w.user_id) and w.offered_until is not null;
  update public.conversations set archived = true, question_until = null
  where question_until is not null and v_user in (owner_id, member_id);
  insert into public.plan_departures (subscription_id)
  select id from public.shared_subscriptions where owner_id = v_user and status = 'active' and not is_private on conflict do nothing;
  delete from public.plan_departures as d using public.shared_subscriptions as p where p.id = d.subscription_id and p.owner_id = v_user;
  perform private.tell_suspension(p_suspension, p_seats);
  update private.suspensions set told_at = private.now() where id = p_suspension.id;
end $$;

-- Resumes the seats of a suspension that is over, except seats whose other side is suspended too. Deadlines move by the length of the
-- suspension, and charges that waited are made. The caller must have locked plans and seats.
create function private.end_suspension(p_suspension private.suspensions, p_seats private.seats[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := p_suspension.user_id;
  v_seat private.seats;
  v_is_owner boolean;
begin
  update private.suspensions set resumed_at = private.now() where id = p_suspension.id;
  insert into private.fact_changes (user_id) select distinct unnest(array[s.owner_id, s.member_id]) from unnest(p_seats) as s;
  foreach v_seat in array p_seats loop
    continue when private.is_paused(v_seat);
    -- If both sides were suspended, the pause began with the first suspension.
    perform private.move_deadlines(private.now() - min(since), array[v_seat.id]) from private.suspensions
    where user_id in (v_seat.owner_id, v_seat.member_id) and resumed_at >= p_suspension.since;
    if v_seat.settlement = 'direct' then
      perform private.follow_direct_payments(v_seat.id);
    end if;
    if private.has_open_problem(v_seat.id) then
      perform private.schedule_seat(v_seat.id);
    else
      perform private.resume_seat(v_seat, false);
    end if;
    continue when p_suspension.told_at is null;
    v_is_owner := v_seat.owner_id = v_user;
    perform private.tell_seat(v_seat, case when v_is_owner then v_seat.member_id else v_seat.owner_id end, 'success',
      case when v_is_owner then 'owner-back' else 'member-back' end);
  end loop;
  insert into private.plans_to_tell (subscription_id)
  select id from public.shared_subscriptions where owner_id = v_user and status = 'active' and not is_private and has_room
  on conflict do nothing;
  perform private.requeue_account_transfers(v_user);
  if p_suspension.told_at is not null then
    perform private.mail_notification(private.notify(v_user, 'success', null, 'you-are-back',
      jsonb_build_object('ended', p_suspension.ended_places_at is not null)), '{}', '/');
  end if;
end $$;

-- Closes the waiting lists of the person's plans and sends earnings that were held back (payout_holds.sql). Called after the last place has
-- ended.
create function private.close_suspended(p_suspension private.suspensions) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(w.user_id, 'info', null, 'waiting-list-closed', jsonb_build_object('plan', p.provider || ' ' || p.name))
  from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id where p.owner_id = p_suspension.user_id;
  delete from public.waiting_list as w using public.shared_subscriptions as p
  where p.id = w.subscription_id and p_suspension.user_id in (p.owner_id, w.user_id);
  update private.suspensions set ended_places_at = private.now() where id = p_suspension.id;
  perform private.requeue_account_transfers(p_suspension.user_id);
end $$;

-- Runs the next step of each suspension that has begun, is over, or has ended its last place. The scheduled job in clock.sql calls this
-- before it locks any rows. Locked rows are skipped. A step that fails is retried at the next call, and delays nothing else.
create function private.follow_suspensions() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now timestamptz := private.now();
  v_due private.suspensions[] := array(
    select s from private.suspensions as s where resumed_at is null and (told_at is null or lifted_at is not null or until <= v_now
      or ended_places_at is null and ends_places_at <= v_now and not exists (
        select from private.seats as t where s.user_id in (t.owner_id, t.member_id) and t.ended_at is null))
    order by since limit 20 for update skip locked);
  v_people uuid[] := array(select user_id from unnest(v_due));
  v_one private.suspensions;
  v_seats private.seats[];
begin
  if cardinality(v_due) = 0 then return; end if;
  perform from public.shared_subscriptions where owner_id = any (v_people)
    or id in (select subscription_id from private.seats where member_id = any (v_people) and ended_at is null)
    or id in (select subscription_id from public.subscription_requests where user_id = any (v_people) and status = 'pending' and not expired)
    or id in (select subscription_id from public.waiting_list where user_id = any (v_people))
  order by id for no key update;
  perform from private.seats where (owner_id = any (v_people) or member_id = any (v_people)) and ended_at is null order by id for update;
  foreach v_one in array v_due loop
    begin
      v_seats := array(select s from private.seats as s where v_one.user_id in (owner_id, member_id) and ended_at is null order by id);
      if v_one.lifted_at is null and v_one.until <= v_now then
        update private.suspensions set lifted_at = until where id = v_one.id returning * into v_one;
      end if;
      if v_one.lifted_at is not null then
        perform private.end_suspension(v_one, v_seats);
      elsif v_one.told_at is null then
        perform private.begin_suspension(v_one, v_seats);
      else
        perform private.close_suspended(v_one);
      end if;
    exception when others then
      raise warning 'Suspension %: %', v_one.id, sqlerrm;
    end;
  end loop;
end $$;

revoke all on private.suspensions from public, anon, authenticated, service_role;
