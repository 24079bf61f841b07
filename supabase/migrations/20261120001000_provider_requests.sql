-- A provider somebody misses in the catalogue; staff decides once.
create table public.provider_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  provider_name text not null,
  category text not null,
  website_url text not null,
  description text not null,
  plans_data jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  created_at timestamptz not null default clock_timestamp()
);
create index provider_requests_user_idx on public.provider_requests (user_id, created_at desc);
create index provider_requests_pending_idx on public.provider_requests (created_at) where status = 'pending';
alter table public.provider_requests enable row level security;
create policy "People see their own provider requests, admins all" on public.provider_requests
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('subscriptions.delete')));
create policy "People ask in their own name" on public.provider_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "Admins decide on provider requests" on public.provider_requests
  for update to authenticated using ((select private.may('subscriptions.delete'))) with check ((select private.may('subscriptions.delete')));

-- Are these the features of a plan: short texts, or nothing?
create function private.are_features(p_features jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case coalesce(jsonb_typeof(p_features), 'none')
    when 'none' then true
    when 'array' then jsonb_array_length(p_features) <= 30 and not exists (
      select from jsonb_array_elements(p_features) as feature
      where jsonb_typeof(feature) <> 'string' or char_length(feature #>> '{}') > 200
        or private.visible_length(feature #>> '{}') = 0
    )
    else false
  end
$$;

create function private.require_offered_plans(p_plans jsonb) returns void
language plpgsql immutable set search_path = '' as $$
declare v_plan jsonb;
begin
  if p_plans is null or jsonb_typeof(p_plans) <> 'array' or jsonb_array_length(p_plans) = 0 then
    raise exception 'At least one plan is required' using errcode = '23514';
  elsif jsonb_array_length(p_plans) > 50 or octet_length(p_plans::text) > 100000 then
    raise exception 'These are too many plans' using errcode = '23514';
  end if;
  for v_plan in select value from jsonb_array_elements(p_plans) loop
    if jsonb_typeof(v_plan) <> 'object' or coalesce(jsonb_typeof(v_plan -> 'plan_name'), '') <> 'string'
      or private.visible_length(v_plan ->> 'plan_name') = 0 then
      raise exception 'Plan name is required' using errcode = '23514';
    elsif char_length(v_plan ->> 'plan_name') > 100 then
      raise exception 'Plan name can be at most 100 characters' using errcode = '23514';
    elsif jsonb_typeof(v_plan -> 'price') is distinct from 'number' or (v_plan ->> 'price')::numeric < 0 then
      raise exception 'Price must be positive' using errcode = '23514';
    elsif (v_plan ->> 'price')::numeric > 100000 then
      raise exception 'Price can be at most 100,000' using errcode = '23514';
    elsif jsonb_typeof(v_plan -> 'max_members') is distinct from 'number' or (v_plan ->> 'max_members')::numeric < 1 then
      raise exception 'Max members must be at least 1' using errcode = '23514';
    elsif (v_plan ->> 'max_members')::numeric > 10000 or (v_plan ->> 'max_members')::numeric % 1 <> 0 then
      raise exception 'Max members must be a whole number up to 10,000' using errcode = '23514';
    elsif coalesce(v_plan ->> 'billing_cycle', '') not in ('monthly', 'yearly') then
      raise exception 'The billing cycle is monthly or yearly' using errcode = '23514';
    elsif not private.are_features(v_plan -> 'features') then
      raise exception 'Features are up to 30 texts of at most 200 characters' using errcode = '23514';
    end if;
  end loop;
end $$;

create function private.tg_provider_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    if new.status <> 'pending' then
      raise exception 'Only admins decide on provider requests' using errcode = '42501';
    end if;
    perform private.spend_attempt('provider request');
    new.user_id := v_user;
    new.created_at := clock_timestamp();
  end if;
  perform private.ensure_profile(new.user_id);
  new.provider_name := btrim(coalesce(new.provider_name, ''));
  new.description := btrim(coalesce(new.description, ''));
  -- The length that is known at once comes first: looking through a very long text takes a while.
  if char_length(new.provider_name) > 100 then
    raise exception 'Provider name can be at most 100 characters' using errcode = '23514';
  elsif private.visible_length(new.provider_name) < 2 then
    raise exception 'Provider name must be at least 2 characters' using errcode = '23514';
  elsif coalesce(new.category, '') not in ('Streaming', 'Music', 'Gaming', 'Productivity', 'Security', 'Cloud Storage',
      'Design', 'Education', 'Fitness', 'News') then
    raise exception 'Please select a category' using errcode = '23514';
  elsif char_length(coalesce(new.website_url, '')) > 500
    or coalesce(new.website_url, '') !~* '^https?://[^\s/?#@\\]+\.[^\s/?#@\\]+([/?#]\S*)?$' then
    raise exception 'Please enter a valid URL' using errcode = '23514';
  elsif char_length(new.description) > 2000 then
    raise exception 'Description can be at most 2000 characters' using errcode = '23514';
  elsif private.visible_length(new.description) < 10 then
    raise exception 'Description must be at least 10 characters' using errcode = '23514';
  end if;
  perform private.require_offered_plans(new.plans_data);
  -- Only what a plan has, to the cent; whatever else was sent along is not kept.
  new.plans_data := (
    select jsonb_agg(jsonb_build_object(
      'plan_name', btrim(plan ->> 'plan_name'), 'price', round((plan ->> 'price')::numeric, 2),
      'billing_cycle', plan -> 'billing_cycle', 'max_members', (plan ->> 'max_members')::numeric::integer,
      'features', coalesce(plan -> 'features', '[]')
    ) order by place) from jsonb_array_elements(new.plans_data) with ordinality as sent (plan, place)
  );
  return new;
end $$;
create trigger fill before insert on public.provider_requests
  for each row execute function private.tg_provider_requests__fill();

-- A decision is final, is somebody else's, and its asker hears of it.
create function private.tg_provider_requests__decide() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.status is not distinct from old.status then return new; end if;
  if new.user_id = auth.uid() then
    raise exception 'Someone else decides about your own request' using errcode = '42501';
  elsif old.status <> 'pending' then
    raise exception 'This request has already been %', old.status using errcode = '23514';
  end if;
  perform private.notify(new.user_id, case new.status when 'approved' then 'success' else 'info' end,
    case new.status when 'approved' then 'Provider Request Approved' else 'Provider Request Rejected' end,
    format('Your request to add %s has been %s.', new.provider_name, new.status), null,
    'provider-request-' || new.status, jsonb_build_object('provider', new.provider_name));
  return new;
end $$;
create trigger decide before update of status on public.provider_requests
  for each row execute function private.tg_provider_requests__decide();

-- How many wait for a decision. Admins only.
create function public.get_pending_provider_requests_count() returns integer
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_user();
  if not private.may('subscriptions.delete') then
    raise exception 'Only admins see the provider requests of others' using errcode = '42501';
  end if;
  return (select count(*) from public.provider_requests where status = 'pending');
end $$;

-- Asking to become an admin; a super-admin decides, and approval grants the role.
create table public.admin_role_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
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
      raise exception 'You can only ask for yourself' using errcode = '42501';
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
  if char_length(new.name) > 120 then
    raise exception 'Name can be at most 120 characters' using errcode = '23514';
  elsif private.visible_length(new.name) < 2 then
    raise exception 'Name is required' using errcode = '23514';
  elsif private.name_refusal(new.name) is not null then
    raise exception '%', private.name_refusal(new.name) using errcode = '23514';
  elsif char_length(new.email) > 254 or octet_length(new.email) > char_length(new.email) or new.email !~ '^[^\s@]+@[^\s@]+\.[^\s@]+$' then
    raise exception 'Valid email is required' using errcode = '23514';
  elsif char_length(new.reason) > 2000 then
    raise exception 'The reason can be at most 2000 characters' using errcode = '23514';
  elsif private.visible_length(new.reason) < 10 then
    raise exception 'Please provide a detailed reason for your request' using errcode = '23514';
  end if;
  -- Who decides goes by the address, so it is the account's own and not one somebody typed.
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
    -- When it was reviewed is the database's to say, and stays.
    if auth.uid() is not null then new.reviewed_at := old.reviewed_at; end if;
    return new;
  end if;
  if new.user_id = auth.uid() then
    raise exception 'Someone else decides about your own request' using errcode = '42501';
  elsif old.status <> 'pending' then
    raise exception 'This request has already been %', old.status using errcode = '23514';
  end if;
  new.reviewed_at := clock_timestamp();
  -- Somebody who already holds a higher role keeps it.
  if new.status = 'approved' and not exists (
    select 1 from public.user_roles where user_id = new.user_id and role = 'super-admin'
  ) then
    begin
      perform private.assign_user_role(new.user_id, 'admin');
    exception when others then
      raise exception 'Failed to assign admin role' using errcode = '23514', detail = sqlerrm;
    end;
  end if;
  perform private.notify(new.user_id, case new.status when 'approved' then 'success' else 'info' end,
    case new.status when 'approved' then 'Admin Access Approved' else 'Admin Access Rejected' end,
    format('Your request for admin access has been %s.', new.status), null, 'admin-access-' || new.status);
  return new;
end $$;
create trigger decide before update on public.admin_role_requests
  for each row execute function private.tg_admin_role_requests__decide();

revoke all on public.provider_requests, public.admin_role_requests from public, anon, authenticated;
grant select, update (status),
  insert (user_id, provider_name, category, website_url, description, plans_data, status)
  on public.provider_requests to authenticated;
grant select, insert (user_id, name, email, reason), update (status, reviewed_at) on public.admin_role_requests to authenticated;
grant all on public.provider_requests, public.admin_role_requests to service_role;
revoke execute on all functions in schema private from public;
revoke execute on function public.get_pending_provider_requests_count() from public, anon, service_role;
grant execute on function public.get_pending_provider_requests_count() to authenticated;
