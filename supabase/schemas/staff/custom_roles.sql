-- Custom roles, in addition to the built-in ones. A role allows only what its permissions grant (private.may). Names and permissions of
-- built-in roles never change.
create unique index system_roles_lower_name_key on public.system_roles (lower(name));

create policy "Whoever manages roles defines them" on public.system_roles
  for insert to authenticated with check ((select private.proven(private.may('roles.manage'))));
create policy "Whoever manages roles edits them" on public.system_roles
  for update to authenticated using ((select private.proven(private.may('roles.manage')))) with check ((select private.proven(private.may('roles.manage'))));

create function private.tg_system_roles__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_unknown text;
begin
  new.name := regexp_replace(new.name, '^\s+|\s+$', '', 'g');
  new.description := coalesce(new.description, '');
  if private.visible_length(new.name) = 0 then
    perform private.refuse('role_name_missing');
  elsif private.may('roles.manage') and exists (select from public.system_roles where lower(name) = lower(new.name) and id <> new.id) then
    perform private.refuse_columns('name', 'already_exists');
  end if;
  select wanted into v_unknown from unnest(new.permissions) as wanted
  where not exists (select from public.system_permissions where name = wanted) limit 1;
  if found then
    perform private.refuse('permission_unknown', v_unknown);
  end if;
  -- Remove duplicates, and use the order of the permissions table.
  new.permissions := array(select name from public.system_permissions where name = any (new.permissions) order by id);
  if auth.uid() is not null and not (new.permissions <@ private.my_permissions()
    and (tg_op = 'INSERT' or old.permissions <@ private.my_permissions())) then
    perform private.refuse('role_definition_above_own');
  end if;
  if tg_op = 'UPDATE' and old.built_in and (new.name, new.permissions) is distinct from (old.name, old.permissions) then
    perform private.refuse('role_built_in');
  end if;
  return new;
end $$;
create trigger guard before insert or update on public.system_roles
  for each row execute function private.tg_system_roles__guard();

-- Returns the roles, built-in ones first, with the number of people who have each role. For staff who may edit people or manage roles.
create function private.list_system_roles()
returns table (id text, name text, description text, users_count bigint, permissions text[], built_in boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.my_permissions() && '{users.edit,roles.manage}' then
    perform private.refuse('only_admins_see_roles');
  end if;
  return query
  select role.id, role.name, role.description, (
    select count(*) from public.user_roles as held join auth.users as account on account.id = held.user_id
    where held.role = role.name and account.deleted_at is null
  ), role.permissions, role.built_in
  from public.system_roles as role order by role.created_at, role.id;
end $$;
select private.publish('list_system_roles', 'authenticated');

grant insert (name, description, permissions), update (name, description, permissions) on public.system_roles
  to authenticated;

create trigger refuse before insert or update on public.system_roles
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
