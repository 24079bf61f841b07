// Reads the database catalogue into a Schema.
import type { Database, Row } from '#db/database.ts'
import { readPreRequest } from '#db/pre-request.ts'
import { arrayLiteral } from './parse/operators.ts'
import type { Column, ForeignKey, Parameter, Routine, Schema, Table } from './schema.ts'
import { findOrigins, type Origins, showing, type View } from './view-origins.ts'

// Partitions are left out: the policies of a partitioned table do not apply to a read from one of its partitions.
const TABLES = `
  select c.oid::text as id, n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as "isView",
    coalesce((
      select json_agg(json_build_object(
        'name', a.attname,
        'type', format_type(a.atttypid, a.atttypmod),
        'default', case when a.attidentity <> ''
          then format('nextval(%L::regclass)', pg_get_serial_sequence(c.oid::regclass::text, a.attname))
          when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0)) end
      ) order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns,
    coalesce((
      select json_agg(a.attname order by k.place)
      from pg_constraint p, unnest(p.conkey) with ordinality as k(number, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where p.conrelid = c.oid and p.contype = 'p'
    ), '[]') as "primaryKey"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition`

// Includes foreign keys of tables that are not exposed, since exposed views may show their columns.
const FOREIGN_KEYS = `
  select f.conname as name, f.conrelid::text as "from", f.confrelid::text as "to",
    to_json(f.conkey) as "fromNumbers", to_json(f.confkey) as "toNumbers",
    (select json_agg(a.attname order by k.place) from unnest(f.conkey) with ordinality as k(number, place)
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number) as columns,
    (select json_agg(a.attname order by k.place) from unnest(f.confkey) with ordinality as k(number, place)
      join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number) as targets,
    exists (
      select from pg_index i
      where i.indrelid = f.conrelid and i.indisunique and i.indpred is null and i.indexprs is null
        and (select array_agg(x order by x) from unnest(i.indkey::int2[]) with ordinality as u(x, place)
             where place <= i.indnkeyatts)
          = (select array_agg(x order by x) from unnest(f.conkey) as x)
    ) as "unique"
  from pg_constraint f
  where f.contype = 'f' and f.conparentid = 0
  order by f.conname`

const PRIMARY_KEYS = `select conrelid::text as "table", to_json(conkey) as numbers from pg_constraint
  where contype = 'p' order by conname`

const VIEWS = `
  select r.ev_class::text as id, r.ev_action::text as rule
  from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
  where r.ev_type = '1' and c.relkind in ('v', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`

const ROUTINES = String.raw`
  with recursive base as (
    select oid, oid as of, typtype, typrelid, typbasetype from pg_type
    union all
    select t.oid, base.of, t.typtype, t.typrelid, t.typbasetype from base join pg_type t on t.oid = base.typbasetype
    where base.typtype = 'd'
  )
  select n.nspname as schema, p.proname as name, p.provolatile = 'v' as volatile, p.proretset as "set",
    coalesce((
      select json_agg(json_build_object(
        'name', coalesce(p.proargnames[place], ''),
        -- Without a length, these two types would mean a length of one and cut the value.
        'type', regexp_replace(format_type(type, null), '^(character|bit)(?=$|\[)', '\1 varying'),
        'mode', coalesce(p.proargmodes[place]::text, 'i')
      ) order by place)
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as u(type, place)
    ), '[]') as arguments,
    p.pronargdefaults as defaults,
    case
      when p.prorettype = 'void'::regtype then 'void'
      when t.typtype = 'c' or p.proargmodes && array['t', 'b', 'o']::"char"[] then 'row'
      else 'scalar'
    end as returns,
    t.typrelid::text as "table",
    (select o.typrelid::text from pg_type o where p.pronargs = 1 and o.oid = p.proargtypes[0] and o.typtype = 'c') as "of",
    not p.proretset or p.prorows = 1 as single,
    coalesce((
      select json_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join base t on t.of = p.prorettype and t.typtype <> 'd'
  where p.prokind = 'f' and n.nspname = any($1::text[])
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  order by p.oid`

type TableRow = Omit<Table, 'columns'> & { id: string; columns: Column[] }
type ForeignKeyRow = Omit<ForeignKey, 'from' | 'to'> & {
  from: string
  to: string
  fromNumbers: number[]
  toNumbers: number[]
}
type PrimaryKeyRow = { table: string; numbers: number[] }
type RoutineRow = Omit<Routine, 'parameters' | 'table' | 'of'> & {
  arguments: { name: string; type: string; mode: string }[]
  defaults: number
  table: string
  of: string | null
}

