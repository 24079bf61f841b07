-- What hosted Supabase provides before a project's first migration: roles and schemas. Safe to run at every start.
do $$
declare v_role text;
begin
  foreach v_role in array array['anon', 'authenticated', 'service_role', 'authenticator', 'project_owner'] loop
    if not exists (select from pg_roles where rolname = v_role) then
      execute format('create role %I nologin', v_role);
    end if;
  end loop;
end $$;
alter role service_role bypassrls;
alter role project_owner bypassrls;
grant anon, authenticated, service_role, project_owner to current_user;
-- The pre-request function of the Data API is a setting of this role, which has no other use here.
grant authenticator to project_owner;
grant set on parameter pgrst.db_pre_request to authenticator;

create schema if not exists extensions;
create schema if not exists auth;
create schema if not exists realtime;
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (
  version text primary key,
  name text,
  statements text[],
  applied_at timestamptz not null default now()
);

-- The project's owner may create what a migration creates, and nothing in the platform's own schemas.
do $$ begin execute format('grant create on database %I to project_owner', current_database()); end $$;
alter schema public owner to project_owner;
grant usage on schema public to anon, authenticated, service_role;
grant usage, create on schema extensions to project_owner;
grant usage on schema extensions to anon, authenticated, service_role;

do $$ begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end $$;
alter publication supabase_realtime owner to project_owner;

-- State of this server itself.
create schema if not exists platform;
create table if not exists platform.settings (key text primary key, value text not null);
