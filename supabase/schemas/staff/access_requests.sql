-- Lengths in a request to become an admin: the minimum for the name, and the minimum and maximum for the reason.
create function private.shortest_requester_name() returns integer
language sql immutable return 2;
create function private.shortest_access_reason() returns integer
language sql immutable return 10;
create function private.longest_access_reason() returns integer
language sql immutable return 2000;

-- Requests to become an admin. A super-admin decides on each request, and an approval grants the role.
create table public.admin_role_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
  name text not null,
  email text not null,
  reason text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  requested_at timestamptz not null default clock_timestamp(),
  reviewed_at timestamptz
);
create index admin_role_requests_newest_idx on public.admin_role_requests (requested_at desc);
create unique index admin_role_requests_one_pending_key on public.admin_role_requests (user_id) where status = 'pending';
create index admin_role_requests_user_idx on public.admin_role_requests (user_id);
alter table public.admin_role_requests enable row level security;
select private.send_changes('admin_role_requests');
create policy "People see their own access request, admins all" on public.admin_role_requests
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit')));
create policy "People ask in their own name" on public.admin_role_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "Super-admins decide on access requests" on public.admin_role_requests
  for update to authenticated using ((select private.proven(private.may('roles.manage')))) with check ((select private.proven(private.may('roles.manage'))));

create function private.tg_admin_role_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      perform private.refuse('request_of_another');
    end if;
    new.user_id := v_user;
    new.status := 'pending';
    new.requested_at := clock_timestamp();
    new.reviewed_at := null;
  end if;
  perform private.ensure_profile(new.user_id);
  new.name := btrim(coalesce(new.name, ''));
  new.email := btrim(coalesce(new.email, ''));
  new.reason := btrim(coalesce(new.reason, ''));
  if char_length(new.name) > private.longest_full_name() then
    perform private.refuse('name_too_long', private.longest_full_name()::text);
  elsif private.visible_length(new.name) < private.shortest_requester_name() then
    perform private.refuse('name_missing');
  elsif private.name_refusal(new.name) is not null then
    perform private.refuse(private.name_refusal(new.name));
  elsif char_length(new.email) > private.longest_address() or octet_length(new.email) > char_length(new.email) or new.email !~ '^[^\s@]+@[^\s@]+\.[^\s@]+$' then
    perform private.refuse('email_invalid');
  elsif char_length(new.reason) > private.longest_access_reason() then
    perform private.refuse('adjustment_reason_too_long', private.longest_access_reason()::text);
  elsif private.visible_length(new.reason) < private.shortest_access_reason() then
    perform private.refuse('request_reason_too_short');
  end if;
  -- Staff rely on the email address when they decide, so it is the account's address, not one that the person typed.
  if v_user is not null then
    new.email := private.email_of(v_user);
  end if;
  return new;
end $$;
create trigger fill before insert on public.admin_role_requests
  for each row execute function private.tg_admin_role_requests__fill();

create function private.tg_admin_role_requests__decide() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.status is not distinct from old.status then
    -- Clients cannot change the time of the review, which the decision below sets.
    if auth.uid() is not null then new.reviewed_at := old.reviewed_at; end if;
    return new;
  end if;
  if new.user_id = auth.uid() then
    perform private.refuse('own_request_decided');
  elsif old.status <> 'pending' then
    perform private.refuse('request_already_answered', old.status);
  elsif new.status not in ('approved', 'rejected') then
    perform private.refuse_columns('status', 'value_not_allowed');
  end if;
  new.reviewed_at := clock_timestamp();
  -- A person who is a super-admin already keeps that higher role.
  if new.status = 'approved' and not exists (
    select 1 from public.user_roles where user_id = new.user_id and role = 'super-admin'
  ) then
    begin
      perform private.assign_user_role(new.user_id, 'admin');
    exception when others then
      raise log '%', sqlerrm;
      perform private.refuse('role_not_assigned');
    end;
  end if;
  perform private.notify(new.user_id, case new.status when 'approved' then 'success' else 'info' end, null, 'admin-access-' || new.status);
  return new;
end $$;
create trigger decide before update on public.admin_role_requests
  for each row execute function private.tg_admin_role_requests__decide();

revoke all on public.admin_role_requests from public, anon, authenticated;
grant select, insert (user_id, name, email, reason), update (status, reviewed_at) on public.admin_role_requests to authenticated;
grant all on public.admin_role_requests to service_role;

create trigger refuse before insert or update on public.admin_role_requests
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
