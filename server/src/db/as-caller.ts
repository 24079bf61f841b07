// Runs statements as their caller. This is the only place where a request gets its role.
import { PROJECT } from '../project.ts'
import type { BatchOptions, Row, Statement } from './database.ts'
import type { Reads } from './replica.ts'

/** The caller. `claims` is the JSON text of the verified token and always contains `role`. */
export interface Caller {
  role: string
  claims: string
}

/** Facts about the request that SQL reads with `current_setting('request.…')`. */
export interface RequestSettings {
  method: string
  path: string
  headers: string
  /** A JSON object with string values. */
  cookies: string
  /** The request id, used as the session's application_name: visible in pg_stat_activity and in Postgres's log. */
  id: string
}

// The time limits in seconds. Hosted Supabase stores them as settings of the roles, which SET ROLE does not apply.
const STATEMENT_TIMEOUT: Record<string, number> = { anon: 3, authenticated: 8 }
/** Extra time in seconds in which the database may end a statement, before it counts as not responding. */
const MORE = 2

const PREAMBLE = `select set_config('search_path', 'public, extensions', true),
  set_config('statement_timeout', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.method', $3, true), set_config('request.path', $4, true),
  set_config('request.headers', $5, true), set_config('request.cookies', $6, true),
  set_config('application_name', $7, true), set_config('role', $8, true)`
// Later statements of the transaction cannot make it writable again.
const READ_ONLY_PREAMBLE = `${PREAMBLE}, set_config('transaction_read_only', 'on', true)`

const NO_REQUEST: RequestSettings = { method: '', path: '', headers: '{}', cookies: '{}', id: '' }

interface CallerOptions extends BatchOptions {
  request?: RequestSettings
  /** True if the statements must not write. */
  readOnly?: boolean
  /** A statement that runs first, with the server's own rights. */
  before?: Statement
}

/** Runs the statements as the caller in one transaction. Returns the rows of each. */
export async function asCaller(
  db: Reads,
  caller: Caller,
  statements: readonly Statement[],
  { request = NO_REQUEST, readOnly = false, before, ...options }: CallerOptions = {},
): Promise<Row[][]> {
  const timeout = STATEMENT_TIMEOUT[caller.role]
  const preamble: Statement = {
    text: readOnly ? READ_ONLY_PREAMBLE : PREAMBLE,
    values: [
      timeout === undefined ? '0' : `${timeout}s`,
      caller.claims,
      request.method,
      request.path,
      request.headers,
      request.cookies,
      `${PROJECT.name} ${request.id}`.trimEnd(),
      caller.role,
    ],
  }
  const first = before ? [before, preamble] : [preamble]
  const beforeCommit = options.beforeCommit
  const results = await db.batch([...first, ...statements], {
    ...(timeout !== undefined && { silentMs: (timeout + MORE) * 1_000 }),
    ...options,
    ...(beforeCommit && { beforeCommit: (rows) => beforeCommit(rows.slice(first.length)) }),
  })
  return results.slice(first.length)
}
