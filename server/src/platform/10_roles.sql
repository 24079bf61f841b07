-- Roles and schemas that hosted Supabase provides before a project's first migration. Runs at every start. Creating and granting
-- roles requires CREATEROLE; afterwards, the owner of the database needs no other right (docs/operate.md).
do $$
declare
  v_role text;
  -- Since Postgres 16 the creator of a role may grant it, but can use it only after granting it to itself.
  v_set constant text := case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end;
  v_is_superuser constant boolean := (select rolsuper from pg_roles where rolname = current_user);
begin
  foreach v_role in array array['anon', 'authenticated', 'service_role', 'authenticator', 'project_owner'] loop
    if not exists (select from pg_roles where rolname = v_role) then
      execute format('create role %I nologin', v_role);
    end if;
  end loop;
  foreach v_role in array array['anon', 'authenticated', 'service_role', 'project_owner'] loop
    -- A superuser has the rights of every role anyway, but may stop being one.
    if v_is_superuser or not (pg_has_role(v_role, 'usage') and pg_has_role(v_role, v_set)) then
      execute format('grant %I to current_user', v_role);
    end if;
  end loop;
  -- The name of the Data API's pre-request function is a setting of this role, which has no other use here.
  if not pg_has_role('project_owner', 'authenticator', v_set) then
    grant authenticator to project_owner;
  end if;
  -- The server's role may be unable to grant these two rights. Without the first, platform.open_tables() writes policies; without the
  -- second, the server stores the setting itself (src/db/migrate.ts).
  foreach v_role in array array['service_role', 'project_owner'] loop
    if not (select rolbypassrls from pg_roles where rolname = v_role) then
      begin
        execute format('alter role %I bypassrls', v_role);
      exception when insufficient_privilege then null;
      end;
    end if;
  end loop;
  if not has_parameter_privilege('authenticator', 'pgrst.db_pre_request', 'set') then
    begin
      grant set on parameter pgrst.db_pre_request to authenticator;
    exception when insufficient_privilege then null;
    end;
  end if;
end $$;

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

-- The project's owner may create the objects of migrations, but none in the platform's own schemas.
do $$ begin
  if not has_database_privilege('project_owner', current_database(), 'create') then
    execute format('grant create on database %I to project_owner', current_database());
  end if;
  if (select nspowner <> 'project_owner'::regrole from pg_namespace where nspname = 'public') then
    alter schema public owner to project_owner;
  end if;
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    alter publication supabase_realtime owner to project_owner;
  end if;
end $$;
grant usage on schema public to anon, authenticated, service_role;
grant usage, create on schema extensions to project_owner;
grant usage on schema extensions to anon, authenticated, service_role;

-- This server's own state.
create schema if not exists platform;
create table if not exists platform.settings (key text primary key, value text not null);
