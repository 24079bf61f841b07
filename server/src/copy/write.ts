// Writes a copy into the database of a site without people, in one transaction.
import type { Transaction } from '#db/database.ts'
import { readVersions } from '#db/migrate.ts'
import { CopyError, digests, type Mark } from './read.ts'
import { readTables, type Tables } from './tables.ts'

export interface WriteOptions {
  /** Tables, or columns as `table.column`, that may be left behind if this database does not have them. */
  leave?: readonly string[]
  onTable?: (name: string) => void
}

const MOST_ROWS = 500
const MOST_CHARACTERS = 2_000_000

/** Returns the marker in a line, or undefined if the line is a row. Throws CopyError if the marker is unreadable. */
export function readMark(line: string): Mark | undefined {
  if (!line.startsWith('@')) return undefined
  try {
    return JSON.parse(line.slice(1)) as Mark
  } catch {
    throw new CopyError('This is no copy, or it was damaged')
  }
}

/**
 * Restores everything after the copy's header. Triggers and foreign keys are disabled in the meantime, since the rows
 * of one snapshot are consistent; at the end the digest of every table is compared with the copy's. Throws CopyError,
 * after which the caller's transaction rolls back.
 */
export async function writeCopy(
  tx: Transaction,
  head: Extract<Mark, { format: 1 }>,
  lines: AsyncIterable<string>,
  { leave = [], onTable = () => undefined }: WriteOptions = {},
): Promise<void> {
  if ((await tx.query('select 1 from auth.users limit 1')).length > 0)
    throw new CopyError('There are people in this database. A copy needs one without.')
  const versions = await readVersions(tx)
  if (versions.join() !== head.migrations.join())
    throw new CopyError(
      `The copy is of ${head.project} ${head.version} with ${head.migrations.length} migrations, and this database has ${versions.length} others`,
    )
  const restoreRules = await suspendRules(tx)
  const here = await readTables(tx)
  const written = new Map<string, Rows>()
  let rows: Rows | undefined
  let isWhole = false
  for await (const line of lines) {
    const mark = readMark(line)
    if (!mark) {
      if (!rows) throw new CopyError('The copy has a row of no table')
      await rows.add(line)
      continue
    }
    await rows?.flush()
    rows = undefined
    if ('table' in mark) {
      onTable(mark.table)
      rows = openTable(tx, here, mark, leave)
      // Deletes rows that the migrations have inserted: the copy has the latest state of these rows.
      if (here.has(mark.table)) await tx.script(`delete from ${mark.table}`)
      written.set(mark.table, rows)
    } else if ('sequence' in mark) {
      await tx.query('select setval(to_regclass($1), $2::bigint)', [mark.sequence, mark.value])
    } else if ('digests' in mark) {
      await compare(tx, written, mark.digests, leave)
      isWhole = true
    }
  }
  if (!isWhole) throw new CopyError('The copy breaks off before its end')
  await restoreRules()
}

/**
 * Disables triggers and foreign keys until the returned function is called. If the role may not change the one setting
 * for this, as on a managed Postgres, this disables each trigger of a table (those of a view cannot be disabled) and
 * drops each foreign key, which the owner of the tables may do.
 */
async function suspendRules(tx: Transaction): Promise<() => Promise<void>> {
  const [right] = await tx.query<{ set: boolean }>(
    `select has_parameter_privilege('session_replication_role', 'set') as set`,
  )
  if (right?.set) {
    await tx.script('set local session_replication_role = replica')
    return async () => undefined
  }
  const rules = await tx.query<{ suspend: string; restore: string }>(
    `select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as suspend,
       format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as restore
     from pg_trigger join pg_class as t on t.oid = tgrelid
     where not tgisinternal and tgparentid = 0 and tgenabled = 'O' and t.relkind <> 'v'
     union all
     select format('alter table %s drop constraint %I', conrelid::regclass, conname),
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     from pg_constraint where contype = 'f' and conparentid = 0`,
  )
  await tx.script(rules.map(({ suspend }) => suspend).join(';'))
  return () => tx.script(rules.map(({ restore }) => restore).join(';'))
}

interface Rows {
  columns: readonly string[]
  /** True if this database has all columns of the copy. */
  isWhole: boolean
  add(row: string): Promise<void>
  flush(): Promise<void>
}

function openTable(
  tx: Transaction,
  here: Tables,
  { table, columns: all }: Extract<Mark, { table: string }>,
  leave: readonly string[],
): Rows {
  const known = here.get(table) ?? []
  // A column name from the file reaches SQL only if this database has a column of that name.
  const columns = all.filter((name) => known.includes(name))
  const absent =
    known.length === 0
      ? [table]
      : all.filter((name) => !columns.includes(name)).map((name) => `${table}.${name}`)
  const unexpected = absent.filter((name) => !leave.includes(name))
  const list = columns.join(', ')
  let [rows, size]: [string[], number] = [[], 0]
  const flush = async () => {
    if (rows.length === 0) return
    const given = `[${rows.join(',')}]`
    ;[rows, size] = [[], 0]
    if (columns.length === 0) return
    await tx.query(
      `insert into ${table} (${list}) overriding system value select ${list} from json_populate_recordset(null::${table}, $1)`,
      [given],
    )
  }
  return {
    columns,
    isWhole: absent.length === 0,
    add: async (row) => {
      const missing = unexpected.find((name) => name === table || says(row, name.slice(table.length + 1)))
      if (missing !== undefined)
        throw new CopyError(
          `This database has no place for ${missing}. To leave it behind, say --leave ${missing}`,
        )
      size += row.length
      if (rows.push(row) >= MOST_ROWS || size > MOST_CHARACTERS) await flush()
    },
    flush,
  }
}

/** True if the row's value in the column is not null, empty, false or zero. */
function says(row: string, column: string): boolean {
  const value: unknown = JSON.parse(row)[column.replace(/^"|"$/g, '')]
  return Boolean(value)
}

async function compare(
  tx: Transaction,
  written: ReadonlyMap<string, Rows>,
  expected: Record<string, string>,
  leave: readonly string[],
): Promise<void> {
  const found = await digests(
    tx,
    new Map(
      [...written]
        .map(([table, { columns }]) => [table, columns] as const)
        .filter(([, { length }]) => length > 0),
    ),
  )
  for (const [table, sum] of Object.entries(expected)) {
    if (leave.includes(table)) continue
    // If columns were left out, only the number of rows (before the colon) can be compared.
    const part = (one = '0:') => (written.get(table)?.isWhole ? one : one.split(':')[0])
    if (part(found[table]) !== part(sum))
      throw new CopyError(`${table} is not what it was: ${found[table] ?? 'missing'} instead of ${sum}`)
  }
}
