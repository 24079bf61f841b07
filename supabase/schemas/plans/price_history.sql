-- Past prices of places and catalogue plans, recorded at each change.

-- Monthly costs of a place in a plan, in EUR with the fee.
create table private.plan_prices (
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  since timestamptz not null,
  cost numeric(12, 2) not null,
  primary key (subscription_id, since)
);
alter table private.plan_prices enable row level security;

create function private.tg_shared_subscriptions__note_price() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.plan_prices (subscription_id, since, cost)
  values (new.id, case tg_op when 'INSERT' then new.created_at else now() end, new.monthly_cost)
  on conflict (subscription_id, since) do update set cost = excluded.cost;
  return null;
end $$;
create trigger note_price after insert on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__note_price();
create trigger note_changed_price after update on public.shared_subscriptions
  for each row when (old.monthly_cost <> new.monthly_cost) execute function private.tg_shared_subscriptions__note_price();

-- Prices of a plan in the catalogue, in EUR per month.
create table private.catalogue_prices (
  catalogue_plan_id text not null,
  created_at timestamptz not null,
  cost numeric(12, 2) not null,
  primary key (catalogue_plan_id, created_at)
);
alter table private.catalogue_prices enable row level security;

-- Records the prices in a catalogue that differ from the last recorded ones.
create function private.note_catalogue_prices(p_data jsonb, p_since timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.catalogue_prices (catalogue_plan_id, created_at, cost)
  select distinct on (sold.id) sold.id, p_since, sold.cost
  from jsonb_array_elements(p_data) as provider, jsonb_array_elements(provider -> 'plans') as plan,
    lateral (select coalesce(plan ->> 'id', (provider ->> 'id') || ':' || (plan ->> 'name')) as id,
      round(coalesce(plan -> 'price' ->> 'europe', plan ->> 'price')::numeric
        / case plan ->> 'cycle' when 'yearly' then 12 else 1 end, 2) as cost) as sold
  where sold.cost is distinct from (
    select noted.cost from private.catalogue_prices as noted where noted.catalogue_plan_id = sold.id order by noted.created_at desc limit 1)
  on conflict (catalogue_plan_id, created_at) do update set cost = excluded.cost;
end $$;

create function private.tg_service_provider_data__note_prices() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.note_catalogue_prices(new.data, now());
  return null;
end $$;
create trigger note_prices after insert or update of data, is_current on public.service_provider_data
  for each row when (new.is_current and new.is_readable) execute function private.tg_service_provider_data__note_prices();

-- Returns the recorded prices of a place in the plan and of its catalogue plan, each oldest first.
create function private.price_history(p_plan public.shared_subscriptions) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'place', (select coalesce(jsonb_agg(jsonb_build_object('since', since, 'cost', cost) order by since), '[]')
      from private.plan_prices where subscription_id = p_plan.id),
    'alone', (select coalesce(jsonb_agg(jsonb_build_object('since', created_at, 'cost', cost) order by created_at), '[]')
      from private.catalogue_prices where catalogue_plan_id = p_plan.catalogue_plan_id))
$$;

revoke all on private.plan_prices, private.catalogue_prices from public, anon, authenticated, service_role;
