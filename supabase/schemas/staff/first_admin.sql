-- The one-time URL at which a new site gets its first super-admin, without a shell on the site's machine.

-- How long the URL works.
create function private.first_admin_time() returns interval
language sql immutable return interval '24 hours';

-- The newest URL, stored as the hash of its secret; at most one row.
create table private.first_admin_address (
  id boolean primary key default true check (id),
  token_hash text not null,
  expires_at timestamptz not null
);
alter table private.first_admin_address enable row level security;
revoke all on private.first_admin_address from public, anon, authenticated, service_role;

-- Creates a new URL, which replaces the previous one, and returns its secret; null if the site has a super-admin. The server calls this at
-- each start.
create function private.open_first_admin_address() returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_secret text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  if exists (select from public.user_roles where role = 'super-admin') then
    delete from private.first_admin_address;
    return null;
  end if;
  insert into private.first_admin_address (token_hash, expires_at)
  values (private.hash_of(v_secret), clock_timestamp() + private.first_admin_time())
  on conflict (id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at;
  return v_secret;
end $$;
select private.publish('open_first_admin_address', 'service_role');

-- Raises an error unless the URL with this secret still works. Visitors may call this, so that the page can say so before anybody fills in
-- the form.
create function private.require_first_admin_address(p_secret text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.first_admin_address
      where token_hash = private.hash_of(p_secret) and expires_at > clock_timestamp())
    or exists (select from public.user_roles where role = 'super-admin') then
    perform private.refuse('first_admin_address_over');
  end if;
end $$;
select private.publish('require_first_admin_address', 'anon', 'authenticated', 'service_role');

-- Makes the person the first super-admin and deletes the URL. Only the function `first-admin` may call this, because a signed-in person
-- cannot grant a role above their own.
create function private.make_first_admin(p_secret text, p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from private.first_admin_address for update;
  perform private.require_first_admin_address(p_secret);
  delete from private.first_admin_address;
  perform private.ensure_profile(p_user_id);
  insert into public.user_roles (user_id, role) values (p_user_id, 'super-admin')
  on conflict (user_id) do update set role = excluded.role, granted_by = null;
end $$;
select private.publish('make_first_admin', 'service_role');
