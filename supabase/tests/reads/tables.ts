// The tables of the public schema, the views named after a table of `private`, and their relationships, from Postgres's
// catalogue.
import type { Database } from '@potluck/server/db/database.ts'

export interface Column {
  name: string
  type: string
  /** Some of the column's values, as text. */
  samples: string[]
}

/** A relationship to another table, by a foreign key of either table. */
export interface Relation {
  key: string
  to: string
  /** True if there is at most one row at the other end. */
  one: boolean
  pairs: [own: string, other: string][]
}

export interface Table {
  name: string
  columns: Column[]
  primaryKey: string[]
  relations: Relation[]
}

const TABLES = `
  select c.relname as name,
    (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attnum)
     from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
    (select json_agg(a.attname order by a.attnum) from pg_index as i
     join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid in (c.oid, to_regclass(format('private.%I', c.relname))) and i.indisprimary) as "primaryKey"
  from pg_class as c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') order by 1`

const KEYS = `
  select f.conname as key, own.relname as "from", other.relname as "to",
    exists (select from pg_index as i where i.indrelid = f.conrelid and i.indisunique and i.indpred is null
      and i.indexprs is null and i.indnkeyatts = cardinality(f.conkey)
      and (select bool_and(number = any (f.conkey)) from unnest(i.indkey::smallint[]) as number)) as "one",
    (select json_agg(json_build_array(a.attname, b.attname) order by n)
     from unnest(f.conkey, f.confkey) with ordinality as k(a, b, n)
     join pg_attribute as a on a.attrelid = f.conrelid and a.attnum = k.a
     join pg_attribute as b on b.attrelid = f.confrelid and b.attnum = k.b) as pairs
  from pg_constraint as f join pg_class as own on own.oid = f.conrelid join pg_class as target on target.oid = f.confrelid
    and target.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
  join pg_class as other on other.relname = target.relname and other.relnamespace = own.relnamespace
  where f.contype = 'f' and own.relnamespace = 'public'::regnamespace order by 1`

type Key = Relation & { from: string }

/** Reads the catalogue with the server's own rights. */
export async function readTables(db: Database): Promise<Table[]> {
  const keys = await db.query<Key & Record<string, unknown>>(KEYS)
  const tables = await db.query<Omit<Table, 'relations'> & Record<string, unknown>>(TABLES)
  return Promise.all(
    tables.map(async ({ name, primaryKey, columns }) => {
      const sampled = columns.map(
        (column) =>
          `(select json_agg(value) from (select distinct left("${column.name}"::text, 200) as value from public."${name}" order by 1 limit 6) as few) as "${column.name}"`,
      )
      const [samples] = await db.query<Record<string, string[] | null>>(`select ${sampled.join(', ')}`)
      return {
        ...{ name, primaryKey },
        columns: columns.map((column) => ({
          ...column,
          samples: (samples?.[column.name] ?? []).filter((value) => value !== null),
        })),
        relations: keys.flatMap((key) => relationsOf(name, key)),
      }
    }),
  )
}

function relationsOf(table: string, { key, from, to, one, pairs }: Key): Relation[] {
  const there = from === table ? [{ key, to, one: true, pairs }] : []
  const back = pairs.map(([own, other]): [string, string] => [other, own])
  return to === table ? [...there, { key, to: from, one, pairs: back }] : there
}
