// One change of a row, from the columns of realtime.changes.
import { tableName } from './catalogue.ts'
import { type Fields, splitFields } from './json-fields.ts'
import type { ChangeRow } from './reader.ts'

export type ChangeType = 'INSERT' | 'UPDATE' | 'DELETE'

export interface Change {
  schema: string
  table: string
  type: ChangeType
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** The table, as written by `tableName`. */
  of: string
  /** Empty on DELETE. */
  record: Fields
  /** The columns of the replica identity; empty on INSERT. */
  old: Fields
  /** On DELETE the whole row as JSON text; never sent to clients. */
  gone: string
}

/** Returns undefined, without parsing the rows, if nobody subscribes to the table. */
export function toChange(row: ChangeRow, isWatched: (table: string) => boolean): Change | undefined {
  const of = tableName({ schema: row.schema, name: row.table })
  if (!isWatched(of)) return undefined
  const { schema, table, type, at, record, old, gone } = row
  return {
    ...{ schema, table, type, at, of },
    ...{ record: splitFields(record ?? ''), old: splitFields(old ?? ''), gone: gone ?? '' },
  }
}
