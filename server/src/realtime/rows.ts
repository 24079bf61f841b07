// Queries for rows by primary key.
import { asCaller, type Caller } from '#db/as-caller.ts'
import type { Database, Statement } from '#db/database.ts'
import type { PublishedTable } from './catalogue.ts'
import type { Fields } from './json-fields.ts'

/**
 * Returns the rows that the caller may see now, by their index in `keys`. This is checked for every change, since
 * visibility may have changed a moment ago.
 */
export async function visibleRows(
  db: Database,
  caller: Caller,
  table: PublishedTable,
  keys: readonly Fields[],
): Promise<Set<number>> {
  const [rows = []] = await asCaller(db, caller, [visibleStatement(table, keys)], { readOnly: true })
  return new Set(rows.map(({ n }) => Number(n) - 1))
}

/**
 * Returns the indexes in `gone` (rows as JSON text) of deleted rows that the policies would show to the caller. A
 * deleted row cannot be selected, so the conditions are evaluated on the old row; other tables in them are read as they
 * are now.
 */
export async function formerRows(
  db: Database,
  caller: Caller,
  table: PublishedTable,
  gone: readonly string[],
): Promise<Set<number>> {
  const own = table.policies.filter(({ roles }) => roles.includes(caller.role))
  const written = (permissive: boolean) =>
    own.flatMap((one) => (one.permissive === permissive ? `(${one.condition ?? 'true'})` : []))
  const enough = written(true).join(' or ') || 'false'
  const needed = [`(${enough})`, ...written(false)].join(' and ')
  const text = `select asked.n from jsonb_array_elements($1::jsonb) with ordinality as asked (gone, n)
    where (select rolbypassrls from pg_roles where rolname = current_user) or exists (
      select from jsonb_populate_record(null::${nameOf(table)}, asked.gone) as ${quoted(table.name)} where ${needed})`
  const [rows = []] = await asCaller(db, caller, [{ text, values: [`[${gone.join(',')}]`] }], {
    readOnly: true,
  })
  return new Set(rows.map(({ n }) => Number(n) - 1))
}

// A scalar subquery keeps the planner from evaluating the policy on other rows.
function visibleStatement(table: PublishedTable, keys: readonly Fields[]): Statement {
  const { from, where, values } = keysOf(table, keys)
  return {
    text: `select asked.n from ${from} where (select true from ${nameOf(table)} as t where ${where})`,
    values,
  }
}

function keysOf(table: PublishedTable, keys: readonly Fields[]) {
  const columns = table.key.map((name, index) => ({
    own: `t.${quoted(name)}`,
    asked: `k${index}`,
    name,
    type: table.columns.find((column) => column.name === name)?.sqlType ?? 'text',
  }))
  const types = columns.map(({ asked, type }) => `${asked} ${type}`).join(', ')
  const names = columns.map(({ asked }) => asked).join(', ')
  const rows = keys.map(
    (key) => `{${columns.map(({ asked, name }) => `"${asked}":${key.get(name) ?? 'null'}`).join(',')}}`,
  )
  return {
    from: `rows from (jsonb_to_recordset($1::jsonb) as (${types})) with ordinality as asked (${names}, n)`,
    where: columns.map(({ own, asked }) => `${own} = asked.${asked}`).join(' and '),
    values: [`[${rows.join(',')}]`],
  }
}

const nameOf = ({ schema, name }: PublishedTable) => `${quoted(schema)}.${quoted(name)}`
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
