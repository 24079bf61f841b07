// Turns any error thrown by an endpoint into one of Supabase Auth's two body formats, and logs server faults.
import type { Context, ErrorHandler } from 'hono'
import type { Logger } from 'pino'
import { DatabaseError, DISK_FULL, isUnavailable } from '#db/database.ts'
import { logOf } from '#http/request-id.ts'
import { Refused } from '#identity/caller.ts'
import { AuthError, badJwt, diskFull, emailExists, invalid, unavailable, unexpected } from './errors.ts'

const VERSION_HEADER = 'X-Supabase-Api-Version'
const NEW_FORM = '2024-01-01'

const GATEWAY_HINTS = {
  'no key': 'No `apikey` request header or url param was found.',
  'bad key': 'Double check your Supabase `anon` or `service_role` API key.',
} as const

// SQLSTATEs of text that JSON can carry but Postgres cannot store: NUL characters and lone surrogates.
const UNSTORABLE = new Set(['22P05', '22021', '22P02'])

export function createFailureHandler(log: Logger): ErrorHandler {
  return (error, context) => {
    if (error instanceof Refused && error.reason !== 'bad token') {
      return context.json({ message: error.message, hint: GATEWAY_HINTS[error.reason] }, 401)
    }
    const failure = isDiskFull(error) && !isRefresh(context) ? diskFull(error) : toAuthError(error)
    logFailure(log, context, failure)
    return answerFailure(context, failure)
  }
}

const isDiskFull = (error: unknown) => error instanceof DatabaseError && error.code === DISK_FULL
/**
 * True for a token refresh. On a full disk it must fail as unavailable: after other failures, clients end the session.
 */
const isRefresh = (context: Context) => context.req.query('grant_type') === 'refresh_token'

/** Logs a server fault as one line, with the path but without its query. */
export function logFailure(log: Logger, context: Context, failure: AuthError): void {
  if (failure.status < 500) return
  const { method, path } = context.req
  logOf(context, log).error({ method, path, err: describe(failure) }, failure.message)
}

export function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error
  if (error instanceof Refused)
    return badJwt(`invalid JWT: unable to parse or verify signature, ${error.message}`)
  if (error instanceof DatabaseError) {
    if (UNSTORABLE.has(error.code)) return invalid('The request holds text that cannot be stored')
    if (isUnavailable(error)) return unavailable(error)
    // The project's triggers refuse with a check violation, or with PostgREST's convention of PT and an HTTP status.
    if (error.code === '23514' && error.constraint === null) return invalid(error.message)
    const refused = /^PT(4\d\d)$/.exec(error.code)
    if (refused) return new AuthError(Number(refused[1]) as 400, error.code as `PT${number}`, error.message)
    // A concurrent request has taken the address since the lookup.
    if (error.code === '23505' && error.message.includes('users_email_key')) return emailExists()
  }
  return unexpected('Unexpected failure, please check server logs for more information', error)
}

/** Responds with the error in the format of the client's API version. */
export function answerFailure(context: Context, error: AuthError): Response {
  const newForm = wantsNewForm(context.req.header(VERSION_HEADER))
  if (newForm) context.header(VERSION_HEADER, NEW_FORM)
  const weak = error.weakReasons
  if (!(newForm && weak)) context.header('x-sb-error-code', error.code)
  if (error.retryAfterSeconds !== undefined) context.header('Retry-After', String(error.retryAfterSeconds))
  // The rest of this body is never read, so the connection cannot be reused.
  if (error.status === 413) context.header('Connection', 'close')
  const body = newForm
    ? { code: error.code, message: error.message }
    : {
        code: error.status,
        error_code: error.code,
        msg: error.message,
        ...(error.status >= 500 && { error_id: context.get('requestId') }),
      }
  return context.json({ ...body, ...(weak && { weak_password: { reasons: weak } }) }, error.status)
}

const OAUTH_NAMES: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** Returns the error as URL parameters, for a page that can explain it. */
export function describeForRedirect({ status, code, message }: AuthError): Record<string, string> {
  const name = OAUTH_NAMES[status]
  return { ...(name && { error: name }), error_code: code, error_description: message }
}

const wantsNewForm = (version: string | undefined) =>
  version !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= NEW_FORM

// Logs only these fields, because a database error's detail can quote a whole row, including the password hash.
function describe(error: Error): object {
  const cause = error.cause instanceof Error ? error.cause : error
  const code = (cause as { code?: unknown }).code
  // Libraries often put the reason one level deeper.
  const reason = cause.cause instanceof Error ? `: ${cause.cause.message}` : ''
  return { type: cause.name, message: `${cause.message}${reason}`, code, stack: cause.stack }
}
