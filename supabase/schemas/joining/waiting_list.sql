-- How long a free place is offered to the next person on the waiting list, and how many lists one person may be on.
create function private.offer_lifetime() returns interval
language sql immutable return interval '24 hours';
create function private.most_waiting_lists() returns integer
language sql immutable return 5;

-- A person's place in line for a full plan. A free place is offered to the first in line, who takes it by a normal request; the
-- place then stays reserved until the request is over. All code that changes the line locks the plan's row first.
create table public.waiting_list (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  joined_at timestamptz not null default clock_timestamp(),
  -- The time until which a free place is reserved for this person; null if none is.
  offered_until timestamptz,
  unique (subscription_id, user_id)
);
create index waiting_list_user_idx on public.waiting_list (user_id);
alter table public.waiting_list enable row level security;
create policy "People see where they wait" on public.waiting_list
  for select to authenticated using (user_id = (select auth.uid()));

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('waiting list', 20, 60, '{POST /rpc/join_waiting_list}');

-- Returns the people in line for a plan, in the order in which places are offered: people with an offer first, then people who have
-- lost a similar plan.
create function private.waiting_line(p_subscription_id text)
returns table (id uuid, user_id uuid, "position" integer, offered_until timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select w.id, w.user_id, (row_number() over (
      order by w.offered_until, not private.comes_first(w.user_id, p.catalogue_plan_id), w.joined_at, w.id
    ))::integer, w.offered_until
    from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
    where w.subscription_id = p_subscription_id;
end $$;

-- Updates the plan's counts of waiting people and kept places, so that all clients that show the plan see the change.
create function private.tg_waiting_list__count() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan_id text := coalesce(new.subscription_id, old.subscription_id);
begin
  update public.shared_subscriptions as p
  set waiting = (select count(*) from public.waiting_list as w where w.subscription_id = p.id),
    kept_places = private.reserved_places(p.id)
  where p.id = v_plan_id;
  return null;
end $$;
create trigger count after insert or update of offered_until or delete on public.waiting_list
  for each row execute function private.tg_waiting_list__count();

-- Cancels the unsent mail about an offer when its entry in the line is deleted.
create function private.tg_waiting_list__call_back() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.cancel_mail(old.id::text);
  return null;
end $$;
create trigger call_back after delete on public.waiting_list
  for each row execute function private.tg_waiting_list__call_back();

-- Offers each free place to the next person, and takes back expired offers. Does nothing while the owner is suspended, and offers
-- no place before the owner has said how to pay. If the server did not run for a while, this does nothing until record_heartbeat()
-- has extended open offers.
create function private.offer_places(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions;
  v_next record;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found or v_plan.status <> 'active' or private.is_suspended(v_plan.owner_id)
    or (select beat_at from private.clock) < now() - private.longest_gap() then return; end if;
  for v_next in
    delete from public.waiting_list where subscription_id = v_plan.id and offered_until <= now() returning user_id
  loop
    perform private.notify(v_next.user_id, 'info', v_plan.id, 'offer-lapsed',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'hours', private.hours_of(private.offer_lifetime())));
  end loop;
  for v_next in
    select line.id, line.user_id from private.waiting_line(v_plan.id) as line
    where line.offered_until is null and private.has_payment_details(v_plan) and not private.is_suspended(line.user_id)
      and not private.left_unpaid(v_plan.owner_id, line.user_id) and private.unkept_debts(v_plan.owner_id) = 0
    order by line."position"
    limit greatest(0, v_plan.owner_max_members - v_plan.current_members - private.reserved_places(v_plan.id))
  loop
    update public.waiting_list set offered_until = now() + private.offer_lifetime() where id = v_next.id;
    perform private.mail_notification(private.notify(v_next.user_id, 'success', v_plan.id, 'place-offered',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'hours', private.hours_of(private.offer_lifetime()))),
      array[v_next.id::text, v_plan.id], '/subscription/' || v_plan.id);
  end loop;
end $$;

-- Runs at the end of the transaction that changed a plan's places, because an approval first frees the reserved place and then
-- fills it.
create function private.tg_shared_subscriptions__offer() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.offer_places(new.id);
  return null;
end $$;
create constraint trigger offer after update of current_members, owner_max_members, kept_places on public.shared_subscriptions
  deferrable initially deferred for each row when (new.waiting > 0)
  execute function private.tg_shared_subscriptions__offer();

-- Removes a person's entry from a plan's line and returns it.
create function private.leave_line(p_subscription_id text, p_user_id uuid) returns public.waiting_list
language plpgsql volatile security definer set search_path = '' as $$
declare v_left public.waiting_list;
begin
  delete from public.waiting_list where subscription_id = p_subscription_id and user_id = p_user_id returning * into v_left;
  return v_left;
