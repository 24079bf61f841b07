-- Storage of the Edge Function `vault`. The function seals and opens secrets; the database decides for whom, and holds no unencrypted key
-- or secret. Each person or plan that has secrets has a data key, sealed with the site's key. If the site's key is lost, all secrets
-- behind it are lost permanently.

-- The name of the site's key that currently seals data keys.
create table private.vault_site_key (
  id boolean primary key default true check (id),
  name text not null check (char_length(name) between 1 and 50),
  since timestamptz not null default now()
);
alter table private.vault_site_key enable row level security;

create table private.vault_keys (
  id uuid primary key default gen_random_uuid(),
  person_id uuid unique references private.user_profiles (user_id) on delete cascade,
  subscription_id text unique references public.shared_subscriptions (id) on delete cascade,
  wrapped text not null check (char_length(wrapped) between 1 and 200),
  site_key text not null,
  created_at timestamptz not null default now(),
  constraint one_owner check (num_nonnulls(person_id, subscription_id) = 1)
);
create index vault_keys_site_key_idx on private.vault_keys (site_key);
alter table private.vault_keys enable row level security;

-- Records of each opening of a secret: by whom, when and why. Rows outlive the secrets, so they have no foreign keys to them.
create table private.vault_openings (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('bank-account', 'plan', 'tax-details')),
  -- The id of the bank account or the tax details; an opening of a plan's entry has the plan's id and the version instead.
  secret_id uuid,
  subscription_id text,
  version integer,
  owner_id uuid not null references private.user_profiles (user_id) on delete cascade,
  opened_by uuid not null references private.user_profiles (user_id) on delete restrict,
  purpose text not null check (char_length(purpose) <= 200),
  opened_at timestamptz not null default clock_timestamp(),
  constraint names_what_was_opened check (case kind when 'plan' then num_nonnulls(subscription_id, version) = 2 and secret_id is null
    else secret_id is not null and num_nonnulls(subscription_id, version) = 0 end)
);
create index vault_openings_plan_idx on private.vault_openings (subscription_id, opened_at desc);
create index vault_openings_owner_idx on private.vault_openings (owner_id, opened_at desc);
create index vault_openings_opened_by_idx on private.vault_openings (opened_by);
alter table private.vault_openings enable row level security;

-- Returns the sealed data key of a person or a plan, or null if there is none yet.
create function private.vault_key_of(p_person_id uuid, p_subscription_id text default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('wrapped', wrapped, 'siteKey', site_key) from private.vault_keys
  where person_id = p_person_id or subscription_id = p_subscription_id
$$;

-- Stores the first data key of a plan or, without p_subscription_id, of the acting user. If another data key was stored meanwhile, or the
-- site's key has changed, this raises an error, and the function `vault` must start again.
create function private.store_vault_key(p_key jsonb, p_subscription_id text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_name text;
begin
  -- The lock makes a rotation of the site's key wait until this data key is stored, so that the rotation re-seals it too.
  select name into v_name from private.vault_site_key for share;
  if v_name is distinct from p_key ->> 'siteKey' then
    perform private.refuse('vault_being_updated');
  end if;
  insert into private.vault_keys (person_id, subscription_id, wrapped, site_key)
  values (case when p_subscription_id is null then v_user end, p_subscription_id, p_key ->> 'wrapped', v_name)
  on conflict do nothing;
  if not found then
    perform private.refuse('changed_meanwhile');
  end if;
end $$;

-- Returns the name of the site's key. If the site has no key yet, p_site_key becomes its key.
create function private.begin_vault(p_site_key text) returns text
language sql volatile security definer set search_path = '' as $$
  insert into private.vault_site_key (name) values (p_site_key) on conflict (id) do nothing;
  select name from private.vault_site_key
$$;
select private.publish('begin_vault', 'service_role');

-- Returns the site's keys that are in use but not among p_site_keys: `[{name, count}]`, with the number of data keys that each one has
-- sealed.
create function private.missing_vault_keys(p_site_keys text[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('name', name, 'count', count) order by name), '[]') from (
    select name, (select count(*) from private.vault_keys where site_key = name) as count
    from (select name from private.vault_site_key union select distinct site_key from private.vault_keys) as used
    where name <> all (p_site_keys)
  ) as missing
$$;
select private.publish('missing_vault_keys', 'service_role');

-- Makes p_site_key the site's key, and returns data keys that are still sealed with another key.
create function private.rotate_vault_keys(p_site_key text, p_limit integer default 500) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.vault_site_key (name) values (p_site_key)
  on conflict (id) do update set name = excluded.name, since = now() where vault_site_key.name <> excluded.name;
  return coalesce((
    select jsonb_agg(jsonb_build_object('id', id, 'wrapped', wrapped, 'siteKey', site_key, 'owner', jsonb_build_object(
      'kind', case when person_id is null then 'plan' else 'person' end, 'id', coalesce(person_id::text, subscription_id))))
    from (select * from private.vault_keys where site_key <> p_site_key order by id limit p_limit) as old), '[]');
end $$;
select private.publish('rotate_vault_keys', 'service_role');

-- Stores re-sealed data keys: `[{id, from, wrapped}]`. A key that has changed meanwhile is re-sealed in the next round.
create function private.rewrap_vault_keys(p_site_key text, p_keys jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  update private.vault_keys as k set wrapped = fresh.wrapped, site_key = p_site_key
  from jsonb_to_recordset(p_keys) as fresh (id uuid, "from" text, wrapped text)
  where k.id = fresh.id and k.wrapped = fresh."from"
$$;
select private.publish('rewrap_vault_keys', 'service_role');
