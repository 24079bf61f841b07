-- What hosted Supabase has before a project's first migration and @supabase/lite has not. Its auth tables and auth
-- functions are its own.
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
-- Nothing of the bench falls due.
create schema cron;
create function cron.schedule(text, text, text) returns bigint language sql as 'select 0::bigint';
