-- Returns whether the value is missing, or a whole number from p_least to private.most_plan_members(). The same limit also serves for the
-- number of years that a plan is paid in advance, which is always smaller.
create function private.is_count(p_value jsonb, p_least integer) returns boolean
language sql immutable set search_path = '' as $$
  select case
    when p_value is null then true
    when jsonb_typeof(p_value) = 'number' then (p_value #>> '{}')::numeric between p_least and private.most_plan_members()
      and (p_value #>> '{}')::numeric % 1 = 0
    else false
  end
$$;

-- Returns whether the value is a text. With p_required, it must not be missing or empty.
create function private.is_text(p_value jsonb, p_required boolean) returns boolean
language sql immutable set search_path = '' as $$
  select case
    when p_value is null then not p_required
    else jsonb_typeof(p_value) = 'string' and (p_value <> '""' or not p_required)
  end
$$;

-- Returns whether the value is a feature: a text, or an object with a name and an `included` flag.
create function private.is_feature(p_value jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(p_value) = 'string' or (
    jsonb_typeof(p_value) = 'object' and private.is_text(p_value -> 'name', false) and p_value ? 'name'
    and coalesce(jsonb_typeof(p_value -> 'included'), '') = 'boolean'
  )
$$;

-- Returns whether this is a valid plan. A plan needs a name and a European price; everything else has defaults.
create function private.is_catalogue_plan(p_plan jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(p_plan) = 'object'
    and private.is_text(p_plan -> 'name', true)
    and private.is_text(p_plan -> 'id', p_plan ? 'id')
    and private.is_text(p_plan -> 'description', false)
    and private.is_text(p_plan -> 'category', false)
    and coalesce(p_plan ->> 'cycle', case when p_plan ? 'cycle' then '' else 'monthly' end) in ('monthly', 'yearly')
    and private.is_count(p_plan -> 'maxMembers', 1)
    and private.is_count(p_plan -> 'provider_max_members', 1)
    and private.is_count(p_plan -> 'planDurationYears', 2)
    and case jsonb_typeof(p_plan -> 'price')
      when 'number' then (p_plan ->> 'price')::numeric >= 0
      when 'object' then coalesce(jsonb_typeof(p_plan -> 'price' -> 'europe'), '') = 'number'
        and p_plan -> 'price' -> 'europe' >= '0'
      else false
    end
    and case coalesce(jsonb_typeof(p_plan -> 'features'), 'none')
      when 'none' then true
      when 'array' then (select coalesce(bool_and(private.is_feature(f)), true) from jsonb_array_elements(p_plan -> 'features') as f)
      else false
    end
$$;

-- Returns whether the whole catalogue is valid. The web app reads only valid rows, and does not check them again.
create function private.is_catalogue(p_data jsonb) returns boolean
language sql immutable security definer set search_path = '' as $$
  select case when coalesce(jsonb_typeof(p_data), '') = 'array' then (
    select coalesce(bool_and(
      jsonb_typeof(provider) = 'object'
      and private.is_text(provider -> 'id', true)
      and private.is_text(provider -> 'name', true)
      and private.is_text(provider -> 'website', false)
      and private.is_text(provider -> 'category', false)
      and case when jsonb_typeof(provider -> 'plans') = 'array' then (
        select coalesce(bool_and(private.is_catalogue_plan(plan)), true) from jsonb_array_elements(provider -> 'plans') as plan
      ) else false end
    ), false) from jsonb_array_elements(p_data) as provider
  ) else false end
$$;
grant execute on function private.is_catalogue(jsonb) to service_role;

-- Catalogues, of which one is current. A catalogue is an array of providers with their plans. The two maxima of a plan are the same
-- number: how many people its price covers. A plan with paid extra members is a separate entry with its own price.
create table public.service_provider_data (
  id uuid primary key default gen_random_uuid(),
  -- The providers with their plans.
  data jsonb not null check (jsonb_typeof(data) = 'array'),
  -- Whether this catalogue is in force.
  is_current boolean not null default false,
  created_at timestamptz not null default now(),
  -- Whether the row is a valid catalogue. This is computed when the row is stored, because a check on each use would delay sharing a plan.
  is_readable boolean generated always as (private.is_catalogue(data)) stored,
  constraint one_maximum_per_plan check (not data @? '$[*].plans[*] ? (@.maxMembers != @.provider_max_members)')
);
create unique index service_provider_data_current_key on public.service_provider_data (is_current) where is_current;
alter table public.service_provider_data enable row level security;
create policy "Everyone reads the current catalogue" on public.service_provider_data
  for select to anon, authenticated using (is_current);

create type private.catalogue_plan as (
  id text,
  provider text,
  name text,
  category text,
  description text,
  logo text,
  price numeric,
  billing_cycle text,
  max_members integer
);

-- The shipped catalogue, in a single row, for when the current catalogue is missing or unreadable.
create table private.bundled_catalogue (
  id boolean primary key default true check (id),
  data jsonb not null,
  constraint one_maximum_per_plan check (not data @? '$[*].plans[*] ? (@.maxMembers != @.provider_max_members)')
);
alter table private.bundled_catalogue enable row level security;

-- Returns the catalogue in force: the current one if it is readable, otherwise the shipped one.
create function private.catalogue() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select data from public.service_provider_data where is_current and is_readable),
    (select data from private.bundled_catalogue)
  )
$$;

-- Merges the changes that staff made since the last shipped catalogue (p_before) into the new one (p_now): providers that staff have added
-- or changed are kept as they are, and providers that staff have removed stay removed.
create function private.merge_catalogues(p_before jsonb, p_current jsonb, p_now jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  with before as (
    select provider ->> 'id' as id, provider from jsonb_array_elements(p_before) as provider
  ), current as (
    select provider ->> 'id' as id, provider from jsonb_array_elements(p_current) as provider
  ), now as (
    select provider ->> 'id' as id, provider, place from jsonb_array_elements(p_now) with ordinality as one (provider, place)
  ), own as (
    select id, current.provider from before full join current using (id)
    where before.provider is distinct from current.provider
  )
  select jsonb_agg(coalesce(own.provider, now.provider) order by now.place, id)
  from now full join own using (id) where own.id is null or own.provider is not null
$$;

-- Replaces the shipped catalogue, if it has changed, and merges it into the current one. Shared plans keep their terms, which are copies.
-- repeatable/provider-catalogue.sql calls this at every start.
create function private.load_catalogue(p_data jsonb) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_before jsonb := (select data from private.bundled_catalogue);
  v_current jsonb := (select data from public.service_provider_data where is_current and private.is_catalogue(data));
begin
  if v_before = p_data then return; end if;
  if not private.is_catalogue(p_data) then
    perform private.refuse('catalogue_unreadable');
  end if;
  insert into private.bundled_catalogue (data) values (p_data) on conflict (id) do update set data = excluded.data;
  update public.service_provider_data set is_current = false where is_current;
  insert into public.service_provider_data (data, is_current) values (
    coalesce(private.merge_catalogues(coalesce(v_before, '[]'), coalesce(v_current, v_before, '[]'), p_data), p_data), true
  );
end $$;

-- How many people a plan's price covers if the plan's entry in the catalogue does not say.
create function private.assumed_maximum() returns integer
language sql immutable return 5;

-- Returns the plans of the catalogue in force, in the order of the catalogue. If prices differ by region, the European price is used. A
-- plan without a cycle is monthly, and an unknown category becomes "other".
create function private.catalogue_plans() returns setof private.catalogue_plan
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select
    coalesce(plan ->> 'id', (provider ->> 'id') || ':' || (plan ->> 'name')),
    provider ->> 'name',
    plan ->> 'name',
    case when sold.category in ('streaming', 'music', 'gaming', 'productivity', 'security') then sold.category else 'other' end,
    coalesce(plan ->> 'description', ''),
    provider ->> 'logo',
    (case jsonb_typeof(plan -> 'price') when 'object' then plan -> 'price' ->> 'europe' else plan ->> 'price' end)::numeric,
    coalesce(plan ->> 'cycle', 'monthly'),
    coalesce((plan ->> 'maxMembers')::numeric::integer, (plan ->> 'provider_max_members')::numeric::integer, private.assumed_maximum())
  from jsonb_array_elements(private.catalogue()) with ordinality as one (provider, place),
    jsonb_array_elements(provider -> 'plans') with ordinality as other (plan, nth),
    lateral (select coalesce(plan ->> 'category', provider ->> 'category') as category) as sold
  order by place, nth;
end $$;

-- Returns one catalogue plan, found by p_plan_id or, if that is null, by the names of provider and plan. All columns are null if the plan
-- is not in the catalogue.
create function private.find_catalogue_plan(p_plan_id text, p_provider text, p_name text)
returns private.catalogue_plan
language plpgsql stable security definer set search_path = '' as $$
declare v_plan private.catalogue_plan;
begin
  select * into v_plan from private.catalogue_plans()
  where case when p_plan_id is not null then id = p_plan_id else provider = p_provider and name = p_name end limit 1;
  return v_plan;
end $$;

revoke all on public.service_provider_data from public, anon, authenticated;
revoke all on private.bundled_catalogue from public, anon, authenticated, service_role;
grant select on public.service_provider_data to anon, authenticated;
grant all on public.service_provider_data to service_role;
