-- Creates the parts of hosted Supabase that a project's first migration expects and that @supabase/lite lacks. The other auth tables and
-- functions are @supabase/lite's own.
do $$
declare v_role text;
begin
  foreach v_role in array array['anon', 'authenticated', 'service_role', 'authenticator'] loop
    if not exists (select from pg_roles where rolname = v_role) then
      execute format('create role %I nologin', v_role);
    end if;
  end loop;
end $$;
alter role service_role bypassrls;
create schema if not exists extensions;
grant usage on schema public, auth, extensions to anon, authenticated, service_role;
create publication supabase_realtime;
-- These auth tables are used by the project's functions and triggers.
create table auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type text not null,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on auth.mfa_factors (user_id);
create table auth.webauthn_credentials (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text not null default '',
  created_at timestamptz not null default now()
);
create index on auth.webauthn_credentials (user_id);
alter table auth.sessions add column if not exists amr jsonb;
-- Takes the place of pg_cron, since the bench runs no scheduled jobs.
create schema cron;
create function cron.schedule(text, text, text) returns bigint language sql as 'select 0::bigint';
