// What the rest of the server may ask of a database, whichever one it is.

/** SQL with `$1…` placeholders. Every value travels as text (or NULL) and Postgres infers its type. */
export interface Statement {
  text: string
  values?: readonly (string | null)[]
}

/** A row as the drivers hand it over: booleans, numbers and parsed json; every other type is Postgres text. */
export type Row = Record<string, unknown>

export interface Transaction {
  query<R extends Row = Row>(text: string, values?: readonly (string | null)[]): Promise<R[]>
  /** Runs a script of several statements, without parameters. */
  script(sql: string): Promise<void>
}

/** A database, or a transaction of one. */
export type Queryable = Pick<Transaction, 'query'>

export interface BatchOptions {
  readOnly?: boolean
  /** Sees the rows of every statement before the commit; throwing rolls everything back. */
  beforeCommit?: (results: Row[][]) => void
  /** The database itself ends the statements long before a connection is held for silent. */
  bounded?: boolean
}

export interface Database {
  readonly kind: 'pglite' | 'postgres'
  /** How many requests it works on at once. */
  readonly places: number
  /** One statement in a transaction of its own, with the server's own rights. */
  query<R extends Row = Row>(text: string, values?: readonly (string | null)[]): Promise<R[]>
  /**
   * Runs `work` in one transaction; rolls back when it throws. It has the server's own rights, or those of `role`:
   * that is the session's then, so a script that ends the transaction itself gains nothing by it.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { role?: string | undefined }): Promise<T>
  /** Runs the statements as one transaction in as few round trips as the driver allows; rows per statement. */
  batch(statements: readonly Statement[], options?: BatchOptions): Promise<Row[][]>
  /**
   * Hears NOTIFY on a channel until the returned function is called. `missed` is called when the connection had broken
   * and is there again: what was said meanwhile is lost.
   */
  listen(channel: string, hear: (payload: string) => void, missed?: () => void): Promise<() => Promise<void>>
  /** How many connections there are, how many nobody uses, and how many wait for one; undefined with but one. */
  connections?: () => { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** Runs `work` while the session has the role; `say` sends the session a script. */
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

/** What every session of the database reads through `current_setting('app.settings.…')`, as hosted Supabase offers it. */
export type AppSettings = Readonly<Record<string, string>>

/** A refusal by Postgres, alike for both drivers. `code` is the SQLSTATE. */
export class DatabaseError extends Error {
  readonly code: string
  readonly detail: string | null
  readonly hint: string | null

  constructor(fields: { code: string; message: string; detail?: string | null; hint?: string | null }) {
    super(fields.message)
    this.name = 'DatabaseError'
    this.code = fields.code
    this.detail = fields.detail ?? null
    this.hint = fields.hint ?? null
  }
}

/**
 * Whether the database could not serve at all just now: no connection (08), no room or no connection left (53), out of
 * time (57014) or going down (57P). The same request may succeed a moment later.
 */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseError && /^(08|53|57014|57P)/.test(error.code)
}

/** Turns a driver's error into a DatabaseError; anything that is not Postgres speaking passes unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseError || typeof error !== 'object' || error === null) return error
  const { code, message, detail, hint } = error as Record<string, string | undefined>
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return error
  return new DatabaseError({ code, message: message ?? code, detail: detail ?? null, hint: hint ?? null })
}
