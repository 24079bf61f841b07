-- Limits of a provider request: lengths of texts, and numbers of plans, features of a plan and people that a plan covers.
create function private.shortest_provider_name() returns integer
language sql immutable return 2;
create function private.shortest_provider_description() returns integer
language sql immutable return 10;
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

-- Requests to add a provider that is missing from the catalogue. Staff decide each request once.
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
    perform private.refuse('no_plans');
  elsif jsonb_array_length(p_plans) > private.most_requested_plans() or octet_length(p_plans::text) > 100000 then
    perform private.refuse('too_many_plans');
  end if;
  for v_plan in select value from jsonb_array_elements(p_plans) loop
    if jsonb_typeof(v_plan) <> 'object' or coalesce(jsonb_typeof(v_plan -> 'plan_name'), '') <> 'string'
      or private.visible_length(v_plan ->> 'plan_name') = 0 then
      perform private.refuse('plan_name_missing');
    elsif char_length(v_plan ->> 'plan_name') > private.longest_plan_name() then
      perform private.refuse('plan_name_too_long', private.longest_plan_name()::text);
    elsif jsonb_typeof(v_plan -> 'price') is distinct from 'number' or (v_plan ->> 'price')::numeric < 0 then
      perform private.refuse('price_not_positive');
    elsif (v_plan ->> 'price')::numeric > private.most_plan_price() then
      perform private.refuse('price_too_high', to_char(private.most_plan_price(), 'FM999,999'));
    elsif jsonb_typeof(v_plan -> 'max_members') is distinct from 'number' or (v_plan ->> 'max_members')::numeric < 1 then
      perform private.refuse('max_members_too_low');
    elsif (v_plan ->> 'max_members')::numeric > private.most_plan_members() or (v_plan ->> 'max_members')::numeric % 1 <> 0 then
      perform private.refuse('max_members_too_high', to_char(private.most_plan_members(), 'FM999,999'));
    elsif coalesce(v_plan ->> 'billing_cycle', '') not in ('monthly', 'yearly') then
      perform private.refuse('billing_cycle_unknown');
    elsif not private.are_features(v_plan -> 'features') then
      perform private.refuse('features_too_long', private.most_features()::text, private.longest_feature()::text);
    end if;
  end loop;
end $$;

create function private.tg_provider_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      perform private.refuse('request_of_another');
    end if;
    if new.status <> 'pending' then
      perform private.refuse('only_admins_answer_provider_requests');
    end if;
    perform private.spend_attempt('provider request');
    new.user_id := v_user;
    new.created_at := clock_timestamp();
  end if;
  perform private.ensure_profile(new.user_id);
  new.provider_name := btrim(coalesce(new.provider_name, ''));
  new.description := btrim(coalesce(new.description, ''));
  -- Check lengths first, because that is cheap and scanning a very long text is slow.
  if char_length(new.provider_name) > private.longest_provider_name() then
    perform private.refuse('provider_name_too_long', private.longest_provider_name()::text);
  elsif private.visible_length(new.provider_name) < private.shortest_provider_name() then
    perform private.refuse('provider_name_too_short', private.shortest_provider_name()::text);
  elsif coalesce(new.category, '') not in ('Streaming', 'Music', 'Gaming', 'Productivity', 'Security', 'Cloud Storage',
      'Design', 'Education', 'Fitness', 'News') then
    perform private.refuse('category_missing');
  elsif char_length(coalesce(new.website_url, '')) > private.longest_website()
    or private.is_plain_link(regexp_replace(new.website_url, '^http:', 'https:', 'i')) is not true then
    perform private.refuse('url_invalid');
  elsif char_length(new.description) > private.longest_provider_description() then
    perform private.refuse('description_too_long', private.longest_provider_description()::text);
  elsif private.visible_length(new.description) < private.shortest_provider_description() then
    perform private.refuse('description_too_short', private.shortest_provider_description()::text);
  end if;
  perform private.require_offered_plans(new.plans_data);
  -- Keep only known fields, and round prices to the cent.
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

-- Checks a decision on a request and notifies the requester. A decision is final, and the requester cannot make it.
create function private.tg_provider_requests__decide() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.status is not distinct from old.status then return new; end if;
  if new.user_id = auth.uid() then
    perform private.refuse('own_request_decided');
  elsif old.status <> 'pending' then
    perform private.refuse('request_already_answered', old.status);
  elsif new.status not in ('approved', 'rejected') then
    perform private.refuse_columns('status', 'value_not_allowed');
  end if;
  perform private.notify(new.user_id, case new.status when 'approved' then 'success' else 'info' end, null, 'provider-request-' || new.status,
    jsonb_build_object('provider', new.provider_name));
  return new;
end $$;
create trigger decide before update of status on public.provider_requests
  for each row execute function private.tg_provider_requests__decide();

-- Returns the number of requests that await a decision. Only admins may call this.
create function public.get_pending_provider_requests_count() returns integer
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_user();
  if not private.may('subscriptions.delete') then
    perform private.refuse('only_admins_see_provider_requests');
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