/** Loads the exposed schemas for the planner. */
export async function readSchema(db: Database, exposed: readonly string[]): Promise<Schema> {
  const names = [arrayLiteral(exposed)]
  const [tables, keys, primaryKeys, views, routines, preRequest] = await db.transaction(async (tx) => {
    // With an empty search path, every name in a type or default is printed with its schema.
    await tx.query(`select set_config('search_path', '', true)`)
    return [
      await tx.query<TableRow>(TABLES, names),
      await tx.query<ForeignKeyRow>(FOREIGN_KEYS),
      await tx.query<PrimaryKeyRow>(PRIMARY_KEYS),
      await tx.query<View & Row>(VIEWS),
      await tx.query<RoutineRow>(ROUTINES, names),
      await readPreRequest(tx),
    ] as const
  })
  return { ...buildSchema({ tables, keys, primaryKeys, views, routines }), preRequest }
}

const place = (schema: string, name: string) => JSON.stringify([schema, name])

interface Rows {
  tables: readonly TableRow[]
  keys: readonly ForeignKeyRow[]
  primaryKeys: readonly PrimaryKeyRow[]
  views: readonly View[]
  routines: readonly RoutineRow[]
}

function buildSchema(rows: Rows): Omit<Schema, 'preRequest'> {
  const byId = new Map<string, Table>()
  const origins = findOrigins(rows.views)
  for (const { id, columns, ...row } of rows.tables) {
    const table: Table = { ...row, columns: new Map(columns.map((column) => [column.name, column])) }
    byId.set(id, row.isView ? { ...table, primaryKey: keyOfView(table, origins.get(id), rows) } : table)
  }
  const tables = new Map([...byId.values()].map((table) => [place(table.schema, table.name), table]))
  const ends = endsOf(byId, origins)
  const keys = new Map<Table, ForeignKey[]>()
  for (const { from, to, fromNumbers, toNumbers, ...row } of rows.keys) {
    const targets = ends(to, toNumbers, row.targets)
    for (const one of ends(from, fromNumbers, row.columns))
      for (const other of targets) {
        const key = { ...row, from: one.table, columns: one.columns, to: other.table, targets: other.columns }
        for (const end of new Set([key.from, key.to])) keys.set(end, [...(keys.get(end) ?? []), key])
      }
  }
  const all = rows.routines.map((row) => toRoutine(row, byId))
  const computed = all.filter(({ of, table }) => of && table)
  const routines = new Map<string, Routine[]>()
  for (const routine of all.filter(isCallable)) {
    const at = place(routine.schema, routine.name)
    routines.set(at, [...(routines.get(at) ?? []), routine])
  }
  return {
    table: (schema, name) => tables.get(place(schema, name)),
    keysOf: (table) => keys.get(table) ?? [],
    routines: (schema, name) => routines.get(place(schema, name)) ?? [],
    computedOf: (table) => computed.filter(({ of }) => of === table),
  }
}

/** Returns the names of a view's columns, which are numbered 1, 2, 3, … because none can be dropped. */
const namesAt = (view: Table, numbers: readonly number[]) => {
  const names = [...view.columns.keys()]
  return numbers.map((number) => names[number - 1] ?? '')
}

/** Returns the view's columns that show the whole primary key of a table, or of several tables. */
const keyOfView = (view: Table, origins: Origins | undefined, { primaryKeys }: Rows): string[] =>
  primaryKeys.flatMap(({ table, numbers }) => namesAt(view, showing(origins, table, numbers)[0] ?? []))

/**
 * Finds the relations at one end of a foreign key: its table, if it is exposed, and the views that show these columns.
 */
function endsOf(byId: ReadonlyMap<string, Table>, origins: ReadonlyMap<string, Origins>) {
  const views = [...byId].filter(([, { isView }]) => isView)
  return (id: string, numbers: readonly number[], names: readonly string[]) => {
    const table = byId.get(id)
    const shown = views.flatMap(([own, view]) =>
      showing(origins.get(own), id, numbers).map((places) => ({
        table: view,
        columns: namesAt(view, places),
      })),
    )
    return [...(table ? [{ table, columns: names }] : []), ...shown]
  }
}

// A single argument of these types without a name takes the whole body; other arguments need names.
const isCallable = ({ parameters }: Routine) => {
  const [only] = parameters
  const takesBody = parameters.length === 1 && /^(jsonb?|text|bytea|xml)$/.test(only?.type ?? '')
  return takesBody || parameters.every(({ name }) => name !== '')
}

function toRoutine(
  { arguments: all, defaults, table, of, ...row }: RoutineRow,
  byId: Map<string, Table>,
): Routine {
  const inputs = all.filter(({ mode }) => 'ibv'.includes(mode))
  const outputs = all.filter(({ mode }) => 'obt'.includes(mode)).map(({ name }) => name)
  // Defaults belong to the last parameters, and a variadic parameter may be omitted as well.
  const parameters = inputs.map(
    ({ name, type, mode }, index): Parameter => ({
      name,
      type,
      required: index < inputs.length - defaults && mode !== 'v',
      variadic: mode === 'v',
    }),
  )
  return {
    ...row,
    parameters,
    table: byId.get(table),
    of: byId.get(of ?? ''),
    columns: outputs.length > 0 ? outputs : row.columns,
  }
}
