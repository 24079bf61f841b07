// The database interface that the rest of the server uses, independent of the driver.

/** SQL with `$1…` placeholders. Every value is sent as text (or NULL) and Postgres infers its type. */
export interface Statement {
  text: string
  values?: readonly (string | null)[]
}

/** A row as the drivers return it: booleans, numbers and JSON are parsed; every other type stays Postgres text. */
export type Row = Record<string, unknown>

export interface Transaction {
  query<R extends Row = Row>(text: string, values?: readonly (string | null)[]): Promise<R[]>
  /** Runs a script of several statements, without parameters. */
  script(sql: string): Promise<void>
}

/** A database, or a transaction on one. */
export type Queryable = Pick<Transaction, 'query'>

export interface Patience {
  /**
   * Time in ms after which a silent connection is closed and the statement fails with 08006; without it, there is no
   * limit.
   */
  silentMs?: number | undefined
}

export interface BatchOptions extends Patience {
  /** Called with the rows of all statements before the commit; if it throws, everything is rolled back. */
  beforeCommit?: (results: Row[][]) => void
}

export interface Database {
  readonly kind: 'pglite' | 'postgres'
  /** The number of requests that can run concurrently. */
  readonly places: number
  /** Runs one statement in its own transaction, with the server's own rights. */
  query<R extends Row = Row>(
    text: string,
    values?: readonly (string | null)[],
    patience?: Patience,
  ): Promise<R[]>
  /**
   * Runs `work` in one transaction, which rolls back if `work` throws. The transaction has the server's own rights, or
   * those of `role`, which is set for the whole session: a script that ends the transaction itself gains no rights.
   */
  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    options?: Patience & { role?: string | undefined },
  ): Promise<T>
  /** Runs the statements as one transaction, in as few round trips as the driver allows. Returns rows per statement. */
  batch(statements: readonly Statement[], options?: BatchOptions): Promise<Row[][]>
  /**
   * Listens to NOTIFY on a channel until the returned function is called. `missed` is called when a broken connection
   * has been restored, since notifications sent in the meantime are lost.
   */
  listen(channel: string, hear: (payload: string) => void, missed?: () => void): Promise<() => Promise<void>>
  /**
   * Runs one statement on the connection that listens: locks of its session end when notifications are missed. Fails
   * with 08006 while that connection is being replaced.
   */
  queryAsListener<R extends Row = Row>(text: string, values?: readonly (string | null)[]): Promise<R[]>
  /**
   * True while writes are refused for lack of disk space; with Postgres, until a minute after the last such refusal.
   */
  isDiskFull(): boolean
  /** The numbers of open, idle and awaited connections; undefined if there is only one connection. */
  connections?: () => { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** A time limit in ms: two seconds more than the longest statement for a person may take. */
const PEOPLE_WAIT_MS = 10_000

/** Database access for interactive requests: a statement fails sooner if the database does not respond. */
export const forPeople = (db: Database): Database => ({
  ...db,
  query: (text, values) => db.query(text, values, { silentMs: PEOPLE_WAIT_MS }),
  transaction: (work, options) => db.transaction(work, { silentMs: PEOPLE_WAIT_MS, ...options }),
})

/** Runs `work` with the session's role set to `role`; `say` sends a script to the session. */
export async function inRole<T>(
  role: string | undefined,
  say: (sql: string) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  if (role === undefined) return work()
  await say(`set role ${role}`)
  try {
    return await work()
  } finally {
    await say('reset role')
  }
}

/** Settings that every session can read with `current_setting('app.settings.…')`, as on hosted Supabase. */
export type AppSettings = Readonly<Record<string, string>>

/** An error from Postgres, in the same form for both drivers. `code` is the SQLSTATE. */
export class DatabaseError extends Error {
  readonly code: string
  readonly detail: string | null
  readonly hint: string | null
  /**
   * The name of the violated constraint; null if the error is not a constraint violation, for instance if it comes from
   * RAISE in a function.
   */
  readonly constraint: string | null

  constructor(fields: {
    code: string
    message: string
    detail?: string | null
    hint?: string | null
    constraint?: string | null
  }) {
    super(fields.message)
    this.name = 'DatabaseError'
    this.code = fields.code
    this.detail = fields.detail ?? null
    this.hint = fields.hint ?? null
    this.constraint = fields.constraint ?? null
  }
}

/** SQLSTATE of a full disk. */
export const DISK_FULL = '53100'

/**
 * True if the database was temporarily unavailable: no connection (08), no disk space or connections left (53), timeout
 * (57014) or shutdown (57P). The same request may succeed a moment later.
 */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseError && /^(08|53|57014|57P)/.test(error.code)
}

/** Turns a driver's error into a DatabaseError; returns errors that do not come from Postgres unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseError || typeof error !== 'object' || error === null) return error
  const { code, message, detail, hint, constraint } = error as Record<string, string | undefined>
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return error
  return new DatabaseError({
    code,
    message: message ?? code,
    detail: detail ?? null,
    hint: hint ?? null,
    constraint: constraint ?? null,
  })
}
