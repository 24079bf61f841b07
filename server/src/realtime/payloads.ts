// Describes a change to a subscriber with a given role, as JSON text.
import type { PublishedTable } from './catalogue.ts'
import type { Change } from './changes.ts'
import { type Fields, joinFields } from './json-fields.ts'

const MAX_ROW_BYTES = 1024 * 1024
/** The length in bytes up to which a field is still sent if its row is above the maximum size. */
const SHORT_FIELD_BYTES = 64

const NO_KEY = 'Error 400: Bad Request, no primary key'
const TOO_LARGE = 'Error 413: Payload Too Large'

/**
 * True if the role may learn anything about the table. If not, hosted Supabase sends an empty event with an error; here
 * nothing is sent.
 */
export function mayReceive({ key, columns }: PublishedTable, role: string): boolean {
  const readable = columns.filter(({ readers }) => readers.includes(role)).map(({ name }) => name)
  return readable.length > 0 && key.every((name) => readable.includes(name))
}

/**
 * True if the change may be sent only after a check that the subscriber can see the row, or could see it before its
 * deletion.
 */
export function needsLook(change: Change, table: PublishedTable): boolean {
  return change.type === 'DELETE' ? table.rls : refusal(change, table) === undefined
}

/** Returns the `data` of a postgres_changes event. */
export function describeChange(change: Change, table: PublishedTable, role: string): string {
  const refused = refusal(change, table)
  const readable = refused === undefined ? table.columns.filter(({ readers }) => readers.includes(role)) : []
  const names = readable.map(({ name }) => name)
  const tooLarge = bytesOf(change.record) + bytesOf(change.old) > MAX_ROW_BYTES
  const told = (fields: Fields, columns: string[]) =>
    joinFields(
      fields,
      tooLarge
        ? columns.filter((name) => Buffer.byteLength(fields.get(name) ?? '') <= SHORT_FIELD_BYTES)
        : columns,
    )
  // As on hosted Supabase, only the key of a protected deleted row is sent.
  const oldNames =
    change.type === 'DELETE' && table.rls ? names.filter((name) => table.key.includes(name)) : names
  const errors = refused ?? (tooLarge ? TOO_LARGE : undefined)
  const parts = [
    `"schema":${JSON.stringify(change.schema)}`,
    `"table":${JSON.stringify(change.table)}`,
    `"type":"${change.type}"`,
    `"commit_timestamp":"${change.at}"`,
    `"columns":${JSON.stringify(readable.map(({ name, type }) => ({ name, type })))}`,
  ]
  if (change.type !== 'DELETE') parts.push(`"record":${told(change.record, names)}`)
  if (change.type !== 'INSERT') parts.push(`"old_record":${told(change.old, oldNames)}`)
  parts.push(`"errors":${JSON.stringify(errors === undefined ? null : [errors])}`)
  return `{${parts.join(',')}}`
}

function refusal(change: Change, { key }: PublishedTable): string | undefined {
  return change.type !== 'DELETE' && key.length === 0 ? NO_KEY : undefined
}

function bytesOf(fields: Fields): number {
  let bytes = 0
  for (const value of fields.values()) bytes += Buffer.byteLength(value)
  return bytes
}
