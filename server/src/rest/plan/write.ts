// Plans a write: its columns, rows, and returned columns.
import { RestError, unconditional } from '../errors.ts'
import type { Preferences } from '../parse/headers.ts'
import type { Payload } from '../parse/payload.ts'
import type { Query } from '../parse/query.ts'
import type { Column, Schema, Table } from '../schema.ts'
import { type PlannedCondition, planCondition, planRead, type ReadNode } from './read.ts'

export interface InsertPlan {
  action: 'insert'
  table: Table
  columns: Column[]
  /** Columns missing in a row get their default instead of null. */
  defaults: boolean
  conflict: { columns: readonly string[]; merge: boolean } | undefined
  /** True if rows may exist already; they are left alone or, with `merges`, merged. */
  upserts: boolean
  merges: boolean
  /** True if there is nothing to write. */
  empty: boolean
  back: ReadNode | undefined
  location: boolean
}

export interface UpdatePlan {
  action: 'update'
  table: Table
  columns: Column[]
  /** Columns missing in the body get their default instead of null. */
  defaults: boolean
  where: PlannedCondition[]
  empty: boolean
  back: ReadNode | undefined
}

export interface DeletePlan {
  action: 'delete'
  table: Table
  where: PlannedCondition[]
  back: ReadNode | undefined
}

export interface Wish {
  schema: Schema
  table: Table
  query: Query
  prefer: Preferences
  maxRows: number
}

export function planInsert(wish: Wish, payload: Payload): InsertPlan {
  const { table, query, prefer } = wish
  const columns = writtenColumns(table, query.columns ?? payload.keys)
  const target = query.onConflict ?? table.primaryKey
  const empty = payload.rows === 0
  const conflicts = prefer.resolution !== undefined && target.length > 0 && (empty || columns.length > 0)
  const merges = conflicts && prefer.resolution === 'merge-duplicates'
  return {
    action: 'insert',
    table,
    columns,
    defaults: prefer.missing === 'default',
    conflict: conflicts && columns.length > 0 ? { columns: target, merge: merges } : undefined,
    ...{ upserts: conflicts, merges },
    empty,
    back: readBack(wish),
    location: prefer.return === 'headers-only' && table.primaryKey.length > 0,
  }
}

export function planUpdate(wish: Wish, payload: Payload): UpdatePlan {
  const columns = writtenColumns(wish.table, wish.query.columns ?? payload.keys)
  const where = ownConditions(wish)
  if (where.length === 0) throw unconditional('UPDATE')
  const empty = columns.length === 0 || payload.rows === 0
  const defaults = wish.prefer.missing === 'default'
  return { action: 'update', table: wish.table, columns, defaults, where, empty, back: readBack(wish) }
}

export function planDelete(wish: Wish): DeletePlan {
  const where = ownConditions(wish)
  if (where.length === 0) throw unconditional('DELETE')
  return { action: 'delete', table: wish.table, where, back: readBack(wish) }
}

function writtenColumns(table: Table, names: readonly string[]): Column[] {
  return [...new Set(names)].map((name) => {
    const column = table.columns.get(name)
    if (column) return column
    throw new RestError(
      'PGRST204',
      `Could not find the '${name}' column of '${table.name}' in the schema cache`,
    )
  })
}

const sourceOf = (table: Table) => ({ alias: table.name, table, columns: [...table.columns.keys()] })

function ownConditions({ query, table }: Wish): PlannedCondition[] {
  return query.conditions
    .filter(({ path }) => path.length === 0)
    .map(({ value }) => planCondition(value, { source: sourceOf(table), embeds: [] }))
}

function readBack({ query, schema, table, prefer, maxRows }: Wish): ReadNode | undefined {
  if (prefer.return !== 'representation') return undefined
  const select = query.select.length > 0 ? query.select : [{ kind: 'all' } as const]
  return planRead({ ...query, select }, { schema, source: sourceOf(table), readBack: true, maxRows })
}
