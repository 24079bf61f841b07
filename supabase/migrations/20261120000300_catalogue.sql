-- What providers sell: one current row, an array of providers with their plans (CATALOG-04, CATALOG-05, CATALOG-08).
create table public.service_provider_data (
  id uuid primary key default gen_random_uuid(),
  data jsonb not null check (jsonb_typeof(data) = 'array'),
  is_current boolean not null default false,
  created_at timestamptz not null default now()
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
  max_members integer,
  provider_max_members integer
);

-- One plan of the current catalogue, by its id or else by provider and plan name; nothing when it is not sold.
-- A price per region counts as the European one (CATALOG-06); a missing maximum falls back as LIMIT-16 says.
create function private.find_catalogue_plan(p_plan_id text, p_provider text, p_name text)
returns private.catalogue_plan
language sql stable security definer set search_path = '' as $$
  select row(
    plan ->> 'id',
    provider ->> 'name',
    plan ->> 'name',
    coalesce(plan ->> 'category', provider ->> 'category', 'other'),
    coalesce(plan ->> 'description', ''),
    provider ->> 'logo',
    case jsonb_typeof(plan -> 'price') when 'object' then plan -> 'price' ->> 'europe' else plan ->> 'price' end,
    plan ->> 'cycle',
    plan ->> 'maxMembers',
    coalesce((plan ->> 'provider_max_members')::integer, greatest((plan ->> 'maxMembers')::integer, 5))
  )::private.catalogue_plan
  from public.service_provider_data as current,
    jsonb_array_elements(current.data) as provider,
    jsonb_array_elements(provider -> 'plans') as plan
  where current.is_current
    and case
      when p_plan_id is not null then plan ->> 'id' = p_plan_id
      else provider ->> 'name' = p_provider and plan ->> 'name' = p_name
    end
  limit 1
$$;

revoke all on public.service_provider_data from public, anon, authenticated;
grant select on public.service_provider_data to anon, authenticated;
grant all on public.service_provider_data to service_role;
revoke execute on all functions in schema private from public;
