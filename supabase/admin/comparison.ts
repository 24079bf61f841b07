// The query for differences between a database and the release's own files: in functions of `private`, and in
// constraints, columns and triggers of tables with guards.

/**
 * $1 is the schema in which `installRelease` has created the release's objects. Foreign keys are not compared, because
 * the tables in that schema lack them; the guards check foreign keys. The trigger with which the server records changes
 * is no difference if the functions that it runs have the bodies in $2, by name.
 */
export const COMPARISON = `
  with release as (
    select oid as id, nspname || '.' as name from pg_catalog.pg_namespace where nspname = $1
  ), functions as (
    select p.proname || '(' || replace(pg_catalog.pg_get_function_identity_arguments(p.oid), r.name, 'private.') || ')' as name,
      p.pronamespace = r.id as is_declared,
      concat_ws(' ', p.prolang, p.prosecdef, p.provolatile, p.proisstrict, p.proretset, p.proconfig, replace(p.prosrc, r.name, 'private.'),
        -- Postgres breaks its lines by their length.
        regexp_replace(replace(pg_catalog.pg_get_function_sqlbody(p.oid), r.name, 'private.'), '\\s+', ' ', 'g'),
        replace(pg_catalog.pg_get_function_result(p.oid), r.name, 'private.'), replace(pg_catalog.pg_get_expr(p.proargdefaults, 0), r.name, 'private.')) as definition
    from pg_catalog.pg_proc as p, release as r where p.pronamespace = r.id or p.pronamespace = 'private'::regnamespace
  ), tables as (
    select own.oid as id, copy.oid as copy_id, own.oid::regclass::text as name
    from pg_catalog.pg_class as copy join release as r on copy.relnamespace = r.id and copy.relkind = 'r'
    join pg_catalog.pg_class as own on own.relname = copy.relname and own.relkind = 'r'
      and own.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
  ), parts as (
    select t.name || ': ' || c.conname as name, c.conrelid = t.copy_id as is_declared,
      replace(pg_catalog.pg_get_constraintdef(c.oid), r.name, 'private.') as definition
    from release as r, tables as t join pg_catalog.pg_constraint as c on c.conrelid in (t.id, t.copy_id) and c.contype in ('c', 'p', 'u', 'x')
    union all
    select t.name || ': ' || g.tgname, g.tgrelid = t.copy_id,
      replace(regexp_replace(pg_catalog.pg_get_triggerdef(g.oid), ' ON \\S+ ', ' '), r.name, 'private.') || ' ' || g.tgenabled::text
    from release as r, tables as t join pg_catalog.pg_trigger as g on g.tgrelid in (t.id, t.copy_id) and not g.tgisinternal
    where not (g.tgname = '_realtime_capture' and g.tgfoid = to_regproc('realtime.capture_change') and (
      select jsonb_object_agg(p.proname, p.prosrc) = $2::jsonb and bool_and(p.proconfig @> array['search_path=""'])
      from pg_catalog.pg_proc as p where p.pronamespace = to_regnamespace('realtime') and $2::jsonb ? p.proname::text
    ))
    union all
    select t.name || '.' || a.attname, a.attrelid = t.copy_id, concat_ws(' ', pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attgenerated, a.attidentity, replace(pg_catalog.pg_get_expr(d.adbin, d.adrelid), r.name, 'private.'))
    from release as r, tables as t join pg_catalog.pg_attribute as a on a.attrelid in (t.id, t.copy_id) and a.attnum > 0 and not a.attisdropped
    left join pg_catalog.pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
  ), things as (
    select 'A function' as what, * from functions
    union all select 'A column, constraint or trigger that protects the books', * from parts
  )
  select case when there.name is null then declared.what || ' of this release is missing'
      else coalesce(declared.what, there.what) || ' is not that of this release' end as fault,
    coalesce(declared.name, there.name) as subject, null as expected, null as found
  from (select * from things where is_declared) as declared
  full join (select * from things where not is_declared) as there on (there.what, there.name) = (declared.what, declared.name)
  where declared.definition is distinct from there.definition
  order by 1, 2`