end $$;

-- Takes a person who requests a place out of the line, and returns whether the place was offered to them, so that the request keeps
-- it reserved. If there is no place, refuses the request, and the person stays in the line.
create function private.accept_offer(p_plan public.shared_subscriptions, p_user_id uuid, p_email text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  if not exists (select from public.waiting_list where subscription_id = p_plan.id and user_id = p_user_id) then
    perform private.require_open_slot(p_plan, p_email);
    return false;
  end if;
  perform private.offer_places(p_plan.id);
  select * into v_plan from public.shared_subscriptions where id = p_plan.id;
  perform private.require_open_slot(v_plan, p_email);
  return coalesce((private.leave_line(p_plan.id, p_user_id)).offered_until > now(), false);
end $$;

-- Updates the plan's kept_places when a request that reserves a place is created or ends. If another transaction has locked the
-- plan, this leaves the update to the scheduled job free_kept_places() rather than wait.
create function private.count_kept_places(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if private.try_lock_plan(p_subscription_id) then
    update public.shared_subscriptions set kept_places = private.reserved_places(id) where id = p_subscription_id;
  end if;
end $$;

-- Tells people in line that the plan has been cancelled, before their entries are deleted with it.
create function private.tg_shared_subscriptions__tell_waiting() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(user_id, 'warning', null, 'cancelled-while-waiting', jsonb_build_object('plan', old.provider || ' ' || old.name))
  from public.waiting_list where subscription_id = old.id;
  return old;
end $$;
create trigger tell_waiting before delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__tell_waiting();

-- Puts the acting user in line for a full plan; returns the position.
create function private.join_waiting_list(p_subscription_id text) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  -- Simultaneous attempts of one person wait for each other here, so the limit is never exceeded.
  perform private.spend_attempt('waiting list');
  perform private.expire_join_requests();
  select * into v_plan from public.shared_subscriptions as p
  where p.id = p_subscription_id and private.may_find(p) for no key update;
  if not found then
    perform private.refuse('plan_not_found');
  end if;
  perform private.require_reachable(v_plan.owner_id, 'plan_closed');
  perform private.require_offered(v_plan.provider);
  perform private.require_settled(v_plan.owner_id, v_user);
  if private.is_plan_member(v_plan.id) then
    perform private.refuse('already_member');
  elsif exists (
    select from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r)
  ) then
    perform private.refuse('already_requested');
  elsif exists (select from public.waiting_list where subscription_id = v_plan.id and user_id = v_user) then
    perform private.refuse('already_waiting');
  elsif (select count(*) from public.waiting_list where user_id = v_user) >= private.most_waiting_lists() then
    perform private.refuse('too_many_waiting_lists', private.most_waiting_lists()::text);
  elsif private.open_slots(v_plan, private.email_of(v_user)) > 0 then
    perform private.refuse('place_is_free');
  end if;
  insert into public.waiting_list (subscription_id, user_id) values (v_plan.id, v_user);
  return (select line."position" from private.waiting_line(v_plan.id) as line where line.user_id = v_user);
end $$;
select private.publish('join_waiting_list', 'authenticated');

-- Removes the acting user from a plan's waiting list, and takes back any offer.
create function private.leave_waiting_list(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  perform from public.shared_subscriptions where id = p_subscription_id for no key update;
  if (private.leave_line(p_subscription_id, v_user)).id is null then
    perform private.refuse('not_waiting');
  end if;
end $$;
select private.publish('leave_waiting_list', 'authenticated');

-- The acting user's waiting lists, longest wait first.
create function private.my_waiting_lists()
returns table (
  subscription_id text, provider text,
  -- The provider's name for the plan.
  name text,
  -- The position in the line; 1 is next; null while a place is offered.
  "position" integer,
  -- The time until which a free place is reserved for the acting user; null if none is.
  offered_until timestamptz,
  -- When the acting user joined the line.
  joined_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select p.id, p.provider, p.name, line."position", case when line.offered_until > now() then line.offered_until end, w.joined_at
    from public.waiting_list as w
    join public.shared_subscriptions as p on p.id = w.subscription_id
    cross join lateral private.waiting_line(p.id) as line
    where w.user_id = v_user and line.id = w.id
    order by w.joined_at, w.id;
end $$;
select private.publish('my_waiting_lists', 'authenticated');

select private.send_changes('waiting_list');

revoke all on public.waiting_list from public, anon, authenticated;
grant select on public.waiting_list to authenticated;
grant all on public.waiting_list to service_role;
