// Describes the schema `public`, as read from the system catalogue, for the generator of types.
import type { Database } from '@potluck/server/db/database.ts'

export interface ColumnDescription {
  name: string
  type: string
  nullable: boolean
  /** Whether an insert may omit the column, because it has a default or a before-insert trigger assigns it. */
  optional: boolean
  /** Whether the column is always generated, so that an insert must omit it. */
  generated: boolean
}

interface RelationshipDescription {
  name: string
  columns: string[]
  one_to_one: boolean
  table: string
  target_columns: string[]
}

/** A table or a view. A view has the same name as the table in `private` whose rows it shows. */
export interface TableDescription {
  name: string
  columns: ColumnDescription[]
  /** The definitions of the table's CHECK constraints, as Postgres prints them. */
  checks: string[]
  relationships: RelationshipDescription[]
}

export interface ArgumentDescription {
  name: string
  type: string
  /** 'i' for input, 't' for a column of the returned table. */
  mode: string
  default: string | null
}

export interface FunctionDescription {
  name: string
  arguments: ArgumentDescription[]
  returns: string
  returns_set: boolean
  /** The table whose rows the function returns, if any. */
  returns_table: string | null
}

export interface SchemaDescription {
  tables: TableDescription[]
  functions: FunctionDescription[]
}

const TABLES = `
  select coalesce(json_agg(json_build_object(
    'name', c.relname,
    'columns', (
      select json_agg(json_build_object(
        'name', a.attname, 'type', t.typname, 'nullable', not own.attnotnull,
        'optional', own.atthasdef or a.attidentity <> ''
          or exists (
            select from pg_trigger as g join pg_proc as f on f.oid = g.tgfoid
            where g.tgrelid = own.attrelid and g.tgtype & 7 = 7 and f.prosrc ~ ('\\mnew\\.' || a.attname || '\\s*:=')),
        'generated', a.attgenerated <> '' or a.attidentity = 'a'
      ) order by a.attname)
      from pg_attribute as a join pg_type as t on t.oid = a.atttypid
      cross join lateral (
        select * from pg_attribute where attname = a.attname
          and attrelid in (c.oid, case c.relkind when 'v' then to_regclass(format('private.%I', c.relname)) end)
        order by attrelid = c.oid limit 1
      ) as own
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ),
    'checks', (
      select coalesce(json_agg(pg_get_constraintdef(k.oid) order by k.conname), '[]')
      from pg_constraint as k where k.conrelid = c.oid and k.contype = 'c'
    ),
    'relationships', (
      select coalesce(json_agg(json_build_object(
        'name', k.conname, 'table', target.relname,
        'columns', (select json_agg(a.attname order by n) from unnest(k.conkey) with ordinality as u (num, n)
          join pg_attribute as a on a.attrelid = k.conrelid and a.attnum = u.num),
        'target_columns', (select json_agg(a.attname order by n) from unnest(k.confkey) with ordinality as u (num, n)
          join pg_attribute as a on a.attrelid = k.confrelid and a.attnum = u.num),
        'one_to_one', exists (
          select from pg_index as i where i.indrelid = c.oid and i.indisunique and i.indpred is null
            and i.indkey::int2[] @> k.conkey and i.indkey::int2[] <@ k.conkey)
      ) order by k.conname), '[]')
      from pg_constraint as k join pg_class as referenced on referenced.oid = k.confrelid
      join pg_class as target on target.relname = referenced.relname and target.relnamespace = 'public'::regnamespace
        and referenced.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      where k.conrelid = c.oid and k.contype = 'f'
    )
  ) order by c.relname), '[]') as found
  from pg_class as c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`

const FUNCTIONS = `
  select coalesce(json_agg(json_build_object(
    'name', p.proname,
    'arguments', (
      select coalesce(json_agg(json_build_object(
        'name', p.proargnames[u.n], 'type', t.typname, 'mode', coalesce(p.proargmodes[u.n], 'i'),
        'default', pg_get_function_arg_default(p.oid, u.n::int)
      ) order by u.n), '[]')
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as u (type, n)
      join pg_type as t on t.oid = u.type
    ),
    'returns', r.typname,
    'returns_set', p.proretset,
    'returns_table', (select c.relname from pg_class as c where c.oid = r.typrelid)
  ) order by p.proname), '[]') as found
  from pg_proc as p join pg_type as r on r.oid = p.prorettype
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and r.typname <> 'trigger'`

export async function describeSchema(db: Pick<Database, 'query'>): Promise<SchemaDescription> {
  const [tables] = await db.query<{ found: TableDescription[] }>(TABLES)
  const [functions] = await db.query<{ found: FunctionDescription[] }>(FUNCTIONS)
  return { tables: tables?.found ?? [], functions: functions?.found ?? [] }
}
