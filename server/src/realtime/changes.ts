// Parses the trigger's announcement of a change: a head, the record, the old record and, on DELETE, the whole row, one
// line of JSON each.
import { z } from 'zod'
import { tableName } from './catalogue.ts'
import { type Fields, splitFields } from './json-fields.ts'

export type ChangeType = 'INSERT' | 'UPDATE' | 'DELETE'

interface Head {
  schema: string
  table: string
  type: ChangeType
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** True if the row was too large for NOTIFY: only its key and the short fields of the old row were sent. */
  shortened: boolean
}

export interface Change extends Head {
  /** The table, as written by `tableName`. */
  of: string
  /** Empty on DELETE. */
  record: Fields
  /** The columns of the replica identity; empty on INSERT. */
  old: Fields
  /** On DELETE the whole row, or its short fields, as JSON text; never sent to clients. */
  gone: string
}

// The fields of a Head in order, and the announcement's number, which only makes each payload unique.
const head = z.tuple([
  z.string(),
  z.string(),
  z.enum(['INSERT', 'UPDATE', 'DELETE']),
  z.string(),
  z.boolean(),
  z.number(),
])

/**
 * Parses an announcement. Returns undefined, without parsing the rows, if nobody subscribes to the table. Throws for
 * any other payload, since everybody who can run SQL can NOTIFY.
 */
export function readChange(payload: string, isWatched: (table: string) => boolean): Change | undefined {
  const [first = '', record = '', old = '', gone = ''] = payload.split('\n')
  const [schema, table, type, at, shortened] = head.parse(JSON.parse(first))
  const of = tableName({ schema, name: table })
  if (!isWatched(of)) return undefined
  return { schema, table, type, at, shortened, of, record: splitFields(record), old: splitFields(old), gone }
}
