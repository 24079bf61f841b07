// Reads all objects of a database's schema as text, for comparing two databases.
import type { Database } from '@potluck/server/db/database.ts'

/**
 * Selects the objects of `public` and `private` by kind and name, with their definitions, owners and rights. The order
 * of columns does not matter.
 */
const OBJECTS = `
  with namespaces as (
    select oid, nspname from pg_namespace where nspname in ('public', 'private')
  )
  select 'schema ' || nspname as object, nspowner::regrole::text || ' ' || coalesce(array(select acl::text from unnest(nspacl) as acl order by 1)::text, '') as definition
    from pg_namespace where nspname = 'private'
  union all
  select 'function ' || p.oid::regprocedure, concat_ws(' ', p.proowner::regrole, array(select acl::text from unnest(coalesce(p.proacl, acldefault('f', p.proowner))) as acl order by 1)::text, pg_get_functiondef(p.oid))
    from pg_proc as p join namespaces as n on n.oid = p.pronamespace
  union all
  select 'relation ' || c.oid::regclass,
      concat_ws(' ', c.relkind, c.relpersistence, c.relowner::regrole, array(select acl::text from unnest(coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))) as acl order by 1)::text, c.relrowsecurity, c.relforcerowsecurity, c.reloptions::text, c.relreplident,
        case c.relkind when 'v' then pg_get_viewdef(c.oid) end)
    from pg_class as c join namespaces as n on n.oid = c.relnamespace where c.relkind not in ('i', 't')
  union all
  select 'column ' || c.oid::regclass || '.' || a.attname,
      concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated, a.attidentity, array(select acl::text from unnest(a.attacl) as acl order by 1)::text, pg_get_expr(d.adbin, d.adrelid))
    from pg_attribute as a join pg_class as c on c.oid = a.attrelid join namespaces as n on n.oid = c.relnamespace
    left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped and c.relkind not in ('i', 't')
  union all
  select 'constraint ' || coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text) || ' ' || conname, pg_get_constraintdef(o.oid)
    from pg_constraint as o join namespaces as n on n.oid = o.connamespace
    -- Postgres 18 names what is not null, and keeps the name when a table or column gets another; the column says it above.
    where contype <> 'n'
  union all
  select 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
    from pg_index as i join pg_class as c on c.oid = i.indrelid join namespaces as n on n.oid = c.relnamespace
  union all
  select 'trigger ' || t.tgrelid::regclass || ' ' || t.tgname, concat_ws(' ', t.tgenabled, pg_get_triggerdef(t.oid))
    from pg_trigger as t join pg_proc as p on p.oid = t.tgfoid join namespaces as n on n.oid = p.pronamespace
    where not t.tgisinternal
  union all
  select 'policy ' || schemaname || '.' || tablename || ' ' || policyname, concat_ws(' ', permissive, roles::text, cmd, qual, with_check)
    from pg_policies where schemaname in ('public', 'private')
  union all
  select 'published ' || schemaname || '.' || tablename, rowfilter
    from pg_publication_tables where pubname = 'supabase_realtime'
  union all
  select 'default rights of ' || defaclrole::regrole || ' in ' || coalesce(nullif(defaclnamespace, 0)::regnamespace::text, 'all') || ' ' || defaclobjtype::text,
      array(select acl::text from unnest(defaclacl) as acl order by 1)::text from pg_default_acl
  union all
  select 'setting of ' || setrole::regrole, setconfig::text from pg_db_role_setting where setrole <> 0
  union all
  select 'job ' || jobname, concat_ws(' ', schedule, command) from cron.job`

/** Returns the objects and the rows of each table; in an unused database, these are rows that ship with the schema. */
export async function readCatalog(db: Pick<Database, 'query'>): Promise<Map<string, string>> {
  const objects = await db.query<{ object: string; definition: string | null }>(OBJECTS)
  const tables = await db.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'private'::regnamespace)`,
  )
  const rows = await Promise.all(
    tables.map(async ({ name }): Promise<[string, string]> => {
      const found = await db.query<{ rows: string | null }>(
        `select jsonb_agg(j order by j::text)::text as rows from (
           select to_jsonb(t) - '{id,created_at,updated_at,beat_at,found_at}'::text[] as j from ${name} as t) as all_rows`,
      )
      return [`rows of ${name}`, found[0]?.rows ?? '']
    }),
  )
  return new Map([
    ...objects.map(({ object, definition }): [string, string] => [object, definition ?? '']),
    ...rows.filter(([, found]) => found !== ''),
  ])
}

/** Lists the differences: `+` only in the second catalogue, `-` only in the first, `~` in both but different. */
export function compareCatalogs(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${before.has(name) ? (after.has(name) ? '~' : '-') : '+'} ${name}`)
}
