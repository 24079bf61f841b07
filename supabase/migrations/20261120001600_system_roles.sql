-- Roles a super-admin describes beside the three built-in ones. What people may do is decided by the names of those
-- three (private.is_staff and its kin), so their names and permissions stay what they are; the settings of the site
-- alone ask for a permission (private.may_edit_settings).
create unique index system_roles_lower_name_key on public.system_roles (lower(name));

create policy "Super-admins define roles" on public.system_roles
  for insert to authenticated with check ((select private.proven(private.is_super_admin())));
create policy "Super-admins edit roles" on public.system_roles
  for update to authenticated using ((select private.proven(private.is_super_admin()))) with check ((select private.proven(private.is_super_admin())));

create function private.tg_system_roles__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_unknown text;
begin
  new.name := regexp_replace(new.name, '^\s+|\s+$', '', 'g');
  new.description := coalesce(new.description, '');
  if private.visible_length(new.name) = 0 then
    raise exception 'Role name is required' using errcode = '23514';
  end if;
  select wanted into v_unknown from unnest(new.permissions) as wanted
  where not exists (select from public.system_permissions where name = wanted) limit 1;
  if found then
    raise exception 'There is no permission "%"', v_unknown using errcode = '23514';
  end if;
  -- Each once, and in the order the permissions have.
  new.permissions := array(select name from public.system_permissions where name = any (new.permissions) order by id);
  if tg_op = 'UPDATE' and old.name in ('moderator', 'admin', 'super-admin')
    and (new.name, new.permissions) is distinct from (old.name, old.permissions) then
    raise exception 'The name and the permissions of a built-in role are fixed' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard before insert or update on public.system_roles
  for each row execute function private.tg_system_roles__guard();

-- The roles with how many people have each, the built-in ones first. For admins.
create function private.list_system_roles()
returns table (id text, name text, description text, users_count bigint, permissions text[])
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see the roles' using errcode = '42501';
  end if;
  return query
  select role.id, role.name, role.description, (
    select count(*) from public.user_roles as held join auth.users as account on account.id = held.user_id
    where held.role = role.name and account.deleted_at is null
  ), role.permissions
  from public.system_roles as role order by role.created_at, role.id;
end $$;
create function public.list_system_roles()
returns table (id text, name text, description text, users_count bigint, permissions text[])
language sql stable set search_path = '' as $$ select * from private.list_system_roles() $$;

grant insert (name, description, permissions), update (name, description, permissions) on public.system_roles
  to authenticated;
revoke execute on all functions in schema private from public;
revoke execute on function public.list_system_roles() from public, anon, service_role;
grant execute on function private.list_system_roles(), public.list_system_roles() to authenticated;
