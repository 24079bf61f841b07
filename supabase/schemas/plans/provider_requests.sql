-- Limits of a provider request: text lengths, plans, features of a plan, and people a plan covers.
create function private.longest_provider_name() returns integer
language sql immutable return 100;
create function private.longest_provider_description() returns integer
language sql immutable return 2000;
create function private.longest_website() returns integer
language sql immutable return 500;
create function private.most_requested_plans() returns integer
language sql immutable return 50;
create function private.longest_plan_name() returns integer
language sql immutable return 100;
create function private.most_features() returns integer
language sql immutable return 30;
create function private.longest_feature() returns integer
language sql immutable return 200;
create function private.most_plan_members() returns integer
language sql immutable return 10000;
-- The highest price, in EUR.
create function private.most_plan_price() returns integer
language sql immutable return 100000;

-- A provider missing from the catalogue; staff decides once.
create table public.provider_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references private.user_profiles (user_id) on delete cascade,
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
select private.send_changes('provider_requests');
create policy "People see their own provider requests, admins all" on public.provider_requests
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('subscriptions.delete')));
create policy "People ask in their own name" on public.provider_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "Admins decide on provider requests" on public.provider_requests
  for update to authenticated using ((select private.may('subscriptions.delete'))) with check ((select private.may('subscriptions.delete')));

create function private.are_features(p_features jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case coalesce(jsonb_typeof(p_features), 'none')
    when 'none' then true
    when 'array' then jsonb_array_length(p_features) <= private.most_features() and not exists (
      select from jsonb_array_elements(p_features) as feature
      where jsonb_typeof(feature) <> 'string' or char_length(feature #>> '{}') > private.longest_feature()
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
  elsif jsonb_array_length(p_plans) > private.most_requested_plans() or octet_length(p_plans::text) > 100000 then
    raise exception 'That’s too many plans' using errcode = '23514';
  end if;
  for v_plan in select value from jsonb_array_elements(p_plans) loop
    if jsonb_typeof(v_plan) <> 'object' or coalesce(jsonb_typeof(v_plan -> 'plan_name'), '') <> 'string'
      or private.visible_length(v_plan ->> 'plan_name') = 0 then
      raise exception 'Plan name is required' using errcode = '23514';
    elsif char_length(v_plan ->> 'plan_name') > private.longest_plan_name() then
      raise exception 'Plan name can be at most % characters', private.longest_plan_name() using errcode = '23514';
    elsif jsonb_typeof(v_plan -> 'price') is distinct from 'number' or (v_plan ->> 'price')::numeric < 0 then
      raise exception 'Price must be positive' using errcode = '23514';
    elsif (v_plan ->> 'price')::numeric > private.most_plan_price() then
      raise exception 'Price can be at most %', to_char(private.most_plan_price(), 'FM999,999') using errcode = '23514';
    elsif jsonb_typeof(v_plan -> 'max_members') is distinct from 'number' or (v_plan ->> 'max_members')::numeric < 1 then
      raise exception 'Max members must be at least 1' using errcode = '23514';
    elsif (v_plan ->> 'max_members')::numeric > private.most_plan_members() or (v_plan ->> 'max_members')::numeric % 1 <> 0 then
      raise exception 'Max members must be a whole number up to %', to_char(private.most_plan_members(), 'FM999,999') using errcode = '23514';
    elsif coalesce(v_plan ->> 'billing_cycle', '') not in ('monthly', 'yearly') then
      raise exception 'The billing cycle is monthly or yearly' using errcode = '23514';
    elsif not private.are_features(v_plan -> 'features') then
      raise exception 'Features are up to % texts of at most % characters', private.most_features(), private.longest_feature() using errcode = '23514';
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
      raise exception 'Only admins can answer provider requests' using errcode = '42501';
    end if;
    perform private.spend_attempt('provider request');
    new.user_id := v_user;
    new.created_at := clock_timestamp();
  end if;
  perform private.ensure_profile(new.user_id);
  new.provider_name := btrim(coalesce(new.provider_name, ''));
  new.description := btrim(coalesce(new.description, ''));
  -- Cheap length checks first, because scanning a very long text is slow.
  if char_length(new.provider_name) > private.longest_provider_name() then
    raise exception 'Provider name can be at most % characters', private.longest_provider_name() using errcode = '23514';
  elsif private.visible_length(new.provider_name) < 2 then
    raise exception 'Provider name must be at least 2 characters' using errcode = '23514';
  elsif coalesce(new.category, '') not in ('Streaming', 'Music', 'Gaming', 'Productivity', 'Security', 'Cloud Storage',
      'Design', 'Education', 'Fitness', 'News') then
    raise exception 'Please select a category' using errcode = '23514';
  elsif char_length(coalesce(new.website_url, '')) > private.longest_website()
    or private.is_plain_link(regexp_replace(new.website_url, '^http:', 'https:', 'i')) is not true then
    raise exception 'Please enter a valid URL' using errcode = '23514';
  elsif char_length(new.description) > private.longest_provider_description() then
    raise exception 'Description can be at most % characters', private.longest_provider_description() using errcode = '23514';
  elsif private.visible_length(new.description) < 10 then
    raise exception 'Description must be at least 10 characters' using errcode = '23514';
  end if;
  perform private.require_offered_plans(new.plans_data);
  -- Keeps only known fields, with prices to the cent.
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

-- A decision is final, must be made by another person, and is told to the requester.
create function private.tg_provider_requests__decide() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.status is not distinct from old.status then return new; end if;
  if new.user_id = auth.uid() then
    raise exception 'Someone else decides on your own request' using errcode = '42501';
  elsif old.status <> 'pending' then
    raise exception 'This request has already been %', old.status using errcode = '23514';
  elsif new.status not in ('approved', 'rejected') then
    raise exception 'This value isn’t allowed' using errcode = '23514', detail = 'status';
  end if;
  perform private.notify(new.user_id, case new.status when 'approved' then 'success' else 'info' end, null, 'provider-request-' || new.status,
    jsonb_build_object('provider', new.provider_name));
  return new;
end $$;
create trigger decide before update of status on public.provider_requests
  for each row execute function private.tg_provider_requests__decide();

-- The number of requests that await a decision. Admins only.
create function public.get_pending_provider_requests_count() returns integer
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_user();
  if not private.may('subscriptions.delete') then
    raise exception 'Only admins see the provider requests of others' using errcode = '42501';
  end if;
  return (select count(*) from public.provider_requests where status = 'pending');
end $$;
select private.publish('get_pending_provider_requests_count', 'authenticated');

revoke all on public.provider_requests from public, anon, authenticated;
grant select, update (status),
  insert (user_id, provider_name, category, website_url, description, plans_data, status)
  on public.provider_requests to authenticated;
grant all on public.provider_requests to service_role;

create trigger refuse before insert or update on public.provider_requests
  for each row when (current_user = 'authenticated') execute function private.tg_public__refuse();
