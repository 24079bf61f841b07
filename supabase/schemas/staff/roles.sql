-- Staff roles and their permissions. Rights come only from these tables, never from an account's own metadata.
-- First, the maximum lengths of a role's name and of its description.
create function private.longest_role_name() returns integer
language sql immutable return 60;
create function private.longest_role_description() returns integer
language sql immutable return 500;
grant execute on function private.longest_role_name(), private.longest_role_description() to authenticated, service_role;

create table public.system_permissions (
  id text primary key,
  name text not null unique,
  description text not null default ''
);
create table public.system_roles (
  id text primary key default gen_random_uuid()::text,
  name text not null unique check (char_length(btrim(name)) between 1 and private.longest_role_name()),
  description text not null default '' check (char_length(description) <= private.longest_role_description()),
  permissions text[] not null default '{}',
  -- Whether the role comes with the site, so that its name and permissions are fixed.
  built_in boolean not null default false,
  created_at timestamptz not null default now()
);
-- The role of each person. A person has at most one role; a person without a row has none.
create table public.user_roles (
  user_id uuid primary key references private.user_profiles (user_id) on delete cascade,
  role text not null references public.system_roles (name) on update cascade,
  granted_by uuid references private.user_profiles (user_id) on delete set null,
  granted_at timestamptz not null default now()
);
create index user_roles_role_idx on public.user_roles (role);
create index user_roles_granted_by_idx on public.user_roles (granted_by);
alter table public.system_permissions enable row level security;
alter table public.system_roles enable row level security;
alter table public.user_roles enable row level security;

insert into public.system_permissions (id, name, description) values
  ('p1', 'users.view', 'See who has an account, and which role'),
  ('p2', 'users.edit', 'See addresses, wallets and payments; pay out, adjust wallets, decide on problems and disputes'),
  ('p3', 'users.delete', 'Opens nothing yet: people delete their own accounts'),
  ('p4', 'subscriptions.view', 'See every shared plan'),
  ('p5', 'subscriptions.approve', 'Approve and reject shared plans, and decide on reports of reviews and people'),
  ('p6', 'subscriptions.delete', 'Switch providers off, and decide on requested ones'),
  ('p7', 'roles.manage', 'Define roles and grant them, up to what one''s own allows; read the log of staff'),
  ('p8', 'settings.edit', 'Change the settings of the site');
insert into public.system_roles (id, name, description, built_in, permissions) values
  ('r1', 'super-admin', 'Everything, including who else is staff', true,
    '{users.view,users.edit,users.delete,subscriptions.view,subscriptions.approve,subscriptions.delete,roles.manage,settings.edit}'),
  ('r2', 'admin', 'Runs the site: people, plans and payouts', true,
    '{users.view,users.edit,subscriptions.view,subscriptions.approve,subscriptions.delete}'),
  ('r3', 'moderator', 'Reviews shared plans', true, '{users.view,subscriptions.view,subscriptions.approve}');

-- Returns whether the acting user's role currently grants no permissions, because the site requires a second factor or a passkey of all
-- staff (site_settings.sql) and this session has neither.
create function private.role_is_shut() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not private.shows_second_factor() and (select require_second_factor from public.app_settings)
    and exists (select from public.user_roles where user_id = (select auth.uid()));
end $$;
select private.publish('role_is_shut', 'authenticated');

-- Returns the permissions of the acting user's role, or an empty array if they have no role or role_is_shut(). All policies and functions
-- check permissions with this function, for built-in and custom roles alike.
create function private.my_permissions() returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((
    select role.permissions from public.user_roles as held join public.system_roles as role on role.name = held.role
    where held.user_id = (select auth.uid()) and not private.role_is_shut()
  ), '{}');
