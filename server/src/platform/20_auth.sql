-- The parts of schema auth that this server's own auth service and a project's migrations use.
create table if not exists auth.users (
  id uuid primary key default gen_random_uuid(),
  instance_id uuid,
  aud text default 'authenticated',
  role text default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  email_change text,
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  banned_until timestamptz,
  deleted_at timestamptz,
  is_anonymous boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table auth.users add column if not exists reauthentication_sent_at timestamptz;
create unique index if not exists users_email_key on auth.users (lower(email));
alter table auth.users enable row level security;

create table if not exists auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_id)
);
create index if not exists identities_user_id_idx on auth.identities (user_id);
alter table auth.identities enable row level security;

-- These functions read the caller from the claims of the verified token. They use nullif() because the settings with the claims are '' once
-- a transaction that set them has ended. Function bodies in SQL-standard syntax are parsed when the function is created, so these need no
-- search_path, and Postgres can inline them into the statements of each request.
create or replace function auth.jwt() returns jsonb language sql stable
return coalesce(
  nullif(current_setting('request.jwt.claim', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')
)::jsonb;
create or replace function auth.uid() returns uuid language sql stable
return coalesce(
  nullif(current_setting('request.jwt.claim.sub', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
)::uuid;
create or replace function auth.role() returns text language sql stable
return coalesce(
  nullif(current_setting('request.jwt.claim.role', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
);
create or replace function auth.email() returns text language sql stable
return coalesce(
  nullif(current_setting('request.jwt.claim.email', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
);
grant usage on schema auth to anon, authenticated, service_role, project_owner;
grant execute on all functions in schema auth to anon, authenticated, service_role, project_owner;
grant select, references, trigger on auth.users to project_owner with grant option;
grant update, delete on auth.users to project_owner;
grant select, update, delete on auth.identities to project_owner;
