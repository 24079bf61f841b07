// Writes insert, update and delete as SQL. The written rows are returned under the alias SOURCE.
import { SLOT } from '../parse/lift.ts'
import type { PlannedCondition } from '../plan/read.ts'
import type { DeletePlan, InsertPlan, UpdatePlan } from '../plan/write.ts'
import type { Column, Table } from '../schema.ts'
import { conditionSql } from './condition.ts'
import { sourceColumnsSql } from './read.ts'
import { constant, name, qualified, type StatementParameters } from './text.ts'

export const SOURCE = '"pgrst_source"'
const PAYLOAD = '"pgrst_payload"'

/** SQL for the number of existing rows that an upsert has found, which a transaction-local setting counts. */
export const MERGED = `nullif(current_setting('pgrst.merged', true), '')`
const COUNT_MERGED = `set_config('pgrst.merged', (coalesce(${MERGED}, '0')::int + 1)::text, true) <> ''`

export function writeSql(
  plan: InsertPlan | UpdatePlan | DeletePlan,
  parameters: StatementParameters,
): string {
  const { table } = plan
  const target = `${qualified(table.schema, table.name)} as ${name(table.name)}`
  const returning = `returning ${returned(plan).join(', ')}`
  if (plan.action === 'insert') return `${insertSql(plan, target, parameters)} ${returning}`
  const where = whereSql(plan.where, table, parameters)
  if (plan.action === 'delete') return `delete from ${target} ${where} ${returning}`
  // If there is nothing to set, no row is changed, but Postgres still checks the filters and columns.
  if (plan.empty) return `select ${returned(plan).join(', ')} from ${target} ${where} and false`
  const set = plan.columns.map((column) => `${name(column.name)} = ${PAYLOAD}.${name(column.name)}`)
  const rows = `(select * from ${payloadSql(plan, parameters)} limit 1)`
  return `update ${target} set ${set.join(', ')} from ${rows} as ${PAYLOAD} ${where} ${returning}`
}

function insertSql(plan: InsertPlan, target: string, parameters: StatementParameters): string {
  const columns = plan.columns.map((column) => name(column.name))
  const into = `insert into ${target}`
  if (plan.columns.length === 0) {
    return plan.empty ? `${into} select where false` : `${into} default values`
  }
  const rows = payloadSql(plan, parameters)
  const insert = `${into} (${columns.join(', ')}) select ${columns.map((column) => `${PAYLOAD}.${column}`).join(', ')} from ${rows}`
  if (!plan.conflict) return insert
  const unique = plan.conflict.columns.map(name).join(', ')
  if (!plan.conflict.merge) return `${insert} on conflict (${unique}) do nothing`
  const set = columns.map((column) => `${column} = excluded.${column}`)
  return `${insert} on conflict (${unique}) do update set ${set.join(', ')} where ${COUNT_MERGED}`
}

/** Writes the rows of the body, under the alias PAYLOAD. */
function payloadSql({ columns, defaults }: InsertPlan | UpdatePlan, parameters: StatementParameters): string {
  const body = `${parameters.slot(SLOT.body)}::json`
  const rows = defaults ? withDefaults(columns, body) : `json_to_recordset(${body})`
  return `${rows} as ${definition(columns)}`
}

function withDefaults(columns: readonly Column[], body: string): string {
  const defaults = columns.flatMap((column) =>
    column.default === null ? [] : [`${constant(column.name)}, ${column.default}`],
  )
  const row = `jsonb_build_object(${defaults.join(', ')}) || "row"`
  return `jsonb_to_recordset((select jsonb_agg(${row}) from jsonb_array_elements(${body}::jsonb) as "row"))`
}

const definition = (columns: readonly Column[]) =>
  `${PAYLOAD}(${columns.map((column) => `${name(column.name)} ${column.type}`).join(', ')})`

function whereSql(where: readonly PlannedCondition[], table: Table, parameters: StatementParameters): string {
  return `where ${where.map((condition) => conditionSql(condition, { alias: table.name, table }, parameters)).join(' and ')}`
}

/**
 * Lists the columns to return: only those that are read. Returning a column requires the right to select it, which a
 * caller who asks for no rows may lack.
 */
function returned(plan: InsertPlan | UpdatePlan | DeletePlan): string[] {
  const { table, back } = plan
  const own = (column: string) => `${name(table.name)}.${name(column)}`
  if (back) {
    const columns = sourceColumnsSql(back)
    if (columns.length > 0) return columns
  }
  if (plan.action === 'insert' && plan.location) return table.primaryKey.map(own)
  return ['1']
}
