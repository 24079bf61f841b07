// Responses to unexpected errors.
import type { Logger } from 'pino'
import { DatabaseError, isUnavailable } from '#db/database.ts'

interface Failure {
  status: 500 | 503
  body: { code: string; details: null; hint: string | null; message: string }
  headers: Record<string, string>
}

/** Logs an unexpected error as one line. Returns the response, which reveals no internals. */
export function reportFailure(
  error: unknown,
  { method, path }: { method: string | undefined; path: string | undefined },
  log: Logger,
): Failure {
  if (error instanceof DatabaseError && isUnavailable(error)) {
    log.error({ err: error, method, path }, 'The database does not answer')
    const { code, hint, message } = error
    return { status: 503, body: { code, details: null, hint, message }, headers: { 'Retry-After': '1' } }
  }
  log.error({ err: error, method, path }, 'A request failed')
  const body = { code: 'XX000', details: null, hint: null, message: 'Internal server error' }
  return { status: 500, body, headers: {} }
}
