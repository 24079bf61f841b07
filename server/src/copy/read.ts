// Reads a whole site from its database as lines of text, in one consistent snapshot.

import type { Transaction } from '#db/database.ts'
import { readVersions } from '#db/migrate.ts'
import { PROJECT } from '#project.ts'
import { digest, readTables, rowText, type Tables } from './tables.ts'

/** Thrown when a copy cannot be made or restored as requested; the message says why. */
export class CopyError extends Error {}

/** Markers between the rows of a copy; each is a line that begins with `@`. */
export type Mark =
  /** `at`: when the copy was made (ISO 8601). */
  | { format: 1; project: string; version: string; at: string; migrations: string[] }
  | { table: string; columns: readonly string[] }
  | { sequence: string; value: string }
  | { digests: Record<string, string> }

const AT_ONCE = '500'
const mark = (one: Mark) => `@${JSON.stringify(one)}`

/**
 * Yields the lines of a copy: a header, a marker before the rows of each table, a marker for each sequence, and at the
 * end the digests of all tables, without which a copy is incomplete. `tx` must not have run a statement before.
 */
export async function* readCopy(
  tx: Transaction,
  { onTable = () => undefined }: { onTable?: (name: string) => void } = {},
): AsyncGenerator<string> {
  await tx.script('set transaction isolation level repeatable read, read only')
  const { name, version } = PROJECT
  yield mark({
    format: 1,
    project: name,
    version,
    at: new Date().toISOString(),
    migrations: await readVersions(tx),
  })
  const tables = await readTables(tx)
  for (const [table, columns] of tables) {
    onTable(table)
    yield mark({ table, columns })
    yield* readRows(tx, table, columns)
  }
  const sequences = await tx.query<{ name: string; value: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
     where schemaname in ('public', 'private') and last_value is not null`,
  )
  for (const { name: sequence, value } of sequences) yield mark({ sequence, value })
  yield mark({ digests: await digests(tx, tables) })
}

async function* readRows(tx: Transaction, table: string, columns: readonly string[]): AsyncGenerator<string> {
  await tx.script(
    `declare copy_rows no scroll cursor for select ${rowText(columns)} as row from ${table} as t`,
  )
  for (;;) {
    const rows = await tx.query<{ row: string }>(`fetch ${AT_ONCE} from copy_rows`)
    // JSON output has line breaks only between tokens, so they can be replaced with spaces.
    for (const { row } of rows) yield row.replaceAll('\n', ' ')
    if (rows.length === 0) break
  }
  await tx.script('close copy_rows')
}

export async function digests(tx: Transaction, tables: Tables): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const [table, columns] of tables) all[table] = await digest(tx, table, columns)
  return all
}
