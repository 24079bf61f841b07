-- Links of private plans, which people can find only by these links. The owner can copy a link at any time, so it is stored unencrypted.
-- The page behind it shows the same as a public plan's page.
create table private.plan_links (
  subscription_id text primary key references public.shared_subscriptions (id) on delete cascade,
  token text not null unique default private.new_code(2)
);
alter table private.plan_links enable row level security;

-- People who have followed the current link of a private plan.
create table private.link_visits (
  subscription_id text not null references private.plan_links (subscription_id) on delete cascade,
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  primary key (subscription_id, user_id)
);
create index link_visits_user_idx on private.link_visits (user_id);
alter table private.link_visits enable row level security;

-- Gives a plan a link when it becomes private, and deletes it when the plan becomes public.
create function private.tg_shared_subscriptions__keep_link() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.is_private then
    insert into private.plan_links (subscription_id) values (new.id) on conflict do nothing;
  else
    delete from private.plan_links where subscription_id = new.id;
  end if;
  return null;
end $$;
create trigger keep_link after insert or update of is_private on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__keep_link();

-- Returns whether the acting user knows this private plan: they have followed its current link, are on its waiting list, or have an open
-- request or invitation.
create function private.knows_plan(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.link_visits where subscription_id = p_subscription_id and user_id = (select auth.uid()))
    or exists (select from public.waiting_list where subscription_id = p_subscription_id and user_id = (select auth.uid()))
    or exists (select from public.subscription_requests as r
      where r.subscription_id = p_subscription_id and r.user_id = (select auth.uid()) and private.is_open_request(r))
    or exists (select from public.subscription_invitations as i
      where i.subscription_id = p_subscription_id and i.email = private.my_email() and private.invitation_status(i) = 'open');
end $$;

-- Returns whether the acting user may find this plan, and so may ask for a place. If one of two people has blocked the other, neither can
-- find the other's plans, except those in which they have a place.
create function private.may_find(p_plan public.shared_subscriptions) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_plan.status = 'active' and (not p_plan.is_private or private.knows_plan(p_plan.id))
    and (p_plan.owner_id <> all (private.people_apart()) or private.is_plan_member(p_plan.id));
end $$;

create policy "Active plans are for everyone signed in, private ones for who knows them" on public.shared_subscriptions
  for select to authenticated using (
    (status = 'active' and not is_private and owner_id <> all ((select private.people_apart())::uuid[]))
    or owner_id = (select auth.uid())
    or private.is_plan_member(id)
    or (status = 'active' and owner_id <> all ((select private.people_apart())::uuid[]) and private.knows_plan(id))
    or (select private.may('subscriptions.view'))
  );

-- Tells browsers to drop a plan that is no longer public. Row-level security hides the change of the plan itself from them, but when a row
-- is deleted, all clients that could see it are sent its key. So a trigger inserts a row here, which everybody may see, and deletes it
-- immediately.
create table public.plan_departures (
  subscription_id text primary key references public.shared_subscriptions (id) on delete cascade
);
alter table public.plan_departures enable row level security;
create policy "Everybody signed in hears what goes out of their sight" on public.plan_departures
  for select to authenticated using (true);

create function private.tg_shared_subscriptions__depart() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.plan_departures (subscription_id) values (new.id) on conflict do nothing;
  delete from public.plan_departures where subscription_id = new.id;
  return null;
end $$;
create trigger depart after update of status, is_private on public.shared_subscriptions
  for each row when (old.status = 'active' and not old.is_private and (new.status <> 'active' or new.is_private))
  execute function private.tg_shared_subscriptions__depart();

select private.send_changes('plan_departures');

-- Normalises a typed code: converts it to lower case, and replaces o by 0, and i and l by 1, because codes do not contain these letters.
create function private.plain_code(p_code text) returns text
language sql immutable
return translate(lower(btrim(p_code)), 'oil', '011');

-- Returns the id of the public plan with this code, which is part of the plan's short link; null if the caller may not find the plan.
create function private.plan_of_code(p_code text) returns text
language sql stable security definer set search_path = '' as $$
  select p.id from public.shared_subscriptions as p
  where p.code = private.plain_code(p_code) and not p.is_private and private.may_find(p)
$$;
select private.publish('plan_of_code', 'anon', 'authenticated');

-- Returns the part after /p/ in the link to share a plan: the secret of a private plan, or the code of a public one. Only the plan's owner
-- may call this.
create function private.get_plan_link(p_subscription_id text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_plan_owner(p_subscription_id) then
    perform private.refuse('plan_not_found');
  end if;
  return (select coalesce(l.token, p.code) from public.shared_subscriptions as p
    left join private.plan_links as l on l.subscription_id = p.id where p.id = p_subscription_id);
end $$;
select private.publish('get_plan_link', 'authenticated');

-- Replaces the link of a private plan and returns the new one. The old link stops working immediately, even for people who followed it but
-- have not asked for a place. Only the plan's owner may call this.
create function private.replace_plan_link(p_subscription_id text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_token text;
begin
  if not private.is_plan_owner(p_subscription_id) then
    perform private.refuse('plan_not_found');
  end if;
  perform private.spend_attempt('owner action');
  update private.plan_links set token = default where subscription_id = p_subscription_id returning token into v_token;
  if not found then
    perform private.refuse('plan_not_private');
  end if;
  delete from private.link_visits where subscription_id = p_subscription_id;
  return v_token;
end $$;
select private.publish('replace_plan_link', 'authenticated');

-- Lets the acting user see the plan behind a private link, and returns the plan's id.
create function private.open_plan_link(p_token text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan_id text;
begin
  -- The lock waits for a transaction that is replacing the link, because the old link must then no longer work.
  select l.subscription_id into v_plan_id from private.plan_links as l
  join public.shared_subscriptions as p on p.id = l.subscription_id and p.owner_id <> all (private.people_apart())
  where l.token = private.plain_code(p_token) for key share of l;
  if not found then
    perform private.refuse('link_unknown');
  end if;
  insert into private.link_visits (subscription_id, user_id) values (v_plan_id, v_user) on conflict do nothing;
  return v_plan_id;
end $$;
select private.publish('open_plan_link', 'authenticated');

revoke all on private.plan_links, private.link_visits, public.plan_departures from public, anon, authenticated, service_role;
grant select on public.plan_departures to authenticated, service_role;
grant execute on function private.knows_plan(text) to authenticated;