end $$;
create function private.may(p_permission text) returns boolean
language sql stable
return p_permission = any (private.my_permissions());
-- Returns the people whose role has this permission, who are to be notified of pending work.
create function private.people_who_may(p_permission text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select held.user_id from public.user_roles as held join public.system_roles as role on role.name = held.role
  where p_permission = any (role.permissions)
$$;
-- Returns whether the acting user is staff. A role with any permission gives access to the administration.
create function private.is_staff() returns boolean
language sql stable
return private.my_permissions() <> '{}';

-- Money and roles need a second factor or a passkey, except in the sheltered demo. may_act_as_staff() returns whether the session has one,
-- and is used where people see their own rows in any case and staff also see others. proven() is for calls that only staff make: it
-- returns p_holds_role, and raises an error if that is true but the second factor or passkey is missing.
create function private.may_act_as_staff() returns boolean
language sql stable
return private.is_sheltered() or private.shows_second_factor();
create function private.proven(p_holds_role boolean) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if p_holds_role and not private.may_act_as_staff() or private.role_is_shut() then
    perform private.refuse('strong_sign_in_required');
  end if;
  return p_holds_role;
end $$;

create policy "Whoever edits people or manages roles reads the permissions" on public.system_permissions
  for select to authenticated using ((select private.my_permissions()) && '{users.edit,roles.manage}');
create policy "People read their own role, whoever looks after people all" on public.system_roles
  for select to authenticated using ((select private.my_permissions()) && '{users.edit,roles.manage}'
    or name = (select role from public.user_roles where user_id = (select auth.uid())));
create policy "People see their own role, staff that sees people all" on public.user_roles
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.view')));
create policy "Whoever manages roles grants them" on public.user_roles
  for insert to authenticated with check ((select private.proven(private.may('roles.manage'))));
create policy "Whoever manages roles changes them" on public.user_roles
  for update to authenticated using ((select private.proven(private.may('roles.manage')))) with check ((select private.proven(private.may('roles.manage'))));
create policy "Whoever manages roles takes them away" on public.user_roles
  for delete to authenticated using ((select private.proven(private.may('roles.manage'))));

-- Records who granted a role, refuses to remove the last super-admin, and refuses to grant or remove a role that has more permissions than
-- the acting user's own.
create function private.tg_user_roles__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.granted_by is distinct from old.granted_by then
    if new.granted_by <> auth.uid() then
      perform private.refuse('role_granted_by_another');
    end if;
  end if;
  if auth.uid() is not null and (tg_op <> 'UPDATE' or new.role <> old.role) and exists (
    select from public.system_roles as role
    where role.name in (case when tg_op <> 'DELETE' then new.role end, case when tg_op <> 'INSERT' then old.role end)
      and not role.permissions <@ private.my_permissions()
  ) then
    perform private.refuse('role_above_own');
  end if;
  if tg_op <> 'DELETE' and private.may('roles.manage') then
    if not exists (select from public.system_roles where name = new.role) then
      perform private.refuse('role_unknown', new.role);
    elsif not exists (select from private.user_profiles where user_id = new.user_id) then
      perform private.refuse('person_not_found');
    end if;
  end if;
  -- A change that the deletion of the granter's account causes is not a grant.
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and (new.role <> old.role or pg_trigger_depth() = 1) then
    new.granted_by := coalesce(auth.uid(), new.granted_by);
    new.granted_at := now();
  end if;
  if tg_op <> 'INSERT' and old.role = 'super-admin' and (tg_op = 'DELETE' or new.role <> 'super-admin') then
    -- If two super-admins demote each other at the same time, only one of them may succeed.
    perform pg_advisory_xact_lock(hashtext('last super-admin'));
    if not exists (
      select 1 from public.user_roles as r join auth.users as u on u.id = r.user_id
      where r.role = 'super-admin' and r.user_id <> old.user_id and u.deleted_at is null
    ) then
      perform private.refuse('last_super_admin');
    end if;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger guard before insert or update or delete on public.user_roles
  for each row execute function private.tg_user_roles__guard();

-- Grants a role, or removes the person's role if p_role is empty; returns true. Only super-admins may call this. A person who had no role
-- is notified, unless the answer to their request for admin access notifies them anyway.
create function private.assign_user_role(p_user_id uuid, p_role text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.proven(private.may('roles.manage')) then
    perform private.refuse('only_super_admin_assigns_roles');
  end if;
  if coalesce(btrim(p_role), '') = '' then
    delete from public.user_roles where user_id = p_user_id;
    return true;
  end if;
  perform private.ensure_profile(p_user_id);
  if pg_trigger_depth() = 0 and not exists (select from public.user_roles where user_id = p_user_id) then
    perform private.notify(p_user_id, 'success', null, 'role-given');
  end if;
  insert into public.user_roles (user_id, role, granted_by) values (p_user_id, p_role, v_user)
  on conflict (user_id) do update set role = excluded.role, granted_by = excluded.granted_by;
  return true;
end $$;
select private.publish('assign_user_role', 'authenticated');

revoke all on public.system_permissions, public.system_roles, public.user_roles from public, anon, authenticated;
grant select on public.system_permissions, public.system_roles to authenticated;
grant select, delete, insert (user_id, role, granted_by), update (user_id, role, granted_by) on public.user_roles to authenticated;
grant all on public.system_permissions, public.system_roles, public.user_roles to service_role;
grant execute on function private.my_permissions(), private.may(text), private.is_staff(),
  private.may_act_as_staff(), private.proven(boolean) to authenticated;

create trigger refuse before insert or update on public.user_roles
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
