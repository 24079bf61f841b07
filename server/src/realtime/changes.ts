// A change as the trigger announces it: a head, the record and the old record, one line of JSON each.
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
  /** The row was too large to travel: only its key did, and of the old one short fields. */
  shortened: boolean
}

export interface Change extends Head {
  /** The table's name in maps. */
  of: string
  /** Empty on DELETE. */
  record: Fields
  /** The replica identity; empty on INSERT. */
  old: Fields
}

// The fields of a Head in order, and the announcement's number, which only keeps it from being the same as another.
const head = z.tuple([
  z.string(),
  z.string(),
  z.enum(['INSERT', 'UPDATE', 'DELETE']),
  z.string(),
  z.boolean(),
  z.number(),
])

/**
 * Reads an announcement; undefined when nobody watches its table, before any further work.
 * Whoever may run SQL may NOTIFY, so anything else than an announcement throws.
 */
export function readChange(payload: string, isWatched: (table: string) => boolean): Change | undefined {
  const [first = '', record = '', old = ''] = payload.split('\n')
  const [schema, table, type, at, shortened] = head.parse(JSON.parse(first))
  const of = tableName({ schema, name: table })
  if (!isWatched(of)) return undefined
  return { schema, table, type, at, shortened, of, record: splitFields(record), old: splitFields(old) }
}
