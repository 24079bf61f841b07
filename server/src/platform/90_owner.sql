-- If the server runs as a superuser, gives the platform's objects to the owner of the database, who can then start it without a superuser.
do $$
declare
  v_owner pg_roles;
  v_schemas oid[];
  v_change text;
begin
  select r.* into v_owner from pg_database as d join pg_roles as r on r.oid = d.datdba where d.datname = current_database();
  if v_owner.rolsuper or not (select rolsuper from pg_roles where rolname = current_user) then return; end if;
  execute format('grant anon, authenticated, service_role, project_owner to %I', v_owner.rolname);
  v_schemas := array(
    select n.oid from pg_namespace as n
    where nspname in ('extensions', 'auth', 'realtime', 'supabase_migrations', 'platform', 'cron', 'project_cron', 'net')
      and not exists (select from pg_depend where classid = 'pg_namespace'::regclass and objid = n.oid and deptype = 'e')
  );
  for v_change in
    select format('schema %I', nspname) from pg_namespace where oid = any (v_schemas) and nspowner <> v_owner.oid
    union all
    select format('%s %s', case relkind when 'S' then 'sequence' else 'table' end, c.oid::regclass) from pg_class as c
    where relnamespace = any (v_schemas) and relkind in ('r', 'S') and relowner not in (v_owner.oid, 'project_owner'::regrole)
      -- A column's sequence follows its table, and objects of extensions keep their owner.
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i', 'e'))
    union all
    select format('routine %s', p.oid::regprocedure) from pg_proc as p
    where pronamespace = any (v_schemas) and proowner <> v_owner.oid
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
  loop
    execute format('alter %s owner to %I', v_change, v_owner.rolname);
  end loop;
end $$;
