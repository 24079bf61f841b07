import { t } from '@lingui/core/macro'

/** Every failure of the backend: `code` is for the program, `message` for people. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: string
  readonly status: number | undefined
  /** The key of the database's refusal, with its values (supabase/error-codes.md). */
  readonly refusal: string | undefined
  readonly values: readonly string[]

  constructor(
    code: string,
    message: string,
    options: {
      status?: number | undefined
      cause?: unknown
      refusal?: string | undefined
      values?: readonly string[]
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = options.status
    this.refusal = options.refusal
    this.values = options.values ?? []
  }
}

/** Our own codes for failures that no backend reports. */
export const OFFLINE = 'offline'
export const ABORTED = 'aborted'
export const UNKNOWN = 'unknown'
export const TIMED_OUT = 'timed_out'
export const PLAN_NOT_FOUND = 'plan_not_found'
export const SIGNED_OUT = 'signed_out'
/** The person closed the dialog that asks for their name. */
export const NAME_WANTED = 'name_wanted'
/** The person has not said whether they share as a private person or a trader. */
export const SELLER_WANTED = 'seller_wanted'
/** The server could not be asked whether the session is still valid. */
export const SESSION_UNKNOWN = 'session_unknown'
export const PART_MISSING = 'part_missing'

/** SQLSTATEs of the product's own rules (supabase/error-codes.md). */
export const PERMISSION_DENIED = '42501'
export const RULE_BROKEN = '23514'
export const DUPLICATE = '23505'
export const SESSION_ENDED = 'PT401'
export const PROOF_WANTED = 'PT403'
export const RATE_LIMITED = 'PT429'
export const NOT_FOUND = 'PT404'

let translations: Record<string, (...values: string[]) => string> = {}

/** Loads the translations of the database's refusals, which are in English. AppErrors made later are translated. */
export async function translateRefusals(): Promise<void> {
  translations = (await import('./refusals.gen.ts')).refusals
}

/** Turns any thrown or returned problem (PostgREST, Auth, fetch, our own) into an {@link AppError}. */
export function toAppError(problem: unknown): AppError {
  if (problem instanceof AppError) return problem
  if (!isRecord(problem)) return new AppError(UNKNOWN, String(problem))
  const message = text(problem.message)
  const status = typeof problem.status === 'number' ? problem.status : undefined
  if (text(problem.name) === 'AbortError' || /AbortError/.test(message))
    return new AppError(ABORTED, message, { cause: problem })
  if (neverAnswered(problem, message)) return new AppError(OFFLINE, message, { status, cause: problem })
  const refusal = text(problem.hint)
  const values = valuesIn(problem.details)
  return new AppError(text(problem.code) || UNKNOWN, translations[refusal]?.(...values) ?? message, {
    ...{ status, cause: problem, refusal: refusal || undefined, values },
  })
}

/** The values in the sentence of a refusal. */
function valuesIn(details: unknown): string[] {
  try {
    const { values }: { values?: unknown } = JSON.parse(text(details))
    return Array.isArray(values) ? values.map(String) : []
  } catch {
    // Postgres's own details are sentences.
    return []
  }
}

/**
 * Gives the failure to load a part of the app, for instance after an update of the site, the same message in all
 * browsers. Otherwise the router would reload the page by itself, even without a connection.
 */
export function wordMissingParts(): void {
  window.addEventListener('vite:preloadError', ({ payload }) =>
    Object.assign(payload, {
      code: PART_MISSING,
      message: t`Potluck has been updated. Reload the page to continue.`,
    }),
  )
}

/** The data of a PostgREST answer. Throws an {@link AppError} if it is a refusal. */
export function unwrap<Answer extends { data: unknown; error: object | null; status?: number }>(
  answer: Answer,
): Extract<Answer, { error: null }>['data'] {
  if (answer.error) {
    // The status tells whether a retry may help; the error itself does not contain it.
    const { code, message, refusal, values } = toAppError(answer.error)
    throw new AppError(code, message, { status: answer.status, cause: answer.error, refusal, values })
  }
  return answer.data
}

/** True if a retry may succeed: the network failed or the service was unavailable (502, 503, 504). */
export function isRetryable(problem: unknown): boolean {
  const { code, status } = toAppError(problem)
  return code === OFFLINE || status === 502 || status === 503 || status === 504
}

/** Codes for a missing column, table or function, a missing permission, and invalid syntax. */
const SCHEMA_CODES = new Set([
  '42703',
  '42P01',
  '42883',
  'PGRST200',
  'PGRST202',
  'PGRST204',
  'PGRST205',
  PERMISSION_DENIED,
  '22P02',
])

/** True for a failure that a retry is unlikely to fix, and whose message is not shown to people. */
export function isSchemaProblem(problem: unknown): boolean {
  return SCHEMA_CODES.has(toAppError(problem).code)
}

/** True if the backend could not be reached: no network, no service, or no answer within 15 s. */
export function isConnectionProblem(problem: unknown): boolean {
  return isRetryable(problem) || toAppError(problem).code === TIMED_OUT
}

/** Codes whose messages are the product's own. */
const OURS = new Set([
  RULE_BROKEN,
  PERMISSION_DENIED,
  DUPLICATE,
  SESSION_ENDED,
  PROOF_WANTED,
  NAME_WANTED,
  SELLER_WANTED,
  RATE_LIMITED,
  NOT_FOUND,
  SIGNED_OUT,
])

/** The message of the rule that was broken; undefined if there is none, or only Postgres's own. */
export function refusalOf(problem: unknown): string | undefined {
  const { code, message } = toAppError(problem)
  return OURS.has(code) && !/violates|^permission denied/i.test(message) && message ? message : undefined
}

/** The reason why an action failed: the backend's message, or that the backend could not be reached. */
export function answerOf(problem: unknown, otherwise: string): string {
  return isConnectionProblem(problem) ? reasonOf(problem) : toAppError(problem).message || otherwise
}

/** The reason why something could not be loaded, in plain words instead of the database's. */
export function reasonOf(problem: unknown): string {
  const { code, message } = toAppError(problem)
  if (code === TIMED_OUT) return message
  if (isRetryable(problem)) return t`You seem to be offline. Check your connection and try again.`
  return t`Something went wrong on our side. Please try again.`
}

function neverAnswered(problem: Record<string, unknown>, message: string): boolean {
  if (text(problem.name) === 'AuthRetryableFetchError') return true
  return !problem.status && /failed to fetch|fetch failed|networkerror|load failed/i.test(message)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
